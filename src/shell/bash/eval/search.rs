//! `find` carried out against the disk where it is small, so that a search that finds nothing does nothing.

use super::act_values;
use super::machine::Eval;
use super::pattern::{Token, matches_all, weight};
use super::state::State;
use crate::limits;
use crate::shell::programs::{Act, Arg};
use crate::shell::{EffectKind, Piece, Value};
use crate::world::{EntryKind, World};

/// What is known of the conditions; those that are not looked at only make the search narrower.
#[derive(Default)]
struct Conditions {
    roots: Vec<String>,
    names: Vec<Vec<Token>>,
    folded: Vec<Vec<Token>>,
    kind: Option<char>,
    deepest: Option<usize>,
    shallowest: usize,
}

/// The conditions of a search; `None` where they are joined in another way than by "and".
fn conditions(args: &[Arg]) -> Option<Conditions> {
    let mut out = Conditions::default();
    let mut args = args.iter();
    let mut started = false;
    while let Some(arg) = args.next() {
        let text = arg.value.known()?;
        if !started && !text.starts_with(['-', '(', '!']) {
            out.roots.push(text.into_owned());
            continue;
        }
        match text.as_ref() {
            "-H" | "-P" if !started => continue,
            "-name" => out.names.push(tokens(&args.next()?.value.known()?)?),
            "-iname" => out.folded.push(tokens(&args.next()?.value.known()?.to_lowercase())?),
            "-type" => out.kind = args.next()?.value.known()?.chars().next(),
            "-maxdepth" => out.deepest = Some(args.next()?.value.known()?.parse().ok()?),
            "-mindepth" => out.shallowest = args.next()?.value.known()?.parse().ok()?,
            "-mtime" | "-mmin" | "-atime" | "-amin" | "-ctime" | "-cmin" | "-size" | "-newer" | "-user" | "-group"
            | "-perm" | "-path" | "-ipath" | "-wholename" | "-regex" | "-iregex" | "-regextype" | "-links"
            | "-inum" | "-newermt" | "-printf" => {
                args.next()?;
            }
            "-print" | "-print0" | "-delete" | "-depth" | "-d" | "-xdev" | "-mount" | "-empty" | "-readable"
            | "-writable" | "-executable" | "-noleaf" => {}
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                for word in args.by_ref() {
                    if matches!(word.value.known().as_deref(), Some(";" | "+")) {
                        break;
                    }
                }
            }
            _ => return None,
        }
        started = true;
    }
    if out.roots.is_empty() {
        out.roots.push(".".to_owned());
    }
    Some(out)
}

fn tokens(pattern: &str) -> Option<Vec<Token>> {
    super::pattern::compile(&[super::expand::Chunk { piece: Piece::Text(pattern.to_owned()), live: true }])
}

impl Conditions {
    /// Steps for a name: it is looked up on the disk, and held against the patterns.
    fn steps(&self) -> usize {
        1 + self.names.iter().chain(&self.folded).map(|pattern| weight(pattern)).sum::<usize>() / 16
    }

    fn accept(&self, name: &str, kind: Option<EntryKind>, depth: usize) -> bool {
        let kind_fits = match (self.kind, kind) {
            (Some('f'), Some(EntryKind::Dir | EntryKind::Link))
            | (Some('d'), Some(EntryKind::File | EntryKind::Link)) => false,
            (Some('l'), kind) => matches!(kind, Some(EntryKind::Link | EntryKind::Unreadable)),
            _ => true,
        };
        depth >= self.shallowest
            && kind_fits
            && self.names.iter().all(|p| matches_all(p, name))
            && (self.folded.is_empty() || {
                let name = name.to_lowercase();
                self.folded.iter().all(|p| matches_all(p, &name))
            })
    }
}

