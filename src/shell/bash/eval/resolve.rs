//! Partly known path strings -> targets.

use super::machine::Eval;
use super::state::State;
use crate::limits::MAX_WRITTEN_PATH_BYTES;
use crate::path::{Model, resolve};
use crate::shell::{Piece, Target, Value};
use crate::world::World;

/// Where the walk over a value's components stands.
enum At {
    /// At this absolute folder or file.
    Path(String),
    /// At an entry with an unknown name directly or deeply below this folder; how many unknown components deep,
    /// where that is known.
    Below(String, Option<usize>),
}

impl Eval<'_> {
    /// The path that `value` names when the shell stands in `cwd`. The last component is followed through links
    /// of earlier commands where `follow_last` says so.
    pub(super) fn target(&self, cwd: &Value, value: &Value, follow_last: bool) -> Target {
        if value.text_len() > MAX_WRITTEN_PATH_BYTES {
            return Target::Opaque;
        }
        let target = self.plain_target(cwd, value);
        match target {
            Target::Path(path) => Target::Path(self.overlay.through_links(&path, follow_last)),
            Target::Inside(path) => Target::Inside(self.overlay.through_links(&path, true)),
            Target::Opaque => Target::Opaque,
        }
    }

    fn plain_target(&self, cwd: &Value, value: &Value) -> Target {
        let model = self.world.model();
        if model == Model::Posix && leads_through_process(value) {
            return Target::Opaque;
        }
        if let Some(text) = value.known() {
            if let Some(path) = self.absolute(cwd, &text) {
                return Target::Path(path);
            }
            // The working folder is only known to lie below another one.
            return match cwd.pieces.first() {
                Some(Piece::Under(d)) if stays_below(model, &text) => Target::Inside(d.clone()),
                Some(Piece::Text(s)) if stays_below(model, &text) => {
                    Target::Inside(model.normalize(&s[..s.rfind(|c| model.is_separator(c)).map_or(0, |i| i + 1)]))
                }
                _ => Target::Opaque,
            };
        }
        let start = match value.pieces.first() {
            Some(Piece::Any) | None => return Target::Opaque,
            Some(Piece::Under(d)) => {
                // A folder as Git Bash spells it is one of Windows.
                let spelled = if model.is_absolute(d) { Some(d.clone()) } else { self.absolute(cwd, d) };
                let Some(d) = spelled else { return Target::Opaque };
                return match self.walk(At::Below(d, None), &value.pieces[1..]) {
                    Some(At::Path(p)) => Target::Path(p),
                    Some(At::Below(d, _)) => Target::Inside(d),
                    None => Target::Opaque,
                };
            }
            Some(Piece::Text(s)) if is_rooted(model, s) => None,
            Some(Piece::Text(_) | Piece::Name) => Some(cwd),
        };
        let at = match start {
            None => At::Path(root_of(model, value.prefix())),
            Some(cwd) => match cwd.pieces.as_slice() {
                [Piece::Text(s)] => At::Path(s.clone()),
                [Piece::Under(d), ..] => At::Below(d.clone(), None),
                [Piece::Text(s), ..] => {
                    At::Below(model.normalize(&s[..s.rfind(|c| model.is_separator(c)).map_or(0, |i| i + 1)]), None)
                }
                _ => return Target::Opaque,
            },
        };
        match self.walk(at, &value.pieces) {
            Some(At::Path(p)) => Target::Path(p),
            Some(At::Below(d, _)) => Target::Inside(d),
            None => Target::Opaque,
        }
    }

    /// Walks the components that the pieces spell; `None` where that leads nobody knows where.
    fn walk(&self, start: At, pieces: &[Piece]) -> Option<At> {
        let model = self.world.model();
        let mut at = start;
        // The component under way: known text, and whether unknown text belongs to it.
        let mut component = String::new();
        let mut unknown = false;
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    let mut rest = text.as_str();
                    let root = model.root_len(rest);
                    if root > 1 && component.is_empty() && !unknown {
                        rest = &rest[root..];
                    }
                    // Known folders are gone through at once: one by one would take the square of their number.
                    if let At::Path(from) = &at
                        && component.is_empty()
                        && !unknown
                        && let Some((known, last)) = rest.rsplit_once(|c| model.is_separator(c))
                        && !known.contains("..")
                    {
                        at = At::Path(model.join(from, known.trim_start_matches(|c| model.is_separator(c))));
                        rest = last;
                    }
                    while let Some(i) = rest.find(|c| model.is_separator(c)) {
                        component.push_str(&rest[..i]);
                        at = self.step(at, &component, unknown)?;
                        component.clear();
                        unknown = false;
                        rest = &rest[i + 1..];
                    }
                    component.push_str(rest);
                }
                Piece::Name => unknown = true,
                Piece::Any | Piece::Under(_) => {
                    // Any number of components, of which none is expected to lead up.
                    at = match at {
                        At::Path(d) | At::Below(d, _) => At::Below(d, None),
                    };
                    component.clear();
                    unknown = true;
                }
            }
        }
        if component.is_empty() && !unknown { Some(at) } else { self.step(at, &component, unknown) }
    }

    fn step(&self, at: At, component: &str, unknown: bool) -> Option<At> {
        let model = self.world.model();
        if unknown {
            return Some(match at {
                At::Path(d) => At::Below(d, Some(1)),
                At::Below(d, n) => At::Below(d, n.map(|n| n + 1)),
            });
        }
        match (component, at) {
            ("" | ".", at) => Some(at),
            ("..", At::Path(d)) => Some(At::Path(self.parent(&d))),
            // Out of an unknown name again: still below, as far as the name was no link.
            ("..", At::Below(d, Some(n))) => Some(At::Below(d, Some(n.checked_sub(1)?))),
            ("..", At::Below(_, None)) => None,
            (name, At::Path(d)) => Some(At::Path(model.join(&d, name))),
            (_, At::Below(d, n)) => Some(At::Below(d, n.map(|n| n + 1))),
        }
    }

    /// The folder above `path`, where the system would find it: behind the links in `path`.
    fn parent(&self, path: &str) -> String {
        let real = resolve(&self.overlay, path, true);
        let path = if real.unresolvable { path } else { real.path.as_str() };
        self.world.model().parent(path).unwrap_or(path).to_owned()
    }

    /// A known path made absolute as the system resolves it: `..` leads out of where a link points.
    pub(super) fn absolute(&self, cwd: &Value, text: &str) -> Option<String> {
        let model = self.world.model();
        let spelled = if model == Model::Windows && self.msys { posix_spelling(self.world, text) } else { None };
        let text = spelled.as_deref().unwrap_or(text);
        let text = if model == Model::Posix { own_process(text).unwrap_or(text) } else { text };
        let base = if model.is_absolute(text) { "" } else { known(cwd)? };
        if !text.contains("..") {
            return Some(model.join(base, text));
        }
        let root = model.root_len(text);
        let mut at = if root > 0 { text[..root].to_owned() } else { base.to_owned() };
        // Names on the way are put behind it together: one by one would take the square of their number.
        let mut names = String::new();
        for part in model.parts(&text[root..]) {
            if part == ".." {
                at = self.parent(&model.join(&at, &names));
                names.clear();
            } else if !part.is_empty() {
                if !names.is_empty() {
                    names.push(model.separator());
                }
                names.push_str(part);
            }
        }
        Some(model.join(&at, &names))
    }

    /// The absolute path of a known value.
    pub(super) fn known_path(&self, st: &State, value: &Value) -> Option<String> {
        let text = value.known()?;
        if text.is_empty() {
            return None;
        }
        self.absolute(&st.folder(), &text)
    }
}

