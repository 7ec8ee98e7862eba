//! find: what it starts for what it finds, deletes and writes.

use super::act::{Act, Arg};
use super::job::Job;
use super::search;
use super::values::join;
use crate::limits::MAX_FIND_STARTS;
use crate::shell::{EffectKind, Piece, Value};

/// Judges `find`'s arguments.
pub(super) fn find(job: &mut Job<'_>, args: &[Arg]) {
    let first = args.iter().position(|a| !is_global(a)).unwrap_or(args.len());
    let expression = args[first..].iter().position(is_expression).map_or(args.len(), |n| first + n);
    let mut starts: Vec<Arg> = args[first..expression].to_vec();
    if starts.is_empty() {
        starts.push(job.program_arg("."));
    }
    for start in &starts {
        job.path(EffectKind::Read, start);
    }
    if starts.len() > MAX_FIND_STARTS {
        starts.truncate(MAX_FIND_STARTS);
        starts.push(job.program_arg(Value::any()));
    }
    let mut rest = &args[expression..];
    while let Some((arg, after)) = rest.split_first() {
        rest = after;
        match arg.value.prefix() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let end = rest.iter().position(is_end).unwrap_or(rest.len());
                for start in &starts {
                    if search::may_find(job, start, &args[expression..]) {
                        command(job, &rest[..end], start, arg.value.prefix().ends_with("dir"));
                    }
                }
                rest = &rest[(end + 1).min(rest.len())..];
            }
            "-delete" => {
                for start in &starts {
                    let value = found(job, start);
                    job.path(EffectKind::Delete, &Arg { value, span: arg.span });
                }
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some((file, after)) = rest.split_first() {
                    job.path(EffectKind::Create, file);
                    rest = after;
                }
            }
            _ => {}
        }
    }
}

/// `-L`, `-O3` and the like before the start folders.
fn is_global(arg: &Arg) -> bool {
    let text = arg.value.prefix();
    matches!(text, "-H" | "-L" | "-P" | "-E" | "-X" | "-x" | "-s") || text.starts_with("-O")
}

fn is_expression(arg: &Arg) -> bool {
    let text = arg.value.prefix();
    text.starts_with('-') || matches!(text, "(" | "!" | ")" | ",")
}

fn is_end(arg: &Arg) -> bool {
    arg.value.known().is_some_and(|v| v == ";" || v == "+")
}

/// The path of something at or below the start folder.
pub(super) fn found(job: &Job<'_>, start: &Arg) -> Value {
    let model = job.model();
    // A folder in Git Bash's spelling (`/c/x`) keeps it until the shell resolves it.
    let below =
        |text: &str| Value::under(if model.is_absolute(text) { model.normalize(text) } else { text.to_owned() });
    match join(model, &Value::text(job.inv.cwd), &start.value).pieces.first() {
        Some(Piece::Text(text)) if start.value.known().is_some() => below(text),
        Some(Piece::Text(text)) => {
            // The known folder that the rest lies in.
            let end = text.rfind(|c| model.is_separator(c)).map_or(0, |i| i + 1);
            below(&text[..end])
        }
        Some(Piece::Under(dir)) => Value::under(dir.clone()),
        _ => Value::any(),
    }
}

/// Starts one command with every `{}` replaced.
fn command(job: &mut Job<'_>, words: &[Arg], start: &Arg, in_its_folder: bool) {
    if words.is_empty() {
        return;
    }
    let found = found(job, start);
    let argv = words.iter().map(|w| Arg { value: w.value.replace("{}", &found), span: w.span }).collect();
    let cwd = in_its_folder.then(|| found.clone());
    job.acts.push(Act::Run { argv, cwd, env: Vec::new(), more_from_stdin: None, stdin_placeholder: None });
}
