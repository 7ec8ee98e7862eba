//! What git's pathspecs lead to (gitglossary, "pathspec"): files and folders of a work tree that git writes over.

use super::act::Arg;
use super::job::Job;
use crate::shell::{Certainty, EffectKind, Piece, Value};
use crate::world::EntryKind;

/// Where a pathspec is seen from, and what is left of it.
enum Spec<'a> {
    /// What it names stays as it is: `:!x`.
    Excluded,
    /// From the current folder.
    Here(&'a str),
    /// From the top of the work tree.
    Top(&'a str),
}

impl Job<'_> {
    /// `git restore PATHSPEC`, `git checkout TREE PATHSPEC`: a file is written over, a folder filled. `named`: it is
    /// certainly a path, so what is missing is created; else it may as well be a branch.
    pub(super) fn pathspec(&mut self, arg: &Arg, named: bool) {
        let Some(text) = arg.value.known() else {
            // git stays within the work tree, whatever the text is.
            return self.inside(&Arg { value: Value::text("."), span: arg.span }, Certainty::Assumed);
        };
        let Some(path) = self.spelled(&text) else { return };
        let whole = at(&path, arg);
        match self.entry(&whole, false) {
            Some(EntryKind::Dir) => self.inside(&whole, Certainty::Assumed),
            Some(_) => self.path(EffectKind::Modify, &whole),
            None => match folder_of_pattern(&path) {
                Some(folder) => self.inside(&at(folder, arg), Certainty::Assumed),
                None if named => {
                    self.path(EffectKind::Create, &whole);
                    // It may be a folder, with whatever the revision holds there.
                    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                    if !name.trim_start_matches('.').contains('.') {
                        self.inside(&whole, Certainty::Assumed);
                    }
                }
                None => {}
            },
        }
    }

    /// `git rm PATHSPEC`, `git clean PATHSPEC`: what it names is removed.
    pub(super) fn removed_pathspec(&mut self, arg: &Arg) {
        let Some(text) = arg.value.known() else { return self.path(EffectKind::Delete, arg) };
        let Some(path) = self.spelled(&text) else { return };
        let whole = at(&path, arg);
        match folder_of_pattern(&path).filter(|_| self.entry(&whole, false).is_none()) {
            Some(folder) => {
                let mut value = Value::text(if folder.is_empty() { String::new() } else { format!("{folder}/") });
                value.push(Piece::Name);
                self.path(EffectKind::Delete, &Arg { value, span: arg.span });
            }
            None => self.path(EffectKind::Delete, &whole),
        }
    }

    /// The path that a pathspec spells; `None` for one that only leaves something out.
    fn spelled(&self, text: &str) -> Option<String> {
        match magic(text) {
            Spec::Excluded => None,
            Spec::Here(rest) => Some(rest.to_owned()),
            Spec::Top(rest) => Some(match self.work_tree() {
                Some(top) => self.model().join(&top, if rest.is_empty() { "." } else { rest }),
                None => rest.to_owned(),
            }),
        }
    }
}

fn at(text: &str, arg: &Arg) -> Arg {
    Arg { value: Value::text(if text.is_empty() { "." } else { text }), span: arg.span }
}

/// The folder that a pattern of git's begins in; a star there matches separators too. `None`: it is no pattern.
fn folder_of_pattern(path: &str) -> Option<&str> {
    let star = path.find(['*', '?', '['])?;
    Some(path[..star].rfind('/').map_or("", |end| &path[..end.max(1)]))
}

/// `:(top,icase)x`, `:/x`, `:!x`.
fn magic(text: &str) -> Spec<'_> {
    let Some(rest) = text.strip_prefix(':') else { return Spec::Here(text) };
    if let Some((words, path)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let has = |word: &str| words.split(',').any(|w| w == word);
        return match () {
            () if has("exclude") => Spec::Excluded,
            () if has("top") => Spec::Top(path),
            () => Spec::Here(path),
        };
    }
    let path = rest.trim_start_matches(['/', '!', '^', ':']);
    let signs = &rest[..rest.len() - path.len()];
    match () {
        () if signs.contains(['!', '^']) => Spec::Excluded,
        () if signs.contains('/') => Spec::Top(path),
        () => Spec::Here(path),
    }
}
