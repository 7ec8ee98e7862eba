//! A described world: decisions without a disk.

use std::collections::BTreeMap;

use super::{EntryKind, World};
use crate::path::{Model, resolve};

/// A world that is only described.
#[derive(Clone, Debug)]
pub struct FakeWorld {
    model: Model,
    entries: BTreeMap<String, Node>,
    env: BTreeMap<String, String>,
    home: Option<String>,
    /// Short name, long name.
    short: BTreeMap<String, String>,
    subst: BTreeMap<char, String>,
}

#[derive(Clone, Debug)]
enum Node {
    Dir,
    File(String),
    Link(String),
}

impl FakeWorld {
    /// An empty world.
    pub fn new(model: Model) -> Self {
        Self {
            model,
            entries: BTreeMap::new(),
            env: BTreeMap::new(),
            home: None,
            short: BTreeMap::new(),
            subst: BTreeMap::new(),
        }
    }

    /// Adds a folder and its ancestors.
    #[must_use]
    pub fn dir(mut self, path: &str) -> Self {
        self.put(path, Node::Dir);
        self
    }

    /// Adds a file with this text and its ancestors.
    #[must_use]
    pub fn file(mut self, path: &str, text: &str) -> Self {
        self.put(path, Node::File(text.to_owned()));
        self
    }

    /// Adds a symbolic link.
    #[must_use]
    pub fn link(mut self, path: &str, text: &str) -> Self {
        self.put(path, Node::Link(text.to_owned()));
        self
    }

    /// Lets the folder `path` be another name of the one called `long` beside it (Windows).
    #[must_use]
    pub fn short(mut self, path: &str, long: &str) -> Self {
        self.put(path, Node::Dir);
        self.short.insert(self.key(&self.model.normalize(path)), long.to_owned());
        self
    }

    /// Lets a drive letter stand for a folder (Windows).
    #[must_use]
    pub fn subst(mut self, letter: char, folder: &str) -> Self {
        self.subst.insert(letter.to_ascii_uppercase(), folder.to_owned());
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn var(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Sets the home folder (and makes it).
    #[must_use]
    pub fn with_home(mut self, path: &str) -> Self {
        self.home = Some(path.to_owned());
        self.env.insert("HOME".to_owned(), path.to_owned());
        self.dir(path)
    }

    fn put(&mut self, path: &str, node: Node) {
        let path = self.model.normalize(path);
        let mut at = self.model.parent(&path);
        while let Some(dir) = at {
            let key = self.key(dir);
            self.entries.entry(key).or_insert(Node::Dir);
            at = self.model.parent(dir);
        }
        let key = self.key(&path);
        self.entries.insert(key, node);
    }

    fn key(&self, path: &str) -> String {
        self.model.fold(path).into_owned()
    }

    /// What stands at a path in its normal form.
    fn node(&self, path: &str) -> Option<&Node> {
        self.entries.get(&*self.model.fold(path))
    }
}

impl World for FakeWorld {
    fn model(&self) -> Model {
        self.model
    }

    fn entry(&self, path: &str) -> Option<EntryKind> {
        // Links in the ancestors are followed, as lstat does.
        let path = self.model.normalize(path);
        let real = match self.model.parent(&path) {
            Some(dir) if matches!(self.node(dir), None | Some(Node::Link(_))) => {
                let dir = resolve(self, dir, true);
                dir.entry?;
                self.model.join(&dir.path, self.model.base_name(&path))
            }
            _ => path,
        };
        Some(match self.node(&real)? {
            Node::Dir => EntryKind::Dir,
            Node::File(_) => EntryKind::File,
            Node::Link(_) => EntryKind::Link,
        })
    }

    fn target(&self, path: &str) -> Option<EntryKind> {
        resolve(self, &self.model.normalize(path), true).entry
    }

    fn linked_file(&self, _path: &str) -> Option<(u64, u64)> {
        None
    }

    fn long_name(&self, path: &str) -> Option<String> {
        self.short.get(&self.key(&self.model.normalize(path))).cloned()
    }

    fn drive_target(&self, letter: char) -> Option<String> {
        self.subst.get(&letter.to_ascii_uppercase()).cloned()
    }

    fn read_link(&self, path: &str) -> Option<String> {
        match self.node(&self.model.normalize(path))? {
            Node::Link(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn list(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        let dir = resolve(self, &self.model.normalize(path), true);
        if dir.entry != Some(EntryKind::Dir) {
            return None;
        }
        let dir = self.key(&dir.path);
        let names: Vec<String> = self
            .entries
            .keys()
            .filter(|k| self.model.parent(k) == Some(dir.as_str()))
            .map(|k| self.model.base_name(k).to_owned())
            .collect();
        (names.len() <= limit).then_some(names)
    }

    fn read_text(&self, path: &str, limit: usize) -> Option<String> {
        let path = resolve(self, &self.model.normalize(path), true).path;
        match self.node(&path)? {
            Node::File(text) if text.len() <= limit => Some(text.clone()),
            _ => None,
        }
    }

    fn env(&self, name: &str) -> Option<String> {
        match self.model {
            Model::Posix => self.env.get(name).cloned(),
            Model::Windows => self.env.iter().find(|(k, _)| k.eq_ignore_ascii_case(name)).map(|(_, v)| v.clone()),
        }
    }

    fn home(&self) -> Option<String> {
        self.home.clone()
    }
}
