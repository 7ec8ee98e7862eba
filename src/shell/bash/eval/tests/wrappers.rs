//! Programs that start others: what is started is judged as such, in the folder and with the variables it gets.

use super::check;

#[test]
fn with_another_folder() {
    check(&[
        ("env -C /srv touch new", "+/srv/new"),
        ("env --chdir=/srv/data sh -c 'mkdir ../up'", "+/srv/up"),
        ("env -C sub touch new; touch here", "+/w/sub/new +/w/here"),
        ("sudo -D /srv touch new", "+/srv/new"),
        ("sudo --chdir=/srv -u me sh -c 'cd data; touch new'", "+/srv/data/new"),
        ("git -C /srv init new", ""),
        ("git -C /srv worktree add new", ""),
        ("uv run --directory /srv touch new", "+/srv/new"),
        ("systemd-run --user --working-directory=/srv sh -c 'touch new'", "+/srv/new"),
        ("tmux new-session -d -s x -c /srv 'touch new'", "+/srv/new"),
        ("unshare -r --wd=/srv touch new", "+/srv/new"),
        ("bwrap --dev-bind / / --chdir /srv touch new", "+/srv/new"),
        ("conda run -n x --cwd /srv touch new", "+/srv/new"),
        ("bash -c 'cd /srv; touch new'; touch here", "+/srv/new +/w/here"),
        ("(cd /srv; nohup sh -c 'touch new')", "+/srv/new"),
        ("cd /srv && timeout 5 bash -c 'touch new'", "+/srv/new"),
        ("eval 'cd /srv'; touch new", "+/srv/new"),
        ("find /srv/data -name f1.txt -execdir touch new \\;", "+/srv/data/*"),
        ("xargs -I{} sh -c 'cd /srv && touch {}' <<< new", "+/srv/new"),
    ]);
}

#[test]
fn with_other_variables() {
    check(&[
        ("env X=/srv sh -c 'touch $X/new'", "+/srv/new"),
        ("env X=/tmp sh -c 'touch $X/new'", "+/tmp/new"),
        ("env HOME=/srv sh -c 'touch ~/new'", "+/srv/new"),
        ("env -i X=/srv bash -c 'mkdir \"$X\"/q'", "+/srv/q"),
        ("env -u X sh -c 'mkdir /srv/a$X'", "+/srv/a"),
        ("X=/srv bash -c 'touch $X/new'", "+/srv/new"),
        ("X=/srv; bash -c 'touch /tmp$X/new'", "+/tmp/new"),
        ("export X=/srv; bash -c 'touch $X/new'", "+/srv/new"),
        ("sudo X=/srv/q sh -c 'mkdir $X'", "+/srv/q"),
        ("doas X=/srv/q sh -c 'mkdir $X'", "+/srv/q"),
        ("env X=/srv nice -n 5 env Y=/z sh -c 'mkdir $X$Y'", "+/srv/z"),
        ("systemd-run -E A=b --user sh -c 'touch /srv/new'", "+/srv/new"),
        ("bash -c 'touch $1/new' _ /srv", "+/srv/new"),
        ("bash -c 'cd \"$0\" && touch new' /srv", "+/srv/new"),
        ("bash -c 'for d; do mkdir $d; done' _ /srv/a b", "+/srv/a +/w/b"),
        ("sh -s -- /srv/a <<'E'\nmkdir $1\nE", "+/srv/a"),
    ]);
}

