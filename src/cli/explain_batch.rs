//! `wsguard explain --batch`: a whole list of commands in one process.

use std::io::BufRead as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Value, json};

use super::failure::{Failure, Kind};
use super::{explain_view, output};
use crate::hook::{Described, Explanation, Question, explain};
use crate::limits::MAX_COMMAND_BYTES;
use crate::path::Model;
use crate::shell::Dialect;

/// A line of the list.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    command: String,
    dialect: Option<String>,
    cwd: Option<String>,
}

/// What is the same for every line.
pub struct Batch<'a> {
    /// The file that describes the world; `None`: this machine.
    pub world: Option<&'a Path>,
    /// Where a line names none.
    pub dialect: Dialect,
    /// Where a line names none: absolute, normal.
    pub cwd: &'a str,
    /// The session.
    pub session: &'a str,
}

/// Answers each line of standard input with a line. A line that can't be judged is answered with an `error`, and
/// the exit code then says so.
pub fn run(batch: &Batch<'_>) -> anyhow::Result<ExitCode> {
    let world = batch.world.map(described).transpose()?;
    let mut failed = false;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.with_context(|| format!("line {} of standard input can't be read as text", number + 1))?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = answer(batch, world.as_ref(), &line).unwrap_or_else(|(id, code, text)| {
            failed = true;
            json!({ "id": id, "error": { "code": code, "text": text, "line": number + 1 } })
        });
        output::println(answer)?;
    }
    Ok(if failed { Kind::Data.exit_code() } else { ExitCode::SUCCESS })
}

type Refused = (Value, &'static str, String);

fn answer(batch: &Batch<'_>, world: Option<&Described>, line: &str) -> Result<Value, Refused> {
    let line: Line = serde_json::from_str(line).map_err(|e| (Value::Null, "batch_line", e.to_string()))?;
    let refuse = |code, text: String| (line.id.clone(), code, text);
    let dialect = match line.dialect.as_deref().map(str::to_ascii_lowercase).as_deref() {
        None => batch.dialect,
        Some("bash" | "sh" | "zsh") => Dialect::Bash,
        Some("powershell" | "pwsh") => Dialect::PowerShell,
        Some("cmd") => Dialect::Cmd,
        Some(other) => {
            return Err(refuse("batch_dialect", format!("`{other}` is none of bash, powershell, cmd")));
        }
    };
    let explanation = match world {
        Some(_) if line.command.len() > MAX_COMMAND_BYTES => {
            return Err(refuse("command_too_long", format!("the command is longer than {MAX_COMMAND_BYTES} bytes")));
        }
        Some(world) => world
            .explain(&line.command, dialect, line.cwd.as_deref())
            .map_err(|e| refuse("batch_line", e.to_string()))?,
        None => here(batch, &line, dialect)?,
    };
    let mut full = explain_view::json(&explanation, &line.command);
    let mut take = |key: &str| full.get_mut(key).map(Value::take);
    Ok(json!({
        "id": line.id, "verdict": take("verdict"), "rule": take("rule"), "reason": take("reason"),
        "corrected": take("corrected"), "effects": take("effects"), "gaps": take("gaps"),
    }))
}

fn here(batch: &Batch<'_>, line: &Line, dialect: Dialect) -> Result<Explanation, Refused> {
    let model = Model::native();
    let cwd = line.cwd.as_deref().map_or_else(|| batch.cwd.to_owned(), |cwd| model.join(batch.cwd, cwd));
    let question = Question { command: &line.command, dialect, cwd: &cwd, session: batch.session };
    explain(&question).map_err(|e| (line.id.clone(), e.code(), e.to_string()))
}

fn described(path: &Path) -> anyhow::Result<Described> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        Failure::msg(Kind::Data, "world_unreadable", format_args!("{} can't be read: {e}", path.display()))
    })?;
    let described = Described::parse(&text);
    Ok(described.map_err(|e| Failure::msg(Kind::Data, "world_form", format_args!("{}: {e}", path.display())))?)
}
