//! The disk as it would be after the commands that were looked at so far.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use super::values::Stream;
use crate::limits::{MAX_EFFECTS, MAX_PATH_BYTES, NAMES_PER_STEP};
use crate::path::{Model, resolve};
use crate::world::{EntryKind, World};

/// Following a link costs as much as looking at so many changes, beside one for each byte of the path.
const LOOKED_PER_LINK: usize = NAMES_PER_STEP;

/// Links that are followed from one path: more than any system follows (POSIX systems 32 or 40, Windows 63).
const LINKS_FOLLOWED: usize = 64;

/// What an earlier command put somewhere.
#[derive(Clone, Debug)]
enum Made {
    Dir,
    File(Stream),
    Link(String),
    Gone,
}

/// A world with the changes of the commands so far.
pub(in crate::shell) struct Overlay<'a> {
    base: &'a dyn World,
    made: BTreeMap<String, Made>,
    /// The names of what was put there, by the same keys, where they are spelled otherwise.
    spelled: BTreeMap<String, String>,
    links: bool,
    /// Changes that were looked at to list folders, and to follow links, that are not paid for yet.
    looked: Cell<usize>,
}

impl<'a> Overlay<'a> {
    pub(in crate::shell) fn new(base: &'a dyn World) -> Self {
        Self { base, made: BTreeMap::new(), spelled: BTreeMap::new(), links: false, looked: Cell::new(0) }
    }

