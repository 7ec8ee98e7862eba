//! The corrected command of a refusal: it is allowed itself, and when it runs it makes nothing outside.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::env::{RawOutput, TestEnv, run, text};

/// Commands with `{}` for a path that is not there. `@` is a folder outside, `~p` the project.
const PATTERNS: &[&str] = &[
    "mkdir {}",
    "mkdir -p {}/sub/dir",
    "mkdir -p {} && echo hi > {}/f",
    "touch {}",
    "touch a.txt {}",
    "echo hi > {}",
    "echo hi >> {}",
    "echo hi | tee {}",
    "tee {} < a.txt > /dev/null",
    "cat <<'EOF' > {}\none\ntwo\nEOF",
    "cp a.txt {}",
    "cp -r src {}",
    "cp -- a.txt {}",
    "mv a.txt {}",
    "ln -s ~p/a.txt {}",
    "install -D -m 644 a.txt {}",
    "tar cf {} src",
    "tar -czf {} -C src .",
    "dd if=a.txt of={} status=none",
    "sort a.txt -o {}",
    "sort a.txt --output={}",
    "truncate -s 4 {}",
    "mkfifo {}",
    "gzip -c a.txt > {}",
    "git init -q {}",
    "(umask 77; mkdir {})",
    "if true; then mkdir {}; fi",
    "test -d {} || mkdir -p {}",
    "mkdir {} && cp a.txt {}/",
    "mkdir -p {} && cd {} && touch f",
    "mkdir -p {}/a {}/b && mv {}/a {}/c",
    "echo x > {} && cat {}",
    "D={}; mkdir -p \"$D\" && echo x > \"$D/f\"",
    "OUT={}; for i in 1 2; do echo $i >> $OUT; done",
    "env X=1 nice mkdir {}",
    "time touch {}",
    "ls > {} 2>&1",
    "{ date; pwd; } > {}",
];

/// Commands that name their place in another way, and have one.
const OTHERS: &[&str] = &[
    "cp a.txt @/data",
    "cp a.txt @/data/",
    "cp a.txt src/b.txt @/data/",
    "cp -t @/data a.txt src/b.txt",
    "mv a.txt src/b.txt @/data",
    "tar xf t.tar -C @/data",
    "tar xf t.tar --directory=@/data",
    "cd @ && touch made",
    "cd @; mkdir made",
    "(cd @/data && echo x > made)",
    "pushd @ > /dev/null && touch made",
    "touch ../outside/made",
    "echo x > ../outside/data/made",
    "mkdir -p ../outside/a/b && touch ../outside/a/b/c",
    "bash -c 'mkdir @/made'",
    "sh -c \"echo x > @/made\"",
    "eval 'touch @/made'",
    "python3 -c \"open('@/made', 'w').write('x')\"",
    "python3 - <<'EOF'\nimport os\nos.makedirs('@/made/deep')\nEOF",
    "perl -e 'open(F, \">\", \"@/made\"); print F 1'",
    "awk '{print > \"@/made\"}' a.txt",
    "sed -n 'w @/made' a.txt",
    "xargs -I% touch @/made <<< x",
    "env -C @ mkdir made",
    "mkdir @/one @/two",
    "touch @/made ~/made2",
    "cp @/existing.txt @/copy.txt",
    "mv @/existing.txt @/moved.txt",
    "split -l 1 a.txt @/part.",
    "mktemp -p @/data",
    "mkdir @/{a,b}",
    "for d in one two; do mkdir @/$d; done",
    "for d in one; do mkdir @/$d; done",
    "f() { mkdir \"$1\"; }; f @/made",
    "install -d @/made/deep",
    "rsync -a src/ @/made",
    "cp -r src/. @/data",
    "D=$(dirname @/data/x); touch $D/made",
    "touch @/made; rm @/made",
    "echo 'see @/made' > @/made",
    "echo https://example.org@/made > @/made",
];

/// How a name below a folder is written: the folder, in a command and without quotes.
fn spellings(name: &str) -> Vec<String> {
    let plain = name.chars().all(|c| c.is_alphanumeric() || "._-+".contains(c));
    let mut out = vec![format!("'@/{name}'"), format!("\"@/data/{name}\""), format!("\"$HOME/{name}\"")];
    if plain {
        out.extend([format!("@/{name}"), format!("@/data/{name}"), format!("@/none/{name}")]);
        out.extend([format!("~/{name}"), format!("${{HOME}}/{name}"), format!("../outside/{name}")]);
    }
    out
}

fn commands(env: &TestEnv) -> Vec<String> {
    let mut out: Vec<String> = OTHERS.iter().map(|pattern| (*pattern).to_owned()).collect();
    let names = ["made", "made here", "a+b.c", "größe"];
    for (i, pattern) in PATTERNS.iter().enumerate() {
        for (n, name) in names.iter().enumerate() {
            for (s, spelled) in spellings(name).iter().enumerate() {
                // A third of them all: each pattern with each spelling, and each name with each pattern.
                if (i + n + s) % 3 == 0 {
                    out.push(pattern.replace("{}", spelled));
                }
            }
        }
    }
    let fill = |c: String| c.replace('@', &text(&env.root().join("outside"))).replace("~p", &text(&env.project()));
    out.into_iter().map(fill).collect()
}

