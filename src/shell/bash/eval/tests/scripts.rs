//! Scripts in other languages, in their shell.

use super::check;

#[test]
fn a_script_sees_what_the_shell_exports() {
    check(&[
        ("OUT=/srv/x python3 -c \"import os; open(os.environ['OUT'], 'w')\"", "+/srv/x"),
        ("export OUT=/srv/x; python3 -c \"import os; open(os.getenv('OUT'), 'w')\"", "+/srv/x"),
        ("export OUT=/srv/x; node -e 'require(\"fs\").writeFileSync(process.env.OUT, \"\")'", "+/srv/x"),
        ("export D=/srv/$(unknown); python3 -c \"import os; os.mkdir(os.environ['D'] + '/x')\"", "+/srv/*"),
        // Not exported: the script does not see it.
        ("OUT=/srv/x; python3 -c \"import os; open(os.environ.get('OUT', 'own'), 'w')\"", "+/w/own"),
        ("export OUT=/srv/x; unset OUT; python3 -c \"import os; open(os.environ.get('OUT', 'own'), 'w')\"", "+/w/own"),
        // Letters behind a number in a cluster.
        (r#"perl -lane 'BEGIN{open O,">","/srv/q"} print O $F[0]' a.txt"#, "+/srv/q"),
        (r#"perl -0777ne 'open O,">","/srv/q"' a.txt"#, "+/srv/q"),
        (r#"perl -l012 -0x1F -ne 'mkdir "/srv/q"' a.txt"#, "+/srv/q"),
        ("perl -lane 'print $F[0]' /srv/none", ""),
        ("perl -lpi.bak -e 's/a/b/' /srv/data/f1.txt", "~/srv/data/f1.txt +/srv/data/f1.txt.bak"),
        (r#"ruby -0777ne 'File.write("/srv/q","")' a.txt"#, "+/srv/q"),
        (r#"ruby -W0e 'File.write("/srv/q","")'"#, "+/srv/q"),
        ("HOME=/srv perl -e 'mkdir \"$ENV{HOME}/x\"'", "+/srv/x"),
        ("export TMPDIR=/srv/t; python3 -c \"import tempfile; open(tempfile.gettempdir() + '/x', 'w')\"", "+/srv/t/x"),
        ("out=/srv/x awk 'BEGIN { print 1 > ENVIRON[\"out\"] }'", "+/srv/x"),
    ]);
}

#[test]
fn a_script_runs_where_the_shell_stands() {
    check(&[
        ("cd /srv && python3 -c \"open('x', 'w')\"", "+/srv/x"),
        ("(cd /srv; ruby -e 'File.write(\"x\", \"\")'); touch y", "+/srv/x +/w/y"),
        ("python3 - <<'EOF'\nimport os\nos.chdir('/srv')\nopen('x', 'w')\nEOF\ntouch y", "+/srv/x +/w/y"),
        ("python3 -c 'import sys; open(sys.argv[1], \"w\")' /srv/x", "+/srv/x"),
        ("for d in a b; do python3 -c \"open('/srv/$d', 'w')\"; done", "+/srv/a +/srv/b"),
        ("python3 -c \"import os; os.system('cd /srv && touch x')\"", "+/srv/x"),
        ("node -e 'require(\"child_process\").execSync(\"touch x\", {cwd: \"/srv\"})'", "+/srv/x"),
    ]);
}

#[test]
fn functions_that_children_know() {
    check(&[
        ("f() { mkdir /srv/x; }; export -f f; bash -c f", "+/srv/x"),
        ("f() { mkdir \"$1\"; }; export -f f; echo /srv/x | xargs bash -c 'f \"$1\"' _", "+/srv/x"),
        ("f() { mkdir /srv/x; }; declare -fx f; timeout 5 bash -c f", "+/srv/x"),
        ("f() { mkdir /srv/x; }; typeset -xf f; find . -maxdepth 0 -exec bash -c f \\;", "+/srv/x"),
        ("set -a; f() { mkdir /srv/x; }; bash -c f", "+/srv/x"),
        ("f() { mkdir /srv/x; }; bash -c f", ""),
        ("f() { mkdir /srv/x; }; command export -f f; bash -c f", "+/srv/x"),
        ("f() { mkdir /srv/x; }; command export -- -f f; bash -c f", ""),
        ("f() { mkdir /srv/x; }; command export f -f; bash -c f", ""),
        ("f() { :; }; export -f f; f() { mkdir /srv/x; }; bash -c f", "+/srv/x"),
    ]);
}

#[test]
fn descriptors_as_files() {
    check(&[
        ("bash /dev/stdin <<< 'mkdir /srv/x'", "+/srv/x"),
        ("bash /dev/stdin /srv/x <<'E'\nmkdir $1\nE\n", "+/srv/x"),
        ("echo 'mkdir /srv/x' | sh /dev/fd/0", "+/srv/x"),
        ("bash /dev/fd/3 3<<'E'\nmkdir /srv/x\nE\n", "+/srv/x"),
        (". /dev/fd/5 5<<< 'mkdir /srv/x'", "+/srv/x"),
        ("exec 3<<< 'mkdir /srv/x'; : 3<<< true; bash /dev/fd/3", "+/srv/x"),
        ("exec 3<<< 'mkdir /srv/x'; : 3< a.txt 3<<< true; bash /dev/fd/3", "+/srv/x"),
        (": 3<<< 'mkdir /srv/x'; bash /dev/fd/3", ""),
        ("bash 3<<< 'mkdir /srv/x' <&3", "+/srv/x"),
        ("exec 3<<< /srv/x; read -u 3 d; mkdir $d", "+/srv/x"),
        ("python3 /dev/stdin <<< 'open(\"/srv/x\", \"w\")'", "+/srv/x"),
        ("make -f - <<'E'\nall:\n\tmkdir /srv/x\nE\n", "+/srv/x"),
        ("printf 'all:\\n\\tmkdir /srv/x\\n' | make -f /dev/stdin", "+/srv/x"),
    ]);
}

#[test]
fn makefiles_that_run_while_they_are_read() {
    check(&[
        ("printf 'X := $(shell mkdir /srv/x)\\nall: ;\\n' > Makefile; make", "+/w/Makefile +/srv/x"),
        ("printf 'X = $(shell mkdir /srv/x)\\nall:\\n\\techo $(X)\\n' > Makefile; make", "+/w/Makefile +/srv/x"),
        ("printf 'X = $(shell mkdir /srv/x)\\nall: ;\\n' > Makefile; make", "+/w/Makefile"),
        ("printf 'D = x\\n$(file > /srv/$(D),text)\\nall: ;\\n' > Makefile; make", "+/w/Makefile +/srv/x"),
        ("make --eval='$(shell mkdir /srv/x)'", "+/srv/x"),
        ("make -E 'x: ; mkdir /srv/x' x", "+/srv/x"),
        ("printf 'X != mkdir /srv/x\\nall: ;\\n' > Makefile; make", "+/w/Makefile +/srv/x"),
        ("printf 'all:\\n\\techo $(shell mkdir $(addprefix /srv/,x))\\n' > Makefile; make", "+/w/Makefile +?"),
    ]);
}

#[test]
fn hooks_elsewhere() {
    check(&[
        (
            "mkdir h; echo 'mkdir /srv/x' > h/pre-commit; git config core.hooksPath h; git commit -m x",
            "+/w/h +/w/h/pre-commit +/srv/x",
        ),
        (
            "mkdir h; echo 'mkdir /srv/x' > h/pre-commit; git -c core.hooksPath=h commit -m x",
            "+/w/h +/w/h/pre-commit +/srv/x",
        ),
    ]);
}

#[test]
fn copies_that_are_links() {
    check(&[
        ("cp -s /srv/data/f1.txt l; echo x > l", "+/w/l +/srv/data/f1.txt"),
        ("cp -rs /srv/data l; touch l/x", "+/w/l +/w/l/x"),
        ("cp /dev/stdin s.sh <<'E'\nmkdir /srv/x\nE\nbash s.sh", "+/w/s.sh +/srv/x"),
        ("dd of=s.sh <<'E'\nmkdir /srv/x\nE\nsh s.sh", "+/w/s.sh +/srv/x"),
        ("install -m 755 /dev/stdin s.sh <<'E'\nmkdir /srv/x\nE\n./s.sh", "+/w/s.sh +/srv/x"),
        ("echo 'mkdir /srv/x' > a; install -m 755 a s.sh; ./s.sh", "+/w/a +/w/s.sh +/srv/x"),
        ("echo 'mkdir /srv/x' > a; dd if=a of=s.sh; sh s.sh", "+/w/a +/w/s.sh +/srv/x"),
    ]);
}

#[test]
fn scripts_that_other_languages_write() {
    check(&[
        ("python3 -c 'open(\"s.sh\", \"w\").write(\"mkdir /srv/x\\n\")'; bash s.sh", "+/w/s.sh +/srv/x"),
        (
            "python3 - <<'E'\nwith open('s.sh', 'w') as f:\n    f.write('cd /srv\\n')\n    f.write('mkdir x\\n')\nE\nsh s.sh",
            "+/w/s.sh +/srv/x",
        ),
        (
            "python3 -c 'from pathlib import Path; Path(\"s.sh\").write_text(\"mkdir /srv/x\")' && . ./s.sh",
            "+/w/s.sh +/srv/x",
        ),
        ("node -e 'require(\"fs\").writeFileSync(\"s.sh\", \"mkdir /srv/x\")'; sh s.sh", "+/w/s.sh +/srv/x"),
        ("ruby -e 'File.write(\"s.sh\", \"mkdir /srv/x\")'; sh s.sh", "+/w/s.sh +/srv/x"),
        ("php -r 'file_put_contents(\"s.sh\", \"mkdir /srv/x\");'; sh s.sh", "+/w/s.sh +/srv/x"),
        ("python3 -c 'open(\"s.sh\", \"w\").write(\"mkdir /srv/x\")'; echo true > s.sh; sh s.sh", "+/w/s.sh"),
        ("python3 -c 'print(open(\"a.txt\").read())'", ""),
    ]);
}

#[test]
fn settings_on_standard_input_and_in_files() {
    check(&[
        ("curl -K - <<< 'output = \"/srv/x\"'", "+/srv/x"),
        ("curl -s -K - http://h/a <<'E'\n# no\n-o /srv/x\nE\n", "+/srv/x"),
        ("echo 'output=/srv/x' > c; curl --config c http://h/a", "+/w/c +/srv/x"),
        ("echo 'remote-name' | curl -K- http://h/a", "+/w/a"),
        ("echo '.output /srv/x' > i; sqlite3 -init i :memory: ''", "+/w/i +/srv/x"),
        ("echo '.output /srv/x' > i; sqlite3 :memory: '.read i'", "+/w/i +/srv/x"),
    ]);
}
