//! Lists, branches, loops, functions.

use super::{changes, check};

#[test]
fn lists() {
    check(&[
        ("true && mkdir /srv/x", "+/srv/x"),
        ("false && mkdir /srv/x", ""),
        ("true || mkdir /srv/x", ""),
        ("false || mkdir /srv/x", "+/srv/x"),
        ("! true || mkdir /srv/x", "+/srv/x"),
        ("! false || mkdir /srv/x", ""),
        ("grep x f && mkdir /srv/x || mkdir /srv/y", "+/srv/x +/srv/y"),
        ("ls; mkdir /srv/x & mkdir /srv/y", "+/srv/x +/srv/y"),
        ("exit 0; mkdir /srv/x", ""),
        ("grep -q x a.txt || exit 1; mkdir /srv/x", "+/srv/x"),
        ("(exit 1); mkdir /srv/x", "+/srv/x"),
        ("git status && mkdir /srv/new", "+/srv/new"),
        ("git commit -m \"a; cp x /srv/new\"", ""),
        ("(cd /srv); mkdir x", "+/w/x"),
        ("{ cd /srv; }; mkdir x", "+/srv/x"),
        ("cd /srv | true; mkdir x", "+/w/x"),
        ("cd /srv & mkdir x", "+/w/x"),
        ("time mkdir /srv/x", "+/srv/x"),
        ("coproc mkdir /srv/x", "+/srv/x"),
        ("[ -d /srv/data ] || mkdir /srv/data", ""),
        ("[ -d /srv/none ] && touch /srv/none/x", ""),
        ("[ -d /srv/none ] || mkdir /srv/none", "+/srv/none"),
        ("test -f a.txt && touch /srv/x", "+/srv/x"),
        ("[[ -e /srv/none ]] && touch /srv/x", ""),
        ("[ a = b ] && touch /srv/x", ""),
        ("[[ abc == a* ]] && touch /srv/x", "+/srv/x"),
        ("[[ abc == 'a*' ]] && touch /srv/x", ""),
        ("X=; [ -n \"$X\" ] && touch /srv/x", ""),
        ("[ 3 -gt 2 ] && touch /srv/x", "+/srv/x"),
        ("make; [ -f /srv/none ] && touch /srv/x", "+/srv/x"),
        ("[ ! -f a.txt ] || touch /srv/x", "+/srv/x"),
        ("[ -f a.txt -a -f none ] && touch /srv/x", ""),
    ]);
}

#[test]
fn branches() {
    check(&[
        ("if true; then mkdir /srv/a; else mkdir /srv/b; fi", "+/srv/a"),
        ("if false; then mkdir /srv/a; else mkdir /srv/b; fi", "+/srv/b"),
        (
            "if grep x f; then mkdir /srv/a; elif grep y f; then mkdir /srv/b; else mkdir /srv/c; fi",
            "+/srv/a +/srv/b +/srv/c",
        ),
        ("if grep -q x f; then D=/srv/a; else D=/tmp/a; fi; mkdir $D", "+/srv/a +/tmp/a"),
        ("if grep -q x f; then D=/srv/a; fi; mkdir ${D:-/opt/a}", "+/srv/a +/opt/a"),
        ("if grep -q x f; then cd /srv; else cd /opt; fi; mkdir x", "+/srv/x +/opt/x"),
        ("if grep -q x f; then cd /srv; exit; fi; mkdir x", "+/w/x"),
        ("case a in a) mkdir /srv/a;; *) mkdir /srv/b;; esac", "+/srv/a"),
        ("case $(unknown) in a) mkdir /srv/a;; *) mkdir /srv/b;; esac", "+/srv/a +/srv/b"),
        ("case x.txt in *.md) mkdir /srv/a;; *.txt|*.c) mkdir /srv/b;; esac", "+/srv/b"),
        ("case a in a) mkdir /srv/a;& b) mkdir /srv/b;; c) mkdir /srv/c;; esac", "+/srv/a +/srv/b"),
        ("case '*' in '*') mkdir /srv/a;; esac", "+/srv/a"),
    ]);
}

