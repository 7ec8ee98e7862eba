//! The shell's own commands.

use super::{analysis, check};

#[test]
fn folders() {
    check(&[
        ("cd /opt && mkdir q && printf y > q/b", "+/opt/q +/opt/q/b"),
        ("cd /tmp && rm -r one two", "-/tmp/one -/tmp/two"),
        ("cd; mkdir x", "+/home/u/x"),
        ("HOME=/srv/data; cd; mkdir -p b", "+/srv/data/b"),
        ("cd ..; mkdir x", "+/x"),
        ("cd sub/deep; mkdir ../x", "+/w/sub/x"),
        ("cd /srv; cd -; mkdir x", "+/w/x"),
        ("cd linked; mkdir x", "+/w/linked/x"),
        ("cd linked; mkdir ../x", "+/srv/x"),
        ("cd linked; cd ..; mkdir x", "+/w/x"),
        ("cd -P linked; cd ..; mkdir x", "+/srv/x"),
        ("mkdir linked/../x", "+/srv/x"),
        ("cd /srv/current; mkdir x", "+/srv/current/x"),
        ("cd /none; mkdir x", "+/w/x"),
        ("cd /none && mkdir x", ""),
        ("cd /none && ls && cd /srv && mkdir x; mkdir y", "+/w/y"),
        ("cd none && mkdir ../../x", ""),
        ("(cd /none && mkdir /srv/x); mkdir y", "+/w/y"),
        ("pushd /none && mkdir /srv/x; mkdir y", "+/w/y"),
        ("if cd /none; then mkdir /srv/x; else mkdir /srv/y; fi", "+/srv/y"),
        ("while cd /none; do mkdir /srv/x; done", ""),
        ("cd /none || mkdir -p /none && cd /none && mkdir x", "+/none +/none/x"),
        ("cd a.txt && mkdir /srv/x", ""),
        // A copy brings folders along that nobody named; so may a script, or a text that can't be known.
        ("cp -r /srv/data here && cd here/in && mkdir /srv/x", "+/w/here +/srv/x"),
        ("cp -r /srv/data here && [ -d here/in ] && mkdir /srv/x", "+/w/here +/srv/x"),
        (". ./other.sh; cd /none && mkdir x", "+/none/x"),
        ("cd /none || exit; mkdir x", ""),
        ("sh unknown.sh; cd /none; mkdir x", "+/none/x +/w/x"),
        ("sh unknown.sh; cd /none && mkdir x", "+/none/x"),
        ("cd $(unknown); mkdir x", "+?"),
        ("cd /srv/$(date +%F); mkdir x", "+/srv/*"),
        ("cd /srv/$(date +%F); mkdir ../x", "+?"),
        ("mkdir -p /srv/n; cd /srv/n; touch x", "+/srv/n +/srv/n/x"),
        ("pushd /srv; mkdir a; popd; mkdir b", "+/srv/a +/w/b"),
        ("pushd /srv; pushd /opt; pushd; mkdir a", "+/srv/a"),
        ("mkdir $(pwd)/x `pwd`/y", "+/w/x +/w/y"),
        ("cd -- /srv; mkdir x", "+/srv/x"),
        ("PWD=/srv; mkdir x", "+/w/x"),
        ("cd '' ; mkdir x", "+/w/x"),
        ("CDPATH=/none:/srv; cd data; mkdir x", "+/srv/data/x"),
        ("CDPATH=/srv; cd ./data && mkdir x", ""),
        ("CDPATH=..; cd srv && mkdir x", "+/srv/x"),
        ("CDPATH=:..:; cd srv && mkdir x", "+/srv/x"),
        ("CDPATH=/srv; cd sub; mkdir x", "+/w/sub/x"),
    ]);
}

#[test]
fn names_that_stand_for_others() {
    check(&[
        ("declare -n r=D; D=/srv/x; mkdir $r", "+/srv/x"),
        ("declare -n r=D; r=/srv/x; mkdir $D", "+/srv/x"),
        ("typeset -n r=D; D=/srv/x; declare -n s=r; mkdir $s", "+/srv/x"),
        ("f() { local -n out=$1; out=/srv/x; }; f D; mkdir $D", "+/srv/x"),
        ("f() { local -n out=$1; out=/srv/x; }; f D; out=y; mkdir $D $out", "+/srv/x +/w/y"),
        ("f() { local -n d=d; mkdir $d; }; d=/srv/x; f", "+/srv/x"),
        ("declare -n a=b; declare -n b=a; a=/srv/x; mkdir y", "+/w/y"),
        ("declare -n r=A; A=(/srv/a /srv/b); mkdir ${r[@]}", "+/srv/a +/srv/b"),
        ("declare -n r=A; r+=(/srv/a); mkdir ${A[0]}", "+/srv/a"),
    ]);
}

