//! What the command line says when something went wrong, and with which exit code.

use std::fmt;
use std::process::ExitCode;

/// Kinds of failure, one exit code each (sysexits.h).
///
/// 2 is never used: a hook that exits with 2 blocks the agent, so a mistyped flag in a registration would lock it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The command line itself is wrong.
    Usage = 64,
    /// A file or an input does not hold what it should.
    Data = 65,
    /// Something that was named is not there.
    Missing = 66,
    /// A bug or an unexpected state.
    Internal = 70,
    /// Reading or writing failed.
    Io = 74,
    /// Not permitted.
    Denied = 77,
    /// The configuration is wrong.
    Config = 78,
}

impl Kind {
    /// The process's exit code.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(self as u8)
    }
}

/// An error with its stable code, its kind and what to do next. Converts into [`anyhow::Error`].
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    code: &'static str,
    hint: Option<String>,
    source: anyhow::Error,
}

impl Failure {
    /// A failure; `code` is stable and lower case (`settings_syntax`).
    pub fn new(kind: Kind, code: &'static str, source: impl Into<anyhow::Error>) -> Self {
        Self { kind, code, hint: None, source: source.into() }
    }

    /// A failure that has only a text: a lower-case fragment.
    pub fn msg(kind: Kind, code: &'static str, text: impl fmt::Display) -> Self {
        Self::new(kind, code, anyhow::Error::msg(text.to_string()))
    }

    /// What to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same where the hint may be missing.
    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<impl Into<String>>) -> Self {
        self.hint = hint.map(Into::into);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.source()
    }
}

/// The parts of an error as they are shown.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown {
    /// Stable code.
    pub code: &'static str,
    /// The error and its causes, joined by `: `.
    pub text: String,
    /// What to do next.
    pub hint: Option<String>,
    /// Decides the exit code.
    pub kind: Kind,
}

/// Takes an error apart; one that carries no [`Failure`] is an I/O or an internal one.
pub fn show(error: &anyhow::Error) -> Shown {
    let failure = error.chain().find_map(|e| e.downcast_ref::<Failure>());
    let io = || error.chain().find_map(|e| e.downcast_ref::<std::io::Error>()).is_some();
    let (kind, code) = match failure {
        Some(f) => (f.kind, f.code),
        None if io() => (Kind::Io, "io"),
        None => (Kind::Internal, "internal"),
    };
    Shown { code, text: text(error), hint: failure.and_then(|f| f.hint.clone()), kind }
}

/// The chain as one line; a cause whose text its parent already ends with is not repeated.
fn text(error: &anyhow::Error) -> String {
    let mut out = String::new();
    for part in error.chain().map(ToString::to_string) {
        if out.is_empty() {
            out = part;
        } else if !out.ends_with(&part) {
            out.push_str(": ");
            out.push_str(&part);
        }
    }
    out
}

/// Whether the reader of our output went away, which is no failure (`wsguard status | head -1`).
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|e| e.downcast_ref::<std::io::Error>()).any(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_failure_is_found_under_context() {
        let error = Err::<(), _>(Failure::msg(Kind::Data, "settings_syntax", "line 1").hint("mend it"))
            .context("reading x")
            .map_err(|e| show(&e));
        let want = Shown {
            code: "settings_syntax",
            text: "reading x: line 1".to_owned(),
            hint: Some("mend it".to_owned()),
            kind: Kind::Data,
        };
        assert_eq!(error, Err(want));
    }

    #[test]
    fn bare_errors_have_a_kind_too() {
        let io = anyhow::Error::new(std::io::Error::other("disk on fire"));
        assert_eq!(show(&io).kind, Kind::Io);
        assert_eq!(show(&anyhow::anyhow!("odd")).kind, Kind::Internal);
    }

    #[test]
    fn no_kind_is_a_verdict() {
        for kind in [Kind::Usage, Kind::Data, Kind::Missing, Kind::Internal, Kind::Io, Kind::Denied, Kind::Config] {
            assert_ne!(kind as u8, 2);
        }
    }
}
