//! What one effect means under a policy.

use super::Inputs;
use super::call::Tool;
use super::fence::Fence;
use super::place::{RootKind, Roots, is_protected};
use crate::config::{Choice, Policy};
use crate::path::{Model, is_device, resolve};
use crate::shell::{Certainty, Dialect, Effect, EffectKind, Target};
use crate::world::EntryKind;

/// An effect with what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The effect.
    pub effect: Effect,
    /// The path after links were followed, where there is one.
    pub resolved: Option<String>,
    /// What stands there now.
    pub entry: Option<EntryKind>,
    /// What it means.
    pub standing: Standing,
}

/// What an effect means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Reads, mentions, or can't succeed.
    Harmless,
    /// Runs something whose effects nobody looked at. No rule is broken by that alone; the observer sees what comes of it.
    NotJudged,
    /// What exists may be changed in place.
    Exists,
    /// Inside an allowed root.
    Within(RootKind),
    /// Not on a protected drive.
    Unprotected,
    /// The operator allowed the path.
    Granted,
    /// A package manager's own tree, and `package_installs` allows it.
    PackageInstall,
    /// Against the rules.
    Violation(Rule),
}

/// The rule that an effect breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Creates outside the allowed roots.
    CreatesOutside,
    /// Creates at a path that can't be known.
    Opaque,
    /// Changes something outside the allowed roots (`protect_existing`).
    ChangesExisting,
    /// Removes something outside the allowed roots (`protect_existing`).
    DeletesExisting,
    /// Writes by hand into a repository's own folder (`protect_existing`).
    Repository,
    /// Moves the guard's own fence.
    Fence,
    /// Runs an operator's subcommand.
    Operator,
    /// Installs packages (`package_installs`).
    PackageInstall,
    /// A part of the command was not understood.
    NotUnderstood,
    /// Names a path that does not exist (`shell = "strict"`).
    NamesMissing,
    /// Makes a file with a device's name, which Windows can't remove by that name.
    DeviceName,
}

impl Rule {
    /// The stable name of the rule, for journals and `--json`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::CreatesOutside => "creates_outside",
            Self::Opaque => "opaque_path",
            Self::ChangesExisting => "changes_existing",
            Self::DeletesExisting => "deletes_existing",
            Self::Repository => "repository",
            Self::Fence => "fence",
            Self::Operator => "operator_only",
            Self::PackageInstall => "package_install",
            Self::NotUnderstood => "not_understood",
            Self::NamesMissing => "names_missing_path",
            Self::DeviceName => "device_name",
        }
    }
}

/// Judges one effect.
pub(crate) fn judge_effect(inputs: &Inputs<'_>, roots: &Roots<'_>, fence: &Fence<'_>, effect: Effect) -> Judged {
    let world = inputs.world;
    match effect.kind {
        EffectKind::Read | EffectKind::Mention => {
            return Judged { effect, resolved: None, entry: None, standing: Standing::Harmless };
        }
        EffectKind::Opaque => return Judged { effect, resolved: None, entry: None, standing: Standing::NotJudged },
        EffectKind::Modify | EffectKind::Delete | EffectKind::Create => {}
    }
    if effect.package_install {
        return packages(inputs, roots, fence, effect);
    }
    let (path, inside) = match &effect.target {
        Target::Path(path) => (path, false),
        Target::Inside(path) => (path, true),
        Target::Opaque => {
            let standing = opaque(inputs.policy, &effect);
            return Judged { effect, resolved: None, entry: None, standing };
        }
    };
    if world.model() == Model::Windows && !inside && is_device(path) {
        let standing = device(inputs, &effect);
        return Judged { effect, resolved: None, entry: None, standing };
    }
    // A removal or rename acts on the link itself, a write goes through it.
    let follow = inside || effect.kind != EffectKind::Delete;
    let resolved = resolve(world, path, follow);
    let standing = if resolved.unresolvable {
        Standing::Harmless
    } else {
        stand(inputs, roots, fence, &effect, &resolved.path, resolved.entry.filter(|_| !inside), path)
    };
    Judged { effect, resolved: Some(resolved.path), entry: resolved.entry, standing }
}

/// Packages in an environment of the session's own (`.venv` of the project) are like anything else that is put there;
/// elsewhere the setting decides.
fn packages(inputs: &Inputs<'_>, roots: &Roots<'_>, fence: &Fence<'_>, mut effect: Effect) -> Judged {
    let by_setting = match inputs.policy.package_installs {
        Choice::Allow => Standing::PackageInstall,
        Choice::Ask | Choice::Deny => Standing::Violation(Rule::PackageInstall),
    };
    let (Target::Path(path) | Target::Inside(path)) = effect.target else {
        return Judged { effect, resolved: None, entry: None, standing: by_setting };
    };
    let resolved = resolve(inputs.world, &path, true);
    effect.target = Target::Inside(path.clone());
    let standing = match stand(inputs, roots, fence, &effect, &resolved.path, None, &path) {
        _ if resolved.unresolvable => by_setting,
        Standing::Violation(Rule::CreatesOutside) => by_setting,
        standing => standing,
    };
    Judged { effect, resolved: Some(resolved.path), entry: resolved.entry, standing }
}