impl Eval<'_> {
    /// At most the paths that a search finds, as it spells them; `None` where that is too much to look at or an
    /// earlier program may have made more.
    pub(super) fn search(&mut self, st: &State, args: &[Arg], entries: usize) -> Option<Vec<String>> {
        if self.dirty || st.known_folder().is_none() {
            return None;
        }
        let conditions = conditions(args)?;
        let model = self.world.model();
        let mut left = entries;
        let mut found = Vec::new();
        for root in &conditions.roots {
            let place = self.known_path(st, &Value::text(root.as_str()))?;
            let kind = self.overlay.entry(&place);
            if kind.is_none() {
                continue;
            }
            if self.vast.contains(&place) {
                return None;
            }
            let top = place.clone();
            if conditions.accept(model.base_name(&place), kind, 0) {
                found.push(root.clone());
            }
            // Folders to look into: as spelled, where they are, how deep.
            let mut todo = if kind == Some(EntryKind::Dir) { vec![(root.clone(), place, 0)] } else { Vec::new() };
            while let Some((spelled, place, depth)) = todo.pop() {
                if conditions.deepest.is_some_and(|most| depth >= most) {
                    continue;
                }
                let names = self.overlay.list(&place, left);
                let Some((rest, names)) = names.and_then(|names| Some((left.checked_sub(names.len())?, names))) else {
                    // Too many, or not to be read: nobody knows what is in it.
                    self.vast.insert(top);
                    return None;
                };
                left = rest;
                if !self.charge(names.len() * conditions.steps()) {
                    return None;
                }
                for name in names {
                    let path = model.join(&place, &name);
                    let spelled = format!("{}/{name}", spelled.trim_end_matches('/'));
                    let kind = self.overlay.entry(&path);
                    if conditions.accept(&name, kind, depth + 1) {
                        found.push(spelled.clone());
                    }
                    if kind == Some(EntryKind::Dir) {
                        todo.push((spelled, path, depth + 1));
                    }
                }
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// The acts of a search with what it really finds in the place of "something below".
    pub(super) fn narrowed(&mut self, st: &State, args: &[Arg], acts: Vec<Act>) -> Vec<Act> {
        let works = args
            .iter()
            .any(|a| matches!(a.value.known().as_deref(), Some("-exec" | "-execdir" | "-ok" | "-okdir" | "-delete")));
        let in_place = args.iter().any(|a| a.value.known().is_some_and(|v| v.starts_with("-fprint") || v == "-fls"));
        if !works || in_place {
            return acts;
        }
        let Some(found) = self.search(st, args, limits::MAX_SEARCH_ENTRIES) else { return acts };
        let in_its_folder = args.iter().any(|a| matches!(a.value.known().as_deref(), Some("-execdir" | "-okdir")));
        if in_its_folder && !found.is_empty()
            || found.len() > limits::MAX_TURNS
            || found.len() * acts.len() > limits::MAX_EXPANSION
        {
            return acts;
        }
        let all = args.iter().all(|a| {
            let word = a.value.prefix();
            !word.starts_with(['-', '!', '(']) || matches!(word, "-delete" | "-depth" | "-d" | "-print" | "-xdev")
        });
        let mut out = Vec::new();
        for act in acts {
            if !act_values::any(&act, is_found) {
                // A root that is only read, a program that gets no path.
                if !found.is_empty() || matches!(act, Act::Path { .. }) {
                    out.push(act);
                }
                continue;
            }
            let deletes = matches!(act, Act::Path { kind: EffectKind::Delete, .. });
            for path in &found {
                if deletes && !all && self.has_entries(st, path) {
                    // `-delete` takes a folder only when nothing is left in it.
                    continue;
                }
                out.push(act_values::map(act.clone(), &|value| with_found(value, path)));
            }
        }
        out
    }

    fn has_entries(&self, st: &State, path: &str) -> bool {
        let Some(place) = self.known_path(st, &Value::text(path)) else { return false };
        self.overlay.entry(&place) == Some(EntryKind::Dir)
            && self.overlay.list(&place, limits::MAX_SEARCH_ENTRIES).is_none_or(|names| !names.is_empty())
    }
}

fn is_found(value: &Value) -> bool {
    value.pieces.iter().any(|p| matches!(p, Piece::Under(_)))
}

fn with_found(value: Value, path: &str) -> Value {
    let mut out = Value::default();
    for piece in value.pieces {
        match piece {
            Piece::Under(_) => out.push_str(path),
            other => out.push(other),
        }
    }
    out
}
