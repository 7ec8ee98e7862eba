//! The one deny reason that teaches (DESIGN, section 3, rule 4).

use std::borrow::Cow;
use std::fmt::Write as _;

use super::Inputs;
use super::judge::Judgement;
use super::outcome::{Rule, Standing};
use super::place::ProjectRefusal;
use crate::home::TRASH;
use crate::limits::{MAX_REASON_CHARS, MAX_SHOWN_PATH_CHARS};
use crate::path::Model;
use crate::shell::{GapKind, Target};

/// Characters of a reason beside its paths: the longest form of words, a program's name, quotes.
const WORDS: usize = 230;

/// The text for the agent. It ends without a full stop: some harnesses append text of their own.
pub(crate) fn compose(inputs: &Inputs<'_>, judgement: &Judgement) -> String {
    let Some((rule, path)) = &judgement.broken else { return String::new() };
    let scratch = clean(&inputs.place.scratch);
    let spare = MAX_REASON_CHARS.saturating_sub(WORDS + scratch.chars().count());
    let shown = path.as_deref().map(|p| shorten(p, (spare / 2).clamp(24, MAX_SHOWN_PATH_CHARS)));
    let program = program_of(judgement, *rule);
    let mut text = format!("workspace-guard: {}", what(*rule, &program, shown.as_deref(), judgement));
    if matches!(rule, Rule::Fence | Rule::Operator) {
        text.push_str(". Only the user may do this, in a terminal of their own; go on without it");
        return clip(text);
    }
    // A described world may have none.
    if !scratch.is_empty() {
        let _infallible = write!(text, ". Work in your scratch folder {scratch} instead");
    }
    let mut room = MAX_REASON_CHARS.saturating_sub(text.chars().count());
    let allow = allowance(inputs.world.model(), *rule, path.as_deref(), room);
    room = room.saturating_sub(allow.chars().count());
    // The rest is said where there is room for it.
    let mut add = |part: &str| {
        let length = part.chars().count();
        if length <= room {
            room -= length;
            text.push_str(part);
        }
    };
    match (judgement.project_refusal, &inputs.place.project) {
        (Some(ProjectRefusal::HomeFolder), _) => {
            add(
                " (the session began in the home folder, which is not an allowed root by itself: allow_home_as_project)",
            );
        }
        (Some(ProjectRefusal::DriveRoot), _) => {
            add(" (the session began at a drive's root, which is never an allowed root)");
        }
        (None, Some(project)) => add(&format!(", or in the project {}", clean(project))),
        (None, None) => {}
    }
    if let Some(fixed) = &judgement.corrected
        && !fixed.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
    {
        add(&format!(". Corrected: {fixed}"));
    }
    text.push_str(&allow);
    clip(text)
}

/// How the operator can allow what was refused; empty where nothing could. Only a whole path is worth typing.
fn allowance(model: Model, rule: Rule, path: Option<&str>, room: usize) -> String {
    const HOW: &str = ". The user can allow it: wsguard";
    if rule == Rule::DeviceName {
        return String::new();
    }
    if rule == Rule::PackageInstall {
        return format!("{HOW} config set package_installs allow");
    }
    let Some(path) = path else { return String::new() };
    let whole = format!("{HOW} allow {}, or allow_roots", quoted(model, path));
    if whole.chars().count() <= room && !path.chars().any(char::is_control) {
        return whole;
    }
    format!("{HOW} allow PATH")
}

/// A path as the user's shell takes it. On Windows that may be cmd, PowerShell or Git Bash: slashes mean the same in
/// all three, and so do double quotes around ordinary characters.
fn quoted(model: Model, path: &str) -> Cow<'_, str> {
    if model == Model::Posix || path.contains(['"', '$', '`', '%', '!']) {
        return shell_words::quote(path);
    }
    let path = path.replace('\\', "/");
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | ':' | '.' | '-' | '_' | '~');
    Cow::Owned(if path.chars().all(plain) { path } else { format!("\"{path}\"") })
}

fn what(rule: Rule, program: &str, path: Option<&str>, judgement: &Judgement) -> String {
    let path = path.unwrap_or("a path");
    match rule {
        Rule::CreatesOutside if names_folder(judgement, rule) => {
            format!("{program} would create something in {path}, outside this session's folders")
        }
        Rule::CreatesOutside if program == "this call" => {
            format!("this call would write {path}, outside this session's folders")
        }
        Rule::CreatesOutside => format!("{program} would create {path}, outside this session's folders"),
        Rule::Opaque => {
            format!("{program} would create something at a path that can't be known before it runs; spell the path out")
        }
        Rule::ChangesExisting => format!("{program} would change {path}, outside this session's folders"),
        Rule::DeletesExisting => format!("{program} would remove {path}, outside this session's folders"),
        Rule::Repository => format!("{program} would change {path}, a repository's own file; let git do it"),
        Rule::Fence if path.contains(TRASH) => format!("{program} would change {path}: the trash is the user's"),
        Rule::Fence => format!("{program} would change {path}, which keeps this guard in place"),
        Rule::Operator => "this command belongs to the operator of the guard".to_owned(),
        Rule::PackageInstall => format!(
            "{program} would install packages outside this session's folders; an environment in the project \
             (a virtual environment, no -g) needs no leave"
        ),
        Rule::NotUnderstood => not_understood(judgement),
        Rule::NamesMissing => format!("the command names {path}, which does not exist"),
        Rule::DeviceName => {
            format!("{program} would make a file at {path}, a device's name that Windows can't remove; use /dev/null")
        }
    }
}

fn not_understood(judgement: &Judgement) -> String {
    let why = match judgement.gaps.first().map(|g| g.kind) {
        Some(GapKind::Nul) => "it holds a NUL byte",
        Some(GapKind::Nesting) => "it nests too deeply",
        Some(GapKind::Size) => "it is too long or expands to too much",
        Some(GapKind::Dialect) => "its shell language is not supported yet",
        Some(GapKind::Syntax) | None => "its syntax is not valid",
    };
    format!("the command can't be judged because {why}; write it in a simpler way, in several calls")
}

fn program_of(judgement: &Judgement, rule: Rule) -> String {
    let judged = judgement.effects.iter().find(|j| j.standing == Standing::Violation(rule));
    match judged.map(|j| j.effect.program.as_str()) {
        None | Some("") => "the command".to_owned(),
        Some("the tool") => "this call".to_owned(),
        Some(name) => format!("`{}`", name.chars().take(40).collect::<String>()),
    }
}

fn names_folder(judgement: &Judgement, rule: Rule) -> bool {
    judgement
        .effects
        .iter()
        .find(|j| j.standing == Standing::Violation(rule))
        .is_some_and(|j| matches!(j.effect.target, Target::Inside(_)))
}

/// A long path keeps both ends.
fn shorten(path: &str, most: usize) -> String {
    if path.len() <= most && path.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return path.to_owned();
    }
    let clean: Vec<char> = clean(path).chars().collect();
    if clean.len() <= most {
        return clean.into_iter().collect();
    }
    let half = most / 2;
    let head: String = clean[..half].iter().collect();
    let tail: String = clean[clean.len() - half..].iter().collect();
    format!("{head}…{tail}")
}

/// Control characters never reach a terminal or a model through a reason.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn clip(text: String) -> String {
    // No text has more characters than bytes.
    if text.len() <= MAX_REASON_CHARS {
        return text;
    }
    match text.char_indices().nth(MAX_REASON_CHARS) {
        None => text,
        Some(_) => text.chars().take(MAX_REASON_CHARS - 1).chain(['…']).collect(),
    }
}
