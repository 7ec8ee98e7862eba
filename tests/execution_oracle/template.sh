set -e
printf 'alpha\nbeta\ngamma\n' > a.txt
printf 'delta\n' > b.txt
printf '3\n1\n2\n' > numbers.txt
printf 'a b\n' > 'with space.txt'
printf 'id,name\n1,one\n2,two\n' > data.csv
printf '{"name": "demo", "items": [1, 2]}\n' > data.json
mkdir -p src sub/deep docs
printf '#include <stdio.h>\nint main(void) { puts("hi"); return 0; }\n' > src/main.c
printf 'print("hi")\n' > src/main.py
printf 'deep\n' > sub/deep/c.txt
printf '# Title\n\nText.\n' > docs/readme.md
printf 'all:\n\t@echo made\nout:\n\tmkdir -p $(DIR)\n' > Makefile
tar -cf pack.tar a.txt sub
tar -czf pack.tgz a.txt sub
gzip -k numbers.txt
printf '%s\n' '--- a/a.txt' '+++ b/a.txt' '@@ -1,3 +1,3 @@' ' alpha' '-beta' '+BETA' ' gamma' > change.patch
printf '.hidden\n' > .hidden
git init -q --template= -b main .
git add a.txt b.txt src docs Makefile
git commit -q -m first
git checkout -q -b side
printf 'side\n' > side.txt
git add side.txt
git commit -q -m side
git checkout -q main
cd ../../outside
printf 'old\n' > old.txt
mkdir -p data empty
printf 'data\n' > data/f.txt
printf 'two\n' > data/g.log
git init -q --template= -b main repo
cd repo
printf 'r\n' > r.txt
git add r.txt
git commit -q -m first
cd ../../home
mkdir -p .config/app docs
printf 'x = 1\n' > .config/app/conf.ini
printf 'note\n' > docs/note.txt
printf 'export A=1\n' > .bashrc
