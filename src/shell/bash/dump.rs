//! A compact rendering of trees for the tests: words as written in one canonical way, `'…'` for any quoted
//! text, brackets for every list.

#![expect(clippy::unwrap_used, reason = "writing to a string does not fail")]

use std::fmt::Write as _;

use super::ast::{
    Anchor, Assign, AssignValue, Command, CommandKind, Join, List, Param, ParamOp, Part, Redirect, RedirectKind,
    Script, Word,
};

/// The tree, then ` !Kind@start..end` for each gap.
pub(super) fn script(script: &Script) -> String {
    let mut out = list(&script.list);
    for gap in &script.gaps {
        write!(out, " !{:?}@{}..{}", gap.kind, gap.span.start, gap.span.end).unwrap();
    }
    out.trim_start().to_owned()
}

fn list(list: &List) -> String {
    let mut out = String::new();
    for (i, item) in list.iter().enumerate() {
        out.push_str(match item.join {
            Join::Always if i == 0 => "",
            Join::Always => "; ",
            Join::And => " && ",
            Join::Or => " || ",
        });
        if item.pipeline.timed {
            out.push_str("time ");
        }
        if item.pipeline.negated {
            out.push_str("! ");
        }
        out.push_str(&joined(&item.pipeline.commands, " | ", command));
        if item.background {
            out.push_str(" &");
        }
    }
    out
}

fn joined<T>(items: &[T], between: &str, each: impl Fn(&T) -> String) -> String {
    items.iter().map(each).collect::<Vec<_>>().join(between)
}

fn command(command: &Command) -> String {
    let body = match &command.kind {
        CommandKind::Simple { assignments, words } => {
            let mut all: Vec<String> = assignments.iter().map(assign).collect();
            all.extend(words.iter().map(word));
            all.join(" ")
        }
        CommandKind::Subshell(body) => format!("({})", list(body)),
        CommandKind::Group(body) => format!("{{{}}}", list(body)),
        CommandKind::If { branches, otherwise } => {
            let each = |(condition, body): &(List, List)| format!("({})({})", list(condition), list(body));
            let mut out = format!("if{}", joined(branches, "elif", each));
            if let Some(body) = otherwise {
                write!(out, "else({})", list(body)).unwrap();
            }
            out
        }
        CommandKind::While { until, condition, body } => {
            format!("{}({})({})", if *until { "until" } else { "while" }, list(condition), list(body))
        }
        CommandKind::For { name, words, body, select } => {
            let words = words.as_ref().map_or(String::new(), |w| format!(" in({})", joined(w, " ", word)));
            format!("{} {name}{words}({})", if *select { "select" } else { "for" }, list(body))
        }
        CommandKind::ForArith { header, body } => format!("for(({}))({})", word(header), list(body)),
        CommandKind::Case { word: subject, arms } => {
            let each = |arm: &super::ast::CaseArm| {
                let end = if arm.falls_through { ";&" } else { "" };
                format!("[{}]({}){end}", joined(&arm.patterns, "|", word), list(&arm.body))
            };
            format!("case {}{}", word(subject), joined(arms, "", each))
        }
        CommandKind::Function { name, body } => format!("fn {name} {}", self::command(body)),
        CommandKind::Test(words) => format!("[[{}]]", joined(words, " ", word)),
        CommandKind::Arith(inner) => format!("(({}))", word(inner)),
        CommandKind::Coproc(inner) => format!("coproc {}", self::command(inner)),
    };
    let mut all = vec![body];
    all.extend(command.redirects.iter().map(redirect));
    all.retain(|text| !text.is_empty());
    all.join(" ")
}

fn assign(assign: &Assign) -> String {
    let index = assign.index.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let value = match &assign.value {
        AssignValue::Word(value) => word(value),
        AssignValue::Array(words) => format!("({})", joined(words, " ", word)),
    };
    format!("{}{index}{}{value}", assign.name, if assign.append { "+=" } else { "=" })
}