    /// Paths are kept as the model compares them.
    fn key<'p>(&self, path: &'p str) -> Cow<'p, str> {
        self.base.model().fold(path)
    }

    /// A path that no system call takes is not kept: nothing can be looked up there, and keeping all the folders above
    /// it takes time that grows with its square.
    fn put(&mut self, path: &str, made: Made) {
        if path.len() <= MAX_PATH_BYTES && self.made.len() < MAX_EFFECTS {
            let key = self.key(path).into_owned();
            let model = self.base.model();
            let name = model.base_name(path);
            // What is there already keeps its name.
            if model.base_name(&key) != name
                && !matches!(self.made.get(&key), Some(there) if !matches!(there, Made::Gone))
            {
                self.spelled.insert(key.clone(), name.to_owned());
            }
            self.made.insert(key, made);
        }
    }

    pub(in crate::shell) fn make_dir(&mut self, path: &str) {
        if path.len() > MAX_PATH_BYTES {
            return;
        }
        if self.base.target(path) != Some(EntryKind::Dir) || self.made.contains_key(&*self.key(path)) {
            self.put(path, Made::Dir);
        }
        for end in self.missing_above(path) {
            self.put(&path[..end], Made::Dir);
        }
    }

    /// The folders above `path` that are missing, up to the lowest that is there, by where they end in it. From the top
    /// down, so that nothing is looked up below what is missing.
    fn missing_above(&self, path: &str) -> Vec<usize> {
        let model = self.base.model();
        // Most are made in a folder that is there, which takes one look.
        let parent = model.parent(path).filter(|dir| self.entry(dir).is_none());
        let above = std::iter::successors(parent, |dir| model.parent(dir));
        let mut ends: Vec<usize> = above.map(str::len).collect();
        if self.links {
            let missing = ends.iter().take_while(|&&end| self.entry(&path[..end]).is_none()).count();
            ends.truncate(missing);
            return ends;
        }
        let (mut hidden, mut lowest) = (false, ends.len());
        for (i, &end) in ends.iter().enumerate().rev() {
            let dir = &path[..end];
            let there = match self.made.get(&*self.key(dir)) {
                Some(made) => {
                    hidden = matches!(made, Made::Gone | Made::File(_));
                    !matches!(made, Made::Gone)
                }
                None => !hidden && self.base.entry(dir).is_some(),
            };
            hidden |= !there;
            if there {
                lowest = i;
            }
        }
        ends.truncate(lowest);
        ends
    }

    /// A file whose text is `content`.
    pub(in crate::shell) fn make_file(&mut self, path: &str, content: Stream) {
        self.put(path, Made::File(content));
    }

    /// Has the file at `path` hold `content`, or forgets about it; gives what it held so far.
    pub(in crate::shell) fn swap_text(&mut self, path: &str, content: Option<Stream>) -> Option<Stream> {
        let key = self.key(path).into_owned();
        let before = self.made.remove(&key);
        if let Some(content) = content {
            self.put(path, Made::File(content));
        }
        match before {
            Some(Made::File(stream)) => Some(stream),
            _ => None,
        }
    }

    pub(in crate::shell) fn make_link(&mut self, path: &str, text: &str) {
        self.links = true;
        self.put(path, Made::Link(text.to_owned()));
    }

    pub(in crate::shell) fn remove(&mut self, path: &str) {
        self.put(path, Made::Gone);
    }

    /// What was made at or below `from` is then at or below `to`.
    pub(in crate::shell) fn rename(&mut self, from: &str, to: &str) {
        let model = self.base.model();
        let moved: Vec<(String, Made)> = self
            .made
            .iter()
            .filter(|(k, m)| !matches!(m, Made::Gone) && model.is_within(k, from))
            .map(|(k, m)| (format!("{to}{}", k.get(from.len()..).unwrap_or_default()), m.clone()))
            .collect();
        let known = moved.iter().any(|(k, _)| *k == self.key(to));
        if !known {
            match self.base.entry(from) {
                Some(EntryKind::Dir) => self.put(to, Made::Dir),
                Some(EntryKind::Link) => {
                    if let Some(text) = self.base.read_link(from) {
                        self.make_link(to, &text);
                    }
                }
                _ => self.put(to, Made::File(Stream::Unknown)),
            }
        }
        for (path, made) in moved {
            self.put(&path, made);
        }
        self.put(from, Made::Gone);
    }

    /// The text that an earlier command wrote to the file at `path`, as far as it is known; `None` where no
    /// earlier command wrote it.
    pub(in crate::shell) fn written(&self, path: &str) -> Option<&Stream> {
        match self.made.get(&*self.key(path))? {
            Made::File(stream) => Some(stream),
            _ => None,
        }
    }

    /// Whether an earlier command wrote any file.
    pub(in crate::shell) fn is_touched(&self) -> bool {
        !self.made.is_empty()
    }

    /// Whether an earlier command made or removed `path` itself.
    pub(in crate::shell) fn knows(&self, path: &str) -> bool {
        self.made.contains_key(&*self.key(path))
    }

    /// Whether an earlier command made or removed `path` or a folder above it.
    pub(in crate::shell) fn knows_about(&self, path: &str) -> bool {
        if self.made.is_empty() {
            return false;
        }
        let model = self.base.model();
        let path = self.through_links(path, true);
        let mut at = Some(path.as_str());
        while let Some(one) = at {
            if self.knows(one) {
                return true;
            }
            at = model.parent(one);
        }
        false
    }

    /// `spelled` with the links followed that earlier commands made. Nothing is reached where they lead in a circle, or
    /// through more links than any system follows: it ends before a link into itself, and else stays as it is.
    pub(in crate::shell) fn through_links(&self, spelled: &str, follow_last: bool) -> String {
        let mut path = spelled.to_owned();
        if !self.links {
            return path;
        }
        let model = self.base.model();
        for _ in 0..LINKS_FOLLOWED {
            let Some(next) = self.one_link(&path, follow_last, model) else { return path };
            self.looked.set(self.looked.get() + LOOKED_PER_LINK + next.len());
            path = next;
        }
        spelled.to_owned()
    }

    fn one_link(&self, path: &str, follow_last: bool, model: Model) -> Option<String> {
        let mut ends: Vec<usize> = Vec::new();
        let mut at = Some(path);
        while let Some(dir) = at {
            ends.push(dir.len());
            at = model.parent(dir);
        }
        for &end in ends.iter().rev() {
            let head = &path[..end];
            if !follow_last && end == path.len() {
                return None;
            }
            if let Some(Made::Link(text)) = self.made.get(&*self.key(head)) {
                let place = model.parent(head)?;
                // The text's own `..` starts from where the link really lies.
                let real = if text.contains("..") { resolve(self.base, place, true).path } else { place.to_owned() };
                let target = model.join(&real, text);
                if model.is_within(&target, head) {
                    return None;
                }
                let rest = path[end..].trim_start_matches(|c| model.is_separator(c));
                return Some(if rest.is_empty() { target } else { model.join(&target, rest) });
            }
        }
        None
    }

    /// What was changed in a folder, in the order of the names.
    fn changes_in(&self, folder: &str) -> Vec<(&str, &Made)> {
        let separator = self.base.model().separator();
        let mut below = self.key(folder).into_owned();
        if !below.ends_with(separator) {
            below.push(separator);
        }
        let mut looked = 0;
        let changes =
            self.made.range(below.clone()..).map_while(|(key, made)| Some((key.strip_prefix(&*below)?, made)));
        let changes = changes.inspect(|_| looked += 1);
        let changes = changes.filter(|(name, _)| !name.is_empty() && !name.contains(separator)).collect();
        self.looked.set(self.looked.get() + looked);
        changes
    }

    /// The steps that looking at changes cost since this was asked last.
    pub(in crate::shell) fn take_steps(&self) -> usize {
        let looked = self.looked.get();
        self.looked.set(looked % NAMES_PER_STEP);
        looked / NAMES_PER_STEP
    }

    fn gone_above(&self, path: &str) -> bool {
        let model = self.base.model();
        let mut at = model.parent(path);
        while let Some(dir) = at {
            match self.made.get(&*self.key(dir)) {
                Some(Made::Gone | Made::File(_)) => return true,
                Some(_) => return false,
                None => at = model.parent(dir),
            }
        }
        false
    }
}

