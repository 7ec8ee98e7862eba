//! The manuals show what really happens: every `console` block is run, in order, and what it prints is compared.
//!
//! The blocks speak of a user `you`: `/home/you`, `/home/you/project`, programs in `/home/you/.cargo/bin`. Standard
//! output is compared; times and random names are not.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::env::{TestEnv, is_root, run, text};

/// A command of a block with the output below it.
#[derive(Debug)]
struct Shown {
    line: usize,
    command: String,
    output: String,
}

fn shown(manual: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut inside = false;
    for (i, line) in manual.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            found.push(Shown { line: i + 1, command: command.to_owned(), output: String::new() });
        } else if inside && let Some(last) = found.last_mut() {
            if let Some(more) = line.strip_prefix("> ").filter(|_| last.output.is_empty()) {
                last.command.push('\n');
                last.command.push_str(more);
            } else {
                last.output.push_str(line);
                last.output.push('\n');
            }
        }
    }
    found
}

/// Lines that depend on where the test's folder lies.
const BY_PLACE: [&str; 8] = [
    "/home/you/.wsguard is there",
    "lies in a folder that is swept",
    "to a folder that stays",
    "lies in a temporary folder",
    "install it for good",
    "nothing is wrong, ",
    "everything is right",
    // Which trash folder it is.
    "  item ",
];

/// Replaces what differs from run to run.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = timestamp(rest) {
            out.push_str("TIME");
            rest = after;
        } else if let Some(after) = rest.strip_prefix("/tmp/wsguard-doctor-") {
            out.push_str("/tmp/wsguard-doctor-RANDOM");
            rest = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        } else if let Some(after) = item_id(rest).filter(|_| out.ends_with(' ')) {
            out.push_str("ID");
            rest = after;
        } else if let Some(after) = seconds(rest).filter(|_| out.ends_with(' ')) {
            out.push_str("AGE");
            rest = after;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    let lines = out.lines().map(str::trim_end).filter(|line| !BY_PLACE.iter().any(|place| line.contains(place)));
    lines.collect::<Vec<_>>().join("\n")
}

/// What follows a time like `2026-01-31T12:00:00.000Z` or `20260131T120000Z`.
fn timestamp(text: &str) -> Option<&str> {
    let shape = |shape: &str| {
        let head = text.get(..shape.len())?;
        let fits = head.bytes().zip(shape.bytes()).all(|(b, s)| if s == b'0' { b.is_ascii_digit() } else { b == s });
        fits.then(|| &text[shape.len()..])
    };
    shape("0000-00-00T00:00:00.000Z").or_else(|| shape("00000000T000000Z"))
}

/// What follows the id of a trash item.
fn item_id(text: &str) -> Option<&str> {
    let (id, rest) = text.split_at_checked(12)?;
    let is_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    (id.bytes().all(is_hex) && rest.starts_with(' ')).then_some(rest)
}

/// What follows the age of something that is a few seconds old, and the blanks that fill its column.
fn seconds(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - rest.len();
    ((1..=2).contains(&digits) && rest.starts_with("s ")).then(|| rest[1..].trim_start())
}

/// What a reason says where there is room for it.
const CORRECTED: &str = ". Corrected: ";

/// `text` without the corrected commands of its reasons.
fn without_correction(text: &str) -> String {
    let mut parts = text.split(CORRECTED);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.find(". The user can").map_or(part, |end| &part[end..]));
    }
    out
}

