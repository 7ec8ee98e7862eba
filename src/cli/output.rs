//! The one place that writes to the terminal.
//!
//! Styles are removed where the reader is no terminal or `NO_COLOR` is set.

use std::fmt;
use std::io::Write as _;

use anstyle::{AnsiColor, Style};

use super::failure::Shown;

/// Headings.
pub const BOLD: Style = Style::new().bold();
/// Side remarks.
pub const DIM: Style = Style::new().dimmed();
/// Something is right.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Something deserves a look.
pub const WARN: Style = AnsiColor::Yellow.on_default();
/// Something is wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();

/// `text` in `style`.
pub fn paint(style: Style, text: impl fmt::Display) -> impl fmt::Display {
    fmt::from_fn(move |f| write!(f, "{style}{text}{style:#}"))
}

/// Writes `text` as it is.
pub fn print(text: impl fmt::Display) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    write!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Writes `text` and a line end.
pub fn println(text: impl fmt::Display) -> anyhow::Result<()> {
    print(format_args!("{text}\n"))
}

/// Writes bytes that may not be text, unchanged.
pub fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Writes a value as indented JSON.
pub fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    println(serde_json::to_string_pretty(value)?)
}

/// A warning that does not stop the command.
pub fn warn(text: impl fmt::Display) {
    complain(format_args!("{} {text}\n", paint(WARN, "warning:")));
}

/// What to do about what was said before.
pub fn hint(text: impl fmt::Display) {
    complain(format_args!("{} {text}\n", paint(BOLD, "hint:")));
}

/// An error with its code and hint.
pub fn error(shown: &Shown) {
    let label = format!("error[{}]:", shown.code);
    complain(format_args!("{} {}\n", paint(BAD, label), shown.text));
    if let Some(text) = &shown.hint {
        hint(text);
    }
}

/// Writes to standard error.
pub fn complain(text: fmt::Arguments<'_>) {
    // Nobody can be told when standard error is gone; the exit code still says it.
    drop(anstream::stderr().lock().write_fmt(text));
}