#[test]
fn each_of_them() {
    for wrapper in [
        "sudo",
        "sudo -u me -E",
        "sudo -n --",
        "doas",
        "doas -u root",
        "pkexec",
        "env",
        "env -i A=b",
        "env -u A --",
        "nice",
        "nice -n 5",
        "nice -5",
        "ionice -c3",
        "nohup",
        "setsid -f",
        "stdbuf -oL -e0",
        "timeout 5",
        "timeout -k 1 -s INT 5m",
        "time",
        "time -p",
        "/usr/bin/time -v",
        "command",
        "command -p",
        "builtin command",
        "exec",
        "exec -a x",
        "busybox",
        "toybox",
        "strace -f -e trace=file",
        "ltrace -f",
        "perf stat",
        "valgrind -q",
        "taskset -c 0",
        "chrt -i 0",
        "numactl -N 0",
        "prlimit --nofile=10",
        "setarch x86_64 -R",
        "linux64",
        "unshare -rm",
        "nsenter -t 1 -n",
        "firejail --quiet",
        "bwrap --dev-bind / /",
        "proot -b /a:/b",
        "systemd-run --user --scope",
        "systemd-inhibit",
        "dbus-run-session --",
        "xvfb-run -a",
        "flock -n /tmp/l",
        "chronic",
        "ifne",
        "unbuffer",
        "fakeroot",
        "torsocks",
        "proxychains4 -q",
        "tini --",
        "dumb-init",
        "gosu me",
        "su-exec me",
        "setpriv --reuid 1",
        "runuser -u me --",
        "capsh --print; env",
        "direnv exec .",
        "ssh-agent",
        "sshpass -p x",
        "caffeinate -i",
        "poetry run",
        "pipenv run",
        "pdm run",
        "hatch run",
        "uv run",
        "conda run -n x",
        "bundle exec",
        "npx",
        "bunx",
        "npm exec --",
        "watchexec --",
        "entr -r",
        "watch -x",
        "xargs",
        "xargs -0 -P4 -n1",
        "rr record",
        "heaptrack",
        "tsp",
        "zellij run --",
        "screen -dmS x",
        "nix develop -c",
        "dotenv run",
        "ccache",
        "\\command",
        "'sudo'",
        "/usr/bin/env",
        "$(which nice)",
    ] {
        let made = super::changes(&format!("{wrapper} mkdir /srv/new"));
        assert!(made.iter().any(|c| c == "+/srv/new"), "{wrapper}: {made:?}");
        let made = super::changes(&format!("{wrapper} sh -c 'cd /srv; mkdir new'"));
        assert!(made.iter().any(|c| c == "+/srv/new"), "{wrapper} sh -c: {made:?}");
        let made = super::changes(&format!("{wrapper} cat /srv/none"));
        assert!(!made.iter().any(|c| c.contains("none")), "{wrapper} cat: {made:?}");
    }
}

#[test]
fn with_a_text() {
    for wrapper in [
        "sh -c",
        "bash -c",
        "bash -lc",
        "bash -eu -o pipefail -c",
        "dash -c",
        "zsh -c",
        "ksh -c",
        "eval",
        "su -c",
        "su me -c",
        "su - me -s /bin/sh -c",
        "runuser -l me -c",
        "script -qec",
        "flock /tmp/l -c",
        "watch -n1",
        "hyperfine",
        "npx -c",
        "npm exec -c",
        "nix-shell -p x --run",
        "env -S",
        "parallel -j2",
        "tmux new -d",
        "tmux split-window -h",
        "tmux run-shell",
        "sg staff -c",
        "trap",
        "git submodule foreach",
        "busybox sh -c",
        "entr -s",
        "ssh localhost",
        "bash <<<",
        "at now <<<",
        "batch <<<",
        "sh -s <<<",
        ". /dev/stdin <<<",
        "find . -maxdepth 0 -exec sh -c",
    ] {
        let after = match wrapper {
            "script -qec" => " /dev/null",
            "trap" => " EXIT",
            w if w.starts_with("find") => " \\;",
            _ => "",
        };
        let made = super::changes(&format!("{wrapper} 'mkdir /srv/new'{after}"));
        assert!(made.iter().any(|c| c == "+/srv/new"), "{wrapper}: {made:?}");
        let made = super::changes(&format!("{wrapper} 'cat /srv/none'{after}"));
        assert!(!made.iter().any(|c| c.contains("none")), "{wrapper}: {made:?}");
    }
    for text in [
        "echo 'mkdir /srv/new' | sh",
        "printf 'mkdir %s\\n' /srv/new | sudo bash -s",
        "cat <<'E' | sh\nmkdir /srv/new\nE",
    ] {
        assert_eq!(super::changes(text), ["+/srv/new"], "{text}");
    }
}

#[test]
fn what_runs_elsewhere_is_no_effect_here() {
    check(&[
        ("ssh host 'mkdir /srv/new'", ""),
        ("ssh -p 22 me@host mkdir /srv/new", ""),
        ("ssh host cat /srv/x > /srv/new", "+/srv/new"),
        ("ssh host 'tar cf - /srv/x' | tar xf - -C /srv/data", "+/srv/data/*"),
        ("docker run --rm -v /w:/w img touch /srv/new", "+/w"),
        ("docker exec -it c sh -c 'touch /srv/new'", ""),
        ("podman exec c touch /srv/new", ""),
        ("docker compose run --rm app touch /srv/new", ""),
        ("kubectl exec pod -- touch /srv/new", ""),
        ("vagrant ssh -c 'touch /srv/new'", ""),
        ("chroot /srv/data touch /new", "+/srv/data/*"),
    ]);
}
