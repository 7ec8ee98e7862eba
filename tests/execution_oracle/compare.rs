//! What happened against what the engine said.

use workspace_guard::{
    config::Policy,
    gate::{Inputs, Judged, Judgement, Place, Standing, Tool, ToolCall, Verdict, judge},
    path::Model,
    shell::{Certainty, Dialect, Effect, EffectKind, Target},
};

use crate::{
    machine::{Machine, SCRATCH, TMP, Template},
    snapshot::{Difference, Snapshot},
    table::Entry,
};

/// A disagreement with one command.
pub(crate) struct Finding {
    pub(crate) at: String,
    pub(crate) command: String,
    pub(crate) what: Vec<String>,
}

/// How a command is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Session {
    /// Its project is the project.
    Usual,
    /// It has none: what a command makes in the project is outside, too, so that each of them shows twice as much.
    Homeless,
    /// As `Homeless`, with `protect_existing`.
    Protective,
}

/// Judges and runs one command.
pub(crate) fn examine(template: &Template, entry: &Entry, verbose: bool) -> Option<Finding> {
    let machine = Machine::new(template);
    for setup in &entry.setup {
        machine.bash(&machine.fill(setup));
    }
    let command = machine.fill(&entry.command);
    let cwd = machine.fill(entry.cwd.as_deref().unwrap_or("%PROJECT"));
    let [usual, homeless, protective] = [Session::Usual, Session::Homeless, Session::Protective]
        .map(|session| judged(&machine, session, &cwd, &command));
    let before = Snapshot::take(&machine.root);
    let ran = machine.run(entry.shell.as_deref().unwrap_or("bash"), &cwd, &command);
    let after = Snapshot::take(&machine.root);
    let happened = before.difference(&after);

    let mut what = Vec::new();
    if ran.code != Some(0) && !entry.may_fail {
        what.push(format!("it ended with {:?}: {}", ran.code, ran.errors.trim()));
    }
    let case = Case { entry, machine: &machine, before: &before, after: &after, happened: &happened };
    // What is only latent is denied all the same.
    let overjudged = if entry.latent.is_some() { Vec::new() } else { case.overjudged(&usual, &homeless) };
    excused(&mut what, "missed", entry.missed.as_ref(), case.missed(&homeless));
    excused(&mut what, "overjudged", entry.overjudged.as_ref(), overjudged);
    excused(&mut what, "latent", entry.latent.as_ref(), case.latent(&homeless));
    excused(&mut what, "loose", entry.loose.as_ref(), case.loose(&protective));
    for state in &entry.state {
        let path = machine.at(state);
        if !happened.created.iter().any(|made| within(made, &path)) {
            what.push(format!("stale: nothing is created in {state}"));
        }
    }
    if verbose {
        let effects: Vec<_> = homeless.effects.iter().map(told).collect();
        crate::say(&format!(
            "{}: {command}\n  {happened:?}\n  {}\n  gaps {:?}\n",
            entry.at,
            effects.join("\n  "),
            homeless.gaps
        ));
    }
    let short = |line: String| line.replace(machine.root.to_str().unwrap(), "");
    let what: Vec<String> = what.into_iter().map(short).collect();
    (!what.is_empty()).then(|| Finding { at: entry.at.clone(), command: entry.command.clone(), what })
}

fn told(judged: &Judged) -> String {
    let effect = &judged.effect;
    format!("{:?} {:?} {:?} by {}: {:?}", effect.certainty, effect.kind, effect.target, effect.program, judged.standing)
}

fn judged(machine: &Machine, session: Session, cwd: &str, command: &str) -> Judgement {
    let place = Place {
        home: machine.at("home/.wsguard"),
        project: (session == Session::Usual).then(|| machine.at("home/project")),
        scratch: machine.at(SCRATCH),
        temp: machine.at(TMP),
        system_temp: Vec::new(),
        harness_state: Vec::new(),
        fenced: Vec::new(),
    };
    let mut policy = Policy::for_model(Model::Posix);
    policy.protect_existing = session == Session::Protective;
    let call = ToolCall {
        writes: Vec::new(),
        harness: "claude-code",
        session: "s".to_owned(),
        call: None,
        cwd: cwd.to_owned(),
        tool: Tool::Shell { dialect: Dialect::Bash, command: command.to_owned(), workdir: None },
    };
    let world = machine.world();
    judge(&Inputs { call: &call, world: &world, policy: &policy, place: &place, granted: &|_| false })
}

fn within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether `path` is what mktemp may make of a template. The engine names the template: that is what the text says.
fn fits_template(path: &str, template: &str) -> bool {
    path.len() == template.len()
        && path.chars().zip(template.chars()).all(|(made, asked)| asked == 'X' || made == asked)
}

fn is_denied(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::Deny { .. })
}

