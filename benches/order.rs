//! Writes `hook.order`, the functions that usual calls run, for `build.rs`: `cargo bench --bench order`.
//!
//! Needs valgrind, and a linker that writes a map with `-Map` (LLD). Run it after the hook changed much, or with a new
//! compiler; then look at `cargo bench --bench process`.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a program for the terminal")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// What agents do all day, allowed and refused. Each is judged by a hook that has no session yet and again by one that has,
/// and told to have ended where it may run: once with something new in the home folder, which is watched, and once without.
fn calls(project: &Path) -> Vec<(&'static str, Value)> {
    let file = |name: &str| project.join(name).display().to_string();
    let bash = |command: &str| ("Bash", json!({"command": command, "description": "order"}));
    vec![
        bash("ls -la"),
        bash("mkdir -p /opt/wsg-order-new/out && echo hi > /opt/wsg-order-new/out/a.txt"),
        bash("git add -A && git commit -q -m 'a message' && git status --short | head -5"),
        bash("cd src && cat > a.txt <<'END'\nx\nEND\ngrep -rn \"name\" . 2>/dev/null | sort -u > ../names.txt"),
        bash("for f in *.rs; do cp \"$f\" /srv/wsg-order-new/; done"),
        ("Write", json!({"file_path": file("new.txt"), "content": "x"})),
        ("Write", json!({"file_path": "/srv/wsg-order-new/b.md", "content": "x"})),
        ("Edit", json!({"file_path": file("old.txt"), "old_string": "a", "new_string": "b"})),
        ("Read", json!({"file_path": file("old.txt")})),
    ]
}

fn main() {
    // The folder that the budget and the other benchmark build in.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("release");
    let map = folder.join("hook.map");
    fs::create_dir_all(&folder).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--release", "--locked", "--bin", "wsguard-hook", "--target-dir"])
        .arg(&folder)
        .args(["--", "-C", "link-arg=-Wl,--no-demangle", "-C"])
        .arg(format!("link-arg=-Wl,-Map={}", map.display()))
        .current_dir(root)
        .status()
        .unwrap();
    assert!(status.success(), "the hook could not be built");
    let hook = find(&folder, "wsguard-hook").expect("cargo leaves the program in the target folder");

    let functions = functions(&fs::read_to_string(&map).unwrap());
    let home = tempfile::tempdir_in(&folder).unwrap();
    let project = home.path().join("project");
    fs::create_dir_all(project.join("src")).unwrap();
    fs::write(project.join("old.txt"), "a").unwrap();
    // Name -> in how many runs it was seen, and when first. What all calls run comes first, what few run last: so a call
    // touches the head and little else.
    let mut seen: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (number, (tool, input)) in calls(&project).into_iter().enumerate() {
        for (at, event) in ["PreToolUse", "PreToolUse", "PostToolUse", "PostToolUse"].into_iter().enumerate() {
            if at == 2 {
                fs::write(home.path().join(format!("new-{number}")), "").unwrap();
            }
            // Each call begins and ends once.
            let call = Call { event, tool, input: &input, id: format!("toolu_{number}_{}", at % 2) };
            let mut ran: BTreeSet<&str> = BTreeSet::new();
            for address in executed(&hook, home.path(), &call) {
                let Some((start, (size, name))) = functions.range(..=address).next_back() else { continue };
                if address < start + size && ran.insert(name) {
                    let first = seen.len();
                    seen.entry(name).or_insert((0, first)).0 += 1;
                }
            }
        }
    }
    let mut order: Vec<&str> = seen.keys().copied().collect();
    order.sort_by_key(|name| (Reverse(seen[name].0), seen[name].1));
    assert!(order.len() > 200, "only {} functions were seen to run", order.len());
    let bytes: u64 =
        functions.values().filter(|(_, name)| seen.contains_key(name.as_str())).map(|(size, _)| size).sum();
    fs::write(root.join("hook.order"), order.join("\n") + "\n").unwrap();
    println!("hook.order: {} of {} functions, {} KiB", order.len(), functions.len(), bytes >> 10);
}

fn find(folder: &Path, name: &str) -> Option<std::path::PathBuf> {
    let mut programs = fs::read_dir(folder).ok()?.flatten().map(|e| e.path().join("release").join(name));
    programs.find(|p| p.is_file())
}

/// Start -> size and name of the functions in a map (columns: address, load address, size, alignment, symbol).
fn functions(map: &str) -> BTreeMap<u64, (u64, String)> {
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let symbol = |line: &str| {
        let [start, _, size, _, name] = line.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
        (!name.contains([':', '/', '.']) || name.starts_with('_')).then_some(())?;
        Some((hex(start)?, (hex(size).filter(|size| *size > 0)?, name.to_owned())))
    };
    map.lines().filter_map(symbol).collect()
}

/// What the hook is told.
struct Call<'a> {
    event: &'a str,
    tool: &'a str,
    input: &'a Value,
    id: String,
}

/// The addresses of the instructions that one event runs, in the order of callgrind's output.
fn executed(hook: &Path, home: &Path, call: &Call<'_>) -> Vec<u64> {
    let payload = json!({
        "session_id": "0b6de1c5-beca-4b28-baea-e4ce81766f19", "transcript_path": "/none.jsonl",
        "cwd": home.join("project"), "permission_mode": "default", "hook_event_name": call.event,
        "tool_name": call.tool, "tool_input": call.input, "tool_use_id": call.id,
    });
    let (stdin, out) = (home.join("payload.json"), home.join("callgrind.out"));
    fs::write(&stdin, payload.to_string()).unwrap();
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-instr=yes", "--quiet"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(hook)
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin".as_ref()), ("HOME", home.as_os_str())])
        .env("CLAUDE_PROJECT_DIR", home.join("project"))
        // Valgrind takes fifty times as long as the machine.
        .env("WSGUARD_HOOK_DEADLINE_MS", "30000")
        .stdin(fs::File::open(&stdin).unwrap())
        .stderr(Stdio::inherit())
        .output()
        .expect("valgrind");
    assert!(done.status.success(), "valgrind failed");
    let answer = String::from_utf8_lossy(&done.stdout);
    assert!(!answer.contains("could not be judged"), "valgrind was too slow for the hook: {answer}");
    let mut address = 0_u64;
    let mut all = Vec::new();
    for line in fs::read_to_string(&out).unwrap().lines() {
        // Positions are hexadecimal, or relative to the one before.
        let Some(position) = line.split(' ').next() else { continue };
        let moved = match position.as_bytes() {
            [b'0', b'x', ..] => u64::from_str_radix(&position[2..], 16).ok(),
            [b'+', ..] => position[1..].parse().ok().and_then(|by| address.checked_add(by)),
            [b'-', ..] => position[1..].parse().ok().and_then(|by| address.checked_sub(by)),
            b"*" => Some(address),
            _ => None,
        };
        if let Some(moved) = moved {
            address = moved;
            all.push(address);
        }
    }
    all
}
