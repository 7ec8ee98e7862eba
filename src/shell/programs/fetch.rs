//! curl and wget: where a download lands.

use super::act::Arg;
use super::apply::MAX_SUB;
use super::argv::{Parsed, parse};
use super::job::{Job, is_dash};
use super::row::Row;
use super::values::{join, url_name};
use crate::limits::MAX_SOURCED_BYTES;
use crate::shell::{Certainty, EffectKind, Piece, Value};

/// Judges `curl`'s arguments.
pub(super) fn curl(job: &mut Job<'_>, row: Row<'static>, args: &[Arg]) {
    let mut all = args.to_vec();
    for file in parse(row, args).args_of("-K").take(MAX_SUB) {
        all.extend(written_arguments(job, file));
    }
    let parsed = parse(row, &all);
    simple(job, &parsed);
    let dir = parsed.args_of("--output-dir").last().cloned();
    let within = |job: &Job<'_>, value: &Value| match &dir {
        Some(dir) => join(job.model(), &dir.value, value),
        None => value.clone(),
    };
    for out in parsed.args_of("-o") {
        if out.value.known().is_some_and(|v| v == "-") {
            continue;
        }
        let value = numbered(&within(job, &out.value));
        job.path(EffectKind::Create, &Arg { value, span: out.span });
    }
    if parsed.has("-O") || parsed.has("--remote-name-all") {
        for url in parsed.operands.iter().chain(parsed.args_of("--url")) {
            let name = match url_name(&url.value, "") {
                Some(name) if parsed.has("-J") || name.prefix().contains(['{', '[']) => Value::name(),
                Some(name) => name,
                None => continue,
            };
            let value = within(job, &name);
            job.path(EffectKind::Create, &Arg { value, span: url.span });
        }
    }
}

/// The options that a file of settings, or standard input, gives curl: `output = "x"`, `-o x`, `remote-name`.
fn written_arguments(job: &Job<'_>, file: &Arg) -> Vec<Arg> {
    let text = if is_dash(file) {
        (job.inv.input)().known().map(std::borrow::Cow::into_owned)
    } else {
        let at = join(job.model(), &job.base, &file.value);
        let path = at.known().map(|path| job.model().join(job.inv.cwd, &path));
        path.and_then(|path| job.inv.world.read_text(&path, MAX_SOURCED_BYTES))
    };
    let mut out = Vec::new();
    for line in text.unwrap_or_default().lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let end = line.find(|c: char| c.is_whitespace() || matches!(c, '=' | ':')).unwrap_or(line.len());
        let (name, rest) = line.split_at(end);
        let value = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '=' | ':'));
        let dashes = if name.starts_with('-') { "" } else { "--" };
        out.push(Arg { value: Value::text(format!("{dashes}{name}")), span: file.span });
        if !value.is_empty() {
            out.push(Arg { value: Value::text(value.trim_matches(['\'', '"'])), span: file.span });
        }
    }
    out
}

/// Judges `wget`'s arguments.
pub(super) fn wget(job: &mut Job<'_>, row: Row<'static>, args: &[Arg]) {
    let parsed = parse(row, args);
    simple(job, &parsed);
    if parsed.has("--spider") {
        return;
    }
    let dir = parsed.args_of("-P").last().cloned();
    let dir_value = dir.as_ref().map_or_else(Value::default, |d| d.value.clone());
    if parsed.has("-O") {
        for out in parsed.args_of("-O") {
            job.path(EffectKind::Create, out);
        }
        return;
    }
    let tree = ["-r", "-m", "-p", "-x", "--content-disposition", "-i"].iter().any(|o| parsed.has(o));
    if tree {
        let place = dir.unwrap_or_else(|| job.program_arg("."));
        return job.inside(&place, Certainty::Proven);
    }
    for url in &parsed.operands {
        let name = match url_name(&url.value, "") {
            Some(name) if !url.value.prefix().ends_with('/') => name,
            _ => Value::text("index.html"),
        };
        let target = Arg { value: join(job.model(), &dir_value, &name), span: url.span };
        let keeps = ["-c", "-N", "-nc"].iter().any(|o| parsed.has(o));
        if !keeps && job.entry(&target, true).is_some() {
            // What is there stays; the download becomes NAME.1.
            let mut value = target.value.clone();
            value.push_str(".1");
            job.path(EffectKind::Create, &Arg { value, span: url.span });
        } else {
            job.path(EffectKind::Create, &target);
        }
    }
}

/// Options whose argument is simply read or written.
fn simple(job: &mut Job<'_>, parsed: &Parsed<'_>) {
    for seen in &parsed.options {
        let Some(arg) = &seen.arg else { continue };
        match seen.role {
            "c" => job.path(EffectKind::Create, arg),
            "r" => job.path(EffectKind::Read, arg),
            _ => {}
        }
    }
    for stray in &parsed.strays {
        job.stray(stray);
    }
}

/// `#1` in curl's `-o` is a part of the URL.
fn numbered(value: &Value) -> Value {
    let Some(text) = value.known() else { return value.clone() };
    let Some(at) = text.find('#').filter(|&at| text[at + 1..].starts_with(|c: char| c.is_ascii_digit())) else {
        return value.clone();
    };
    let mut out = Value::text(&text[..at]);
    out.push(Piece::Name);
    out.push_str(&text[at + 2..]);
    out
}