/// Git Bash and its tools take `nul` for a name like any other; every other program gets the device.
fn device(inputs: &Inputs<'_>, effect: &Effect) -> Standing {
    /// Programs of Git Bash that make files.
    const TOOLS: [&str; 12] =
        ["tee", "touch", "cp", "mv", "mkdir", "ln", "dd", "install", "truncate", "sort", "split", "tar"];
    let bash = matches!(inputs.call.tool, Tool::Shell { dialect: Dialect::Bash, .. });
    let own = effect.program.contains('>') || TOOLS.contains(&effect.program.as_str());
    if bash && own && effect.kind == EffectKind::Create {
        Standing::Violation(Rule::DeviceName)
    } else {
        Standing::Harmless
    }
}

fn opaque(policy: &Policy, effect: &Effect) -> Standing {
    let proven_creation = effect.kind == EffectKind::Create && effect.certainty == Certainty::Proven;
    if proven_creation && policy.opaque != Choice::Allow {
        Standing::Violation(Rule::Opaque)
    } else {
        Standing::Harmless
    }
}

/// A repository's configuration and hooks make git run programs, and its other files are git's to write: by anything
/// else they are left alone, in the project too. `paths`: with links followed, and as named.
fn repository(
    inputs: &Inputs<'_>,
    roots: &Roots<'_>,
    effect: &Effect,
    entry: Option<EntryKind>,
    paths: [&str; 2],
) -> Option<Standing> {
    let model = inputs.world.model();
    let is_part = |path: &str| model.parts(path).any(|part| model.same(part, ".git"));
    let program = effect.program.as_str();
    let is_gits =
        ["git", "gh", "hub", "glab", "jj", "scalar", "lazygit"].contains(&program) || program.starts_with("git-");
    let stays = match effect.kind {
        // What is not there is not removed; a folder that is there is not made.
        EffectKind::Delete => entry.is_none() && matches!(effect.target, Target::Path(_)),
        _ => entry == Some(EntryKind::Dir) && matches!(effect.target, Target::Path(_)),
    };
    if is_gits || stays || !paths.into_iter().any(is_part) {
        return None;
    }
    // A clone in scratch or in a temp folder is the session's own.
    if matches!(roots.holding(paths[0]), Some(RootKind::Scratch | RootKind::Temp)) {
        return None;
    }
    let granted = paths.into_iter().any(|path| (inputs.granted)(path));
    Some(if granted { Standing::Granted } else { Standing::Violation(Rule::Repository) })
}

/// `entry` is what stands at the path itself, `None` for "somewhere inside". `named` is the path before
/// links were followed: grants are given on either spelling.
fn stand(
    inputs: &Inputs<'_>,
    roots: &Roots<'_>,
    fence: &Fence<'_>,
    effect: &Effect,
    resolved: &str,
    entry: Option<EntryKind>,
    named: &str,
) -> Standing {
    let inside = matches!(effect.target, Target::Inside(_));
    let filled = || !inside && entry.is_none() && fence.is_filled_by(&effect.program, effect.kind, resolved);
    if fence.stops(effect.kind, resolved, inside, entry.is_some()) || filled() {
        return Standing::Violation(Rule::Fence);
    }
    if inputs.policy.protect_existing
        && effect.certainty == Certainty::Proven
        && let Some(standing) = repository(inputs, roots, effect, entry, [resolved, named])
    {
        return standing;
    }
    // What can't be looked at counts as missing: not proven to be there.
    let exists = entry.is_some_and(|e| e != EntryKind::Unreadable);
    // A tool that names the file it writes is judged by the place alone; a shell command may change what exists.
    let by_place = matches!(inputs.call.tool, Tool::Write { known: true, .. });
    let rule = match effect.kind {
        EffectKind::Create if !exists || by_place => Rule::CreatesOutside,
        EffectKind::Create | EffectKind::Modify => {
            let proven = effect.certainty == Certainty::Proven;
            if !inputs.policy.protect_existing
                || !proven
                || (!exists && entry.is_none())
                || entry == Some(EntryKind::Dir) && effect.kind == EffectKind::Create
            {
                return if exists { Standing::Exists } else { Standing::Harmless };
            }
            Rule::ChangesExisting
        }
        EffectKind::Delete => {
            let missing = entry.is_none() && matches!(effect.target, Target::Path(_));
            if !inputs.policy.protect_existing || effect.certainty != Certainty::Proven || missing {
                return if exists { Standing::Exists } else { Standing::Harmless };
            }
            Rule::DeletesExisting
        }
        EffectKind::Read | EffectKind::Mention | EffectKind::Opaque => return Standing::Harmless,
    };
    if let Some(kind) = roots.holding(resolved) {
        return Standing::Within(kind);
    }
    if !is_protected(inputs.world.model(), inputs.policy, resolved) {
        return Standing::Unprotected;
    }
    if (inputs.granted)(resolved) || (named != resolved && (inputs.granted)(named)) {
        return Standing::Granted;
    }
    Standing::Violation(rule)
}
