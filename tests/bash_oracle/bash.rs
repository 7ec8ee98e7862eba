//! `bash -n` says what is a script, and the parser must agree.

use std::fs;
use std::process::{Command, Stdio};

use workspace_guard::shell::bash::parse;

/// What bash says against each script, if anything; `None` where there is no bash.
fn complaints(scripts: &[String]) -> Option<Vec<Option<String>>> {
    let dir = tempfile::tempdir().unwrap();
    for (i, script) in scripts.iter().enumerate() {
        fs::write(dir.path().join(format!("{i:06}")), script).unwrap();
    }
    let judge = r#"for f in [0-9]*; do "$BASH" -O extglob -n "$f"; echo "$?"; done"#;
    let run = Command::new("bash")
        .args(["--norc", "--noprofile", "-c", judge])
        .current_dir(dir.path())
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output();
    let output = run.ok()?;
    let status = String::from_utf8_lossy(&output.stdout);
    assert_eq!(status.lines().count(), scripts.len(), "bash judged every script");
    let mut complaints: Vec<Option<String>> =
        status.lines().map(|status| (status != "0").then(|| format!("status {status}"))).collect();
    // A condition's error is printed without a failing status. Every message begins with the script's name.
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        if let Some((name, message)) = line.split_once(": line ")
            && let Ok(i) = name.parse::<usize>()
            && !message.contains("warning: ")
        {
            complaints[i].get_or_insert_default().push_str(message);
        }
    }
    Some(complaints)
}

/// Without extended patterns, which is how most scripts run, a `!(` that begins a command is a negated subshell, and
/// `@()` and the like name functions. The parser takes them so.
fn pattern_or_not(script: &str) -> bool {
    ["!(", "@()", "?()", "*()", "+()"].iter().any(|mark| script.contains(mark))
}

/// Why the parser may see a gap in a script that bash accepts.
fn unread_by_bash(script: &str) -> bool {
    let has = |mark: &str| script.contains(mark);
    // `bash -n` reads neither the inside of back-quotes nor of `${…}`, nor a here-document's body, nor `$((…)…)`; errors
    // in there come when they are expanded.
    ["`", "${", "<<", "$((", "<((", ">(("].iter().any(|mark| has(mark))
        || pattern_or_not(script)
        // Slips of bash 5.2: no reserved word `time` at the start of `$(…)`; a wrong header of `for ((` ends the reading.
        || has("(time")
        || has("for ((")
        || has(">&-")
}

/// Why the parser may see none in a script that bash rejects.
fn more_than_bash(script: &str) -> bool {
    let has = |mark: &str| script.contains(mark);
    pattern_or_not(script)
        // Slips of bash 5.2: no reserved word `time` at the start of `$(…)`, a here-document whose body begins within an array, an array in `((a);(b))`, a newline
        // before `in` within `case`, `<(` in a subscript, brackets and quotes in `$((…)…)`, an escape of nothing.
        || has("(time")
        || ((has("<<") || has("((")) && has("=("))
        || (has("case") && has("\nin"))
        || (has("[") && has("<("))
        || has("$((")
        || script.ends_with('\\')
}

pub(crate) fn compare(scripts: &[String]) {
    let Some(complaints) = complaints(scripts) else {
        crate::report::skipped("bash is not here; the bash parser was not compared with it");
        return;
    };
    let mut wrong = Vec::new();
    for (script, complaint) in scripts.iter().zip(complaints) {
        let accepted = complaint.is_none();
        let gaps = parse(script).gaps;
        let excused = if accepted { unread_by_bash(script) } else { more_than_bash(script) };
        if accepted != gaps.is_empty() && !excused {
            wrong.push(format!("{script:?}\n  bash: {}\n  gaps: {gaps:?}", complaint.unwrap_or_default()));
        }
    }
    wrong.sort_by_key(String::len);
    assert!(
        wrong.is_empty(),
        "{} of {} differ, the shortest:\n{}",
        wrong.len(),
        scripts.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
}