#[test]
fn loops() {
    check(&[
        ("for d in a b; do mkdir /srv/$d; done", "+/srv/a +/srv/b"),
        ("for d in a b; do cd /srv; mkdir $d; cd -; done", "+/srv/a +/srv/b"),
        ("for d in; do mkdir /srv/x; done", ""),
        ("set -- /srv/a; for d; do mkdir $d; done", "+/srv/a"),
        ("for i in {1..3}; do mkdir /srv/$i; done", "+/srv/1 +/srv/2 +/srv/3"),
        ("for i in $(seq 1 2); do mkdir /srv/$i; done", "+/srv/1 +/srv/2"),
        ("for i in $(seq 1 900); do mkdir /srv/$i; done", "+/srv/*"),
        ("for i in a b c; do [ $i = b ] && break; mkdir /srv/$i; done", "+/srv/a"),
        ("for i in a b c; do [ $i = b ] && continue; mkdir /srv/$i; done", "+/srv/a +/srv/c"),
        ("for ((i=0; i<3; i++)); do mkdir /srv/$i; done", "+/srv/0 +/srv/1 +/srv/2"),
        ("for ((i=0; i<N; i++)); do mkdir /srv/$i; done", ""),
        ("N=$(nproc); for ((i=0; i<N; i++)); do mkdir /srv/$i; done", "+/srv/*"),
        ("i=0; while [ $i -lt 2 ]; do mkdir /srv/$i; i=$((i+1)); done", "+/srv/0 +/srv/1"),
        ("i=0; while true; do mkdir /srv/$i; i=$((i+1)); [ $i = 2 ] && break; done", "+/srv/0 +/srv/1"),
        ("while grep x f; do mkdir /srv/x; done", "+/srv/x"),
        ("until false; do mkdir /srv/x; break; done", "+/srv/x"),
        ("while false; do mkdir /srv/x; done", ""),
        ("d=/srv; while grep x f; do d=$d/x; mkdir $d; done", "+/srv/x +/srv/*"),
        ("sh u.sh; for f in $(find /srv/data); do cp $f /opt/; done", "+/opt/*"),
        ("for i in 1 2; do for j in 1 2; do mkdir /srv/$i$j; done; done", "+/srv/11 +/srv/12 +/srv/21 +/srv/22"),
        ("select x in a b; do mkdir /srv/s; break; done", "+/srv/s"),
        ("for d in a b; do (cd sub; mkdir $d); done", "+/w/sub/a +/w/sub/b"),
    ]);
}

#[test]
fn functions() {
    check(&[
        ("f() { mkdir /srv/x; }", ""),
        ("f() { mkdir /srv/$1; }; f a; f b", "+/srv/a +/srv/b"),
        ("function f { mkdir \"$@\"; }; f /srv/a /srv/b", "+/srv/a +/srv/b"),
        ("f() { local d=/srv/l; mkdir $d; }; d=x; f; mkdir $d", "+/srv/l +/w/x"),
        ("f() { d=/srv/g; }; f; mkdir $d", "+/srv/g"),
        ("f() { echo /srv/out; }; mkdir $(f)", "+/srv/out"),
        ("f() { cd /srv; }; f; mkdir x", "+/srv/x"),
        ("f() ( cd /srv; ); f; mkdir x", "+/w/x"),
        ("f() { return; mkdir /srv/x; }; f; mkdir /srv/y", "+/srv/y"),
        ("f() { [ -n \"$1\" ] || return; mkdir /srv/$1; }; f; f z", "+/srv/z"),
        ("f() { f; }; f; mkdir /srv/x", "+/srv/x"),
        ("mkdir() { echo no; }; mkdir /srv/x", ""),
        ("mkdir() { command mkdir -p \"$@\"; }; mkdir /srv/x", "+/srv/x"),
        ("unset -f f; f() { mkdir /srv/x; }; unset -f f; true", ""),
        ("main() { sub \"$1/y\"; }; sub() { mkdir $1; }; main /srv", "+/srv/y"),
        ("f() { [ $1 -gt 0 ] || return; mkdir /srv/$1; f $(($1-1)); }; f 2", "+/srv/2 +/srv/1"),
        ("trap 'mkdir /srv/t' EXIT; echo", "+/srv/t"),
        ("clean() { rm -r $T; }; trap clean EXIT; T=/srv/t", "-/srv/t"),
        ("alias mk='mkdir -p'\nmk /srv/x", "+/srv/x"),
    ]);
}

/// Square brackets in patterns: what closes none is a character, what is no class spells no set, and none of it panics.
#[test]
fn sets_in_patterns() {
    check(&[
        ("case 5 in [[:digit:]]) mkdir /srv/x;; esac", "+/srv/x"),
        ("case a in [[:digit:]]) mkdir /srv/x;; esac", ""),
        ("case a in [!0-9]) mkdir /srv/x;; esac", "+/srv/x"),
        ("case '[a' in [a) mkdir /srv/x;; esac", "+/srv/x"),
        ("case '[[[a' in [[[a) mkdir /srv/x;; esac", "+/srv/x"),
        ("case ']' in []]) mkdir /srv/x;; esac", "+/srv/x"),
        ("case _ in [[:word:]]) mkdir /srv/x;; esac", "+/srv/x"),
        ("case '!' in [[:graph:]]) mkdir /srv/x;; esac", "+/srv/x"),
        ("case ' ' in [[:graph:]]) mkdir /srv/x;; [[:print:]]) mkdir /srv/y;; esac", "+/srv/y"),
    ]);
    for odd in ["[[:]", "[[:]]", "[[::]]", "[[:x", "[:", "[[:digit:", "[!", "[", "[]", "[a-", "[[:xdigitx:]]"] {
        changes(&format!("case $x in {odd}) mkdir /srv/x;; esac; touch /srv/{odd}"));
    }
    // Many that nothing closes are not read to the end: what they match is not known.
    let many = "[x".repeat(2000);
    assert_eq!(changes(&format!("case a in {many}) mkdir /srv/x;; *) mkdir /srv/y;; esac")), ["+/srv/x", "+/srv/y"]);
}