/// Runs the commands of a manual one after the other and gives what they print, and whether the place of this run has
/// a name so much longer than a user's home that a reason may lack room for the corrected command.
fn replay(manual: &str) -> (Vec<(Shown, String)>, bool) {
    let mut env = TestEnv::lasting();
    // Installed, as a user has it.
    let bin = env.user_home().join(".cargo/bin");
    fs::create_dir_all(&bin).unwrap();
    for name in ["wsguard", "wsguard-hook"] {
        // By another process: a program that this one has open for writing can't be started, nor while a child that
        // was forked in that moment still has it open.
        let copied = Command::new("cp").arg(env.bin().join(name)).arg(bin.join(name)).status().unwrap();
        assert!(copied.success());
    }
    env.set("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", text(&bin)));
    env.unset("CLAUDE_PROJECT_DIR").set("USER", "you");
    let names = [(text(&env.project()), "/home/you/project"), (text(&env.user_home()), "/home/you")];
    let long = names[0].0.len() > 40;
    let results = shown(manual)
        .into_iter()
        .map(|shown| {
            let script = names.iter().fold(shown.command.clone(), |text, (real, name)| text.replace(name, real));
            let command = shell(&env, &script);
            let out = run(command, b"");
            let printed = names.iter().fold(out.stdout, |text, (real, name)| text.replace(real, name));
            (shown, printed)
        })
        .collect();
    (results, long)
}

/// A shell that runs `script`. For root the machine's folder is a mount of its own, where that is permitted: its trash is then
/// its own too, nothing is left at the top of the disk, and what lies there is not shown.
fn shell(env: &TestEnv, script: &str) -> Command {
    const HIDE: &str = "{ [ ! -d /_dsh-trash ] || mount -t tmpfs none /_dsh-trash; }";
    let apart = |run: &str| {
        let mut command = env.command("unshare");
        command
            .args(["-m", "sh", "-c", &format!("mount --bind \"$1\" \"$1\" && {HIDE} && {run}"), "sh"])
            .arg(env.root())
            .arg(script);
        command
    };
    if is_root() && run(apart("true"), b"").code == Some(0) {
        return apart("cd . && exec sh -c \"$2\"");
    }
    let mut command = env.command("sh");
    command.arg("-c").arg(script);
    command
}

/// The manual with what was really printed. `WSGUARD_UPDATE_MANUALS=1 cargo test readme` writes it.
fn updated(manual: &str, results: &[(Shown, String)]) -> String {
    let mut out = String::new();
    let mut results = results.iter();
    let (mut inside, mut printing) = (false, false);
    for line in manual.lines() {
        if line.starts_with("```") {
            (inside, printing) = (line == "```console", false);
        } else if inside && line.starts_with("$ ") {
            let (shown, printed) = results.next().unwrap();
            out.extend(["$ ", &shown.command.replace('\n', "\n> "), "\n", printed]);
            if !out.ends_with('\n') {
                out.push('\n');
            }
            printing = true;
            continue;
        }
        if !printing {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[test]
fn the_manuals_show_what_happens() {
    for name in ["README.md", "README.zh-TW.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let manual = fs::read_to_string(&path).unwrap();
        let (results, long) = replay(&manual);
        if std::env::var_os("WSGUARD_UPDATE_MANUALS").is_some() {
            fs::write(&path, updated(&manual, &results)).unwrap();
            continue;
        }
        assert!(results.len() >= 5, "{name} shows commands");
        for (shown, printed) in results {
            let place = format!("{name}, line {}: {}", shown.line, shown.command);
            let (mut want, printed) = (normal(&shown.output), normal(&printed));
            if !printed.contains(CORRECTED) && long {
                want = without_correction(&want);
            }
            assert_eq!(want, printed, "{place}");
        }
    }
}

#[test]
fn corrections_are_put_aside() {
    let text = "a. Corrected: mkdir b && c. The user can allow it: x\na. Corrected: d. The user can e";
    assert_eq!(without_correction(text), "a. The user can allow it: x\na. The user can e");
    assert_eq!(without_correction("nothing"), "nothing");
}

#[test]
fn times_and_random_names_are_put_aside() {
    assert_eq!(normal("a 2026-01-31T12:00:00.000Z b "), "a TIME b");
    assert_eq!(normal("x-20260131T120000Z\n/tmp/wsguard-doctor-aB3/f"), "x-TIME\n/tmp/wsguard-doctor-RANDOM/f");
    assert_eq!(normal("2026-01-31"), "2026-01-31");
    assert_eq!(normal(" 063e82561530  0s   5 B"), " ID  AGE5 B");
    assert_eq!(normal(" 063e82561530x  0s"), " 063e82561530x  0s");
}
