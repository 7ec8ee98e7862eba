//! The agent may not move its own fence: the product's HOME, the hook's registration, the operator's commands.

use super::place::Place;
use crate::path::resolve;
use crate::shell::{EffectKind, OperatorCall};
use crate::world::World;

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
    if call.args.iter().any(|a| CHANGING_OPTIONS.contains(&a.as_str())) {
        return true;
    }
    if matches!(first.as_str(), "--version" | "-V") || READING.contains(&first.as_str()) {
        return false;
    }
    let second = call.args.get(1).map_or("", String::as_str);
    !READING_PAIRS.contains(&(first.as_str(), second))
}

/// Whether an effect of this kind on the resolved path would move the fence.
///
/// `whole_tree`: the effect takes everything below the path with it (a removal or a rename).
pub(crate) fn is_fenced(world: &dyn World, place: &Place, kind: EffectKind, resolved: &str) -> bool {
    if matches!(kind, EffectKind::Read | EffectKind::Mention) {
        return false;
    }
    let model = world.model();
    let real = |p: &str| resolve(world, p, true).path;
    let takes_tree = kind == EffectKind::Delete;
    if !place.home.is_empty() {
        let home = real(&place.home);
        if takes_tree && model.is_within(&home, resolved) {
            return true;
        }
        if model.is_within(resolved, &home) && !is_open_part(world, place, &home, resolved) {
            return true;
        }
    }
    // The proof that a scratch folder is ours lies in the folder, whatever its root is.
    let owner = model.join(&real(&place.scratch), OWNER_FILE);
    if model.fold(resolved) == model.fold(&owner) {
        return true;
    }
    place.fenced.iter().any(|path| {
        // The file's own name counts and, where it is a link, what it leads to.
        let at = resolve(world, path, false).path;
        let to = real(path);
        [at, to].iter().any(|p| model.fold(p) == model.fold(resolved) || takes_tree && model.is_within(p, resolved))
    })
}

/// The proof of ownership in each scratch folder (DESIGN, section 2).
const OWNER_FILE: &str = ".dsh-owner.json";

/// Scratch, the temp folder and the workspaces lie in HOME and are meant to be written.
fn is_open_part(world: &dyn World, place: &Place, home: &str, resolved: &str) -> bool {
    let model = world.model();
    let below = |dir: &str| {
        let dir = model.join(home, dir);
        model.is_within(resolved, &dir) && resolved.len() > dir.len()
    };
    let temp = resolve(world, &place.temp, true).path;
    let scratch = resolve(world, &place.scratch, true).path;
    if model.is_within(resolved, &temp) || model.is_within(resolved, &scratch) {
        return model.base_name(resolved) != OWNER_FILE || model.parent(resolved) != Some(scratch.as_str());
    }
    below("workspaces") || (below("scratch") && model.base_name(resolved) != OWNER_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Model;
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
        ] {
            assert!(operators(args), "{args:?}");
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
            harness_state: vec!["/h/.claude".into()],
            fenced: vec!["/h/.claude/settings.json".into()],
        };
        let check = |kind, path: &str, want: bool| {
            assert_eq!(is_fenced(&world, &place, kind, path), want, "{kind:?} {path}");
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
    }
}
