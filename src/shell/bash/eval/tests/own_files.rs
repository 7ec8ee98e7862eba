//! Files that a command writes and then lets a program run.

use super::{analysis, changes, check};
use crate::shell::Target;

/// Whether the command, after what stands before `&&` in it, makes `/srv/x`; a path below `/srv/t` counts too.
fn makes(command: &str) -> bool {
    let hit = |target: &Target| matches!(target, Target::Path(p) | Target::Inside(p) if p.starts_with("/srv/x"));
    analysis(command).effects.iter().any(|e| hit(&e.target))
}

#[test]
fn a_makefile() {
    for command in [
        "printf 'all:\\n\\tmkdir /srv/x\\n' > Makefile && make",
        "printf 'D=/srv/x\\nall: dep\\n\\ndep:\\n\\t@mkdir -p $(D)\\n' > Makefile; make -j4 all",
        "cat > Makefile <<'E'\nall:\n\tmkdir $(D)\nE\nmake D=/srv/x",
        "printf 'all:\\n\\tmkdir /srv/x\\n' > sub/Makefile && make -C sub",
        "printf 'all:\\n\\ttouch x\\n' > m.mk && (cd /srv && make -f /w/m.mk)",
        "printf 'a:\\n\\ttrue\\nb:\\n\\tmkdir /srv/x\\n' > Makefile && make b",
    ] {
        assert!(makes(command), "{command}\n{:?}", changes(command));
    }
    for command in [
        "printf 'a:\\n\\ttrue\\nb:\\n\\tmkdir /srv/x\\n' > Makefile && make",
        "printf 'all:\\n\\tmkdir /srv/x\\n' > Makefile && make -n",
        "printf 'all:\\n\\tmkdir /srv/x\\n' > Makefile && cat Makefile",
        "printf 'all:\\n\\tmkdir /srv/x\\n' > old.mk && make",
    ] {
        assert!(!makes(command), "{command}\n{:?}", changes(command));
    }
}

#[test]
fn scripts_of_a_package() {
    for (command, want) in [
        ("echo '{\"scripts\": {\"go\": \"mkdir /srv/x\"}}' > package.json && npm run go", true),
        ("echo '{\"scripts\": {\"test\": \"mkdir /srv/x\"}}' > package.json && npm test", true),
        ("echo '{\"scripts\": {\"go\": \"mkdir /srv/x\"}}' > package.json && yarn go", true),
        ("echo '{\"scripts\": {\"postinstall\": \"mkdir /srv/x\"}}' > package.json && npm install", true),
        ("echo '{\"scripts\": {\"go\": \"mkdir /srv/x\"}}' > sub/package.json && npm --prefix sub run go", true),
        ("echo '{\"scripts\": {\"go\": \"mkdir /srv/x\"}}' > package.json && npm test", false),
        ("echo '{\"scripts\": {\"go\": \"mkdir /srv/x\"}}' > package.json && npm ls", false),
    ] {
        assert_eq!(makes(command), want, "{command}\n{:?}", changes(command));
    }
}

#[test]
fn hooks_and_aliases_of_a_repository() {
    for (command, want) in [
        ("echo 'mkdir /srv/x' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git commit -m x", true),
        ("echo 'mkdir /srv/x' > .git/hooks/post-commit; cd sub; git commit -qam x", true),
        ("echo 'mkdir /srv/x' > .git/hooks/pre-commit; git commit --no-verify -m x", false),
        ("echo 'mkdir /srv/x' > .git/hooks/pre-push; git commit -m x", false),
        ("git config alias.go '!mkdir /srv/x' && git go", true),
        ("git config --global alias.go '!mkdir' && git go /srv/x", true),
        ("git config alias.wt 'worktree add' && git wt /srv/x", true),
        ("printf '[alias]\\n\\tgo = !mkdir /srv/x\\n' >> .git/config; git go", true),
        ("git config alias.go '!mkdir /srv/x'", false),
        ("git config alias.go '!mkdir /srv/x' && git status", false),
    ] {
        assert_eq!(makes(command), want, "{command}\n{:?}", changes(command));
    }
}

#[test]
fn commands_on_standard_input() {
    check(&[
        ("ed -s a.txt <<< 'w /srv/x'", "+/w/a.txt +/srv/x"),
        ("printf '%s\\n' '1,2w /srv/x' q | ed a.txt", "+/w/a.txt +/srv/x"),
        ("ed a.txt <<< '!mkdir /srv/x'", "+/w/a.txt +/srv/x"),
        ("sqlite3 a.db <<< '.backup /srv/x'", "+/w/a.db +/srv/x"),
        ("sqlite3 a.db <<'E'\n.output /srv/x\nselect 1;\nE", "+/w/a.db +/srv/x"),
        ("gnuplot <<'E'\nset output \"/srv/x\"\nplot x\nE", "+/srv/x"),
        ("gnuplot -e \"set output '/srv/x'; plot x\"", "+/srv/x"),
        ("sftp host <<< 'get a /srv/x'", "+/srv/x"),
        ("sftp host:a /srv/data", "+/srv/data/a"),
        ("sftp -b - host <<< 'lcd /srv\nget a'", "+/srv/*"),
        ("lftp -c 'open host; get a -o /srv/x'", "+/srv/x"),
        ("lftp -c 'open host; mirror a /srv/data'", "+/srv/data/*"),
        ("sftp host <<< 'put a.txt /srv/x'", ""),
        ("tclsh <<< 'exec touch /srv/x'", "+/srv/x"),
        ("lua <<'E'\nio.open(\"/srv/x\", \"w\")\nE", "+/srv/x"),
        ("awk -f - <<< 'BEGIN { print 1 > \"/srv/x\" }'", "+/srv/x"),
        ("cat > t.js <<'E'\nrequire('fs').writeFileSync(process.argv[2], '')\nE\nnode t.js /srv/x", "+/w/t.js +/srv/x"),
        ("node - /srv/x <<< 'require(\"fs\").writeFileSync(process.argv[2], \"\")'", "+/srv/x"),
        ("node -e 'require(\"fs\").writeFileSync(process.argv[1], \"\")' /srv/x", "+/srv/x"),
        ("echo 'require(\"fs\").mkdirSync(\"/srv/x\")' > t.js; node --check t.js", "+/w/t.js"),
        ("echo 'w /srv/x' | sed -n -f - a.txt", "+/srv/x"),
    ]);
}