#[test]
fn settings_from_a_file() {
    check(&[
        ("echo 'P=/srv/x' > e; set -a; . ./e; set +a; bash -c 'mkdir $P'", "+/w/e +/srv/x"),
        ("echo 'P=/srv/x' > e; set -o allexport; source ./e; set +o allexport; sh -c 'mkdir $P'", "+/w/e +/srv/x"),
        ("set -a; set +a; P=/srv/x; bash -c 'mkdir $P/y'", "+/y"),
        ("printf 'P=/srv/x\\nQ=b\\n' > e; export $(cat e | xargs); mkdir $P $Q", "+/w/e +/srv/x +/w/b"),
        ("echo 'P=/srv/x' > e; export $(xargs < e); bash -c 'mkdir $P'", "+/w/e +/srv/x"),
        ("echo 'P=/srv/x' > e; env $(xargs < e) bash -c 'mkdir $P'", "+/w/e +/srv/x"),
    ]);
}

#[test]
fn a_shells_first_file() {
    check(&[
        ("echo 'mkdir /srv/x' > e; BASH_ENV=e bash -c true", "+/w/e +/srv/x"),
        ("echo 'mkdir /srv/x' > e; export BASH_ENV=$PWD/e; echo ls > s; bash s", "+/w/e +/w/s +/srv/x"),
        ("echo 'mkdir /srv/x' > e; BASH_ENV=e; bash -c true", "+/w/e"),
        ("echo 'bash -c true' > e; export BASH_ENV=e; bash -c true", "+/w/e"),
    ]);
}

#[test]
fn only_asking_for_the_hooks_version_is_free() {
    let calls = |command: &str| analysis(command).operator_calls.into_iter().map(|c| c.args.join(" "));
    let check = |command: &str, want: &str| assert_eq!(calls(command).collect::<Vec<_>>(), [want], "{command}");
    check("echo '{}' | wsguard-hook", "hook");
    check("wsguard-hook --harness claude-code < start.json", "hook --harness claude-code");
    check("X=/usr/bin/wsguard-hook; $X --event SessionStart", "hook --event SessionStart");
    check("wsguard-hook --version", "--version");
    check("$(which wsguard) allow /srv", "allow /srv");
    check("\"$(command -v wsguard)\" allow /srv", "allow /srv");
    check("type -P wsguard | xargs -I{} {} allow /srv", "allow /srv");
    check("python3 -c \"import subprocess; subprocess.run(['wsguard', 'allow', '/srv'])\"", "allow /srv");
}

#[test]
fn variables() {
    check(&[
        ("export D=/srv/x; mkdir $D", "+/srv/x"),
        ("export D='/srv/a b'; mkdir \"$D\"", "+/srv/a b"),
        ("readonly D=~/x; mkdir $D", "+/home/u/x"),
        ("D=/srv/x bash -c 'mkdir $D'", "+/srv/x"),
        ("D=/srv/x; bash -c 'mkdir $D/y'", "+/y"),
        ("export D=/srv/x; bash -c 'mkdir $D/y'", "+/srv/x/y"),
        ("D=/srv/x; mkdir /tmp/a; D=/tmp/b mkdir $D", "+/tmp/a +/srv/x"),
        ("unset HOME; mkdir ~/x $HOME/y", "+/home/u/x +/y"),
        ("printf -v D '/srv/%s' x; mkdir $D", "+/srv/x"),
        ("D=/srv/x; unset D; mkdir y$D", "+/w/y"),
        ("export -n USER; bash -c 'mkdir x$USER'", "+/w/x"),
        ("declare -a A=(/srv/a /srv/b); mkdir ${A[@]}", "+/srv/a +/srv/b"),
        ("OPTS='-p -v'; mkdir $OPTS /srv/x", "+/srv/x"),
        ("command export D=/srv/c; mkdir $D", "+/srv/c"),
        ("while getopts 'o:' o; do mkdir $OPTARG; done", ""),
        ("set -- -o /srv/x; while getopts 'o:' o; do touch /srv/n; done", "+/srv/n"),
    ]);
}

