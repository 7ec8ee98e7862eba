//! What is run without being judged, and what is judged because its text stands in the command.

use super::{analysis, check};
use crate::shell::{EffectKind, Target};

/// Every row is a command and its opaque effects.
fn check_opaque(rows: &[(&str, &str)]) {
    let got = rows.iter().map(|(command, want)| (command, want, opaque(command)));
    let wrong: Vec<String> = got
        .filter(|(_, want, got)| got != *want)
        .map(|(command, want, got)| format!("{command}\n   want {want}\n   got  {got}"))
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Every opaque effect as `PROGRAM PATH`; `?` where it can't be known what is run.
fn opaque(command: &str) -> String {
    let named =
        analysis(command).effects.into_iter().filter(|e| e.kind == EffectKind::Opaque).map(|e| match e.target {
            Target::Path(path) => format!("{} {path}", e.program),
            Target::Inside(path) => format!("{} {path}/*", e.program),
            Target::Opaque => format!("{} ?", e.program),
        });
    named.collect::<Vec<_>>().join("; ")
}

#[test]
fn files_that_are_there() {
    check_opaque(&[
        ("source env.sh", "source /w/env.sh"),
        (". ./env.sh && make", ". /w/env.sh"),
        ("source ~/.nvm/nvm.sh", "source /home/u/.nvm/nvm.sh"),
        (". missing.sh", ". /w/missing.sh"),
        ("cd sub && source ../env.sh a b", "source /w/env.sh"),
        ("bash env.sh", "bash /w/env.sh"),
        ("bash -x ./env.sh --flag", "bash /w/env.sh"),
        ("sh -e sub/build.sh", "sh /w/sub/build.sh"),
        ("zsh env.sh", "zsh /w/env.sh"),
        ("python3 tool.py --out x", "python3 /w/tool.py"),
        ("python3 -W ignore -u tool.py", "python3 /w/tool.py"),
        ("node server.js", "node /w/server.js"),
        ("perl -I lib x.pl", "perl /w/x.pl"),
        ("ruby x.rb", "ruby /w/x.rb"),
        ("awk -f x.awk a.txt", "awk /w/x.awk"),
        ("sed -f x.sed a.txt", "sed /w/x.sed"),
        ("tclsh x.tcl", "tclsh /w/x.tcl"),
        ("./run.sh a", "run.sh /w/run.sh"),
        ("sudo ./run.sh", "run.sh /w/run.sh"),
        ("bash -c './run.sh && true'", "run.sh /w/run.sh"),
        ("for s in a b; do ./$s.sh; done", "a.sh /w/a.sh; b.sh /w/b.sh"),
        ("~/bin/tool x", "tool /home/u/bin/tool"),
    ]);
}

#[test]
fn what_can_not_be_known() {
    check_opaque(&[
        ("source \"$X\"", "source ?"),
        (". $(find_env)", ". ?"),
        ("source /srv/$(unknown).sh", "source /srv/*"),
        ("source <(curl -s https://h/x)", "source ?"),
        (". /dev/stdin <<< \"$(unknown)\"", "shell ?"),
        ("bash <(curl -s https://h/x)", "bash ?"),
        ("bash -c \"$(curl -fsSL https://h/install.sh)\"", "shell ?"),
        ("curl -s https://h/x | sh", "shell ?"),
        ("curl -s https://h/x | sudo bash -s -- -y", "shell ?"),
        ("curl -s https://h/x | python3 -", "python ?"),
        ("wget -qO- https://h/x | bash", "shell ?"),
        ("eval \"$(unknown)\"", "shell ?"),
        ("python3 -c \"$(unknown)\"", "python ?"),
        ("$(unknown) a", " ?"),
        ("curl -so x.sh https://h/x && bash x.sh", "bash /w/x.sh"),
        ("curl -so x.sh https://h/x && chmod +x x.sh && ./x.sh", "x.sh /w/x.sh"),
    ]);
}

#[test]
fn programs_of_the_tables_are_not_opaque() {
    for command in [
        "ls",
        "/usr/bin/ls /srv",
        "bash --version",
        "bash -c 'mkdir x'",
        "python3 -c 'print(1)'",
        "python3 -m json.tool a.txt",
        "node -e '1'",
        "perl -pe 's/a/b/' a.txt",
        "echo 'mkdir x' | sh",
        "source <(echo 'D=x')",
        "bash -n env.sh",
        "frobnicate a",
        "cat env.sh",
        "git commit -m 'source env.sh'",
    ] {
        check_opaque(&[(command, "")]);
    }
}

#[test]
fn what_a_file_there_does_is_not_its_readers() {
    check(&[
        ("source env.sh", ""),
        ("bash env.sh", ""),
        ("bash env.sh x; python3 tool.py x", "+/w/x"),
        // The values that it sets are known all the same.
        ("source env.sh; touch $OUT", "+/srv/env"),
    ]);
}

#[test]
fn a_text_that_was_just_written_is_judged() {
    const SCRIPT: &str = "cat > s <<'E'\nmkdir /srv/x\nE\n";
    let mut wrong = Vec::new();
    for run in [
        "source s",
        "source ./s",
        ". ./s",
        "bash s",
        "bash -e ./s",
        "sh s",
        "dash /w/s",
        "zsh s",
        "bash --norc s",
        "bash -o pipefail s",
        "sudo bash s",
        "timeout 5 sh s",
        "env X=1 bash s",
        "bash < s",
        "cat s | sh",
        "bash -c 'source s'",
        "bash -c ./s",
        "bash -c \"$(cat s)\"",
        "eval \"$(<s)\"",
        "./s",
        "chmod +x s && ./s",
        "chmod 755 /w/s; /w/s",
        "sudo ./s",
        "nohup ./s &",
        "xargs -a /dev/null ./s",
        "find . -maxdepth 0 -exec ./s \\;",
    ] {
        let command = format!("{SCRIPT}{run}");
        let judged = super::changes(&command).contains(&"+/srv/x".to_owned());
        if !judged || !opaque(&command).is_empty() {
            wrong.push(format!("{run}: judged {judged}, opaque {}", opaque(&command)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    check(&[
        ("echo 'mkdir \"$1\"' > s; bash s /srv/x", "+/w/s +/srv/x"),
        ("echo 'mkdir \"$2\"' > s; . ./s a /srv/x", "+/w/s +/srv/x"),
        ("echo 'cat \"$1\"' > s; bash s /srv/x", "+/w/s"),
        ("printf '#!/bin/bash\\nmkdir /srv/x\\n' > s; chmod +x s; ./s", "+/w/s ~/w/s +/srv/x"),
        ("echo 'open(\"/srv/x\", \"w\")' > s.py; python3 s.py", "+/w/s.py +/srv/x"),
        ("echo 'open(\"/srv/x\", \"w\")' > s.py; python3 -X dev s.py", "+/w/s.py +/srv/x"),
        ("printf '#!/usr/bin/env python3\\nopen(\"/srv/x\", \"w\")\\n' > s; chmod +x s; ./s", "+/w/s ~/w/s +/srv/x"),
        ("echo 'require(\"fs\").mkdirSync(\"/srv/x\")' > s.js; node s.js", "+/w/s.js +/srv/x"),
        ("echo 'mkdir \"/srv/x\"' > s.pl; perl s.pl", "+/w/s.pl +/srv/x"),
        ("echo 'Dir.mkdir(\"/srv/x\")' > s.rb; ruby s.rb", "+/w/s.rb +/srv/x"),
        ("echo 'BEGIN { print 1 > \"/srv/x\" }' > s.awk; awk -f s.awk", "+/w/s.awk +/srv/x"),
        ("echo 'w /srv/x' > s.sed; sed -f s.sed a.txt", "+/w/s.sed +/srv/x"),
        ("tee s.sh <<'E'\nmkdir /srv/x\nE\nbash s.sh", "+/w/s.sh +/srv/x"),
        ("cp env.sh s.sh; bash s.sh", "+/w/s.sh"),
    ]);
}

#[test]
fn descriptors_that_give_something_else_by_then() {
    check_opaque(&[
        (": 3<<<'true'; exec 3<evil.sh; bash /dev/fd/3", "bash ?"),
        (": 3<<<'true'; bash /dev/fd/3", "bash ?"),
        ("exec 3<<<'true'; exec 3<evil.sh; bash /dev/fd/3", "bash ?"),
        ("exec 3<<<'true'; command exec 3<evil.sh; bash /dev/fd/3", "bash ?"),
        ("exec 3<<<'true'; exec 3<&0; bash /dev/fd/3", "bash ?"),
        ("exec 3<<<'true'; exec 3<&-; bash /dev/fd/3", "bash ?"),
        ("exec 3<<<'true'; { bash /dev/fd/3; } 3<evil.sh", "bash ?"),
        ("exec 3<<<'true'; echo $(< a.txt 3<evil.sh); bash /dev/fd/3", ""),
        ("exec 3<<<'true'; : 3<evil.sh; bash /dev/fd/3", ""),
    ]);
}

#[test]
fn text_that_others_add_to_a_file() {
    let script = |uses: &str| {
        format!(
            "python3 - <<'E'\nimport json, shutil, subprocess, sys\nf = open('x.sh', 'w')\nf.write('true\\n')\n{uses}\nf.close()\nE\nsh x.sh"
        )
    };
    assert_eq!(opaque(&script("f.write('true')\nf.flush()")), "");
    for uses in [
        "print('mkdir /srv/x', file=f)",
        "json.dump(o, f)",
        "shutil.copyfileobj(s, f)",
        "subprocess.run(['cat', 'y'], stdout=f)",
        "f.seek(0)",
        "f.truncate(3)",
        "f.buffer.write(b)",
        "w = f.write\nw('mkdir /srv/x')",
        "list(map(f.write, lines))",
        "sys.stdout = f\nprint('mkdir /srv/x')",
        "print('mkdir /srv/x', file=f)\nf.write('true')",
        "go([f])",
    ] {
        assert_ne!(opaque(&script(uses)), "", "{uses}");
    }
}
