//! The configuration by behaviour, against files in temporary folders.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod layers;
mod odd;
mod project;

use std::path::Path;

use tempfile::TempDir;

use super::{ConfigError, Loaded, Policy, load, load_all};
use crate::home::Home;

/// A HOME and a project in one temporary folder, with an environment of their own.
struct Bench {
    dir: TempDir,
    env: Vec<(String, String)>,
}

impl Bench {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        std::fs::create_dir(dir.path().join("home")).unwrap();
        std::fs::create_dir(dir.path().join("project")).unwrap();
        let home = if cfg!(windows) { r"C:\Users\me" } else { "/home/me" };
        let env = ["HOME", "USERPROFILE"].map(|name| (name.to_owned(), home.to_owned())).to_vec();
        Self { dir, env }
    }

    fn config(self, text: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.home().config(), text).unwrap();
        self
    }

    fn project(self, text: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.project_dir().join(super::PROJECT_FILE), text).unwrap();
        self
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    fn home(&self) -> Home {
        Home::at(self.dir.path().join("home"))
    }

    fn project_dir(&self) -> std::path::PathBuf {
        self.dir.path().join("project")
    }

    fn var(&self, name: &str) -> Option<String> {
        self.env.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value.clone())
    }

    fn load(&self) -> Result<Policy, ConfigError> {
        load(
            &self.home(),
            Some(&self.project_dir()),
            &super::Environment { get: &|name| self.var(name), overrides: true },
        )
    }

    fn all(&self) -> Loaded {
        load_all(&self.home(), Some(&self.project_dir()), &|name| self.var(name))
    }

    fn policy(&self) -> Policy {
        self.load().unwrap()
    }

    fn error(&self) -> ConfigError {
        self.load().unwrap_err()
    }
}

/// An absolute path of this platform.
fn abs(path: &str) -> String {
    if cfg!(windows) { format!(r"C:{}", path.replace('/', r"\")) } else { path.to_owned() }
}

/// The same as a TOML string.
fn toml_abs(path: &str) -> String {
    format!("'{}'", abs(path))
}

#[test]
fn paths_are_the_ones_given() {
    let bench = Bench::new().config("nope = 1");
    assert_eq!(bench.error().path(), Some(Path::new(&bench.home().config())));
}