impl World for Overlay<'_> {
    fn model(&self) -> Model {
        self.base.model()
    }

    fn entry(&self, path: &str) -> Option<EntryKind> {
        if self.made.is_empty() {
            return self.base.entry(path);
        }
        let path = self.through_links(path, false);
        match self.made.get(&*self.key(&path)) {
            Some(Made::Dir) => Some(EntryKind::Dir),
            Some(Made::File(_)) => Some(EntryKind::File),
            Some(Made::Link(_)) => Some(EntryKind::Link),
            Some(Made::Gone) => None,
            None if self.gone_above(&path) => None,
            None => self.base.entry(&path),
        }
    }

    fn target(&self, path: &str) -> Option<EntryKind> {
        if self.made.is_empty() {
            return self.base.target(path);
        }
        let path = self.through_links(path, true);
        match self.made.get(&*self.key(&path)) {
            Some(Made::Dir) => Some(EntryKind::Dir),
            Some(Made::File(_)) => Some(EntryKind::File),
            Some(Made::Link(_) | Made::Gone) => None,
            None if self.gone_above(&path) => None,
            None => match self.base.entry(&path) {
                Some(EntryKind::Link) => resolve(self, &path, true).entry,
                other => other,
            },
        }
    }

    fn linked_file(&self, path: &str) -> Option<(u64, u64)> {
        self.base.linked_file(path)
    }

    fn read_link(&self, path: &str) -> Option<String> {
        match self.made.get(&*self.key(path)) {
            Some(Made::Link(text)) => Some(text.clone()),
            Some(_) => None,
            None => self.base.read_link(path),
        }
    }

    fn long_name(&self, path: &str) -> Option<String> {
        self.base.long_name(path)
    }

    fn drive_target(&self, letter: char) -> Option<String> {
        self.base.drive_target(letter)
    }

    fn list(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        if self.made.is_empty() {
            return self.base.list(path, limit);
        }
        let path = self.through_links(path, true);
        let mut names = match self.made.get(&*self.key(&path)) {
            Some(Made::Dir) => self.base.list(&path, limit).unwrap_or_default(),
            Some(_) => return None,
            None => self.base.list(&path, limit)?,
        };
        let changes = self.changes_in(&path);
        let mut there = vec![false; changes.len()];
        names.retain(|name| match changes.binary_search_by_key(&&*self.key(name), |&(changed, _)| changed) {
            Ok(at) => {
                there[at] = true;
                !matches!(changes[at].1, Made::Gone)
            }
            Err(_) => true,
        });
        let made = changes.iter().zip(there).filter(|((_, made), there)| !there && !matches!(made, Made::Gone));
        names.extend(made.map(|((name, _), _)| {
            let path = self.base.model().join(&path, name);
            self.spelled.get(&*self.key(&path)).cloned().unwrap_or_else(|| (*name).to_owned())
        }));
        (names.len() <= limit).then_some(names)
    }

    fn read_text(&self, path: &str, limit: usize) -> Option<String> {
        if self.made.is_empty() {
            return self.base.read_text(path, limit);
        }
        let path = self.through_links(path, true);
        match self.made.get(&*self.key(&path)) {
            Some(Made::File(Stream::Text(text))) => text.known().filter(|t| t.len() <= limit).map(Into::into),
            Some(_) => None,
            None if self.gone_above(&path) => None,
            None => self.base.read_text(&path, limit),
        }
    }

    fn env(&self, name: &str) -> Option<String> {
        self.base.env(name)
    }

    fn home(&self) -> Option<String> {
        self.base.home()
    }
}
