//! The agent may not move its own fence: the product's HOME, the hook's registration, the operator's commands.

use std::cell::OnceCell;

use super::place::Place;
use crate::home::TRASH;
use crate::path::{Model, resolve};
use crate::shell::{EffectKind, OperatorCall};
use crate::world::{EntryKind, World};

/// Subcommands that only show something; an agent may run these.
const READING: &[&str] =
    &["explain", "status", "session", "env", "prompt", "doctor", "grants", "help", "completions", "--help", "-h"];

/// Two-word subcommands that only show something.
const READING_PAIRS: &[(&str, &str)] = &[
    ("config", "show"),
    ("config", "path"),
    ("config", "check"),
    ("config", "list"),
    ("audit", "tail"),
    ("audit", "verify"),
    ("ledger", "list"),
    ("ledger", "show"),
    ("trash", "list"),
    ("corpus", "list"),
];

/// Options that turn a reading subcommand into a changing one.
const CHANGING_OPTIONS: &[&str] = &["--clean", "--fix", "--yes", "--confirm"];

/// Whether this call of `wsguard` (or `wsguard-hook`) is one that only the operator may make.
pub(crate) fn is_operators(call: &OperatorCall) -> bool {
    let Some(first) = call.args.first() else { return false };
    // Usage is shown wherever the word stands; behind `--` it is another program's.
    let own = call.args.iter().take_while(|a| *a != "--");
    if first != "run" && own.clone().any(|a| a == "--help" || a == "-h") {
        return false;
    }
    if matches!(first.as_str(), "install" | "uninstall") && own.clone().any(|a| a == "--dry-run") {
        return false;
    }
    if call.args.iter().any(|a| CHANGING_OPTIONS.contains(&a.as_str())) {
        return true;
    }
    if matches!(first.as_str(), "--version" | "-V") || READING.contains(&first.as_str()) {
        return false;
    }
    let second = call.args.get(1).map_or("", String::as_str);
    !READING_PAIRS.contains(&(first.as_str(), second))
}

/// The guard's own places, with their links followed once for a whole decision.
pub(crate) struct Fence<'a> {
    model: Model,
    home: String,
    scratch: String,
    temp: String,
    place: &'a Place,
    world: &'a dyn World,
    files: OnceCell<Vec<File>>,
    /// Where the files in HOME that say what is allowed really lie, if that is elsewhere.
    led_out: OnceCell<Vec<File>>,
    /// The last parts of the fenced paths as they are spelled.
    names: OnceCell<Vec<&'a str>>,
    /// The project folder by both its names: a link in its place would make any folder an allowed root.
    project: OnceCell<Vec<String>>,
}

/// A file, or a folder with all that is in it, that decides whether the hook runs and with what.
struct File {
    path: String,
    exists: bool,
}

impl<'a> Fence<'a> {
    pub(crate) fn new(world: &'a dyn World, place: &'a Place) -> Self {
        let real = |p: &str| if p.is_empty() { String::new() } else { resolve(world, p, true).path };
        let (home, scratch, temp) = (real(&place.home), real(&place.scratch), real(&place.temp));
        Self {
            model: world.model(),
            home,
            scratch,
            temp,
            place,
            world,
            files: OnceCell::new(),
            led_out: OnceCell::new(),
            names: OnceCell::new(),
            project: OnceCell::new(),
        }
    }

    /// Whether an effect of this kind on the resolved path would move the fence. `inside`: on something with
    /// an unknown name below the path, not on the path itself. `exists`: something stands at the path.
    pub(crate) fn stops(&self, kind: EffectKind, resolved: &str, inside: bool, exists: bool) -> bool {
        if matches!(kind, EffectKind::Read | EffectKind::Mention | EffectKind::Opaque) {
            return false;
        }
        let model = self.model;
        // A removal or a rename takes everything below with it; one of unknown entries is not known to.
        let takes_tree = kind == EffectKind::Delete && !inside;
        if !self.home.is_empty() {
            if takes_tree && model.is_within(&self.home, resolved) {
                return true;
            }
            if model.is_within(resolved, &self.home) && !self.is_open_part(resolved) {
                return true;
            }
        }
        // The proof that a scratch folder is ours lies in the folder, whatever its root is.
        if self.is_own_proof(resolved) {
            return true;
        }
        if self.is_trash(resolved, takes_tree) {
            return true;
        }
        if takes_tree && self.project().iter().any(|project| model.is_within(project, resolved)) {
            return true;
        }
        // What is not there is no fenced file by another name: only one that is spelled so can be meant, and the disk
        // need not be asked about the others.
        if !inside && !exists && kind != EffectKind::Delete && !self.spells_one(resolved) {
            return self.led_out().iter().any(|file| model.is_within(resolved, &file.path));
        }
        let taken = |file: &File| takes_tree && file.exists && model.is_within(&file.path, resolved);
        let meant = |file: &File| model.is_within(resolved, &file.path);
        // An archive unpacked beside such a file may hold one of its name, and a removal of unknown entries there may
        // mean it. The project's own top is left out: both are everyday work there.
        let beside = inside && kind != EffectKind::Modify && !self.project().iter().any(|p| p == resolved);
        let laid_over = |file: &File| {
            beside && (file.exists || kind == EffectKind::Create) && model.parent(&file.path) == Some(resolved)
        };
        self.files().iter().chain(self.led_out()).any(|file| meant(file) || taken(file) || laid_over(file))
            || !inside && self.is_other_name(kind, resolved)
    }

