//! Path strings -> targets, as cmd.exe sees them: drives with folders of their own, devices, `\x`, `C:x`.

use super::machine::Cmd;
use super::state::State;
use super::values::{self, is_separator};
use crate::path::{Model, is_device};
use crate::shell::{Certainty, EffectKind, Piece, Span, Target, Value};

impl Cmd<'_, '_, '_> {
    /// Records an effect on a path, and what it leaves on the disk.
    pub(super) fn effect(&mut self, st: &State, kind: EffectKind, value: &Value, program: &str, span: Span) {
        self.effect_as(st, kind, value, Certainty::Proven, (program, span));
    }

    pub(super) fn effect_as(
        &mut self,
        st: &State,
        kind: EffectKind,
        value: &Value,
        certainty: Certainty,
        (program, span): (&str, Span),
    ) {
        if value.is_empty() {
            return;
        }
        let wild = values::has_wildcard(value);
        for target in self.targets(st, value) {
            let target = match target {
                // One name of many: the entries of its folder.
                Target::Path(path) if wild => Target::Inside(self.parent(&path)),
                other => other,
            };
            if let Target::Path(path) = &target {
                let key = key(path);
                match kind {
                    EffectKind::Delete => self.host.removed(&key),
                    EffectKind::Create if program == "md" => self.host.made_dir(&key),
                    EffectKind::Create => self.host.made_file(&key, crate::shell::bash::Stream::Unknown, false),
                    _ => {}
                }
            }
            self.host.effect_as(kind, target, certainty, program, span);
        }
    }

    /// Entries with unknown names in a folder.
    pub(super) fn inside(&mut self, st: &State, folder: &Value, program: &str, span: Span) {
        for target in self.targets(st, folder) {
            let target = match target {
                Target::Path(path) => {
                    self.host.made_dir(&key(&path));
                    Target::Inside(path)
                }
                other => other,
            };
            self.host.effect(EffectKind::Create, target, program, span);
        }
    }

    fn parent(&self, path: &str) -> String {
        self.host.world().model().parent(path).unwrap_or(path).to_owned()
    }

    /// Where `value` leads from each folder that cmd may stand in; none for a device.
    fn targets(&self, st: &State, value: &Value) -> Vec<Target> {
        let mut out: Vec<Target> = Vec::new();
        for cwd in &st.cwd {
            if let Some(target) = self.target(st, cwd, value)
                && !out.contains(&target)
            {
                out.push(target);
            }
        }
        out
    }

    /// The one known path that a value names.
    pub(super) fn one_path(&self, st: &State, value: &Value) -> Option<String> {
        let [cwd] = st.cwd.as_slice() else { return None };
        match self.target(st, cwd, value)? {
            Target::Path(path) => Some(key(&path)),
            _ => None,
        }
    }

    /// Where `value` leads from each folder that cmd may stand in, as values.
    pub(super) fn spelled_values(&self, st: &State, value: &Value) -> Vec<Value> {
        let of = |target| match target {
            Target::Path(path) => Value::text(path),
            Target::Inside(folder) => Value::under(folder),
            Target::Opaque => Value::any(),
        };
        st.cwd.iter().filter_map(|cwd| self.target(st, cwd, value)).map(of).collect()
    }

    /// `None` for a device.
    fn target(&self, st: &State, cwd: &Value, value: &Value) -> Option<Target> {
        let target = self.spelled(st, cwd, value)?;
        Some(match target {
            Target::Path(path) => {
                let followed = self.host.through_links(&key(&path), true);
                Target::Path(if followed == key(&path) { path } else { followed })
            }
            Target::Inside(path) => {
                let followed = self.host.through_links(&key(&path), true);
                Target::Inside(if followed == key(&path) { path } else { followed })
            }
            Target::Opaque => Target::Opaque,
        })
    }

    fn spelled(&self, st: &State, cwd: &Value, value: &Value) -> Option<Target> {
        if let Some(text) = value.known() {
            return Some(match self.absolute(st, cwd, text.trim()) {
                Place::Path(path) if is_device(&path) => return None,
                Place::Path(path) => Target::Path(path),
                Place::Below(folder) => Target::Inside(folder),
                Place::Nowhere => Target::Opaque,
            });
        }
        let leads_up =
            value.pieces.iter().any(|p| matches!(p, Piece::Text(t) if t.split(is_separator).any(|c| c == "..")));
        if leads_up {
            return Some(Target::Opaque);
        }
        Some(match value.pieces.first() {
            Some(Piece::Under(folder)) => Target::Inside(folder.clone()),
            Some(Piece::Any) | None => Target::Opaque,
            Some(Piece::Name) => match self.absolute(st, cwd, ".") {
                Place::Path(folder) | Place::Below(folder) => Target::Inside(folder),
                Place::Nowhere => Target::Opaque,
            },
            Some(Piece::Text(text)) => {
                // The folder that is known before the first unknown part.
                let folder = match text.rfind(|c| is_separator(c) || c == ':') {
                    Some(at) => &text[..=at],
                    None => ".",
                };
                match self.absolute(st, cwd, folder) {
                    Place::Path(folder) | Place::Below(folder) => Target::Inside(folder),
                    Place::Nowhere => Target::Opaque,
                }
            }
        })
    }

    /// Known text made absolute.
    fn absolute(&self, st: &State, cwd: &Value, text: &str) -> Place {
        let model = self.host.world().model();
        if model == Model::Posix {
            return posix(cwd, text);
        }
        if model.is_absolute(text) || text.starts_with(r"\\") || text.starts_with("//") {
            return Place::Path(model.normalize(text));
        }
        let bytes = text.as_bytes();
        if let Some(letter) = drive_of(text) {
            let same = cwd.prefix().as_bytes().first().is_some_and(|b| b.eq_ignore_ascii_case(&bytes[0]));
            let base = if same { Some(cwd) } else { st.drives.get(&letter) };
            return match base {
                Some(base) => below(base, &text[2..]),
                None => Place::Path(model.normalize(&format!("{letter}:\\{}", &text[2..]))),
            };
        }
        if text.starts_with(is_separator) {
            let root = match cwd.pieces.first() {
                Some(Piece::Text(s) | Piece::Under(s)) => &s[..model.root_len(s)],
                _ => return Place::Nowhere,
            };
            return Place::Path(model.normalize(&format!("{root}{text}")));
        }
        below(cwd, text)
    }
}

