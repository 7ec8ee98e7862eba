//! Programs that no row knows: whatever looks like a path may be written.

use super::act::{Act, Arg};
use super::values::{is_existing, is_remote};
use crate::path::Model;
use crate::shell::{Certainty, EffectKind, Piece, Value};
use crate::world::World;

/// A URL that is a path.
const FILE_URL: &str = "file://";

/// What an argument looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// A path that may be written.
    Path,
    /// A URL, prose, a pattern.
    Text,
    /// Nothing to speak of.
    Nothing,
}

/// Words of long options whose value is a route, a pattern or prose and no file.
const TEXTUAL: &str = " grep filter match pattern regex regexp glob route routes endpoint url uri href query selector \
                       xpath message title body header description text ";

/// Whole names of such options.
const TEXTUAL_NAMES: &str = " base-path root-path context-path basepath mount-path ";

/// Options whose value is a file that a program is set up by.
const SETTINGS: [&str; 5] = ["--config", "--config-file", "--configuration", "--conf", "--properties"];

/// Whether the value of `--name` is text by the option's name.
fn is_textual(option: &str) -> bool {
    let Some(name) = option.strip_prefix("--") else { return false };
    let listed = |list: &str, word: &str| {
        !word.is_empty() && list.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(word))
    };
    name.rsplit(['-', '_']).next().is_some_and(|last| listed(TEXTUAL, last)) || listed(TEXTUAL_NAMES, name)
}

/// What an argument says of the one behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum After {
    /// It is the value of an option that takes text.
    Text,
    /// It is the value of an option that names a file of settings.
    Setting,
    /// Nothing.
    #[default]
    Other,
}

/// Judges the arguments of an unknown program. `after`: what the argument before these was; gives what the last of
/// these is. A file of settings that `exists` is read; one that does not may be made, like any other.
pub(super) fn acts(
    world: &dyn World,
    args: &[Arg],
    mut after: After,
    exists: &dyn Fn(&Value) -> bool,
    emit: &mut dyn FnMut(Value, EffectKind, &Arg),
) -> After {
    let mut options = true;
    for arg in args {
        let text = arg.value.prefix();
        match std::mem::take(&mut after) {
            After::Text if !text.starts_with('-') => {
                emit(arg.value.clone(), EffectKind::Mention, arg);
                continue;
            }
            After::Setting if exists(&arg.value) => {
                emit(arg.value.clone(), EffectKind::Read, arg);
                continue;
            }
            _ => {}
        }
        if options && text == "--" && arg.value.known().is_some() {
            options = false;
        } else if options && text.starts_with('-') {
            let at = option_value(text);
            let name = text.split('=').next().unwrap_or_default();
            if is_textual(name) {
                after = if at == 0 { After::Text } else { After::Other };
            } else if at == 0 && SETTINGS.contains(&name) {
                after = After::Setting;
            } else if SETTINGS.contains(&name) && exists(&arg.value.skip(at)) {
                emit(arg.value.skip(at), EffectKind::Read, arg);
            } else if at > 0 {
                one(world, arg.value.skip(at), arg, emit);
            }
        } else if let Some(at) = switch(world.model(), text) {
            if at < text.len() {
                one(world, arg.value.skip(at), arg, emit);
            }
        } else {
            // `key=/path`, `Key:/path` of make-like and Windows programs.
            let at = text.find('=').map_or(0, |i| if is_word(&text[..i]) { i + 1 } else { 0 });
            one(world, arg.value.skip(at), arg, emit);
        }
    }
    after
}

/// Judges one value.
pub(super) fn one(world: &dyn World, value: Value, arg: &Arg, emit: &mut dyn FnMut(Value, EffectKind, &Arg)) {
    let look = look(world, &value);
    let value = if value.prefix().starts_with(FILE_URL) { value.skip(FILE_URL.len()) } else { value };
    match look {
        Look::Path if is_existing(&value) => emit(value, EffectKind::Modify, arg),
        Look::Path => emit(value, EffectKind::Create, arg),
        Look::Text => emit(value, EffectKind::Mention, arg),
        Look::Nothing => {}
    }
}

/// Where the value begins in `--x=VALUE` and `-x/VALUE`; 0 where there is none.
fn option_value(text: &str) -> usize {
    if let Some(at) = text.find('=') {
        return at + 1;
    }
    if text.starts_with("--") {
        return 0;
    }
    ["/", "~/", "./", "../"].iter().filter_map(|p| text.find(p)).min().filter(|&at| at >= 2).unwrap_or(0)
}

/// Where the value begins in `/out:VALUE` of Windows programs; the end of `/switch` alone.
fn switch(model: Model, text: &str) -> Option<usize> {
    let name = text.strip_prefix('/').filter(|_| model == Model::Windows)?;
    let len = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_' && c != '?').unwrap_or(name.len());
    match name.as_bytes().get(len) {
        _ if len == 0 => None,
        None => Some(text.len()),
        Some(b':' | b'=') => Some(len + 2),
        Some(_) => None,
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-' || b == b'.')
}

fn look(world: &dyn World, value: &Value) -> Look {
    let model = world.model();
    match value.pieces.first() {
        None | Some(Piece::Any | Piece::Name) => return Look::Nothing,
        Some(Piece::Under(_)) => return Look::Path,
        Some(Piece::Text(_)) => {}
    }
    let text = value.prefix();
    if let Some(rest) = text.strip_prefix(FILE_URL) {
        return if rest.starts_with('/') { Look::Path } else { Look::Text };
    }
    let start = starts_like_path(model, text);
    if text.contains("://") || text.contains(['\n', '\t']) || text.len() > 4096 {
        return Look::Text;
    }
    if text.contains(['*', '?', '|', '^', '$', '<', '>', '{', '}', '(', ')', '[', ']', '"', '\'', '`', ';', ',']) {
        return Look::Text;
    }
    if text.contains(' ') {
        return if start && first_folder_exists(world, model, text) { Look::Path } else { Look::Text };
    }
    if !start && (is_remote(model, value) || text.contains('@')) {
        return Look::Text;
    }
    if model == Model::Posix && text.contains(":/") {
        // A list of folders or `host:container`.
        return Look::Text;
    }
    if text.bytes().all(|b| !b.is_ascii_alphabetic()) && !start {
        return Look::Nothing;
    }
    Look::Path
}

/// Whether text is a path by its beginning alone.
pub(super) fn starts_like_path(model: Model, text: &str) -> bool {
    model.is_absolute(text)
        || ["~/", "./", "../", ".\\", "..\\"].iter().any(|p| text.starts_with(p))
        || text == ".."
        || text == "."
}

/// Tells `/opt/My Files/a` from prose that begins with a route (`/users returns 404`).
fn first_folder_exists(world: &dyn World, model: Model, text: &str) -> bool {
    let root = model.root_len(text);
    if root == 0 {
        return true;
    }
    let end = text[root..].find(|c| model.is_separator(c)).map_or(text.len(), |i| root + i);
    world.entry(&model.normalize(&text[..end])).is_some()
}

/// The act for what was found.
pub(super) fn act(value: Value, kind: EffectKind, arg: &Arg) -> Act {
    Act::Path { kind, value, certainty: Certainty::Assumed, span: arg.span, package_install: false }
}
