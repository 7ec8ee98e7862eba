//! What git's pathspecs lead to (gitglossary, "pathspec"): files and folders of a work tree that git writes over.

use super::act::Arg;
use super::job::Job;
use crate::shell::{Certainty, EffectKind, Value};
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
        let path = match magic(&text) {
            Spec::Excluded => return,
            Spec::Here(rest) => rest.to_owned(),
            Spec::Top(rest) => match self.work_tree() {
                Some(top) => self.model().join(&top, if rest.is_empty() { "." } else { rest }),
                None => rest.to_owned(),
            },
        };
        let at = |text: &str| Arg { value: Value::text(if text.is_empty() { "." } else { text }), span: arg.span };
        let whole = at(&path);
        match self.entry(&whole, false) {
            Some(EntryKind::Dir) => self.inside(&whole, Certainty::Assumed),
            Some(_) => self.path(EffectKind::Modify, &whole),
            None => match path.find(['*', '?', '[']) {
                // git's own patterns: a star there matches separators too.
                Some(star) => {
                    let folder = path[..star].rfind('/').map_or("", |end| &path[..end.max(1)]);
                    self.inside(&at(folder), Certainty::Assumed);
                }
                None if named => self.path(EffectKind::Create, &whole),
                None => {}
            },
        }
    }
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
