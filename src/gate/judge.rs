//! The decision itself.

use super::call::{Tool, ToolCall};
use super::fence::{Fence, is_operators};
use super::outcome::{Judged, Rule, Standing, judge_effect};
use super::place::{Place, ProjectRefusal, Roots};
use super::verdict::Verdict;
use super::{reason, strict, suggest};
use crate::config::{Action, Choice, Policy, ShellMode};
use crate::path::resolve;
use crate::shell::{
    Certainty, Context, Dialect, Effect, EffectKind, Gap, GapKind, OperatorCall, Span, Target, analyse, analyse_code,
};
use crate::world::World;

/// Everything that a decision depends on.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// Disk and environment, read only.
    pub world: &'a dyn World,
    /// The settings.
    pub policy: &'a Policy,
    /// The session's place.
    pub place: &'a Place,
    /// Whether the operator allowed this path (asked only where the call would be denied otherwise).
    pub granted: &'a dyn Fn(&str) -> bool,
}

/// A decision with all that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The answer.
    pub verdict: Verdict,
    /// `action = "warn"`: what the agent is told while the call runs.
    pub warning: Option<String>,
    /// Every effect with its meaning.
    pub effects: Vec<Judged>,
    /// What was not understood.
    pub gaps: Vec<Gap>,
    /// Calls of the operator's command.
    pub operator_calls: Vec<OperatorCall>,
    /// The rule that decides, and the path, where something is against the rules.
    pub broken: Option<(Rule, Option<String>)>,
    /// The command with what it would create outside moved into scratch, where that is certain; it is itself allowed.
    pub corrected: Option<String>,
    /// Why the project folder is not an allowed root, where it isn't.
    pub project_refusal: Option<ProjectRefusal>,
}

impl Judgement {
    fn pass() -> Self {
        Self {
            verdict: Verdict::Allow,
            warning: None,
            effects: Vec::new(),
            gaps: Vec::new(),
            operator_calls: Vec::new(),
            broken: None,
            corrected: None,
            project_refusal: None,
        }
    }
}

/// What a call would do, before anything is said about where.
#[derive(Debug, Default)]
pub struct Foresight {
    effects: Vec<Effect>,
    gaps: Vec<Gap>,
    operator_calls: Vec<OperatorCall>,
}

impl Foresight {
    /// Whether nothing in it could break a rule, wherever the session's place is. Most calls end here, before
    /// anything is asked of the disk.
    pub fn is_idle(&self, policy: &Policy) -> bool {
        let names_count = matches!(policy.shell, ShellMode::Strict | ShellMode::StrictAndPrecise);
        let mutes = |e: &Effect| matches!(e.kind, EffectKind::Read | EffectKind::Mention | EffectKind::Opaque);
        !policy.gate
            || !names_count && self.gaps.is_empty() && self.operator_calls.is_empty() && self.effects.iter().all(mutes)
    }
}

/// Says what a call would do.
pub fn foresee(call: &ToolCall, world: &dyn World, policy: &Policy) -> Foresight {
    let mut foresight = of_tool(call, world, policy);
    if policy.gate && !call.writes.is_empty() {
        let besides = written(call, world, &call.writes, true);
        foresight.effects.extend(besides.effects);
        foresight.gaps.extend(besides.gaps);
    }
    foresight
}

fn of_tool(call: &ToolCall, world: &dyn World, policy: &Policy) -> Foresight {
    match &call.tool {
        _ if !policy.gate => Foresight::default(),
        Tool::Read { .. } | Tool::Other => Foresight::default(),
        Tool::Write { paths, known } => written(call, world, paths, *known),
        Tool::Shell { dialect, command, workdir } => {
            shell_effects(call, world, policy, *dialect, command, workdir.as_deref())
        }
        Tool::Code { language, source } => {
            let analysis = analyse_code(*language, source, &Context { cwd: &call.cwd, world });
            Foresight { effects: analysis.effects, gaps: analysis.gaps, operator_calls: analysis.operator_calls }
        }
    }
}

/// Judges one tool call. Pure but for what it reads through `inputs`.
pub fn judge(inputs: &Inputs<'_>) -> Judgement {
    weigh(inputs, foresee(inputs.call, inputs.world, inputs.policy))
}

