//! What the engine says of cmd's command lines, held against what a real cmd does with them: what makes something outside
//! of the project must be refused, what makes nothing there must pass. No expectation is written by hand; the two tables
//! only say that a line does something, so that the test can't pass by doing nothing.

use std::{collections::BTreeSet, fs, os::windows::process::CommandExt as _, path::Path};

use serde_json::{Value, json};

use crate::env::{TestEnv, run};

/// Lines that make something in `OUT`, the folder beside the project, or in the user's profile.
const MAKES: &[&str] = &[
    r"md ..\outside\n",
    r"md OUT\n\deep",
    r#"mkdir "OUT\a b""#,
    r"md OUT\a OUT\b",
    r"(md OUT\n)",
    r"@md OUT\n",
    r"md OUT\n^1",
    r#"md "OUT/n""#,
    r"md OUT\n 2>nul",
    r"md OUT\n&rem x",
    r"echo x> OUT\n.txt",
    r"echo x>>OUT\n.txt",
    r"echo x> OUT\n.txt 2>&1",
    r">OUT\n.txt echo x",
    r"(echo a& echo b)> OUT\n.txt",
    r"type nul> OUT\n.txt",
    r"type a.txt> ..\outside\n.txt",
    r"dir /b> OUT\n.txt",
    r#"echo x> "OUT\a b.txt""#,
    r"echo x| findstr x> OUT\n.txt",
    r"copy a.txt OUT\n.txt",
    r"copy a.txt OUT",
    r"copy /y a.txt+b.txt OUT\n.txt",
    r"xcopy /i /q src OUT\src",
    r"move a.txt OUT\n.txt",
    r"move a.txt OUT",
    r"cd ..\outside&md n",
    r"cd /d OUT && echo x> n.txt",
    r"pushd ..\outside&echo x> n.txt&popd",
    r"if exist a.txt md OUT\n",
    r"if not exist OUT\n md OUT\n",
    r"if exist none (echo no) else md OUT\n",
    r#"if "a"=="a" md OUT\n"#,
    r"md src && md OUT\n || md OUT\m",
    r"for %i in (1 2) do md OUT\n%i",
    r"for /l %i in (1,1,2) do @echo x> OUT\n%i.txt",
    r"for /f %i in (a.txt) do md OUT\%i",
    r#"cmd /c "md OUT\n""#,
    r"cmd /c md OUT\n",
    r#"cmd /c "cd ..\outside & md n""#,
    r"call md OUT\n",
    r"start /b /wait cmd /c md OUT\n",
    r"md %CD%\..\outside\n",
    r#"md "%USERPROFILE%\n-NUMBER""#,
    r"echo x> %userprofile%\n-NUMBER.txt",
    r"set D=OUT&& cmd /c md %^D%\n",
    r"mklink /h OUT\n a.txt",
];

/// Lines that make nothing outside, though most name a place there.
const HARMLESS: &[&str] = &[
    r"md n",
    r"md src\n",
    r"echo x> n.txt",
    r"copy a.txt c.txt",
    r"move a.txt src",
    r"ren a.txt c.txt",
    r"del b.txt",
    r"rd /s /q src",
    r"xcopy /i /q src sub",
    r"echo md OUT\n",
    r"echo x ^> OUT\n.txt",
    r#"echo "x > OUT\n.txt""#,
    r"rem md OUT\n",
    r"rem x&md OUT\n",
    r"rem x> OUT\n.txt",
    r"dir OUT",
    r"dir OUT> nul 2> nul",
    r"type OUT\existing.txt> n.txt",
    r"copy OUT\existing.txt n.txt",
    r"if exist OUT\n md n",
    r"if exist OUT\n (md OUT\n\m) else md n",
    r"cd ..\outside",
    r"set X=OUT\n",
    r"for %i in (1 2) do @echo md OUT\n%i",
    r"md %TEMP%\n-NUMBER",
    r"echo x> %TEMP%\n-NUMBER.txt",
    r"findstr /c:OUT\n a.txt",
];

/// Everything below `folder`.
fn below(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // The programs of the platform and the product keep their own things there.
        if path.ends_with("AppData") || path.ends_with(".wsguard") {
            continue;
        }
        if path.is_dir() {
            found.extend(below(&path));
        }
        found.insert(path.to_str().unwrap().to_owned());
    }
    found
}

/// What cmd made outside of the project and what the engine said of it, by the line.
fn run_all(lines: &[&str]) -> Vec<(String, BTreeSet<String>, Value)> {
    let mut env = TestEnv::new();
    // The folder of each line is its project.
    env.unset("CLAUDE_PROJECT_DIR");
    let place = |i: usize| env.root().join(format!("case{i}"));
    let mut asked = Vec::new();
    let mut filled = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        for folder in ["outside", "project/src"] {
            fs::create_dir_all(place(i).join(folder)).unwrap();
        }
        for file in ["outside/existing.txt", "project/a.txt", "project/b.txt", "project/src/c.txt"] {
            fs::write(place(i).join(file), "word\r\n").unwrap();
        }
        let outside = place(i).join("outside");
        let line = line.replace("OUT", outside.to_str().unwrap()).replace("NUMBER", &i.to_string());
        let cwd = place(i).join("project");
        asked.push(json!({"id": i, "command": line, "dialect": "cmd", "cwd": cwd}).to_string());
        filled.push(line);
    }
    let mut explain = env.command(env.program("wsguard"));
    explain.args(["explain", "--batch"]);
    let out = run(explain, asked.join("\n").as_bytes());
    let answers: Vec<Value> = out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), lines.len(), "{out:?}");
    let mut seen = Vec::new();
    for (i, (line, answer)) in filled.into_iter().zip(answers).enumerate() {
        let folders = [place(i).join("outside"), env.user_home()];
        let look = || folders.iter().flat_map(|folder| below(folder)).collect::<BTreeSet<_>>();
        let before = look();
        let mut command = env.command("cmd");
        command.current_dir(place(i).join("project")).raw_arg("/c").raw_arg(&line);
        run(command, b"");
        seen.push((line, look().difference(&before).cloned().collect(), answer));
    }
    seen
}

#[test]
fn what_makes_something_outside_is_refused() {
    let mut wrong = Vec::new();
    let mut idle = Vec::new();
    for ((line, made, answer), written) in run_all(MAKES).into_iter().zip(MAKES) {
        if made.is_empty() {
            idle.push(written);
        } else if answer["verdict"] != "deny" {
            wrong.push(format!("{line}\n  made {made:?}\n  {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} passed\n{}", wrong.len(), wrong.join("\n"));
    // Not every cmd knows everything.
    for line in &idle {
        crate::report::skipped(&format!("a line that does nothing in this cmd: {line}"));
    }
    assert!(idle.len() < MAKES.len() / 4, "{idle:#?}");
}

#[test]
fn what_makes_nothing_outside_passes() {
    let mut wrong = Vec::new();
    for (line, made, answer) in run_all(HARMLESS) {
        assert!(made.is_empty(), "{line} made {made:?}");
        if answer["verdict"] != "allow" {
            wrong.push(format!("{line}\n  {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} refused\n{}", wrong.len(), wrong.join("\n"));
}
