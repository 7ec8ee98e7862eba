//! Random and mutated input on the hook's standard input, each against a real process: never a panic, never an
//! answer that the client can't read, never an exit code other than 0.
//!
//! `WSGUARD_TEST_INPUTS` sets how many (10,000 unless set; fewer under Wine), `WSGUARD_TEST_SEED` where the sequence begins.

use serde_json::{Value, json};

use crate::{
    env::{Answer, TestEnv},
    in_process::drive,
    payload::Payload,
    report::say,
};

/// Inputs unless the environment says otherwise.
const INPUTS: u64 = 10_000;
/// The same where each takes a process: Wine starts few in a second.
const PROCESSES: u64 = if cfg!(windows) { 150 } else { INPUTS };

/// A small generator (splitmix64): the same seed gives the same input everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// Pieces of which commands are made, harmless and not.
const PIECES: [&str; 64] = [
    "ls",
    "mkdir ",
    "touch ",
    "echo ",
    "cat ",
    "cd ",
    "/srv/zzz",
    "/opt/zzz/a",
    "~",
    "~root",
    "$HOME",
    "..",
    "/",
    "a.txt",
    " ",
    "\n",
    "\t",
    ";",
    "&&",
    "||",
    "|",
    "&",
    ">",
    ">>",
    "<",
    "<<EOF\n",
    "EOF\n",
    "<<<",
    "2>&1",
    "(",
    ")",
    "{ ",
    " }",
    "$(",
    "`",
    "\"",
    "'",
    "$'",
    "\\",
    "$((",
    "))",
    "${x:-",
    "}",
    "[[ ",
    " ]]",
    "if ",
    "then ",
    "fi",
    "for i in ",
    "do ",
    "done",
    "case x in ",
    "esac",
    "f() ",
    "<(",
    "{a,b}",
    "{1..9}",
    "*",
    "?",
    "x=",
    "#",
    "!",
    "\u{0}",
    "é\u{202e}",
];

const TOOLS: [&str; 10] =
    ["Bash", "Write", "Edit", "NotebookEdit", "Read", "Monitor", "mcp__fs__write_file", "mcp__x", "Agent", ""];

const EVENTS: [&str; 9] = [
    "PreToolUse",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SessionStart",
    "SubagentStart",
    "UserPromptSubmit",
    "SessionEnd",
    "Stop",
];

fn command(dice: &mut Dice) -> String {
    (0..=dice.below(14)).map(|_| dice.one(&PIECES)).collect()
}

/// A value of a kind that nobody expects at that place.
fn strange(dice: &mut Dice) -> Value {
    match dice.below(12) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(1e300),
        4 => json!([]),
        5 => json!({}),
        6 => json!(""),
        7 => json!("\u{0}"),
        8 => json!("x".repeat(1 + dice.below(5000))),
        9 => json!([["/srv/zzz"], {"path": "/srv/zzz"}]),
        10 => json!({"command": "mkdir /srv/zzz", "file_path": "/srv/zzz"}),
        _ => json!(command(dice)),
    }
}

fn payload(dice: &mut Dice, env: &TestEnv) -> Value {
    let cwd = env.project();
    let tool = dice.one(&TOOLS);
    let text = command(dice);
    let input = match tool {
        "Bash" | "Monitor" => json!({"command": text}),
        "NotebookEdit" => json!({"notebook_path": text}),
        "mcp__fs__write_file" => json!({"path": text, "content": "x"}),
        _ => json!({"file_path": text, "content": "x"}),
    };
    let mut value = Payload::pre(&cwd, tool, input).with("hook_event_name", json!(dice.one(&EVENTS))).into_value();
    // Most are well formed: what lies behind the reader of the payload must be reached too.
    if dice.below(3) == 0 {
        let fields = value.as_object_mut().unwrap();
        let keys: Vec<String> = fields.keys().cloned().collect();
        let key = &keys[dice.below(keys.len())];
        match dice.below(3) {
            0 => drop(fields.remove(key)),
            1 => drop(fields.insert(key.clone(), strange(dice))),
            _ => drop(fields.insert(command(dice), strange(dice))),
        }
    }
    value
}

fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, dice.byte()),
            2 => drop(bytes.drain(at..(at + dice.below(20)).min(bytes.len()))),
            3 => {
                let piece = dice.one(&PIECES).as_bytes();
                bytes.splice(at..at, piece.iter().copied());
            }
            4 => {
                let open = [b"[".as_slice(), b"{\"a\":", b"\"", b"\\u", b"\xff", b"\0"];
                let piece = dice.one(&open).repeat(1 + dice.below(400));
                bytes.splice(at..at, piece);
            }
            5 => {
                let copy = bytes[at..(at + dice.below(80)).min(bytes.len())].to_vec();
                bytes.splice(at..at, copy);
            }
            6 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            _ if at < bytes.len() => bytes[at] = dice.byte(),
            _ => {}
        }
    }
}

/// Input number `n` of a seed.
fn input(seed: u64, n: u64, env: &TestEnv) -> Vec<u8> {
    let mut dice = Dice(seed ^ n.wrapping_mul(0xA24B_AED4_963E_E407));
    match dice.below(10) {
        0 => (0..dice.below(600)).map(|_| dice.byte()).collect(),
        1..=5 => serde_json::to_vec(&payload(&mut dice, env)).unwrap(),
        _ => {
            let mut bytes = serde_json::to_vec(&payload(&mut dice, env)).unwrap();
            mutate(&mut dice, &mut bytes);
            bytes
        }
    }
}

/// The number in a variable, or another.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().unwrap())
}

#[test]
fn nothing_breaks_between_bytes_and_answer() {
    let (inputs, seed) = (number("WSGUARD_TEST_INPUTS", INPUTS), number("WSGUARD_TEST_SEED", 1));
    let env = TestEnv::new();
    let mut ways = [0_u64; 4];
    // Other inputs than those of the processes.
    for n in 1_000_000..1_000_000 + inputs {
        let bytes = input(seed, n, &env);
        let way = std::panic::catch_unwind(|| drive(&bytes))
            .unwrap_or_else(|_| panic!("input {n} of seed {seed}: {:?}", String::from_utf8_lossy(&bytes)));
        ways[way as usize] += 1;
    }
    say(&format!("{inputs} inputs in one process: malformed, not judged, passed, refused: {ways:?}"));
    assert!(inputs < 1000 || ways.iter().all(|&count| count > inputs / 200), "{ways:?}");
}

#[test]
fn every_input_gets_a_valid_answer() {
    let (inputs, seed) = (number("WSGUARD_TEST_INPUTS", PROCESSES), number("WSGUARD_TEST_SEED", 1));
    let env = TestEnv::new();
    let workers = std::thread::available_parallelism().map_or(2, |n| n.get() as u64);
    let counts = std::thread::scope(|scope| {
        let work = |worker: u64| {
            let env = &env;
            move || {
                let mut counts = [0_u64; 2];
                for n in (worker..inputs).step_by(usize::try_from(workers).unwrap()) {
                    let bytes = input(seed, n, env);
                    let out = env.hook_bytes(&bytes);
                    let answer = std::panic::catch_unwind(|| out.answer()).unwrap_or_else(|_| {
                        panic!("input {n} of seed {seed}: {:?}\nanswered {out:?}", String::from_utf8_lossy(&bytes))
                    });
                    counts[usize::from(matches!(answer, Answer::Deny(_)))] += 1;
                }
                counts
            }
        };
        let handles: Vec<_> = (0..workers).map(|worker| scope.spawn(work(worker))).collect();
        handles.into_iter().map(|h| h.join().unwrap()).fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]])
    });
    say(&format!("{inputs} inputs of seed {seed}: {} refused, {} not", counts[1], counts[0]));
    // The inputs are worth something only if both happen often.
    if inputs >= 1000 {
        assert!(counts.iter().all(|&count| count > inputs / 20), "{counts:?}");
    }
}
