//! Which folders are watched.

use super::pattern::{any_fits, fits};
use crate::config::Policy;
use crate::path::Model;

/// Temporary folders of the known agents, by name.
const AGENTS: &str = "dsh-* claude-* tmpclaude-* codex-* gemini-* qwen-* opencode-* copilot-* cursor-*";

/// What agents leave in a project's own top level.
const STRAYS: &str = "tmpclaude-* dsh-* codex-* gemini-*";

/// What programs rewrite by themselves, and what the system or this product keeps.
const IGNORED: &str = "\
.bash_history .bash_history-* .zsh_history .zsh_history.* .zcompdump* .history .python_history .node_repl_history
.psql_history .sqlite_history .mysql_history .rediscli_history .lesshst .lesshs* .viminfo .viminfo.tmp .viminf?.tmp
.wget-hsts .Xauthority* .ICEauthority* .xsession-errors* .claude.json* .DS_Store .localized
hiberfil.sys pagefile.sys swapfile.sys DumpStack.log* NTUSER.DAT* ntuser.* lost+found _dsh-trash";

/// Folders of a POSIX system where things are put for everybody.
const SHARED: [&str; 4] = ["/opt", "/srv", "/usr/local", "/var/tmp"];

/// A watched folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Absolute and normal.
    pub path: String,
    /// Levels below it that are watched; at least 1.
    pub depth: u32,
    /// Which of its entries; see [`Root::takes`].
    pub(super) only: Only,
}

/// Which entries of a root are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Only {
    All,
    /// The scratch folders: each entry is named after its session.
    Sessions,
    Agents,
    Strays,
}

impl Root {
    pub(super) fn new(path: String, depth: u32, only: Only) -> Self {
        Self { path, depth, only }
    }

    /// Whether an entry of this name is watched.
    pub fn takes(&self, name: &[u8]) -> bool {
        match self.only {
            Only::All | Only::Sessions => true,
            Only::Agents => any_fits(AGENTS, name),
            Only::Strays => any_fits(STRAYS, name),
        }
    }

    /// Whether every entry is watched, so that a change of the folder must show in one.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.only, Only::All | Only::Sessions)
    }
}

/// What the list of roots depends on beside the settings.
#[derive(Clone, Debug)]
pub struct Surroundings<'a> {
    /// The rules of paths here.
    pub model: Model,
    /// HOME.
    pub home: &'a str,
    /// The user's home folder.
    pub user_home: Option<&'a str>,
    /// The session's project folder; empty where none is known.
    pub project: &'a str,
    /// The parent of the scratch folders.
    pub scratch_root: &'a str,
    /// The temp folders, redirected or not.
    pub temps: &'a [String],
}

/// The watched folders, each once.
pub fn roots(policy: &Policy, around: &Surroundings<'_>) -> Vec<Root> {
    let mut found: Vec<Root> = Vec::with_capacity(16);
    let depth = policy.scan_depth;
    let mut add = |path: &str, only: Only| {
        if around.model.is_absolute(path) && !found.iter().any(|root| around.model.same(&root.path, path)) {
            let depth = if only == Only::All { depth } else { 1 };
            found.push(Root::new(path.to_owned(), depth, only));
        }
    };
    if !policy.scan_roots.is_empty() {
        for path in &policy.scan_roots {
            add(path, Only::All);
        }
        return found;
    }
    for drive in &policy.protect_drives {
        match around.model {
            Model::Posix => add(drive, Only::All),
            Model::Windows => add(&format!("{drive}:\\"), Only::All),
        }
    }
    add(around.user_home.unwrap_or_default(), Only::All);
    if around.model == Model::Posix {
        for path in SHARED {
            add(path, Only::All);
        }
        add("/tmp", Only::Agents);
    }
    add(around.scratch_root, Only::Sessions);
    for path in around.temps {
        add(path, Only::Agents);
    }
    add(around.project, Only::Strays);
    found
}

