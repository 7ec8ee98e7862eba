//! What a plain join does with a path: small models of both platforms, without the disk.

use super::Outcome;
use super::reader::is_misread;
use crate::path::Model;

/// Units of one name that both platforms take: bytes on POSIX, UTF-16 on Windows.
const MAX_NAME: usize = 255;
/// Bytes of a path on Linux, the zero at its end aside.
const MAX_POSIX_PATH: usize = 4_095;
/// UTF-16 units of a path on Windows, the zero at its end aside.
const MAX_WINDOWS_PATH: usize = 259;
/// UTF-16 units of a usual root and a separator (`C:\workspace\`).
const ROOT: usize = 13;

/// What comes of `path` where it is joined to a root and opened, with no guard before.
///
/// The join is that of most languages: an absolute path replaces the root, and so does another drive. Behind it stand the rules
/// of the platform's own opening, on Windows those of Win32 up to Windows 10 (later ones take some device names for files).
pub fn unguarded(path: &[u8], model: Model) -> Outcome {
    if path.contains(&0) {
        return Outcome::Error;
    }
    match model {
        Model::Posix => posix(path),
        Model::Windows => match std::str::from_utf8(path) {
            Ok(text) => windows(text),
            // There is no such name in UTF-16.
            Err(_) => Outcome::Error,
        },
    }
}

fn posix(path: &[u8]) -> Outcome {
    if path.starts_with(b"/") {
        return Outcome::Escapes;
    }
    // The kernel walks name by name, so one that is too long fails before what follows it counts.
    let is_too_long =
        path.len() + ROOT > MAX_POSIX_PATH || path.split(|&b| b == b'/').any(|name| name.len() > MAX_NAME);
    if is_too_long {
        return Outcome::Error;
    }
    let mut names: Vec<&[u8]> = Vec::new();
    let mut resolved = false;
    for name in path.split(|&b| b == b'/').filter(|name| !name.is_empty() && *name != b".") {
        if name == b".." {
            resolved = true;
            if names.pop().is_none() {
                return Outcome::Escapes;
            }
        } else {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Outcome::Harmless;
    }
    if resolved {
        return Outcome::Reaches;
    }
    // The folder may be copied or checked out on Windows: one that does not take the name as it is misreads it.
    let elsewhere = unguarded(path, Model::Windows);
    if is_misread(path) || elsewhere != Outcome::Filename { Outcome::Confuses } else { Outcome::Filename }
}

fn windows(path: &str) -> Outcome {
    let bytes = path.as_bytes();
    let is_drive = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    if is_drive || path.starts_with(['/', '\\']) {
        return Outcome::Escapes;
    }
    let mut names: Vec<&str> = Vec::new();
    let mut changed = false;
    let mut parts = path.split(['/', '\\']).filter(|name| !matches!(*name, "" | ".")).peekable();
    while let Some(part) = parts.next() {
        if part == ".." {
            changed = true;
            if names.pop().is_none() {
                return Outcome::Escapes;
            }
            continue;
        }
        let name = folded(part, parts.peek().is_none());
        changed |= name != part;
        if !name.is_empty() {
            names.push(name);
        }
    }
    if names.iter().any(|name| name.chars().any(|c| c < ' ' || "<>\"|?*".contains(c))) {
        return Outcome::Error;
    }
    let units = |text: &str| text.encode_utf16().count();
    let has_long_name = names.iter().any(|name| units(name) > MAX_NAME);
    if has_long_name || names.iter().map(|name| units(name) + 1).sum::<usize>() + ROOT > MAX_WINDOWS_PATH + 1 {
        return Outcome::Error;
    }
    match names.split_last() {
        None if changed => Outcome::Reaches,
        None => Outcome::Harmless,
        // No folder has the name of a device.
        Some((_, folders)) if folders.iter().any(|name| is_device(name)) => Outcome::Error,
        Some((last, folders)) => {
            let has_alias = names.iter().any(|name| is_alias(name) || name.contains(':'));
            if changed || is_device(last) || has_alias || folders.iter().any(|name| name.contains(':')) {
                Outcome::Reaches
            } else if is_misread(path.as_bytes()) {
                Outcome::Confuses
            } else {
                Outcome::Filename
            }
        }
    }
}

/// What Win32 makes of a name: dots and spaces go from the end of the last one, a single dot from that of a folder.
fn folded(name: &str, last: bool) -> &str {
    if last { name.trim_end_matches(['.', ' ']) } else { name.strip_suffix('.').unwrap_or(name) }
}

fn is_device(name: &str) -> bool {
    const DEVICES: &str = " CON PRN AUX NUL CLOCK$ CONIN$ CONOUT$ ";
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end().to_uppercase();
    let mut port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT")).unwrap_or_default().chars();
    let is_port = matches!((port.next(), port.next()), (Some('0'..='9' | '¹' | '²' | '³'), None));
    is_port || (!stem.is_empty() && DEVICES.contains(&format!(" {stem} ")))
}

/// The form of a short name that Windows may have given to another file.
fn is_alias(name: &str) -> bool {
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    let Some((base, number)) = stem.rsplit_once('~') else { return false };
    let is_number = (1..=6).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_number && !base.is_empty() && extension.chars().count() <= 3 && stem.chars().count() <= 11
}
