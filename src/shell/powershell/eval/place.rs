//! Paths as PowerShell understands them: providers, drives, `~`, then the file system.

use super::machine::{By, Eval};
use super::state::{Place, State};
use crate::limits::steps_of_path;
use crate::path::Model;
use crate::shell::{EffectKind, Piece, Target, Value};
use crate::world::{EntryKind, World};

/// Drives of providers that hold no files.
const FILELESS: &str = " hklm hkcu hkcr hku env function variable alias cert wsman ";

impl Eval<'_> {
    /// The path of the file system that `value` names for a cmdlet, relative ones still relative. `None` where it
    /// names something that is no file.
    pub(super) fn file_path(&self, st: &State, value: &Value) -> Option<Value> {
        let mut value = value.clone();
        let text = value.prefix();
        let module = "microsoft.powershell.core\\";
        if text.get(..module.len()).is_some_and(|m| m.eq_ignore_ascii_case(module)) {
            value = value.skip(module.len());
        }
        if let Some((provider, _)) = value.prefix().split_once("::")
            && !provider.is_empty()
            && provider.bytes().all(|b| b.is_ascii_alphanumeric())
        {
            if !provider.eq_ignore_ascii_case("filesystem") {
                return None;
            }
            value = value.skip(provider.len() + 2);
            return Some(self.slashed(value));
        }
        let text = value.prefix();
        if let Some(rest) = text.strip_prefix('~')
            && (rest.is_empty() && value.pieces.len() == 1 || rest.starts_with(['/', '\\']))
            && let Some(home) = self.world.home()
        {
            let mut out = Value::text(home);
            out.append(value.skip(1));
            return Some(self.slashed(out));
        }
        let drive = text.split(['/', '\\']).next().unwrap_or_default().split_once(':');
        if let Some((name, _)) = drive
            && !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        {
            let lower = name.to_ascii_lowercase();
            if let Some(root) = st.drives.get(&lower) {
                let mut out = root.clone()?;
                out.push_str(&self.model().separator().to_string());
                out.append(value.skip(name.len() + 1));
                return Some(self.slashed(out));
            }
            if lower == "temp" {
                let mut out = Value::text(self.temp_folder()?);
                out.push_str(&self.model().separator().to_string());
                out.append(value.skip(name.len() + 1));
                return Some(self.slashed(out));
            }
            if FILELESS.contains(&format!(" {lower} ")) {
                return None;
            }
            // A name alone is a drive letter on Windows and nothing elsewhere.
            if name.len() == 1 {
                return if self.windows() { Some(value) } else { None };
            }
            // A drive that an earlier call or a profile made may lead anywhere.
            return Some(Value::any());
        }
        if st.place == Place::Elsewhere && !self.is_rooted(value.prefix()) && !value.prefix().is_empty() {
            return None;
        }
        Some(self.slashed(value))
    }

    /// Cmdlets take a backslash for a separator everywhere.
    fn slashed(&self, value: Value) -> Value {
        if self.windows() {
            return value;
        }
        let pieces = value.pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) if text.contains('\\') => Piece::Text(text.replace('\\', "/")),
            other => other,
        });
        Value { pieces: pieces.collect() }
    }

    /// Whether a path does not depend on the current folder.
    pub(super) fn is_rooted(&self, text: &str) -> bool {
        self.model().is_absolute(text)
    }

    pub(super) fn temp_folder(&self) -> Option<String> {
        let names: &[&str] = if self.windows() { &["TEMP", "TMP"] } else { &["TMPDIR"] };
        let known = names.iter().find_map(|name| self.world.env(name));
        match known {
            Some(path) => Some(path),
            None if self.windows() => {
                Some(format!("{}\\AppData\\Local\\Temp", self.world.home()?.trim_end_matches('\\')))
            }
            None => Some("/tmp".to_owned()),
        }
    }

    /// What a cmdlet's path means; `None` where it is no file.
    pub(super) fn target(&self, st: &State, value: &Value) -> Option<Target> {
        let path = self.file_path(st, value)?;
        Some(self.locate(&st.folder(), &path, true))
    }

    /// The known path that a cmdlet's value names.
    pub(super) fn known_path(&self, st: &State, value: &Value) -> Option<String> {
        match self.target(st, value)? {
            Target::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The target of a path of the file system as seen from `cwd`. PowerShell and .NET resolve `..` by its text.
    pub(super) fn locate(&self, cwd: &Value, value: &Value, follow: bool) -> Target {
        match self.plain_target(cwd, value) {
            Target::Path(path) => Target::Path(self.overlay.through_links(&path, follow)),
            Target::Inside(path) => Target::Inside(self.overlay.through_links(&path, true)),
            Target::Opaque => Target::Opaque,
        }
    }

    fn plain_target(&self, cwd: &Value, value: &Value) -> Target {
        let model = self.model();
        let spelled = if self.windows() { unprefixed(value) } else { value.clone() };
        let rooted = self.is_rooted(spelled.prefix());
        let on_drive = self.windows() && spelled.prefix().starts_with(['/', '\\']);
        // All pieces from the root on.
        let pieces: Vec<Piece> = match spelled.pieces.first() {
            Some(Piece::Any) => return Target::Opaque,
            Some(Piece::Under(_)) => spelled.pieces,
            _ if rooted => spelled.pieces,
            _ if let Some(text) = spelled.known()
                && let Some(base) = known(cwd) =>
            {
                return Target::Path(model.join(base, &text));
            }
            _ => {
                let mut all = if on_drive {
                    match known(cwd).and_then(|c| c.get(..2)) {
                        Some(drive) => Value::text(drive),
                        None => return Target::Opaque,
                    }
                } else {
                    let mut all = cwd.clone();
                    all.push_str(&model.separator().to_string());
                    all
                };
                all.append(spelled);
                all.pieces
            }
        };
        walk(model, &pieces)
    }

    /// What stands at a cmdlet's path, where that is known.
    pub(super) fn entry(&self, st: &State, value: &Value) -> Option<EntryKind> {
        self.overlay.target(&self.known_path(st, value)?)
    }

    /// An effect of a cmdlet on a path.
    pub(super) fn path_effect(&mut self, st: &State, kind: EffectKind, value: &Value, by: &By<'_>) {
        let Some(path) = self.file_path(st, value) else { return };
        let folder = st.folder();
        self.effect_at(&folder, kind, &path, by);
    }

    /// An effect on a path of the file system as seen from `cwd`.
    pub(super) fn effect_at(&mut self, cwd: &Value, kind: EffectKind, value: &Value, by: &By<'_>) {
        if value.is_empty() {
            return;
        }
        if !self.charge(steps_of_path(cwd.text_len())) {
            return;
        }
        let target = self.locate(cwd, value, kind != EffectKind::Delete);
        if let (EffectKind::Delete, Target::Path(path)) = (kind, &target) {
            self.overlay.remove(path);
        }
        self.push(kind, target, by);
    }

    /// Something with an unknown name appears in the folder that a cmdlet's path names.
    pub(super) fn inside_effect(&mut self, st: &State, value: &Value, by: &By<'_>) {
        let Some(path) = self.file_path(st, value) else { return };
        let folder = st.folder();
        self.inside_at(&folder, &path, by);
    }

    pub(super) fn inside_at(&mut self, cwd: &Value, value: &Value, by: &By<'_>) {
        if !self.charge(steps_of_path(cwd.text_len())) {
            return;
        }
        let target = match self.locate(cwd, value, true) {
            Target::Path(path) => {
                self.overlay.make_dir(&path);
                Target::Inside(path)
            }
            other => other,
        };
        self.push(EffectKind::Create, target, by);
    }
}

/// The one known folder.
fn known(cwd: &Value) -> Option<&str> {
    match cwd.pieces.as_slice() {
        [Piece::Text(s)] => Some(s),
        _ => None,
    }
}

/// `\\?\C:\x`, `\\.\C:\x` and `\\localhost\C$\x` are `C:\x`.
fn unprefixed(value: &Value) -> Value {
    let text = value.prefix();
    let plain = text.replace('/', "\\");
    for prefix in ["\\\\?\\UNC\\", "\\\\?\\", "\\\\.\\"] {
        if let Some(rest) = plain.strip_prefix(prefix) {
            if rest.as_bytes().get(1) == Some(&b':') {
                return value.skip(prefix.len());
            }
            if prefix.len() > 4 {
                let mut out = Value::text("\\\\");
                out.append(value.skip(prefix.len()));
                return unshared(out);
            }
        }
    }
    unshared(value.clone())
}

/// `\\localhost\C$\x` is `C:\x`.
fn unshared(value: Value) -> Value {
    let text = value.prefix().replace('/', "\\");
    let Some(rest) = text.strip_prefix("\\\\") else { return value };
    let mut parts = rest.splitn(3, '\\');
    let (host, share) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let here = matches!(host.to_ascii_lowercase().as_str(), "localhost" | "127.0.0.1" | "::1" | ".");
    let bytes = share.as_bytes();
    if !here || bytes.len() != 2 || bytes[1] != b'$' || !bytes[0].is_ascii_alphabetic() {
        return value;
    }
    let mut out = Value::text(format!("{}:\\", char::from(bytes[0])));
    let head = 2 + host.len() + 1 + share.len();
    out.append(value.skip((head + 1).min(value.prefix().len())));
    out
}

/// Walks the components that the pieces spell from the root on.
fn walk(model: Model, pieces: &[Piece]) -> Target {
    let mut known = String::new();
    // How many unknown components deep; `None`: any number.
    let mut below: Option<usize> = Some(0);
    let mut component = String::new();
    let mut unknown = false;
    let step = |component: &mut String, unknown: &mut bool, below: &mut Option<usize>, known: &mut String| -> bool {
        let name = std::mem::take(component);
        let is_unknown = std::mem::take(unknown);
        match (name.as_str(), *below) {
            _ if is_unknown => *below = below.map(|n| n + 1),
            ("" | ".", _) => {}
            ("..", Some(0)) => *known = model.parent(known).unwrap_or(known).to_owned(),
            ("..", Some(n)) => *below = Some(n - 1),
            ("..", None) => return false,
            (name, Some(0)) => *known = model.join(known, name),
            (_, n) => *below = n.map(|n| n + 1),
        }
        true
    };
    for (i, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => {
                let mut rest = text.as_str();
                if i == 0 {
                    let root = model.root_len(rest);
                    if root == 0 {
                        return Target::Opaque;
                    }
                    known = model.normalize(&rest[..root]);
                    rest = &rest[root..];
                }
                while let Some(at) = rest.find(|c| model.is_separator(c)) {
                    component.push_str(&rest[..at]);
                    if !step(&mut component, &mut unknown, &mut below, &mut known) {
                        return Target::Opaque;
                    }
                    rest = &rest[at + 1..];
                }
                component.push_str(rest);
            }
            Piece::Name if i == 0 => return Target::Opaque,
            Piece::Name => unknown = true,
            Piece::Under(folder) if i == 0 => {
                known = model.normalize(folder);
                below = None;
            }
            Piece::Any | Piece::Under(_) => {
                below = None;
                component.clear();
                unknown = true;
            }
        }
    }
    if (!component.is_empty() || unknown) && !step(&mut component, &mut unknown, &mut below, &mut known) {
        return Target::Opaque;
    }
    match below {
        Some(0) => Target::Path(known),
        _ => Target::Inside(known),
    }
}