/// Whether the entry `name` of `folder` is not reported.
pub(super) fn is_ignored(policy: &Policy, around: &Surroundings<'_>, folder: &str, name: &[u8]) -> bool {
    if any_fits(IGNORED, name) {
        return true;
    }
    let model = around.model;
    let is_name = |text: &str| std::str::from_utf8(name).is_ok_and(|name| model.same(text, name));
    let here = |path: &str| {
        is_name(model.base_name(path)) && model.parent(path).is_some_and(|parent| model.same(parent, folder))
    };
    here(around.home)
        || policy.scan_ignore.iter().any(|pattern| match model.parent(pattern) {
            Some(parent) if pattern.contains(|c| model.is_separator(c)) => {
                fits_under(model, parent, folder.as_bytes()) && fits_under(model, model.base_name(pattern), name)
            }
            _ => fits_under(model, pattern, name),
        })
}

/// Whether `text` fits `pattern` where the model may not tell case apart.
fn fits_under(model: Model, pattern: &str, text: &[u8]) -> bool {
    match std::str::from_utf8(text) {
        Ok(text) if model == Model::Windows => fits(model.fold(pattern).as_bytes(), model.fold(text).as_bytes()),
        _ => fits(pattern.as_bytes(), text),
    }
}

#[cfg(test)]
mod tests {
    use super::{Root, Surroundings, is_ignored, roots};
    use crate::config::Policy;
    use crate::path::Model;

    fn around(temps: &[String]) -> Surroundings<'_> {
        Surroundings {
            model: Model::Windows,
            home: r"C:\Users\me\.wsguard",
            user_home: Some(r"C:\Users\me"),
            project: r"C:\src\shop",
            scratch_root: r"E:\dsh\scratch",
            temps,
        }
    }

    #[test]
    fn of_windows() {
        let temps = [r"C:\Users\me\AppData\Local\Temp", r"c:\users\ME\AppData\Local\Temp"].map(str::to_owned);
        let policy = Policy { protect_drives: vec!["C".to_owned(), "D".to_owned()], ..Policy::default() };
        let found = roots(&policy, &around(&temps));
        let paths: Vec<_> = found.iter().map(|root| &*root.path).collect();
        assert_eq!(paths, ["C:\\", "D:\\", r"C:\Users\me", r"E:\dsh\scratch", &*temps[0], r"C:\src\shop"]);
        let takes = |root: &Root, name: &str| root.takes(name.as_bytes());
        assert!(found[..4].iter().all(|root| takes(root, "anything")));
        for name in ["dsh-1", "claude-1f3a-cwd", "tmpclaude-77-cwd", "codex-x", "gemini-x"] {
            assert!(takes(&found[4], name), "{name}");
        }
        assert!(!takes(&found[4], "other") && takes(&found[5], "tmpclaude-77-cwd") && !takes(&found[5], "src"));
    }

    #[test]
    fn what_is_ignored_on_windows_is_so_in_any_case() {
        let policy = Policy { scan_ignore: vec!["*.Log".to_owned(), r"c:\data\Tmp*".to_owned()], ..Policy::default() };
        let check = |folder: &str, name: &str, want: bool| {
            assert_eq!(is_ignored(&policy, &around(&[]), folder, name.as_bytes()), want, "{folder} {name}");
        };
        check(r"C:\Users\me", ".wsguard", true);
        check(r"c:\users\ME", ".WSGUARD", true);
        check(r"C:\Users\other", ".wsguard", false);
        check(r"C:\Users\me", "NTUSER.DAT", true);
        check(r"C:\Users\me", "ntuser.dat.LOG1", true);
        check("C:\\", "pagefile.sys", true);
        check("C:\\", "x.LOG", true);
        check(r"C:\Data", "tmp1", true);
        check(r"C:\Data\x", "tmp1", false);
        check(r"C:\Users\me", "x", false);
    }
}