/// Where known text leads.
enum Place {
    Path(String),
    Below(String),
    Nowhere,
}

fn below(base: &Value, text: &str) -> Place {
    let up = text.split(is_separator).any(|part| part == "..");
    match base.pieces.as_slice() {
        [Piece::Text(folder)] => Place::Path(Model::Windows.join(folder, text.trim_start_matches(is_separator))),
        [Piece::Under(folder), ..] if !up => Place::Below(folder.clone()),
        _ => Place::Nowhere,
    }
}

/// cmd.exe started from a Unix shell (WSL): drives are mounted below `/mnt`.
fn posix(cwd: &Value, text: &str) -> Place {
    let text = text.replace('\\', "/");
    let text = match drive_of(&text) {
        Some(letter) => format!("/mnt/{}/{}", letter.to_ascii_lowercase(), text[2..].trim_start_matches('/')),
        None => text,
    };
    match cwd.pieces.as_slice() {
        _ if text.starts_with('/') => Place::Path(Model::Posix.normalize(&text)),
        [Piece::Text(folder)] => Place::Path(Model::Posix.join(folder, &text)),
        [Piece::Under(folder), ..] if !text.split('/').any(|part| part == "..") => Place::Below(folder.clone()),
        _ => Place::Nowhere,
    }
}

/// The drive that a path begins with, in upper case.
pub(super) fn drive_of(text: &str) -> Option<char> {
    let bytes = text.as_bytes();
    (bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':')
        .then(|| char::from(bytes[0].to_ascii_uppercase()))
}

/// A path as the changes of the command are kept by.
pub(super) fn key(path: &str) -> String {
    Model::Windows.fold(path).into_owned()
}