    /// What was recycled is the operator's to bring back or to remove for good.
    fn is_trash(&self, resolved: &str, takes_tree: bool) -> bool {
        let model = self.model;
        model.parts(resolved).any(|part| model.same(part, TRASH))
            || takes_tree && self.world.entry(&model.join(resolved, TRASH)).is_some()
    }

    /// Whether `program` would put a whole folder, with whatever is in it, where the folder of a fenced file is missing.
    pub(crate) fn is_filled_by(&self, program: &str, kind: EffectKind, resolved: &str) -> bool {
        let model = self.model;
        kind == EffectKind::Create
            && CARRIERS.contains(&program)
            && self.place.fenced.iter().any(|file| model.parent(file).is_some_and(|dir| model.same(dir, resolved)))
    }

    /// Whether a part of the path has the name of a fenced file or folder.
    fn spells_one(&self, resolved: &str) -> bool {
        let model = self.model;
        let names = self.names.get_or_init(|| self.place.fenced.iter().map(|file| model.base_name(file)).collect());
        model.parts(resolved).any(|part| names.iter().any(|name| model.same(part, name)))
    }

    /// Whether a write there would go into one of the guard's own files by another name of it (a hard link).
    fn is_other_name(&self, kind: EffectKind, resolved: &str) -> bool {
        if kind == EffectKind::Delete || self.home.is_empty() {
            return false;
        }
        let Some(file) = self.world.linked_file(resolved) else { return false };
        let record = format!("workspace-mgr/sessions/{}.json", self.model.base_name(&self.scratch));
        let own = OWN_FILES.iter().copied().chain([record.as_str()]).map(|name| self.model.join(&self.home, name));
        let own = own.chain(self.files().iter().map(|file| file.path.clone()));
        own.filter_map(|path| self.world.linked_file(&path)).any(|other| other == file)
    }

    fn project(&self) -> &[String] {
        self.project.get_or_init(|| {
            let paths = self.place.project.iter();
            paths.flat_map(|p| [false, true].map(|follow| resolve(self.world, p, follow).path)).collect()
        })
    }

    /// A fenced file's own name counts and, where it is a link, what it leads to.
    fn files(&self) -> &[File] {
        self.files.get_or_init(|| {
            let mut files = Vec::with_capacity(self.place.fenced.len() + 2);
            for path in &self.place.fenced {
                let at = resolve(self.world, path, false);
                if at.entry == Some(EntryKind::Link) {
                    let to = resolve(self.world, path, true);
                    files.push(File { path: to.path, exists: to.entry.is_some() });
                }
                files.push(File { path: at.path, exists: at.entry.is_some() });
            }
            files
        })
    }

    /// HOME itself is fenced; what links in it lead to lies elsewhere, and may not be there yet.
    fn led_out(&self) -> &[File] {
        self.led_out.get_or_init(|| {
            let names = OWN_FILES.iter().filter(|_| !self.home.is_empty());
            let really = names.map(|name| resolve(self.world, &self.model.join(&self.home, name), true));
            let out = really.filter(|at| !self.model.is_within(&at.path, &self.home));
            out.map(|at| File { path: at.path, exists: at.entry.is_some() }).collect()
        })
    }

    fn is_own_proof(&self, resolved: &str) -> bool {
        let model = self.model;
        model.same(model.base_name(resolved), OWNER_FILE)
            && model.parent(resolved).is_some_and(|dir| model.same(dir, &self.scratch))
    }

    /// Scratch, the temp folder and the workspaces lie in HOME and are meant to be written.
    fn is_open_part(&self, resolved: &str) -> bool {
        let model = self.model;
        let below = |dir: &str| {
            let dir = model.join(&self.home, dir);
            model.is_within(resolved, &dir) && resolved.len() > dir.len()
        };
        if model.is_within(resolved, &self.temp) || model.is_within(resolved, &self.scratch) {
            return !self.is_own_proof(resolved);
        }
        below("workspaces") || (below("scratch") && !model.same(model.base_name(resolved), OWNER_FILE))
    }
}

