//! Labelled PowerShell commands, judged in described machines.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::json;
use workspace_guard::{
    gate::{Standing, Verdict},
    hook::Described,
    shell::{Dialect, Target},
};

use crate::env::TestEnv;

/// What a command would create against the rules, in the words of the tables.
fn refused(machine: &Described, command: &str) -> (bool, BTreeSet<String>) {
    let judgement = machine.explain(command, Dialect::PowerShell, None).unwrap().judgement;
    let mut paths = BTreeSet::new();
    for judged in &judgement.effects {
        if !matches!(judged.standing, Standing::Violation(_)) {
            continue;
        }
        paths.insert(match &judged.effect.target {
            Target::Path(path) => path.clone(),
            Target::Inside(folder) => {
                let separator = if folder.starts_with('/') { '/' } else { '\\' };
                format!("{}{separator}*", folder.trim_end_matches(separator))
            }
            Target::Opaque => "?".to_owned(),
        });
    }
    paths.extend(judgement.gaps.iter().map(|_| "!".to_owned()));
    (judgement.verdict == Verdict::Allow, paths)
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/powershell")
}

fn machine(name: &str) -> Described {
    Described::parse(&fs::read_to_string(folder().join(format!("{name}.json"))).unwrap()).unwrap()
}

/// Judges every row of a table; what is wrong.
fn check(name: &str) -> (usize, Vec<String>) {
    let machine = machine(name);
    let table = fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
    let rows: Vec<&str> = table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let mut wrong = Vec::new();
    for row in &rows {
        let (label, command) = row.split_once(" | ").expect(row);
        let command = command.replace('⏎', "\n");
        let (allowed, paths) = refused(&machine, &command);
        let right = match label.strip_prefix("deny ") {
            Some(want) => !allowed && paths == want.split(", ").map(str::to_owned).collect(),
            None => label == "allow" && allowed,
        };
        if !right {
            wrong.push(format!("{row}\n    {} {paths:?}", if allowed { "allowed" } else { "denied" }));
        }
    }
    (rows.len(), wrong)
}

#[test]
fn labelled_commands_are_judged_as_labelled() {
    let (on_windows, mut wrong) = check("windows");
    let (on_linux, more) = check("posix");
    wrong.extend(more);
    assert!(on_windows + on_linux >= 300);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), on_windows + on_linux, wrong.join("\n"));
}

/// `@` in a command stands for the outside folder.
fn outside(env: &TestEnv, pattern: &str) -> String {
    pattern.replace('@', env.outside("").trim_end_matches('/'))
}

#[test]
fn the_powershell_tool_is_judged() {
    let env = TestEnv::new();
    let ask = |command: &str| env.tool("PowerShell", json!({ "command": outside(&env, command) }));
    let denied = [
        ("New-Item -ItemType Directory @/zzz", "@/zzz"),
        ("'x' > @/zzz.txt", "@/zzz.txt"),
        ("cd @; ni zzz", "@/zzz"),
        ("[IO.File]::WriteAllText('@/zzz', 'x')", "@/zzz"),
        ("bash -c 'mkdir @/zzz'", "@/zzz"),
        ("mkdir @/zzz", "@/zzz"),
    ];
    for (command, path) in denied {
        ask(command).assert_denied(&outside(&env, path));
    }
    for command in
        ["Get-ChildItem @", "New-Item a.txt", "Get-Content @/missing", "'x' > $null", "git commit -m '@/zzz'"]
    {
        ask(command).assert_pass();
    }
    ask("if (").assert_refused();
    // The fence holds whatever the language.
    for command in [
        "wsguard config set gate false",
        "& wsguard allow /",
        "iex 'wsguard allow /'",
        "Stop-Process -Name wsguard-hook",
    ] {
        let reason = ask(command).assert_refused();
        assert!(reason.contains("operator"), "{command}: {reason}");
    }
}

#[test]
fn bash_hands_text_to_powershell() {
    let env = TestEnv::new();
    env.bash(&outside(&env, "pwsh -c 'New-Item @/zzz'")).assert_denied(&outside(&env, "@/zzz"));
    env.bash(&outside(&env, "X=@/zzz; pwsh -NoProfile -Command \"ni $X\"")).assert_denied(&outside(&env, "@/zzz"));
    env.bash(&outside(&env, "export X=@/zzz; pwsh -c 'ni $env:X'")).assert_denied(&outside(&env, "@/zzz"));
    env.bash(&outside(&env, "pwsh -c 'Get-ChildItem @'")).assert_pass();
    env.bash("pwsh -c 'if ('").assert_refused();
}

#[test]
fn the_corrected_command_is_quoted_and_allowed() {
    let machine = machine("windows");
    let check = |command: &str, want: Option<&str>| {
        let verdict = machine.explain(command, Dialect::PowerShell, None).unwrap().judgement.verdict;
        let Verdict::Deny { reason } = verdict else { unreachable!("{command} is denied") };
        let corrected = reason.split(". Corrected: ").nth(1).and_then(|rest| rest.split(". The user").next());
        assert_eq!(corrected, want, "{command}: {reason}");
        if let Some(corrected) = corrected {
            let again = machine.explain(corrected, Dialect::PowerShell, None).unwrap().judgement.verdict;
            assert_eq!(again, Verdict::Allow, "{corrected}");
        }
    };
    let scratch = r"C:\Users\me\.wsguard\scratch\s1";
    check(r"mkdir C:\srv\app", Some(&format!(r"mkdir {scratch}\srv\app")));
    check(
        r"'a' > 'C:\srv\b.txt'; gc C:\srv\b.txt",
        Some(&format!(r"'a' > '{scratch}\srv\b.txt'; gc {scratch}\srv\b.txt")),
    );
    // Where it can't be certain, nothing is proposed.
    check(r"'a' > 'C:\a b.txt'", None);
    check(r"ni $HOME\x.txt", None);
}
