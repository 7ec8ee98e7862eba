//! The hook's control flow.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::sync::OnceLock;

use super::args::{Args, HELP, Print};
use super::decide::{self, Unjudged};
use super::input::{self, InputError};
use super::{change, record, session_start};
use crate::config::Fail;
use crate::harness::{Access, Answer, Event, Payload, scan_malformed};
use crate::home::Home;
use crate::limits::{ANSWER_MS, BOOKKEEPING_MS, FIRST_DEADLINE_MS, START_MS};
use crate::sys::{self, LastWords};

macro_rules! last_words {
    ($text:literal) => {
        concat!(
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"workspace-guard: "#,
            $text,
            r#""}}"#
        )
        .as_bytes()
    };
}

const LAST_WORDS: LastWords = LastWords {
    late: last_words!(
        "the call could not be judged within hook_deadline_ms and is refused. Try a simpler call; the user can check with: wsguard doctor"
    ),
    crashed: last_words!(
        "the guard failed inside and the call is refused. Try a simpler call; the user can check with: wsguard doctor"
    ),
};

/// What the configuration says of failures, once it was read.
static FAIL: OnceLock<Fail> = OnceLock::new();

/// From here on failures are answered as the configuration wants.
pub(crate) fn obey_fail(fail: Fail) {
    if *FAIL.get_or_init(|| fail) == Fail::Open {
        sys::owe_denial(false);
    }
}

/// Whether a failure lets the call pass. A call that broke before its configuration was read has no project
/// yet, so the operator's own file decides; what can't be read counts as closed.
fn fails_open() -> bool {
    let read = || {
        let policy = Home::from_env().map(|home| decide::policy(&home, None));
        policy.and_then(Result::ok).map_or(Fail::Closed, |policy| policy.fail)
    };
    *FAIL.get_or_init(read) == Fail::Open
}

/// Runs the hook. Always ends with exit code 0 once standard input was asked for: other codes mean something
/// else in every client.
pub fn main(args: impl Iterator<Item = OsString>) {
    let args = Args::parse(args);
    match args.print {
        Some(Print::Help) => return write_out(HELP.as_bytes()),
        Some(Print::Version) => {
            return write_out(concat!("wsguard-hook ", env!("CARGO_PKG_VERSION"), "\n").as_bytes());
        }
        None => {}
    }
    sys::arm(LAST_WORDS, FIRST_DEADLINE_MS);
    for unknown in &args.unknown {
        complain(&format!("ignored: {unknown}"));
    }
    let input = match input::read(io::stdin().lock()) {
        Ok(input) => input,
        Err(error) => return refuse_unread(&error, &args),
    };
    // Some programs of Windows mark what they pass on as UTF-8.
    let input = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&input);
    match Payload::parse(input, args.client) {
        Ok(payload) => dispatch(&payload, &args),
        Err(error) => refuse_malformed(input, &error.to_string(), &args),
    }
}

fn dispatch(payload: &Payload<'_>, args: &Args) {
    // Without a name it is taken for the event where silence would let a tool run.
    let named = payload.event().filter(|name| !name.is_empty());
    let event = named.or(args.event.as_deref()).map_or(Event::PreToolUse, Event::from_name);
    let reads = payload.tool().is_some_and(|tool| payload.client().access_of(tool) == Access::Reads);
    if event != Event::PreToolUse || reads {
        sys::owe_denial(false);
    }
    if matches!(event, Event::SessionStart | Event::SubagentStart) {
        sys::set_deadline(START_MS);
    }
    failpoint();
    match event {
        Event::PreToolUse if reads => {}
        Event::PreToolUse => match decide::decide(payload) {
            Ok(decided) => {
                answer(&decided.answer);
                record::decided(&decided, payload);
            }
            Err(unjudged) => refuse(&unjudged),
        },
        Event::SessionStart => session_start::run(payload),
        Event::SubagentStart => session_start::subagent(payload),
        Event::PostToolUse => record::called(payload, "ended"),
        Event::PostToolUseFailure => record::called(payload, "failed"),
        Event::UserPromptSubmit | Event::Stop => record::turned(payload),
        Event::SessionEnd => record::ended(payload),
        Event::ConfigChange => change::run(payload),
        Event::Other => {}
    }
}

/// Debug builds can be made to fail, so that tests can see how a failure is answered.
fn failpoint() {
    #[cfg(debug_assertions)]
    if let Ok(kind) = std::env::var("WSGUARD_FAILPOINT") {
        super::failpoint::fail(&kind);
    }
}

/// Writes the one answer. From then on a failure must not write another.
pub(crate) fn answer(answer: &Answer) {
    match answer.to_json() {
        Ok(bytes) if bytes.is_empty() => {
            sys::owe_denial(false);
            sys::set_deadline(BOOKKEEPING_MS);
        }
        Ok(bytes) => {
            // Were the deadline to pass between the two steps, nothing at all would be said, and that is a pass;
            // without any, a client that never reads would keep the hook for ever.
            sys::set_deadline(ANSWER_MS);
            sys::owe_denial(false);
            write_out(&bytes);
            sys::set_deadline(BOOKKEEPING_MS);
        }
        Err(error) => {
            // Text always serializes; were it not so, the prepared denial is the answer.
            complain(&error.to_string());
            write_out(LAST_WORDS.crashed);
        }
    }
}

fn write_out(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        complain(&format!("the answer can't be written: {error}"));
    }
}

/// One line on standard error, which clients show to the user at most.
pub(crate) fn complain(text: &str) {
    // Where standard error is closed there is nobody left to tell.
    let _nobody_left = writeln!(io::stderr(), "wsguard-hook: {text}");
}

fn refuse(why: &Unjudged) {
    match why {
        Unjudged::Config(error) => {
            obey_fail(Fail::Closed);
            refuse_because(&error.one_line());
        }
        _ => refuse_because(&why.to_string()),
    }
}

fn refuse_because(why: &str) {
    if fails_open() {
        complain(why);
        return;
    }
    let reason: String = format!("workspace-guard can't judge this call and refuses it: {why}")
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(crate::limits::MAX_REASON_CHARS)
        .collect();
    answer(&Answer::Deny { reason });
}

fn refuse_unread(error: &InputError, args: &Args) {
    match error {
        InputError::TooLarge(head) => refuse_malformed(head, &error.to_string(), args),
        InputError::Empty | InputError::Unreadable(_) => {
            if args.event.as_deref().is_none_or(|e| Event::from_name(e) == Event::PreToolUse) {
                refuse_because(&error.to_string());
            }
        }
    }
}

/// A payload that can't be read is refused unless everything in it says that it only reads.
fn refuse_malformed(input: &[u8], error: &str, args: &Args) {
    let events = scan_malformed(input, "hook_event_name");
    let named = events.first().map(|e| String::from_utf8_lossy(e).into_owned()).or_else(|| args.event.clone());
    let other_event = events.len() <= 1 && named.is_some_and(|e| Event::from_name(&e) != Event::PreToolUse);
    let tools = [scan_malformed(input, "tool_name"), scan_malformed(input, "toolName")].concat();
    let reads = |tool: &str| args.client.unwrap_or_default().access_of(tool) == Access::Reads;
    let only_reads = !tools.is_empty() && tools.iter().all(|t| std::str::from_utf8(t).is_ok_and(reads));
    if other_event || only_reads {
        return;
    }
    refuse_because(error);
}
