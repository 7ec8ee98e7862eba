//! `wsguard explain --batch`: a whole list of commands in one process.

use std::fmt::Display;
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
    let mut stdin = std::io::stdin().lock();
    let mut line = Vec::new();
    for number in 0.. {
        line.clear();
        let read = stdin.read_until(b'\n', &mut line);
        if read.with_context(|| format!("line {} of standard input can't be read", number + 1))? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
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

fn answer(batch: &Batch<'_>, world: Option<&Described>, line: &[u8]) -> Result<Value, Refused> {
    let form = |id, why: &dyn Display| {
        (id, "batch_line", format!("not of the form {{\"id\", \"command\", \"dialect\", \"cwd\"}}: {why}"))
    };
    let whole: Value = serde_json::from_slice(line).map_err(|e| form(Value::Null, &e))?;
    let Value::Object(fields) = &whole else { return Err(form(Value::Null, &"it is no object")) };
    let id = fields.get("id").cloned().unwrap_or_default();
    let line: Line = serde_json::from_value(whole).map_err(|e| form(id, &e))?;
    let refuse = |code, text: String| (line.id.clone(), code, text);
    let dialect = match line.dialect.as_deref().map(str::to_ascii_lowercase).as_deref() {
        None => batch.dialect,
        Some("bash" | "sh" | "zsh" | "dash") => Dialect::Bash,
        Some("powershell" | "pwsh") => Dialect::PowerShell,
        Some("cmd") => Dialect::Cmd,
        Some(other) => {
            let shown: String = other.chars().take(40).collect();
            return Err(refuse("batch_dialect", format!("`{shown}` is none of bash, powershell, cmd")));
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