/// `explain --batch` of all of them.
fn explained(env: &TestEnv, commands: &[String]) -> Vec<Value> {
    let lines: Vec<String> =
        commands.iter().enumerate().map(|(i, c)| json!({"id": i, "command": c}).to_string()).collect();
    let mut command = env.command(env.bin().join("wsguard"));
    command.args(["explain", "--batch", "--session", crate::payload::SESSION]);
    let out = run(command, lines.join("\n").as_bytes());
    assert_eq!(out.code, Some(0), "{out:?}");
    out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The machine as each command finds it.
fn furnish(env: &TestEnv) {
    for name in ["outside", "project", "home"] {
        fs::remove_dir_all(env.root().join(name)).unwrap();
    }
    for name in ["outside/data", "project/src"] {
        fs::create_dir_all(env.root().join(name)).unwrap();
    }
    fs::create_dir_all(env.scratch()).unwrap();
    for name in ["outside/existing.txt", "project/a.txt", "project/src/b.txt"] {
        fs::write(env.root().join(name), "b\na\n").unwrap();
    }
}

fn everything(dir: &Path, out: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            everything(&path, out);
        }
        out.insert(path);
    }
}

/// Runs a command, and gives what is there afterwards and was not before.
fn made(env: &TestEnv, command: &str) -> (RawOutput, BTreeSet<PathBuf>) {
    furnish(env);
    if command.contains("t.tar") {
        let tar = Command::new("tar").args(["cf", "t.tar", "src"]).current_dir(env.project()).status().unwrap();
        assert!(tar.success());
    }
    let mut before = BTreeSet::new();
    everything(env.root(), &mut before);
    let mut shell = env.command("bash");
    shell.args(["-c", command]);
    let out = run(shell, b"");
    let mut after = BTreeSet::new();
    everything(env.root(), &mut after);
    (out, after.difference(&before).cloned().collect())
}

#[test]
fn a_corrected_command_is_allowed_and_makes_nothing_outside() {
    let env = TestEnv::new();
    furnish(&env);
    let commands = commands(&env);
    assert!(commands.len() >= 300, "{}", commands.len());
    let answers = explained(&env, &commands);
    let fixed: Vec<(usize, String)> = answers
        .iter()
        .enumerate()
        .filter_map(|(i, answer)| Some((i, answer["corrected"].as_str()?.to_owned())))
        .collect();
    let missing: Vec<&String> =
        (0..commands.len()).filter(|i| fixed.iter().all(|(n, _)| n != i)).map(|i| &commands[i]).collect();
    let again: Vec<String> = fixed.iter().map(|(_, command)| command.clone()).collect();
    for (answer, command) in explained(&env, &again).iter().zip(&again) {
        assert_eq!(answer["verdict"], "allow", "{command}: {answer}");
    }
    let mut wrong = Vec::new();
    for (i, command) in &fixed {
        assert_eq!(answers[*i]["verdict"], "deny", "{}", commands[*i]);
        let (out, new) = made(&env, command);
        let outside: Vec<_> =
            new.iter().filter(|p| !p.starts_with(env.scratch()) && !p.starts_with(env.project())).collect();
        let (plain, there) = made(&env, &commands[*i]);
        let works = out.code == plain.code && (there.is_empty() || new.len() == there.len());
        if !outside.is_empty() || !works {
            wrong.push(format!("{}\n  {command}\n  {out:?}\n  made {new:?}, before {there:?}", commands[*i]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    // Most fixes are certain; the rest is what can't be said by one edit.
    assert!(
        fixed.len() >= 300 && missing.len() * 10 < commands.len(),
        "{} of {}: {missing:#?}",
        fixed.len(),
        commands.len()
    );
}

#[test]
fn the_reason_tells_it() {
    let env = TestEnv::new();
    let reason = env.bash(&format!("touch {}", env.outside("made"))).assert_refused();
    assert!(reason.contains(&format!("Corrected: touch {}", text(&env.scratch().join("made")))), "{reason}");
    let quoted = env.bash(&format!("touch '{}'", env.outside("made here"))).assert_refused();
    assert!(quoted.contains(&format!("touch '{}'", text(&env.scratch().join("made here")))), "{quoted}");
}

/// No proposal where a place can't be known, where two things would become one, or where something else is wrong.
#[test]
fn nothing_uncertain_is_proposed() {
    let env = TestEnv::new();
    furnish(&env);
    fs::write(env.scratch().join("taken"), "").unwrap();
    let outside = text(&env.root().join("outside"));
    let commands: Vec<String> = [
        "mkdir \"$(decode)\"",
        "touch @/x @/data/x",
        "mkdir @/x; touch ~/.wsguard/config.toml",
        "mkdir @/x; wsguard allow /",
        "mkdir @/taken",
        // What is there would be missed in scratch, or scratch be emptied.
        "split -l 1 @/existing.txt @/part_",
        "tar xf @/existing.txt -C @",
        "git -C @/data commit -am x",
        "make -C @/data install",
        "rsync -a --delete src/ @/data/",
        "for d in one two; do mkdir @/$d; done",
        "mkdir @/x; echo 'open",
    ]
    .iter()
    .map(|c| c.replace('@', &outside))
    .collect();
    for (answer, command) in explained(&env, &commands).iter().zip(&commands) {
        assert_eq!((&answer["verdict"], &answer["corrected"]), (&json!("deny"), &Value::Null), "{command}");
    }
}