/// Judges what [`foresee`] said of the call in `inputs`.
pub fn weigh(inputs: &Inputs<'_>, foresight: Foresight) -> Judgement {
    if !inputs.policy.gate {
        return Judgement::pass();
    }
    let ground = Ground::new(inputs);
    let mut judgement = place(inputs, &ground, foresight);
    if let Some((rule, _)) = judgement.broken {
        judgement.corrected = corrected(inputs, &ground, &judgement);
        let reason = reason::compose(inputs, &judgement);
        match severity(inputs.policy, rule) {
            Action::Deny => judgement.verdict = Verdict::Deny { reason },
            Action::Ask => judgement.verdict = Verdict::Ask { reason },
            Action::Warn => judgement.warning = Some(reason),
        }
    }
    judgement
}

/// The fence and what is broken in the call itself are never softened below the operator's `action`, and
/// the fence is always a denial.
fn severity(policy: &Policy, rule: Rule) -> Action {
    let softer = |choice| if choice == Choice::Ask { Action::Ask } else { policy.action };
    match rule {
        Rule::Fence | Rule::Operator => Action::Deny,
        Rule::PackageInstall if policy.package_installs == Choice::Deny => Action::Deny,
        Rule::PackageInstall => softer(policy.package_installs),
        Rule::Opaque => softer(policy.opaque),
        _ => policy.action,
    }
}

/// The session's place with its links followed once for a whole decision.
struct Ground<'a> {
    roots: Roots<'a>,
    fence: Fence<'a>,
}

impl<'a> Ground<'a> {
    fn new(inputs: &Inputs<'a>) -> Self {
        let roots = Roots::new(inputs.world, inputs.policy, inputs.place);
        Self { roots, fence: Fence::new(inputs.world, inputs.place) }
    }
}

/// Holds every effect against the session's place.
fn place(inputs: &Inputs<'_>, ground: &Ground<'_>, foresight: Foresight) -> Judgement {
    let mut judgement = Judgement::pass();
    judgement.project_refusal = ground.roots.project_refusal;
    judgement.gaps = foresight.gaps;
    judgement.operator_calls = foresight.operator_calls;
    judgement.effects.reserve(foresight.effects.len());
    for effect in foresight.effects {
        judgement.effects.push(judge_effect(inputs, &ground.roots, &ground.fence, effect));
    }
    let names_missing = || strictly_broken(inputs, &ground.roots);
    judgement.broken = worst_broken(inputs.policy, &judgement, names_missing);
    judgement
}

fn shell_effects(
    call: &ToolCall,
    world: &dyn World,
    policy: &Policy,
    dialect: Dialect,
    command: &str,
    workdir: Option<&str>,
) -> Foresight {
    let joined = workdir.map(|dir| world.model().join(&call.cwd, dir));
    let cwd = joined.as_deref().unwrap_or(&call.cwd);
    let analysis = analyse(dialect, command, &Context { cwd, world });
    let mut foresight =
        Foresight { effects: analysis.effects, gaps: analysis.gaps, operator_calls: analysis.operator_calls };
    if matches!(policy.shell, ShellMode::Strict | ShellMode::Off) {
        // The published rule looks at named paths alone, and `off` at nothing; the fence holds in every mode.
        foresight.effects = foresight.effects.into_iter().map(only_fence).collect();
        foresight.gaps.clear();
    }
    foresight
}

/// In strict mode an effect counts for the fence alone: as a change of what exists it breaks no other rule.
fn only_fence(mut effect: Effect) -> Effect {
    if effect.kind == EffectKind::Create {
        effect.kind = EffectKind::Modify;
    }
    effect.certainty = Certainty::Assumed;
    effect.package_install = false;
    effect
}

fn written(call: &ToolCall, world: &dyn World, paths: &[String], known: bool) -> Foresight {
    let mut foresight = Foresight::default();
    for path in paths {
        if path.contains('\0') {
            foresight.gaps.push(Gap { kind: GapKind::Nul, span: Span::default() });
            continue;
        }
        let named = absolute(call, world, path);
        // `..` after a link: a client may shorten the text or leave it to the kernel, so both places count.
        let walked = walked(call, world, path).filter(|walked| *walked != named);
        for target in [Some(named), walked].into_iter().flatten() {
            foresight.effects.push(Effect {
                kind: EffectKind::Create,
                target: Target::Path(target),
                certainty: if known { Certainty::Proven } else { Certainty::Assumed },
                program: "the tool".to_owned(),
                span: Span::default(),
                package_install: false,
            });
        }
    }
    foresight
}