fn redirect(redirect: &Redirect) -> String {
    let fd = match (redirect.fd, &redirect.fd_var) {
        (Some(fd), _) => fd.to_string(),
        (_, Some(name)) => format!("{{{name}}}"),
        _ => String::new(),
    };
    let rest = match &redirect.kind {
        RedirectKind::Read(w) => format!("<{}", word(w)),
        RedirectKind::Write { word: w, clobber } => format!(">{}{}", if *clobber { "|" } else { "" }, word(w)),
        RedirectKind::Append(w) => format!(">>{}", word(w)),
        RedirectKind::ReadWrite(w) => format!("<>{}", word(w)),
        RedirectKind::WriteBoth(w) => format!("&>{}", word(w)),
        RedirectKind::AppendBoth(w) => format!("&>>{}", word(w)),
        RedirectKind::DupIn(w) => format!("<&{}", word(w)),
        RedirectKind::DupOut(w) => format!(">&{}", word(w)),
        RedirectKind::HereDoc { body, quoted } => format!("<<{}{{{}}}", if *quoted { "q" } else { "" }, word(body)),
        RedirectKind::HereString(w) => format!("<<<{}", word(w)),
    };
    fd + &rest
}

fn word(word: &Word) -> String {
    word.parts.iter().map(part).collect()
}

fn part(part: &Part) -> String {
    match part {
        Part::Bare(text) => text.clone(),
        Part::Quoted(text) => format!("'{text}'"),
        Part::Double(parts) => format!("\"{}\"", parts.iter().map(self::part).collect::<String>()),
        Part::Param(p) => param(p),
        Part::Command { list: l, .. } => format!("$({})", list(l)),
        Part::Arith(inner) => format!("$(({}))", word(inner)),
        Part::Process { write, list: l, .. } => format!("{}({})", if *write { ">" } else { "<" }, list(l)),
        Part::ArrayLiteral(words) => format!("({})", joined(words, " ", word)),
    }
}

fn param(param: &Param) -> String {
    let Param { name, index, indirect, op, .. } = param;
    let index = index.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let colon = |colon: &bool| if *colon { ":" } else { "" };
    let twice = |sign: &str, twice: bool| sign.repeat(1 + usize::from(twice));
    let op = match op {
        ParamOp::Plain => String::new(),
        ParamOp::Length => " len".to_owned(),
        ParamOp::Default { word: w, colon: c } => format!(" {}- {}", colon(c), word(w)),
        ParamOp::AssignDefault { word: w, colon: c } => format!(" {}= {}", colon(c), word(w)),
        ParamOp::Error { word: w, colon: c } => format!(" {}? {}", colon(c), word(w)),
        ParamOp::Alternative { word: w, colon: c } => format!(" {}+ {}", colon(c), word(w)),
        ParamOp::RemovePrefix { pattern, longest } => format!(" {} {}", twice("#", *longest), word(pattern)),
        ParamOp::RemoveSuffix { pattern, longest } => format!(" {} {}", twice("%", *longest), word(pattern)),
        ParamOp::Replace { pattern, with, all, anchor } => {
            let anchor = match anchor {
                Anchor::None => "",
                Anchor::Start => "#",
                Anchor::End => "%",
            };
            format!(" {}{anchor} {} -> {}", twice("/", *all), word(pattern), word(with))
        }
        ParamOp::Substring { offset, length } => {
            format!(" sub {}{}", word(offset), length.as_ref().map_or(String::new(), |n| format!(" {}", word(n))))
        }
        ParamOp::Case { upper, all } => format!(" {}", twice(if *upper { "^" } else { "," }, *all)),
        ParamOp::Transform(c) => format!(" @{c}"),
        ParamOp::Names => " names".to_owned(),
    };
    format!("${{{}{name}{index}{op}}}", if *indirect { "!" } else { "" })
}
