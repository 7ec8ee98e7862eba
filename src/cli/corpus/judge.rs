//! `wsguard corpus judge`: a list of paths, each answered in one line.

use std::io::{BufRead, Read as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::failure::Kind;
use super::super::output;
use super::base64;
use crate::limits::MAX_JUDGED_LINE_BYTES;
use crate::path::guard::{PathGuard, Rules};

/// Judges each path of a list by the path guard, the disk left aside.
///
/// Reads lines like `{"id": 1, "path_b64": "Li4veA=="}` and answers each with a line like
/// `{"id": 1, "verdict": "refused", "code": "path_traverses_outside_workspace", "normal": null}`.
/// A line that can't be judged is answered with an `error` that names its number; the exit code is then 65.
/// What the codes mean, and in which order they are tried: docs/REFUSALS.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard corpus judge --model posix < paths.jsonl")]
pub(super) struct Args {
    /// On which platforms the paths must mean what they say.
    #[arg(long, value_enum, default_value = "portable")]
    model: Model,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Model {
    /// Windows only.
    Windows,
    /// POSIX only.
    Posix,
    /// Both at once.
    Portable,
}

/// A line of the list.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    path_b64: String,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let rules = match args.model {
        Model::Windows => Rules::Windows,
        Model::Posix => Rules::Posix,
        Model::Portable => Rules::Portable,
    };
    let mut failed = false;
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    let mut number = 0;
    while next_line(&mut input, &mut line).context("standard input can't be read")? {
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = answer(rules, &line).unwrap_or_else(|(id, code, text)| {
            failed = true;
            json!({ "id": id, "error": { "code": code, "text": text, "line": number } })
        });
        output::println(answer)?;
    }
    Ok(if failed { Kind::Data.exit_code() } else { ExitCode::SUCCESS })
}

/// Reads a line without its end; of one that is too long, only as much as shows that. `false` at the end of the input.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let limit = u64::try_from(MAX_JUDGED_LINE_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let read = input.by_ref().take(limit).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > MAX_JUDGED_LINE_BYTES {
        input.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

type Refused = (Value, &'static str, String);

fn answer(rules: Rules, line: &[u8]) -> Result<Value, Refused> {
    if line.len() > MAX_JUDGED_LINE_BYTES {
        return Err((Value::Null, "line_too_long", format!("the line is longer than {MAX_JUDGED_LINE_BYTES} bytes")));
    }
    let line: Line = serde_json::from_slice(line).map_err(|e| {
        let id = serde_json::from_slice::<Value>(line).ok().and_then(|mut value| value.get_mut("id").map(Value::take));
        (id.unwrap_or_default(), "line_form", e.to_string())
    })?;
    let Some(path) = base64::decode(&line.path_b64) else {
        return Err((line.id, "line_base64", "`path_b64` is not base64".to_owned()));
    };
    Ok(match PathGuard::new(rules).judge(&path) {
        Ok(safe) => json!({ "id": line.id, "verdict": "accepted", "code": null, "normal": safe.as_str() }),
        Err(refusal) => json!({ "id": line.id, "verdict": "refused", "code": refusal.code(), "normal": null }),
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

    use super::*;

    #[test]
    fn lines_are_read_whole_or_not_at_all() {
        let long = vec![b'x'; MAX_JUDGED_LINE_BYTES + 10];
        let text = [b"a\n\n", &long[..], b"\nb"].concat();
        let mut input = &text[..];
        let mut line = Vec::new();
        let mut lens = Vec::new();
        while next_line(&mut input, &mut line).unwrap() {
            lens.push(line.len());
        }
        assert_eq!(lens, [1, 0, MAX_JUDGED_LINE_BYTES + 1, 1]);
        let exact = [&long[..MAX_JUDGED_LINE_BYTES], b"\nb\n"].concat();
        let mut input = &exact[..];
        assert!(next_line(&mut input, &mut line).unwrap() && line.len() == MAX_JUDGED_LINE_BYTES);
        assert!(next_line(&mut input, &mut line).unwrap() && line == b"b");
        assert!(!next_line(&mut input, &mut line).unwrap());
    }
}