/// The one known folder.
fn known(cwd: &Value) -> Option<&str> {
    match cwd.pieces.as_slice() {
        [Piece::Text(s)] => Some(s),
        _ => None,
    }
}

/// The shell's own folder and root as `/proc` names them are those of the shell that is judged, not of the hook: the
/// path without the detour.
fn own_process(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("/proc/self/").or_else(|| text.strip_prefix("/proc/thread-self/"))?;
    let (rest, bare) = match rest.strip_prefix("cwd") {
        Some(rest) => (rest, "."),
        None => (rest.strip_prefix("root")?, "/"),
    };
    match rest.strip_prefix('/').map(|rest| rest.trim_start_matches('/')) {
        _ if rest.is_empty() => Some(bare),
        Some("") => Some(bare),
        Some(below) if bare == "." => Some(below),
        Some(_) => Some(rest),
        None => None,
    }
}

/// Whether the path goes on behind a process's folder, root or open descriptor: where that is, nobody can tell.
fn leads_through_process(value: &Value) -> bool {
    let start = value.prefix();
    let descriptor = |rest: &str| rest.split_once('/').is_some_and(|(_, below)| !below.is_empty());
    if let Some(rest) = start.strip_prefix("/dev/fd/").or_else(|| start.strip_prefix("/proc/self/fd/")) {
        return descriptor(rest);
    }
    let Some(rest) = start.strip_prefix("/proc/") else { return false };
    if own_process(start).is_some() {
        return false;
    }
    // `/proc/$$/cwd/x`, `/proc/1234/root/x`.
    let behind = match value.pieces.as_slice() {
        [_] => rest.split_once('/').map_or("", |(_, behind)| behind),
        [_, Piece::Name | Piece::Any, Piece::Text(text), ..] => text.trim_start_matches('/'),
        _ => "",
    };
    let mut parts = behind.splitn(2, '/');
    match parts.next() {
        Some("cwd" | "root") => true,
        Some("fd") => parts.next().is_some_and(descriptor),
        _ => false,
    }
}

fn is_rooted(model: Model, text: &str) -> bool {
    model.is_absolute(text)
}

fn root_of(model: Model, text: &str) -> String {
    model.normalize(&text[..model.root_len(text)])
}

/// Whether a relative path never leaves the folder that it starts from.
fn stays_below(model: Model, text: &str) -> bool {
    if model.is_absolute(text) {
        return false;
    }
    let mut depth = 0usize;
    for part in model.parts(text) {
        match part {
            "" | "." => {}
            ".." => match depth.checked_sub(1) {
                Some(n) => depth = n,
                None => return false,
            },
            _ => depth += 1,
        }
    }
    true
}

/// `/c/Users/x`, `/tmp/x` and `/dev/null` as Git Bash on Windows understands them, and `/mnt/c/x` as WSL does.
fn posix_spelling(world: &dyn World, text: &str) -> Option<String> {
    let rest = text.strip_prefix('/')?;
    let (first, tail) = rest.split_once('/').unwrap_or((rest, ""));
    let drive = |name: &str, tail: &str| {
        let letter = name.bytes().next().filter(|b| name.len() == 1 && b.is_ascii_alphabetic())?;
        Some(format!("{}:\\{tail}", char::from(letter.to_ascii_uppercase())))
    };
    match first {
        "tmp" => {
            let temp = world.env("TEMP").or_else(|| world.env("TMP"))?;
            Some(format!("{temp}\\{tail}"))
        }
        // No folder of any drive.
        "dev" | "proc" => Some(format!(r"\\.\{rest}")),
        "cygdrive" | "mnt" => {
            let (name, tail) = tail.split_once('/').unwrap_or((tail, ""));
            drive(name, tail)
        }
        name => drive(name, tail),
    }
}
