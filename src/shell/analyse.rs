//! The one way in: a command or program text in any dialect -> everything that is known of it.

use super::programs::Language;
use super::{Analysis, Context, Dialect, Gap, GapKind, Span};

/// What `command` would do.
pub fn analyse(dialect: Dialect, command: &str, context: &Context<'_>) -> Analysis {
    match dialect {
        Dialect::Bash => super::bash::analyse(command, context),
        Dialect::PowerShell => super::powershell::analyse(command, context, 0),
        Dialect::Cmd => unsupported(command),
    }
}

/// The same for a text that an interpreter hands to another one; `reentry`: how many did so.
pub(super) fn analyse_within(dialect: Dialect, command: &str, context: &Context<'_>, reentry: usize) -> Analysis {
    match dialect {
        Dialect::Bash => super::bash::analyse_within(command, context, reentry),
        Dialect::PowerShell => super::powershell::analyse(command, context, reentry),
        Dialect::Cmd => analyse(dialect, command, context),
    }
}

/// What a program text handed to an interpreter would do.
pub fn analyse_code(language: Language, source: &str, context: &Context<'_>) -> Analysis {
    super::bash::analyse_code(language, source, context)
}

/// A dialect that is not judged yet is not understood: policy counts that as a creation somewhere.
fn unsupported(command: &str) -> Analysis {
    let end = u32::try_from(command.len()).unwrap_or(u32::MAX);
    Analysis { gaps: vec![Gap { kind: GapKind::Dialect, span: Span { start: 0, end } }], ..Analysis::default() }
}
