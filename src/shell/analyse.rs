//! The one way in: a command or program text in any dialect -> everything that is known of it.

use super::programs::Language;
use super::{Analysis, Context, Dialect};

/// What `command` would do.
pub fn analyse(dialect: Dialect, command: &str, context: &Context<'_>) -> Analysis {
    match dialect {
        Dialect::Bash => super::bash::analyse(command, context),
        Dialect::PowerShell => super::powershell::analyse(command, context, 0),
        Dialect::Cmd => super::cmd::analyse(command, context, 0),
    }
}

/// The same for a text that an interpreter hands to another one; `reentry`: how many did so.
pub(super) fn analyse_within(dialect: Dialect, command: &str, context: &Context<'_>, reentry: usize) -> Analysis {
    match dialect {
        Dialect::Bash => super::bash::analyse_within(command, context, reentry),
        Dialect::PowerShell => super::powershell::analyse(command, context, reentry),
        Dialect::Cmd => super::cmd::analyse(command, context, reentry),
    }
}

/// What a program text handed to an interpreter would do.
pub fn analyse_code(language: Language, source: &str, context: &Context<'_>) -> Analysis {
    super::bash::analyse_code(language, source, context)
}