/// Programs that make a folder with what another one holds.
const CARRIERS: [&str; 14] = [
    "mv",
    "cp",
    "ln",
    "rsync",
    "git",
    "gh",
    "install",
    "move",
    "copy",
    "xcopy",
    "robocopy",
    "mklink",
    "move-item",
    "copy-item",
];

/// Files in HOME that say what is allowed.
const OWN_FILES: [&str; 2] = ["config.toml", "workspace-mgr/grants.json"];

/// The proof of ownership in each scratch folder (DESIGN, section 2).
const OWNER_FILE: &str = ".dsh-owner.json";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::Span;
    use crate::world::FakeWorld;

    fn operators(args: &[&str]) -> bool {
        let args = args.iter().map(|a| (*a).to_owned()).collect();
        is_operators(&OperatorCall { args, span: Span::default() })
    }

    #[test]
    fn subcommands() {
        for args in [
            &["allow", "/srv"][..],
            &["config", "set", "gate", "false"],
            &["config"],
            &["uninstall", "claude-code"],
            &["install", "claude-code"],
            &["recycle", "x"],
            &["trash", "purge", "1"],
            &["revoke", "/srv"],
            &["session", "--clean"],
            &["--unknown"],
            &["run", "--", "x", "--help"],
            &["install", "claude-code", "--", "--dry-run"],
        ] {
            assert!(operators(args), "{args:?}");
        }
        for args in [&["allow", "--help"][..], &["uninstall", "claude-code", "--dry-run"], &["config", "-h"]] {
            assert!(!operators(args), "{args:?}");
        }
        for args in [&[][..], &["explain", "mkdir /srv/x"], &["status"], &["config", "show"], &["--version"]] {
            assert!(!operators(args), "{args:?}");
        }
    }

    #[test]
    fn fenced_paths() {
        let world = FakeWorld::new(Model::Posix)
            .with_home("/h")
            .dir("/h/.wsguard/scratch/s1")
            .dir("/h/.claude")
            .file("/dotfiles/claude.json", "{}")
            .link("/h/.claude/settings.json", "/dotfiles/claude.json");
        let place = Place {
            home: "/h/.wsguard".into(),
            project: None,
            scratch: "/h/.wsguard/scratch/s1".into(),
            temp: "/h/.wsguard/cache/tmp".into(),
            system_temp: Vec::new(),
            harness_state: vec!["/h/.claude".into()],
            fenced: vec!["/h/.claude/settings.json".into(), "/h/.claude/session-env".into()],
        };
        let check = |kind, path: &str, want: bool| {
            assert_eq!(
                Fence::new(&world, &place).stops(kind, path, false, world.entry(path).is_some()),
                want,
                "{kind:?} {path}"
            );
        };
        check(EffectKind::Create, "/h/.wsguard/config.toml", true);
        check(EffectKind::Create, "/h/.wsguard/workspace-mgr/grants.json", true);
        check(EffectKind::Read, "/h/.wsguard/config.toml", false);
        check(EffectKind::Create, "/h/.wsguard/scratch/s1/a", false);
        check(EffectKind::Create, "/h/.wsguard/scratch/s1/.dsh-owner.json", true);
        check(EffectKind::Delete, "/h/.wsguard/scratch/s2/.dsh-owner.json", true);
        check(EffectKind::Create, "/h/.wsguard/cache/tmp/x", false);
        check(EffectKind::Delete, "/h/.wsguard/scratch", true);
        check(EffectKind::Delete, "/h", true);
        check(EffectKind::Delete, "/h/.claude", true);
        check(EffectKind::Create, "/h/.claude/plans/a.md", false);
        check(EffectKind::Modify, "/dotfiles/claude.json", true);
        check(EffectKind::Delete, "/h/.claude/settings.json", true);
        check(EffectKind::Modify, "/h/.claude/settings.json", true);
        check(EffectKind::Create, "/h/.claude/session-env/s1/hook-1.sh", true);
        check(EffectKind::Read, "/h/.claude/session-env/s1/hook-1.sh", false);
        check(EffectKind::Create, "/h/.claude/session-environment", false);
        let inside = |kind, path: &str| Fence::new(&world, &place).stops(kind, path, true, true);
        assert!(inside(EffectKind::Delete, "/h/.wsguard"));
        assert!(inside(EffectKind::Create, "/h/.claude/session-env/s1"));
        assert!(inside(EffectKind::Create, "/h/.wsguard/workspace-mgr"));
        assert!(!inside(EffectKind::Delete, "/h"), "some entries below the home folder, not all");
        assert!(!inside(EffectKind::Delete, "/h/.wsguard/scratch/s1"));
        assert!(inside(EffectKind::Create, "/h/.claude"), "an archive may hold a settings.json");
        assert!(!inside(EffectKind::Create, "/h/.claude/plans"));
    }
}
