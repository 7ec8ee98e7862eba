//! The hook's command line. By hand: an argument parser would cost every call a fifth of a millisecond.

use std::ffi::OsString;

use crate::harness::Client;

/// What the command line says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Args {
    /// `--harness NAME`: used where the payload does not say whose it is.
    pub(crate) client: Option<Client>,
    /// `--event NAME`: used where the payload names no event.
    pub(crate) event: Option<String>,
    /// `--help` or `--version`: what to print instead of reading standard input.
    pub(crate) print: Option<Print>,
    /// What was not understood. A wrong flag in a settings file must not lock an agent out: it is noted on
    /// standard error and the call is judged as ever.
    pub(crate) unknown: Vec<String>,
}

/// Text that is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Print {
    Help,
    Version,
}

pub(crate) const HELP: &str = "\
Judges one tool call of an AI coding agent: JSON on standard input, the answer on standard output.

Usage: wsguard-hook [--harness NAME] [--event NAME]

  --harness NAME   the client that calls, where the payload does not say (claude-code, codex)
  --event NAME     the event, where the payload names none
  --help, --version

A client starts it; `wsguard install claude-code` or `wsguard install codex` registers it. Example:
  echo '{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s1\",\"cwd\":\"/tmp\",\"tool_name\":\"Bash\",
         \"tool_input\":{\"command\":\"mkdir /opt/new\"}}' | wsguard-hook
";

impl Args {
    pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Self {
        let mut parsed = Self::default();
        let mut args = args.map(|a| a.to_string_lossy().into_owned());
        while let Some(arg) = args.next() {
            let (name, mut value) = match arg.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (arg.clone(), None),
            };
            match name.as_str() {
                "--harness" | "--event" => {
                    value = value.or_else(|| args.next());
                    match (name.as_str(), value) {
                        (_, None) => parsed.unknown.push(format!("{name} without a value")),
                        ("--event", value) => parsed.event = value,
                        (_, Some(harness)) => match Client::from_name(&harness) {
                            None => parsed.unknown.push(format!("--harness {harness} (known: claude-code, codex)")),
                            client => parsed.client = client,
                        },
                    }
                }
                "--help" | "-h" => parsed.print = Some(Print::Help),
                "--version" | "-V" => parsed.print = Some(Print::Version),
                _ => parsed.unknown.push(arg),
            }
        }
        parsed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags() {
        let parse = |args: &[&str]| Args::parse(args.iter().map(OsString::from));
        assert_eq!(parse(&["--harness", "claude-code"]).client, Some(Client::ClaudeCode));
        assert_eq!(parse(&["--harness=codex"]).client, Some(Client::Codex));
        assert_eq!(parse(&["--harness", "x"]).unknown, ["--harness x (known: claude-code, codex)"]);
        assert_eq!(parse(&["--event=Stop"]).event.as_deref(), Some("Stop"));
        assert_eq!(parse(&["--event"]).unknown, ["--event without a value"]);
        assert_eq!(parse(&["--nonsense", "x"]).unknown, ["--nonsense", "x"]);
        assert_eq!(parse(&["-V"]).print, Some(Print::Version));
    }
}
