//! xargs and parallel: a command for each line of standard input or for each argument.

use super::act::{Act, Arg, MoreArgs};
use super::argv::parse;
use super::job::Job;
use super::row::Row;
use crate::limits::MAX_PARALLEL_INPUTS;
use crate::shell::{Dialect, EffectKind, Value};

/// Judges `xargs`' arguments.
pub(super) fn xargs(job: &mut Job<'_>, row: Row<'static>, args: &[Arg]) {
    let parsed = parse(row, args);
    for file in parsed.args_of("-a") {
        job.path(EffectKind::Read, file);
    }
    // Without a command it is echo.
    if parsed.operands.is_empty() {
        return;
    }
    let named = parsed.args_of("-I").chain(parsed.args_of("-i")).last();
    let placeholder = match named {
        Some(arg) => Some(arg.value.known().unwrap_or_default().into_owned()),
        None => parsed.has("-i").then(|| "{}".to_owned()),
    };
    let placeholder = placeholder.filter(|p| !p.is_empty());
    let number = |name| parsed.args_of(name).last().and_then(|a| a.value.known()?.parse::<usize>().ok());
    let each = number("-n").or_else(|| number("-L")).unwrap_or(usize::MAX).max(1);
    let delimiter = match parsed.args_of("-d").last() {
        Some(given) => given.value.known().and_then(|text| delimiter(&text)),
        None => (parsed.has("-0") || parsed.has("--null")).then_some('\0'),
    };
    let more = placeholder.is_none().then_some(MoreArgs { each, delimiter });
    job.run(parsed.operands, more, placeholder);
}

/// The character that `-d` names.
fn delimiter(text: &str) -> Option<char> {
    match text {
        "\\n" => Some('\n'),
        "\\0" => Some('\0'),
        "\\t" => Some('\t'),
        text => text.chars().next(),
    }
}

/// Judges GNU `parallel`'s arguments.
pub(super) fn parallel(job: &mut Job<'_>, row: Row<'static>, args: &[Arg]) {
    let parsed = parse(row, args);
    for (option, kind) in
        [("--results", EffectKind::Create), ("--joblog", EffectKind::Create), ("-a", EffectKind::Read)]
    {
        for arg in parsed.args_of(option) {
            job.path(kind, arg);
        }
    }
    let mut groups = parsed.operands.split(is_separator);
    let template = groups.next().unwrap_or_default();
    let inputs: Vec<&[Arg]> = groups.collect();
    let Some(first) = template.first().or_else(|| inputs.first().and_then(|g| g.first())) else { return };
    let mut text = Value::default();
    for (i, word) in template.iter().enumerate() {
        if i > 0 {
            text.push_str(" ");
        }
        text.append(word.value.clone());
    }
    // `{.}`, `{/}`, `{/.}`, `{//}`: parts of the same input.
    for part in ["{.}", "{//}", "{/.}"] {
        text = text.replace(part, &Value::text("{}"));
    }
    text = text.replace("{/}", &Value::name());
    let plain =
        !text.pieces.iter().any(|p| matches!(p, crate::shell::Piece::Text(t) if t.contains("{}") || t.contains("{1}")));
    if plain {
        text.push_str(if text.is_empty() { "{}" } else { " {}" });
    }
    let files = parsed.operands.iter().any(|a| a.value.prefix().starts_with("::::"));
    if inputs.is_empty() || files {
        let shell = vec![
            Arg { value: Value::text("sh"), span: first.span },
            Arg { value: Value::text("-c"), span: first.span },
            Arg { value: text, span: first.span },
        ];
        return job.run(shell, None, Some("{}".to_owned()));
    }
    let (one_by_one, others) = inputs[0].split_at(inputs[0].len().min(MAX_PARALLEL_INPUTS));
    let unknown = (!others.is_empty()).then(|| job.program_arg(Value::any()));
    for input in one_by_one.iter().chain(&unknown) {
        let mut one = text.replace("{}", &input.value).replace("{1}", &input.value);
        for (i, other) in inputs.iter().enumerate().skip(1) {
            let value = if other.len() == 1 { other[0].value.clone() } else { Value::any() };
            one = one.replace(&format!("{{{}}}", i + 1), &value);
        }
        job.acts.push(Act::Shell { text: one, dialect: Dialect::Bash, args: Vec::new(), span: first.span, cwd: None });
    }
}

fn is_separator(arg: &Arg) -> bool {
    matches!(arg.value.prefix(), ":::" | "::::" | ":::+" | "::::+")
}
