//! How an explanation looks.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::excerpt::excerpt;
use super::output::{BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::gate::{Judged, ProjectRefusal, Rule, Standing, Verdict};
use crate::hook::Explanation;
use crate::shell::{Certainty, EffectKind, GapKind, Target};
use crate::world::EntryKind;

/// Effects that are shown; `--json` has them all.
const MAX_SHOWN: usize = 200;

/// For people.
pub fn text(explanation: &Explanation, command: &str) -> String {
    let judgement = &explanation.judgement;
    let mut out = String::new();
    if explanation.gate_off {
        line(&mut out, paint(WARN, "gate = false: nothing is judged"));
    }
    for (i, judged) in judgement.effects.iter().take(MAX_SHOWN).enumerate() {
        effect(&mut out, i + 1, judged, command);
    }
    if judgement.effects.len() > MAX_SHOWN {
        let more = judgement.effects.len() - MAX_SHOWN;
        line(&mut out, paint(DIM, format_args!("… and {more} more (--json shows all)")));
    }
    for gap in &judgement.gaps {
        line(&mut out, format_args!("{} {}", paint(BAD, "not understood:"), gap_text(gap.kind)));
        out.push_str(&excerpt(command, gap.span, ""));
    }
    for call in &judgement.operator_calls {
        line(&mut out, format_args!("{} wsguard {}", paint(BOLD, "operator command:"), call.args.join(" ")));
        out.push_str(&excerpt(command, call.span, ""));
    }
    if out.is_empty() {
        line(&mut out, "no effect on any path");
    }
    let project = explanation.place.project.as_deref().unwrap_or("unknown");
    let not_root = match judgement.project_refusal {
        Some(ProjectRefusal::DriveRoot) => ", which is no allowed root because it is a drive's root",
        Some(ProjectRefusal::HomeFolder) => ", which is no allowed root because it is the home folder",
        None => "",
    };
    line(&mut out, paint(DIM, format_args!("project: {project}{not_root}")));
    verdict(&mut out, explanation);
    out
}

fn verdict(out: &mut String, explanation: &Explanation) {
    let judgement = &explanation.judgement;
    let rule = judgement.broken.as_ref().map_or("", |(rule, _)| rule.code());
    let (word, text) = match (&judgement.verdict, &judgement.warning) {
        (Verdict::Allow, None) => return line(out, format_args!("verdict: {}", paint(GOOD, "allow"))),
        (Verdict::Allow, Some(text)) => (paint(WARN, "allow with a warning").to_string(), text),
        (Verdict::Deny { reason }, _) => (paint(BAD, "deny").to_string(), reason),
        (Verdict::Ask { reason }, _) => (paint(WARN, "ask").to_string(), reason),
    };
    line(out, format_args!("verdict: {word} ({rule})\n  {text}"));
}

fn line(out: &mut String, text: impl std::fmt::Display) {
    // Writing to a String does not fail.
    let _infallible = writeln!(out, "{text}");
}

fn effect(out: &mut String, number: usize, judged: &Judged, command: &str) {
    let effect = &judged.effect;
    if effect.kind == EffectKind::Opaque {
        let what = match &effect.target {
            Target::Path(path) => format!("what `{path}` does is not judged"),
            Target::Inside(path) => format!("what something in `{path}` does is not judged"),
            Target::Opaque => "what is run here can't be known and is not judged".to_owned(),
        };
        line(out, format_args!("{number}. {}: {}", paint(BOLD, "opaque"), paint(WARN, what)));
        return out.push_str(&excerpt(command, effect.span, &effect.program));
    }
    let what = format!("{} {}", kind(effect.kind), shown_target(&effect.target));
    let style = if matches!(judged.standing, Standing::Violation(_)) { BAD } else { GOOD };
    line(out, format_args!("{number}. {}: {}", paint(BOLD, what), paint(style, standing(judged.standing))));
    let mut note = format!("{}, {}", effect.program, certainty(effect.certainty));
    if judged.resolved.is_some() {
        let _infallible = write!(note, "; {}", entry(judged.entry));
    }
    out.push_str(&excerpt(command, effect.span, &note));
    if let (Some(resolved), Target::Path(named) | Target::Inside(named)) = (&judged.resolved, &effect.target)
        && resolved != named
    {
        line(out, format_args!("   leads to {resolved}"));
    }
}

const fn kind(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::Mention => "mention",
        EffectKind::Read => "read",
        EffectKind::Opaque => "opaque",
        EffectKind::Modify => "modify",
        EffectKind::Delete => "delete",
        EffectKind::Create => "create",
    }
}

const fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Assumed => "assumed",
        Certainty::Proven => "proven",
    }
}

fn shown_target(target: &Target) -> String {
    match target {
        Target::Path(path) => path.clone(),
        Target::Inside(path) => format!("something in {path}"),
        Target::Opaque => "a path that can't be known".to_owned(),
    }
}

