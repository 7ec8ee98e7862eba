//! Expansion of words.

use super::check;

#[test]
fn quotes_and_tilde() {
    check(&[
        ("mkdir /srv/x", "+/srv/x"),
        ("mkdir '/srv/a b'", "+/srv/a b"),
        (r"mkdir /srv/a\ b", "+/srv/a b"),
        ("mkdir \"/srv\"'/x'", "+/srv/x"),
        ("mkdir $'/srv/\\x41'", "+/srv/A"),
        ("mkdir x", "+/w/x"),
        ("mkdir ../x", "+/x"),
        ("mkdir ./sub/../y", "+/w/y"),
        ("mkdir ~/x", "+/home/u/x"),
        ("mkdir ~", "+/home/u"),
        ("mkdir '~/x'", "+/w/~/x"),
        ("mkdir \"~/x\"", "+/w/~/x"),
        ("mkdir ~ann/x", "+/home/ann/x"),
        ("mkdir ~root/x", "+/root/x"),
        ("mkdir ~nobody-knows/x", "+/w/~nobody-knows/x"),
        ("mkdir ~+/x", "+/w/x"),
        ("cd /srv; cd /opt; mkdir ~-/x", "+/srv/x"),
        ("mkdir a~/x", "+/w/a~/x"),
        ("D=~/x; mkdir $D", "+/home/u/x"),
        ("P=/a:~/b; mkdir ${P#*:}", "+/home/u/b"),
        ("HOME=/srv/h; mkdir ~/x", "+/srv/h/x"),
        ("mkdir \"$HOME/x\"", "+/home/u/x"),
        ("mkdir ${HOME}x", "+/home/ux"),
    ]);
}

#[test]
fn parameters() {
    check(&[
        ("D=/srv/x; mkdir $D", "+/srv/x"),
        ("D=/srv/x; mkdir \"$D/y\"", "+/srv/x/y"),
        ("D='/srv/a /srv/b'; mkdir $D", "+/srv/a +/srv/b"),
        ("D='/srv/a /srv/b'; mkdir \"$D\"", "+/srv/a /srv/b"),
        ("IFS=:; D=/srv/a:/srv/b; mkdir $D", "+/srv/a +/srv/b"),
        ("mkdir ${X:-/srv/x}", "+/srv/x"),
        ("X=/tmp/x; mkdir ${X:-/srv/x}", "+/tmp/x"),
        ("X=; mkdir ${X-/srv/x}y", "+/w/y"),
        ("X=; mkdir ${X:-/srv/x}y", "+/srv/xy"),
        ("mkdir ${X:=/srv/x}; mkdir $X/y", "+/srv/x +/srv/x/y"),
        ("X=1; mkdir ${X:+/srv/x}", "+/srv/x"),
        ("mkdir y${X:+/srv/x}", "+/w/y"),
        ("F=/srv/a.tar.gz; touch ${F%.gz} ${F%%.*}", "+/srv/a.tar +/srv/a"),
        ("F=/srv/a/b.txt; touch ${F##*/} ${F%/*}/c", "+/w/b.txt +/srv/a/c"),
        ("F=/tmp/a; touch ${F/tmp/srv} ${F//a/bb}", "+/srv/a +/tmp/bb"),
        ("F=tmp-a-b; touch /${F//-//}", "+/tmp/a/b"),
        ("F=/tmp/a; touch ${F/#\\/tmp//srv}", "+/srv/a"),
        ("F=a.c; touch ${F/%.c/.o}", "+/w/a.o"),
        ("F=xx/srv; mkdir ${F:2} ${F:2:2}", "+/srv +/s"),
        ("F=xx/srv; mkdir ${F: -4}", "+/srv"),
        ("F=ab; mkdir /srv/${#F} /srv/${F^^} /srv/${F^}", "+/srv/2 +/srv/AB +/srv/Ab"),
        ("N=D; D=/srv/x; mkdir ${!N}", "+/srv/x"),
        ("set -- /srv/a /srv/b; mkdir \"$@\"", "+/srv/a +/srv/b"),
        ("set -- /srv/a /srv/b; mkdir $2 $#", "+/srv/b +/w/2"),
        ("set -- /srv/a /srv/b /srv/c; shift; mkdir \"${@:2}\"", "+/srv/c"),
        ("A=(/srv/a '/srv/b c'); mkdir \"${A[@]}\"", "+/srv/a +/srv/b c"),
        ("A=(/srv/a /srv/b); mkdir ${A[1]} ${#A[@]}", "+/srv/b +/w/2"),
        ("A=(x y); mkdir \"${A[@]/#//srv/}\"", "+/srv/x +/srv/y"),
        ("A+=(/srv/a); A+=(/srv/b); mkdir ${A[*]}", "+/srv/a +/srv/b"),
        ("A[3]=/srv/c; mkdir ${A[3]}", "+/srv/c"),
        ("declare -A M=([k]=/srv/m); mkdir ${M[k]}", "+/srv/m"),
        ("X=/srv; X+=/y; mkdir $X", "+/srv/y"),
        ("mkdir -p /srv/x && cd $_ && touch a", "+/srv/x +/srv/x/a"),
        ("touch /srv/$RANDOM /srv/a.$$", "+/srv/*"),
        ("mkdir $RANDOM", "+/w/*"),
        ("mkdir $UNSET/x", "+/x"),
        ("mkdir \"$(unknown-tool)\"", "+?"),
        ("mkdir \"/srv/$(unknown-tool)/x\"", "+/srv/*"),
        ("mkdir $PWD/x $OLDPWD", "+/w/x"),
    ]);
}