/// A disagreement counts unless the table has a reason for it; a reason without a disagreement counts, too.
fn excused(what: &mut Vec<String>, mark: &str, reason: Option<&String>, found: Vec<String>) {
    match reason {
        None => what.extend(found.into_iter().map(|line| format!("{mark}: {line}"))),
        Some(_) if !found.is_empty() => {}
        Some(reason) => what.push(format!("stale: no longer {mark} ({reason})")),
    }
}

/// One command with what it did.
struct Case<'a> {
    entry: &'a Entry,
    machine: &'a Machine,
    before: &'a Snapshot,
    after: &'a Snapshot,
    happened: &'a Difference,
}

impl Case<'_> {
    /// Not in the session's own folders, and nothing that a program keeps by itself.
    fn counts(&self, path: &str) -> bool {
        let own = [SCRATCH, TMP];
        !own.into_iter().chain(self.entry.state.iter().map(String::as_str)).any(|d| within(path, &self.machine.at(d)))
    }

    fn counting<'p>(&'p self, paths: &'p [String]) -> impl Iterator<Item = &'p String> {
        paths.iter().filter(|path| self.counts(path))
    }

    /// What is created, and what the engine says nothing of.
    fn missed(&self, homeless: &Judgement) -> Vec<String> {
        let unsaid = |path: &&String| !homeless.effects.iter().any(|e| self.covers(e, path));
        let mut found: Vec<String> = self
            .counting(&self.happened.created)
            .filter(unsaid)
            .map(|p| format!("nothing says that it creates {p}"))
            .collect();
        if !homeless.gaps.is_empty() {
            found.push(format!("not understood: {:?}", homeless.gaps));
        }
        if found.is_empty() && self.counting(&self.happened.created).next().is_some() && !is_denied(homeless) {
            found.push(format!("{:?} with creations outside", homeless.verdict));
        }
        found
    }

    /// Whether an effect says that `path` is created.
    fn covers(&self, judged: &Judged, path: &str) -> bool {
        if judged.effect.kind != EffectKind::Create {
            return false;
        }
        let Some(resolved) = &judged.resolved else { return true };
        let is_new = || !self.before.holds(resolved);
        if judged.effect.program == "mktemp" && fits_template(path, resolved) {
            return true;
        }
        // Folders above it are made with it; what lies below is named where the whole of it is new.
        within(resolved, path)
            || within(path, resolved) && (matches!(judged.effect.target, Target::Inside(_)) || is_new())
    }

    /// Denied though nothing was created.
    fn overjudged(&self, usual: &Judgement, homeless: &Judgement) -> Vec<String> {
        let project = self.machine.at("home/project");
        let anywhere = self.counting(&self.happened.created).next().is_some();
        let outside = self.counting(&self.happened.created).any(|path| !within(path, &project));
        let mut found = Vec::new();
        for (made, judgement, session) in [(outside, usual, "usual"), (anywhere, homeless, "homeless")] {
            if !made && judgement.verdict != Verdict::Allow {
                let why = judgement.effects.iter().filter(|e| matches!(e.standing, Standing::Violation(_)));
                let why: Vec<String> = why.map(told).collect();
                found.push(format!("denied in the {session} session: {} {:?}", why.join(", "), judgement.broken));
            }
        }
        found
    }

    /// Named as created, and not there.
    fn latent(&self, homeless: &Judgement) -> Vec<String> {
        let mut found = Vec::new();
        for (i, judged) in homeless.effects.iter().enumerate() {
            let effect = &judged.effect;
            let (EffectKind::Create, Certainty::Proven, Target::Path(_), Some(path)) =
                (effect.kind, effect.certainty, &effect.target, &judged.resolved)
            else {
                continue;
            };
            // Later removed or moved away again, as the engine says itself.
            let is_gone = homeless.effects[i..].iter().any(|later| {
                later.effect.kind == EffectKind::Delete
                    && later.resolved.as_ref().is_none_or(|gone| within(path, gone) || within(gone, path))
            });
            if within(path, self.machine.root.to_str().unwrap()) && !is_gone && !self.is_there(effect, path) {
                found.push(format!("named as created, but not there: {path}"));
            }
        }
        found
    }

    fn is_there(&self, effect: &Effect, path: &str) -> bool {
        let is_template = effect.program == "mktemp";
        self.after.holds(path) || is_template && self.happened.created.iter().any(|made| fits_template(made, path))
    }

    /// With `protect_existing`: changes and removals that pass, and denials without any.
    fn loose(&self, protective: &Judgement) -> Vec<String> {
        // Git's own folder is its own business.
        let touched = |paths: &[String]| -> Option<String> {
            self.counting(paths).find(|path| !path.contains("/.git/")).cloned()
        };
        let harm = touched(&self.happened.removed).or_else(|| touched(&self.happened.changed));
        match harm {
            Some(path) if !is_denied(protective) => vec![format!("allowed, but it changes or removes {path}")],
            None if self.happened.created.is_empty()
                && is_denied(protective)
                && self.entry.latent.is_none()
                && self.entry.overjudged.is_none() =>
            {
                vec![format!("denied under protect_existing: {:?}", protective.broken)]
            }
            _ => Vec::new(),
        }
    }
}
