//! Codex's tools.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use crate::gate::Tool;
use crate::harness::mcp;
use crate::limits::MAX_INPUT_PATHS;
use crate::path::Model;
use crate::shell::Dialect;
use crate::shell::patch::patched_files;

/// Tools that never write or run anything themselves.
pub(crate) const READING: &[&str] = &[
    "view_image",
    "update_plan",
    "spawn_agent",
    "wait_agent",
    "send_input",
    "send_message",
    "followup_task",
    "close_agent",
    "resume_agent",
    "list_agents",
    "list_mcp_resources",
    "list_mcp_resource_templates",
    "read_mcp_resource",
    "request_user_input",
    "tool_search",
    "get_goal",
    "update_goal",
];

/// A command as text, or as the words that a program is started with. Hooks are given the text; the tools' own forms are
/// here because what reaches a hook under another name must not be taken for harmless.
#[derive(Deserialize)]
#[serde(untagged)]
enum Command<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Words(Vec<String>),
}

#[derive(Deserialize)]
struct ShellInput<'a> {
    #[serde(borrow, alias = "cmd")]
    command: Command<'a>,
    #[serde(borrow, default)]
    workdir: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(borrow, default)]
    chars: Cow<'a, str>,
}

#[derive(Deserialize)]
struct PatchInput<'a> {
    #[serde(borrow, alias = "input", alias = "patch")]
    command: Cow<'a, str>,
}

/// What this call asks for.
///
/// # Errors
/// Where the input of a tool that writes or runs something does not have the form that it must have.
pub(crate) fn tool_of(name: &str, input: Option<&RawValue>) -> Result<Tool, serde_json::Error> {
    let json = input.map_or("{}", RawValue::get);
    match name {
        "Bash" | "exec_command" | "shell" | "shell_command" | "local_shell" => {
            let input: ShellInput<'_> = serde_json::from_str(json)?;
            let (dialect, command) = match input.command {
                Command::Text(text) => (dialect(), text.into_owned()),
                Command::Words(words) => (Dialect::Bash, shell_words::join(words)),
            };
            Ok(Tool::Shell { dialect, command, workdir: input.workdir.map(Cow::into_owned) })
        }
        // No hook is called for it (0.171.0). What is typed into a shell is a command, and it may be a shell.
        "write_stdin" => {
            let input: Typed<'_> = serde_json::from_str(json)?;
            Ok(Tool::Shell { dialect: dialect(), command: input.chars.into_owned(), workdir: None })
        }
        "apply_patch" => {
            let input: PatchInput<'_> = serde_json::from_str(json)?;
            Ok(Tool::Write { paths: patched(&input.command)?, known: true })
        }
        _ if READING.contains(&name) => Ok(Tool::Other),
        _ => mcp::classify(name, &serde_json::from_str(json)?),
    }
}

/// The session's shell: the user's own on POSIX, PowerShell on Windows.
fn dialect() -> Dialect {
    if Model::native() == Model::Windows { Dialect::PowerShell } else { Dialect::Bash }
}

/// The files of a patch, as the gate reads paths.
pub(super) fn patched(patch: &str) -> Result<Vec<String>, serde_json::Error> {
    let Some(files) = patched_files(patch) else {
        return Err(serde_json::Error::custom("the patch does not begin with *** Begin Patch, or names no file"));
    };
    if files.len() > MAX_INPUT_PATHS {
        return Err(serde_json::Error::custom(format_args!("the patch names more than {MAX_INPUT_PATHS} files")));
    }
    Ok(files.into_iter().map(literal).collect())
}

/// To the client `~` is a part of a name and no home folder.
pub(super) fn literal(path: &str) -> String {
    if path.starts_with('~') { format!("./{path}") } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use serde_json::json;
    use serde_json::value::RawValue;

    use super::{dialect, tool_of};
    use crate::gate::Tool;
    use crate::shell::Dialect;

    #[track_caller]
    fn tool(name: &str, input: &serde_json::Value) -> Result<Tool, String> {
        let raw = RawValue::from_string(input.to_string()).unwrap();
        tool_of(name, Some(&raw)).map_err(|e| e.to_string())
    }

    fn shell(dialect: Dialect, command: &str) -> Tool {
        Tool::Shell { dialect, command: command.to_owned(), workdir: None }
    }

    #[test]
    fn commands() {
        let own = dialect();
        assert_eq!(tool("Bash", &json!({"command": "ls"})), Ok(shell(own, "ls")));
        assert_eq!(tool("exec_command", &json!({"cmd": "ls", "tty": true})), Ok(shell(own, "ls")));
        let words = json!({"command": ["bash", "-lc", "mkdir '/a b'"]});
        assert_eq!(tool("shell", &words), Ok(shell(Dialect::Bash, r"bash -lc 'mkdir '\''/a b'\'''")));
        assert_eq!(tool("write_stdin", &json!({"session_id": 1, "chars": "mkdir /x\n"})), Ok(shell(own, "mkdir /x\n")));
        assert_eq!(tool("write_stdin", &json!({"session_id": 1})), Ok(shell(own, "")));
        let there = json!({"cmd": "ls", "workdir": "/srv"});
        assert!(matches!(tool("exec_command", &there), Ok(Tool::Shell { workdir: Some(dir), .. }) if dir == "/srv"));
    }

    #[test]
    fn patches() {
        let patch = |text: &str| tool("apply_patch", &json!({"command": text}));
        let of =
            |paths: &[&str]| Ok(Tool::Write { paths: paths.iter().map(|p| (*p).to_owned()).collect(), known: true });
        assert_eq!(patch("*** Begin Patch\n*** Add File: ~/a\n+x\n*** End Patch"), of(&["./~/a"]));
        assert_eq!(patch("*** Begin Patch\n*** Delete File: /b\n*** End Patch"), of(&["/b"]));
        assert!(patch("*** Add File: /b").unwrap_err().contains("Begin Patch"));
        assert!(patch("").is_err() && tool("apply_patch", &json!({})).is_err());
        let many: Vec<String> = (0..5000).map(|n| format!("*** Delete File: {n}\n")).collect();
        assert!(patch(&format!("*** Begin Patch\n{}*** End Patch", many.concat())).unwrap_err().contains("more than"));
    }

    #[test]
    fn others() {
        assert_eq!(tool("view_image", &json!({"path": "/x.png"})), Ok(Tool::Other));
        let write = tool("mcp__fs__write_file", &json!({"path": "/x"}));
        assert_eq!(write, Ok(Tool::Write { paths: vec!["/x".to_owned()], known: true }));
    }
}
