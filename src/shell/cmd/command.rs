//! One command: which it is, and who carries it out.

use super::machine::{Cmd, Io, Outcome, Status};
use super::parse::is_delimiter;
use super::paths::drive_of;
use super::state::State;
use super::text::Text;
use super::{folders, settings};
use crate::shell::bash::Stream;
use crate::shell::{Span, Value};

/// A command that is about to be carried out.
pub(super) struct Call<'c> {
    /// Its name in lower case, as far as it is an internal command or a program's base name.
    pub(super) name: &'c str,
    /// All that stands behind the name.
    pub(super) tail: &'c Text,
    /// Where the name stands.
    pub(super) span: Span,
    pub(super) io: &'c Io,
}

/// Internal commands, each between blanks.
const INTERNAL: &str = " assoc break call cd chdir cls color copy date del dir dpath echo endlocal erase exit ftype goto \
    keys md mkdir mklink move path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title \
    type ver verify vol ";

/// Internal commands whose name ends at any of these as well.
const ENDS_NAME: &[u8] = b".\\/:([+]\"";

impl Cmd<'_, '_, '_> {
    /// A command's text, for which loops' variables and `!NAME!` are still to be put in.
    pub(super) fn command(&mut self, st: &mut State, text: &Text, io: &Io) -> Outcome {
        let text = self.expanded(st, text);
        self.run_command(st, &text, io)
    }

    /// A command as it finally stands.
    pub(super) fn run_command(&mut self, st: &mut State, text: &Text, io: &Io) -> Outcome {
        let s = text.as_str();
        let start = s.bytes().position(|b| !is_delimiter(b) && b != b'@').unwrap_or(s.len());
        let s = &s[start..];
        if s.trim().is_empty() || s.starts_with(':') {
            return Outcome::silent(Status::True);
        }
        if let Some(len) = internal(s) {
            let name = s[..len].to_ascii_lowercase();
            let tail = text.part(start + len, text.len());
            let call = Call { name: &name, tail: &tail, span: text.span(start, start + len), io };
            return self.internal(st, &call);
        }
        let len = name_len(s);
        let spelled = s[..len].replace('"', "");
        let span = text.span(start, start + len);
        if spelled.len() == 2
            && let Some(letter) = drive_of(&spelled)
        {
            return folders::change_drive(st, letter);
        }
        let tail = text.part(start + len, text.len());
        let call = Call { name: &spelled, tail: &tail, span, io };
        self.external(st, &call)
    }

    fn internal(&mut self, st: &mut State, call: &Call<'_>) -> Outcome {
        // Every internal command explains itself.
        let helps = call.tail.as_str().split_ascii_whitespace().next() == Some("/?");
        if helps {
            return Outcome::new(Status::Likely, Stream::Unknown);
        }
        match call.name {
            "md" | "mkdir" => self.make_folders(st, call),
            "rd" | "rmdir" | "del" | "erase" => self.remove(st, call),
            "copy" => self.copy(st, call),
            "move" => self.rename_into(st, call),
            "ren" | "rename" => self.rename(st, call),
            "type" => self.type_files(st, call),
            "dir" => self.list(st, call),
            "echo" => self.echo(call),
            "mklink" => self.link(st, call),
            "cd" | "chdir" => self.change_folder(st, call),
            "pushd" => self.push_folder(st, call),
            "popd" => folders::pop_folder(st),
            "set" => self.set(st, call),
            "path" => self.set_path(st, call),
            "setlocal" => settings::set_local(st, call),
            "endlocal" => {
                st.restore();
                Outcome::silent(Status::True)
            }
            "call" => self.call(st, call),
            "start" => self.start(st, call),
            "goto" => settings::goto(st, call),
            "exit" => settings::exit(st, call),
            "shift" => settings::shift(st),
            // Printed only.
            "assoc" | "ftype" | "date" | "time" | "ver" | "vol" => Outcome::new(Status::Likely, Stream::Unknown),
            _ => Outcome::silent(Status::True),
        }
    }

    fn echo(&mut self, call: &Call<'_>) -> Outcome {
        let text = call.tail.as_str();
        // The character behind the name is not printed, whatever it is.
        let first = text.chars().next().map_or(0, char::len_utf8);
        let text = &text[first..];
        let state = text.trim().to_ascii_lowercase();
        if matches!(state.as_str(), "on" | "off") {
            return Outcome::silent(Status::True);
        }
        let mut value = self.filled(text);
        value.push_str("\n");
        Outcome::new(Status::True, Stream::Text(value))
    }

    /// The words behind a switch that takes none, joined by blanks.
    pub(super) fn rest_of(&self, tail: &Text) -> Value {
        let s = tail.as_str();
        self.filled(s.trim_matches(|c: char| c.is_ascii() && is_delimiter(c as u8)))
    }
}

/// The length of the internal command that `s` begins with.
fn internal(s: &str) -> Option<usize> {
    let len = s.bytes().take(9).take_while(u8::is_ascii_alphabetic).count();
    let name = s[..len].to_ascii_lowercase();
    if len == 0 || !INTERNAL.contains(&format!(" {name} ")) {
        return None;
    }
    let next = s.as_bytes().get(len).copied();
    match next {
        None => Some(len),
        Some(b) if is_delimiter(b) || b == b'\n' => Some(len),
        // `echo.`, `cd..`, `md\x`; but `start.bat` is a file.
        Some(b'.') if name != "echo" => {
            let word = &s[len..name_len(s).max(len)];
            let file =
                [".exe", ".bat", ".cmd", ".com", ".ps1", ".py"].iter().any(|e| word.to_ascii_lowercase().ends_with(e));
            (!file).then_some(len)
        }
        Some(b) if ENDS_NAME.contains(&b) => Some(len),
        Some(_) => None,
    }
}

/// The length of a program's name with its quotes. A slash ends a bare name (`ipconfig/all`), not a path (`bin/x`).
fn name_len(s: &str) -> usize {
    let bytes = s.as_bytes();
    let mut quoted = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => quoted = !quoted,
            b if !quoted && (is_delimiter(b) || b == b'\n') => break,
            b'/' if !quoted && at > 0 => {
                let rest = &s[at + 1..];
                let end = rest.bytes().position(|b| is_delimiter(b) || b == b'/').unwrap_or(rest.len());
                let bare = bytes[..at].iter().all(u8::is_ascii_alphanumeric);
                if bare && end <= 3 && !rest[..end].contains('.') {
                    break;
                }
            }
            _ => {}
        }
        at += 1;
    }
    at
}