#[test]
fn running_text() {
    check(&[
        ("eval 'mkdir /srv/x'", "+/srv/x"),
        ("eval mkdir /srv/x", "+/srv/x"),
        ("X='cd /srv'; eval \"$X\"; mkdir y", "+/srv/y"),
        ("X='D=/srv/d'; eval $X; mkdir $D", "+/srv/d"),
        ("bash -c 'mkdir /srv/x'", "+/srv/x"),
        ("sh -c 'mkdir \"$1\"' sh /srv/x", "+/srv/x"),
        ("bash -c \"bash -c 'mkdir /srv/x'\"", "+/srv/x"),
        ("bash -c \"mkdir -p $(unknown)/x && touch /srv/y\"", "+? +/srv/y"),
        ("bash -c \"touch '/srv/$(date +%s)'\"", "+/srv/*"),
        ("bash -c \"$(unknown)\"", ""),
        ("exec mkdir /srv/x; mkdir /srv/y", "+/srv/x"),
        ("command mkdir /srv/x", "+/srv/x"),
        ("builtin cd /srv; mkdir x", "+/srv/x"),
        ("/bin/mkdir /srv/x", "+/srv/x"),
        ("\\mkdir /srv/x", "+/srv/x"),
        ("'mk''dir' /srv/x", "+/srv/x"),
        ("M=mkdir; $M /srv/x", "+/srv/x"),
        ("sudo mkdir /srv/x", "+/srv/x"),
        ("env A=1 mkdir /srv/x", "+/srv/x"),
        ("timeout 5 bash -c 'mkdir /srv/x'", "+/srv/x"),
        ("nohup mkdir /srv/x &", "+/srv/x"),
        ("env -C /srv mkdir x", "+/srv/x"),
        ("source env.sh; mkdir $OUT", "+/srv/env"),
        (". ./none.sh; mkdir x", "+/w/x"),
        ("source <(echo 'D=/srv/p'); mkdir $D", "+/srv/p"),
        ("find /srv/data -name '*.txt' -exec touch {}.bak \\;", "+/srv/data/f1.txt.bak +/srv/data/f2.txt.bak"),
        ("sh unknown.sh; find /srv/data -name '*.txt' -exec touch {}.bak \\;", "+/srv/data/*"),
        ("find . -name '*.tmp' -exec rm -rf {} \\;\nls | xargs rm -rf", "-/w/*"),
        ("find . -name 'a.*' -exec cp {} /opt \\;", "+/opt/a.txt"),
        ("find . -name '*.none' -exec cp {} /srv/x \\;", ""),
        ("find . -name '*.none' -exec touch /srv/x \\;", ""),
        ("find . -type d -name deep -delete", "-/w/sub/deep"),
        ("find . -iname 'A.TXT' -maxdepth 1 | xargs rm", "-/w/a.txt"),
        ("find sub $(id -un)b*e -type f | xargs rm -r", "-/w/*"),
        ("find . -name a.txt -o -name b.txt -exec cp {} /opt \\;", "+/opt/*"),
        ("bash -n <<< 'mkdir /srv/x'; bash -nc 'mkdir /srv/y'", ""),
        ("printf '' | xargs -r mkdir /srv/x", ""),
        ("printf 'mkdir /srv/x' > s; BASH_ENV=s bash -c :", "+/w/s +/srv/x"),
        ("TMPDIR=/opt mktemp -d", "+/opt/*"),
        ("CARGO_TARGET_DIR=/srv/t cargo build", "+/srv/t/*"),
        ("export GOCACHE=/srv/t; go build -o /tmp/x .", "+/srv/t/*"),
        ("CARGO_TARGET_DIR=/srv/t cargo --version", ""),
        ("source <(date +\"D='%F' E=/srv/e\"); mkdir $E", "+/srv/e"),
    ]);
}