#[test]
fn braces_and_globs() {
    check(&[
        ("mkdir /srv/{a,b}", "+/srv/a +/srv/b"),
        ("mkdir -p /srv/{a,b/{c,d}}", "+/srv/a +/srv/b/c +/srv/b/d"),
        ("mkdir /srv/n{1..3}", "+/srv/n1 +/srv/n2 +/srv/n3"),
        ("mkdir /srv/n{01..03..2}", "+/srv/n01 +/srv/n03"),
        ("mkdir /srv/{a..c}", "+/srv/a +/srv/b +/srv/c"),
        ("mkdir /srv/{x}", "+/srv/{x}"),
        ("mkdir '/srv/{a,b}'", "+/srv/{a,b}"),
        ("D={a,b}; mkdir $D", "+/w/{a,b}"),
        ("X=q; mkdir /srv/{$X,b}", "+/srv/q +/srv/b"),
        ("mkdir /srv/{\"a b\",c}", "+/srv/a b +/srv/c"),
        ("rm *.txt", "-/w/a.txt -/w/b.txt -/w/list.txt"),
        ("rm /srv/data/f?.txt", "-/srv/data/f1.txt -/srv/data/f2.txt"),
        ("rm /srv/data/f[2-9].txt", "-/srv/data/f2.txt"),
        ("rm /srv/*/f1.txt", "-/w/a.txt -/srv/data/f1.txt".split_once(' ').unwrap().1),
        ("touch /srv/none*.x", "+/srv/none*.x"),
        ("rm '*.txt'", "-/w/*.txt"),
        ("set -f; rm *.txt", "-/w/*.txt"),
        ("G='*.txt'; rm $G", "-/w/a.txt -/w/b.txt -/w/list.txt"),
        ("G='*.txt'; rm \"$G\"", "-/w/*.txt"),
        ("for f in *.txt; do touch /srv/$f; done", "+/srv/a.txt +/srv/b.txt +/srv/list.txt"),
        ("for f in /srv/data/*.txt; do touch ${f%.txt}.bak; done", "+/srv/data/f1.bak +/srv/data/f2.bak"),
    ]);
}

#[test]
fn arithmetic() {
    check(&[
        ("mkdir /srv/$((1+2*3))", "+/srv/7"),
        ("i=4; mkdir /srv/$((i++)) /srv/$i", "+/srv/4 +/srv/5"),
        ("mkdir /srv/$(( $(date +%s) / 2 ))", "+/srv/*"),
        ("((n = 3)); mkdir /srv/$n", "+/srv/3"),
        ("let n=2+2; mkdir /srv/$n", "+/srv/4"),
        ("mkdir /srv/$(( 1 > 0 ? 5 : 6 ))", "+/srv/5"),
        ("mkdir /srv/$((0x10)) /srv/$((2**5)) /srv/$((1/0))", "+/srv/16 +/srv/32 +/srv/*"),
        ("declare -i n=5+5; mkdir /srv/$n", "+/srv/10"),
    ]);
}

#[test]
fn one_word_of_many() {
    check(&[
        ("P=(/srv x); IFS=/; touch \"${P[*]}\"", "+/srv/x"),
        ("set -- a b; IFS=-; touch \"/srv/$*\"", "+/srv/a-b"),
        ("set -- a b; touch \"/srv/$*\"", "+/srv/a b"),
        ("P=(a b); IFS=; touch \"/srv/${P[*]}\"", "+/srv/ab"),
        ("P=(a b); touch \"/srv/${P[@]}\"", "+/srv/a +/w/b"),
        ("P=(a b); touch ${P[*]}", "+/w/a +/w/b"),
        ("P=(/srv x); IFS=/; D=${P[*]}; touch \"$D\"", "+/srv/x"),
        ("printf -v 'L[1]' /srv/%s x; touch ${L[1]}", "+/srv/x"),
        ("PS4='$(touch /srv/x)' bash -xc :", "+/srv/x"),
        ("PS4='+ '; set -x; touch /srv/x", "+/srv/x"),
    ]);
}

#[test]
fn folders_and_descriptors_of_processes() {
    // Those of the shell, not of the process that judges.
    check(&[
        ("cd /srv; touch /proc/self/cwd/f", "+/srv/f"),
        ("cd /srv/data; mkdir /proc/thread-self/cwd/../new", "+/srv/new"),
        ("touch /proc/self/root/srv/f", "+/srv/f"),
        ("touch /proc/self/cwd/f", "+/w/f"),
        ("touch /proc/$$/cwd/f", "+?"),
        ("touch /proc/$PPID/root/srv/f", "+?"),
        ("touch /proc/1234/cwd/f", "+?"),
        ("exec 5< /srv; mkdir /proc/self/fd/5/new", "+?"),
        ("exec 5< /srv; mkdir /dev/fd/5/new", "+?"),
        ("cat /proc/self/cwd/a.txt /proc/1/cwd/x /proc/$$/status", ""),
    ]);
}
