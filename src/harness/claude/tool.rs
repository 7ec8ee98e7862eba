//! Claude Code's tools.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::gate::Tool;
use crate::harness::mcp;
use crate::shell::Dialect;

/// Tools that never write or run anything themselves.
pub(crate) const READING: &[&str] = &[
    "Read",
    "Glob",
    "Grep",
    "LS",
    "NotebookRead",
    "WebFetch",
    "WebSearch",
    "TodoWrite",
    "TodoRead",
    "Agent",
    "Task",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "BashOutput",
    "KillShell",
    "KillBash",
    "ToolSearch",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "Skill",
    "SlashCommand",
    "ListMcpResourcesTool",
    "ReadMcpResourceTool",
    "LSP",
    "SendMessage",
];

#[derive(Deserialize)]
struct ShellInput<'a> {
    #[serde(borrow)]
    command: Cow<'a, str>,
}

#[derive(Deserialize)]
struct FileInput<'a> {
    #[serde(borrow)]
    file_path: Cow<'a, str>,
}

#[derive(Deserialize)]
struct NotebookInput<'a> {
    #[serde(borrow)]
    notebook_path: Cow<'a, str>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Background {
    run_in_background: bool,
}

/// Whether this call says that what it starts goes on after its end.
pub(crate) fn goes_on(name: &str, input: Option<&RawValue>) -> bool {
    match name {
        "Monitor" => true,
        // Whatever else it may hold: a form that is not known says nothing.
        "Bash" | "PowerShell" => input
            .and_then(|input| serde_json::from_str::<Background>(input.get()).ok())
            .is_some_and(|input| input.run_in_background),
        _ => false,
    }
}

/// What this call asks for.
///
/// # Errors
/// Where the input of a tool that writes or runs something does not have the form that it must have.
pub(crate) fn tool_of(name: &str, input: Option<&RawValue>) -> Result<Tool, serde_json::Error> {
    let json = input.map_or("{}", RawValue::get);
    let shell = |dialect| -> Result<Tool, serde_json::Error> {
        let input: ShellInput<'_> = serde_json::from_str(json)?;
        Ok(Tool::Shell { dialect, command: input.command.into_owned(), workdir: None })
    };
    match name {
        "Bash" | "Monitor" => shell(Dialect::Bash),
        "PowerShell" => shell(Dialect::PowerShell),
        "Write" | "Edit" | "MultiEdit" => {
            let input: FileInput<'_> = serde_json::from_str(json)?;
            Ok(Tool::Write { paths: vec![input.file_path.into_owned()], known: true })
        }
        "NotebookEdit" => {
            let input: NotebookInput<'_> = serde_json::from_str(json)?;
            Ok(Tool::Write { paths: vec![input.notebook_path.into_owned()], known: true })
        }
        _ if READING.contains(&name) => Ok(Tool::Other),
        _ => mcp::classify(name, &serde_json::from_str(json)?),
    }
}