/// Where a path with `..` leads when each step is taken on the disk.
fn walked(call: &ToolCall, world: &dyn World, path: &str) -> Option<String> {
    let model = world.model();
    if path.starts_with('~') || !model.parts(path).any(|part| part == "..") {
        return None;
    }
    let path = if model.is_absolute(path) { path.to_owned() } else { format!("{}/{path}", call.cwd) };
    Some(resolve(world, &path, true).path)
}

fn absolute(call: &ToolCall, world: &dyn World, path: &str) -> String {
    let model = world.model();
    if let Some(rest) = path.strip_prefix('~')
        && (rest.is_empty() || rest.starts_with(|c| model.is_separator(c)))
        && let Some(home) = world.home()
    {
        return model.normalize(&format!("{home}{rest}"));
    }
    model.join(&call.cwd, path)
}

/// The violation that decides and that the reason names: the most severe, so that a softer one never hides it. Of
/// equal ones the fence first, then the operator's commands, then in order; a known path teaches more than an
/// unknown one.
fn worst_broken(
    policy: &Policy,
    judgement: &Judgement,
    names_missing: impl FnOnce() -> Option<(Rule, Option<String>)>,
) -> Option<(Rule, Option<String>)> {
    let violations = || {
        judgement.effects.iter().filter_map(|j| match j.standing {
            Standing::Violation(rule) => Some((rule, Some(j))),
            _ => None,
        })
    };
    let operators = judgement.operator_calls.iter().any(is_operators).then_some((Rule::Operator, None));
    let gap = (!judgement.gaps.is_empty()).then_some((Rule::NotUnderstood, None));
    let worst = violations()
        .filter(|(rule, _)| *rule == Rule::Fence)
        .chain(operators)
        .chain(violations().filter(|(rule, _)| *rule != Rule::Opaque))
        .chain(gap)
        .chain(violations())
        .reduce(|worst, next| if severity(policy, next.0) > severity(policy, worst.0) { next } else { worst });
    let shown = worst.map(|(rule, judged)| (rule, judged.and_then(shown_path)));
    match shown {
        Some((rule, _)) if severity(policy, rule) >= severity(policy, Rule::NamesMissing) => shown,
        softer => names_missing().or(softer),
    }
}

fn shown_path(judged: &Judged) -> Option<String> {
    match &judged.effect.target {
        Target::Path(path) | Target::Inside(path) => Some(path.clone()),
        Target::Opaque => None,
    }
}

fn strictly_broken(inputs: &Inputs<'_>, roots: &Roots<'_>) -> Option<(Rule, Option<String>)> {
    let Tool::Shell { command, .. } = &inputs.call.tool else { return None };
    if !matches!(inputs.policy.shell, ShellMode::Strict | ShellMode::StrictAndPrecise) {
        return None;
    }
    strict::first_missing(inputs, roots, command).map(|path| (Rule::NamesMissing, Some(path)))
}

/// The corrected command, where one can be given and is itself allowed.
fn corrected(inputs: &Inputs<'_>, ground: &Ground<'_>, judgement: &Judgement) -> Option<String> {
    let Tool::Shell { dialect, command, workdir } = &inputs.call.tool else { return None };
    suggest::moved_into_scratch(inputs, *dialect, command, judgement).into_iter().find(|fixed| {
        let call = ToolCall {
            tool: Tool::Shell { dialect: *dialect, command: fixed.clone(), workdir: workdir.clone() },
            ..inputs.call.clone()
        };
        let foresight = foresee(&call, inputs.world, inputs.policy);
        let fixed = place(&Inputs { call: &call, ..*inputs }, ground, foresight);
        // The same things are made, only elsewhere.
        fixed.broken.is_none() && fixed.effects.len() == judgement.effects.len()
    })
}