#[test]
fn operator_calls() {
    let calls =
        |command: &str| -> Vec<Vec<String>> { analysis(command).operator_calls.into_iter().map(|c| c.args).collect() };
    assert_eq!(calls("wsguard allow /srv"), [["allow", "/srv"]]);
    assert_eq!(calls("/usr/bin/wsguard.exe purge"), [["purge"]]);
    assert_eq!(calls("sudo wsguard allow /"), [["allow", "/"]]);
    assert_eq!(calls("bash -c 'env X=1 wsguard revoke 3'"), [["revoke", "3"]]);
    assert_eq!(calls("cargo run -q --bin wsguard -- allow /srv"), [["allow", "/srv"]]);
    assert_eq!(calls("find . -exec wsguard allow / \\;"), [["allow", "/"]]);
    assert_eq!(calls("claude --settings '{\"disableAllHooks\":true}' -p x")[0][0], "unhook");
    assert!(calls("cargo run --bin app -- allow /srv; claude -p x").is_empty());
    assert_eq!(calls("w=wsguard; $w config set gate false"), [["config", "set", "gate", "false"]]);
    assert!(calls("echo wsguard allow /srv").is_empty());
    // By the name of a link or a copy.
    assert_eq!(calls("ln -s /w/sub/wsguard w; ./w allow /srv"), [["allow", "/srv"]]);
    assert_eq!(calls("/opt/tool allow /srv"), [["allow", "/srv"]]);
    for copy in ["cp", "ln", "ln -s", "mv", "install -m755", "rsync -a"] {
        assert_eq!(calls(&format!("{copy} ~/.cargo/bin/wsguard ./w"))[0][0], "copy", "{copy}");
    }
    assert_eq!(calls("dd if=/usr/local/bin/wsguard of=w")[0][0], "copy");
    assert_eq!(calls("cd ~/.cargo/bin && cp wsguard /tmp/w")[0][0], "copy");
    for harmless in [
        "cp target/release/wsguard dist/; ./w allow /srv; cp /etc/passwd w",
        "cp ~/src/target/release/wsguard /tmp/t",
        "cp -r ~/wsguard /tmp/b",
        "rsync -a a/ ~/wsguard/",
        "install -m755 target/release/wsguard ~/.cargo/bin/wsguard",
        "cargo test -p workspace-guard uninstall",
    ] {
        assert!(calls(harmless).is_empty(), "{harmless}");
    }
    // By whole paths that are links themselves.
    assert_eq!(calls("/usr/bin/pkill wsguard-hook")[0][0], "kill");
    assert_eq!(calls("~/.cargo/bin/cargo run --bin=wsguard -- allow /srv"), [["allow", "/srv"]]);
    assert_eq!(calls("~/.cargo/bin/cargo +stable uninstall workspace-guard")[0][0], "+stable");
    assert_eq!(calls("cargo uninstall workspace-guard")[0][0], "uninstall");
    assert!(calls("cargo uninstall ripgrep").is_empty());
}

#[test]
fn search_path_and_stack_of_folders() {
    check(&[
        ("CDPATH=/srv; cd .config; mkdir x", "+/w/x"),
        ("mkdir -p /srv/.hid; CDPATH=/srv; cd .hid; mkdir x", "+/srv/.hid +/srv/.hid/x"),
        ("mkdir -p /srv/..odd; CDPATH=/srv; cd ..odd; mkdir x", "+/srv/..odd +/srv/..odd/x"),
        ("pushd -n /srv; mkdir a; popd; mkdir b", "+/w/a +/srv/b"),
        ("pushd /srv; pushd /opt; popd -n; mkdir a", "+/opt/a"),
        ("pushd /srv; pushd /opt; mkdir ~1/a ~2/b ~0/c", "+/srv/a +/w/b +/opt/c"),
        ("pushd /srv; pushd /opt; mkdir ~+1/a ~-0/b ~-2/c", "+/srv/a +/w/b +/opt/c"),
        ("mkdir ~7/a", "+/w/~7/a"),
        ("D=/srv; shopt -s cdable_vars; cd D; mkdir x", "+/srv/x"),
        ("sub=/srv; shopt -s cdable_vars; cd sub; mkdir x", "+/w/sub/x"),
        ("D=/srv; cd D; mkdir x", "+/w/x"),
    ]);
}

#[test]
fn names_of_commands_that_are_set() {
    check(&[
        ("hash -p /bin/mkdir foo; foo /srv/x", "+/srv/x"),
        ("BASH_ALIASES[foo]='mkdir -p'\nfoo /srv/x", "+/srv/x"),
        ("command_not_found_handle() { mkdir \"/srv/$1\"; }; nosuch", "+/srv/nosuch"),
        ("x='$(mkdir /srv/x)'; echo \"${x@P}\"", "+/srv/x"),
        ("x='`mkdir /srv/x`'; : ${x@P}", "+/srv/x"),
        ("x=/srv/x; mkdir ${x@P}", "+/srv/x"),
        ("mapfile -C 'mkdir /srv/x #' -c 1 a <<< one", "+/srv/x"),
        ("f() { mkdir \"/srv/$1\"; }; mapfile -c 1 -C f a <<< one", "+/srv/0"),
        ("set -- -o/srv/x; while getopts 'o:' o; do mkdir $OPTARG; done", "+/srv/x"),
        ("set -- -v -o /srv/x b; while getopts 'vo:' o; do case $o in o) mkdir $OPTARG;; esac; done", "+/srv/x"),
    ]);
}