const fn entry(entry: Option<EntryKind>) -> &'static str {
    match entry {
        None => "nothing there",
        Some(EntryKind::File) => "a file is there",
        Some(EntryKind::Dir) => "a folder is there",
        Some(EntryKind::Link) => "a link is there",
        Some(EntryKind::Other) => "a device, pipe or socket is there",
        Some(EntryKind::Unreadable) => "can't be looked at",
    }
}

fn standing(standing: Standing) -> String {
    match standing {
        Standing::Harmless => "harmless".to_owned(),
        Standing::NotJudged => "not judged".to_owned(),
        Standing::Exists => "exists, may be changed in place".to_owned(),
        Standing::Within(root) => format!("inside an allowed root ({})", root.label()),
        Standing::Unprotected => "not on a protected drive".to_owned(),
        Standing::Granted => "granted by the operator".to_owned(),
        Standing::PackageInstall => "a package manager's own tree (package_installs = \"allow\")".to_owned(),
        Standing::Violation(rule) => rule_text(rule).to_owned(),
    }
}

const fn rule_text(rule: Rule) -> &'static str {
    match rule {
        Rule::CreatesOutside => "creates outside every allowed root",
        Rule::Opaque => "creates at a path that can't be known",
        Rule::ChangesExisting => "changes what exists outside (protect_existing)",
        Rule::DeletesExisting => "removes what exists outside (protect_existing)",
        Rule::Repository => "is a repository's own (protect_existing)",
        Rule::Fence => "belongs to the guard itself",
        Rule::Operator => "is the operator's command",
        Rule::PackageInstall => "installs packages (package_installs)",
        Rule::NotUnderstood => "is not understood",
        Rule::NamesMissing => "names a path that does not exist (shell = \"strict\")",
        Rule::DeviceName => "makes a file with a device's name",
    }
}

fn gap_text(kind: GapKind) -> String {
    format!("{kind:?}").to_lowercase()
}

/// For programs.
pub fn json(explanation: &Explanation, command: &str) -> Value {
    let judgement = &explanation.judgement;
    let (verdict, reason) = match &judgement.verdict {
        Verdict::Allow => ("allow", judgement.warning.as_ref()),
        Verdict::Deny { reason } => ("deny", Some(reason)),
        Verdict::Ask { reason } => ("ask", Some(reason)),
    };
    json!({
        "command": command,
        "cwd": explanation.call.cwd,
        "session": explanation.call.session,
        "project": explanation.place.project,
        "scratch": explanation.place.scratch,
        "gate": !explanation.gate_off,
        "verdict": verdict,
        "rule": judgement.broken.as_ref().map(|(rule, _)| rule.code()),
        "path": judgement.broken.as_ref().and_then(|(_, path)| path.as_ref()),
        "reason": reason,
        "corrected": judgement.corrected,
        "effects": judgement.effects.iter().map(|e| effect_json(e, command)).collect::<Vec<_>>(),
        "gaps": judgement.gaps.iter().map(|gap| json!({
            "kind": gap_text(gap.kind), "start": gap.span.start, "end": gap.span.end,
        })).collect::<Vec<_>>(),
        "operatorCalls": judgement.operator_calls.iter().map(|call| json!({
            "args": call.args, "start": call.span.start, "end": call.span.end,
        })).collect::<Vec<_>>(),
    })
}

fn effect_json(judged: &Judged, command: &str) -> Value {
    let effect = &judged.effect;
    let (target, inside) = match &effect.target {
        Target::Path(path) => (Some(path), false),
        Target::Inside(path) => (Some(path), true),
        Target::Opaque => (None, false),
    };
    let (standing, rule, root) = match judged.standing {
        Standing::Harmless => ("harmless", None, None),
        Standing::NotJudged => ("not_judged", None, None),
        Standing::Exists => ("exists", None, None),
        Standing::Within(root) => ("within", None, Some(root.label())),
        Standing::Unprotected => ("unprotected", None, None),
        Standing::Granted => ("granted", None, None),
        Standing::PackageInstall => ("package_install", None, None),
        Standing::Violation(rule) => ("violation", Some(rule.code()), None),
    };
    let there = match judged.entry {
        None => None,
        Some(EntryKind::File) => Some("file"),
        Some(EntryKind::Dir) => Some("dir"),
        Some(EntryKind::Link) => Some("link"),
        Some(EntryKind::Other) => Some("other"),
        Some(EntryKind::Unreadable) => Some("unreadable"),
    };
    json!({
        "kind": kind(effect.kind),
        "path": target,
        "inside": inside,
        "resolved": judged.resolved,
        "there": there,
        "certainty": certainty(effect.certainty),
        "program": effect.program,
        "start": effect.span.start,
        "end": effect.span.end,
        "text": command.get(effect.span.start as usize..effect.span.end as usize),
        "standing": standing,
        "rule": rule,
        "root": root,
    })
}
