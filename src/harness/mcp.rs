//! Tools that no harness documents (MCP servers, plugins): what their names and inputs say.

use serde_json::{Map, Value};

use crate::gate::Tool;
use crate::limits::{MAX_INPUT_PATHS, MAX_PATH_BYTES};
use crate::path::Model;
use crate::shell::Dialect;
use crate::shell::programs::Language;

/// First words of tool names that only read.
const READING: &[&str] = &[
    "read",
    "get",
    "list",
    "ls",
    "search",
    "find",
    "stat",
    "view",
    "fetch",
    "query",
    "show",
    "describe",
    "cat",
    "grep",
    "glob",
    "tree",
    "directory",
    "head",
    "tail",
    "info",
    "exists",
    "check",
    "count",
    "diff",
    "compare",
    "analyze",
    "inspect",
    "lookup",
    "select",
    "explain",
    "status",
    "load",
    "open",
    "browse",
    "watch",
];

/// Words that say a tool writes, wherever in its name they stand.
const WRITING: &[&str] = &[
    "write",
    "create",
    "save",
    "edit",
    "update",
    "delete",
    "remove",
    "move",
    "copy",
    "mkdir",
    "make",
    "download",
    "export",
    "append",
    "put",
    "add",
    "insert",
    "replace",
    "rename",
    "set",
    "touch",
    "patch",
    "apply",
    "extract",
    "unzip",
    "generate",
    "render",
    "screenshot",
    "record",
    "install",
    "init",
    "clone",
    "dump",
    "convert",
    "new",
];

/// What a tool with this name and input would do.
///
/// # Errors
/// Where the input names more than [`MAX_INPUT_PATHS`] paths.
pub(crate) fn classify(name: &str, input: &Map<String, Value>) -> Result<Tool, serde_json::Error> {
    let short = name.rsplit("__").next().unwrap_or(name);
    let words = words(short);
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let language = text(input, &["language", "lang", "runtime", "kernel", "interpreter"]);
    let is_code = language.is_some_and(|l| language_of(l).is_some()) && input.get("command").is_none();
    if !is_code
        && has(STARTING)
        && let Some(command) = command_text(input)
    {
        return Ok(Tool::Shell { dialect: dialect_of(&words, input), command, workdir: workdir(input) });
    }
    if has(RUNNING_CODE)
        && let Some(source) = text(input, &["code", "source", "script", "snippet", "program"])
    {
        let named = language.unwrap_or(short);
        return Ok(match (language_of(named), is_shell(named)) {
            (Some(language), _) => Tool::Code { language, source: source.to_owned() },
            (None, true) => {
                let dialect = dialect_of(&self::words(named), input);
                Tool::Shell { dialect, command: source.to_owned(), workdir: workdir(input) }
            }
            (None, false) => Tool::Code { language: guessed(source), source: source.to_owned() },
        });
    }
    let mut paths = Vec::new();
    let known = has(WRITING);
    collect(input, known, &mut paths);
    if known {
        paths.extend(text(input, PATCHES).map(patched).unwrap_or_default());
        paths.extend(renamed(input));
    }
    if paths.is_empty() {
        return Ok(Tool::Other);
    }
    if paths.len() > MAX_INPUT_PATHS {
        return Err(serde::de::Error::custom(format_args!("it names more than {MAX_INPUT_PATHS} paths")));
    }
    let reads = words.first().is_some_and(|w| READING.contains(&w.as_str())) && !known;
    Ok(if reads { Tool::Read { paths } } else { Tool::Write { paths, known } })
}

/// `writeFile`, `write_file`, `Write-File` -> `write`, `file`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let splits = !c.is_alphanumeric() || (c.is_uppercase() && was_lower);
        if splits && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    words.retain(|w| !w.is_empty());
    words
}

fn text<'a>(input: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| input.get(*key).and_then(Value::as_str))
}

/// Words in the name of a tool that starts commands.
const STARTING: &[&str] = &[
    "shell",
    "bash",
    "zsh",
    "sh",
    "exec",
    "execute",
    "run",
    "terminal",
    "console",
    "command",
    "commands",
    "cmd",
    "powershell",
    "pwsh",
    "process",
    "spawn",
    "start",
    "launch",
];

/// Words in the name of a tool that runs a program text.
const RUNNING_CODE: &[&str] =
    &["run", "exec", "execute", "eval", "evaluate", "code", "python", "node", "javascript", "script", "repl", "cell"];

/// A command as text, or as a list of words that are started as they are; with `args` behind it.
fn command_text(input: &Map<String, Value>) -> Option<String> {
    const KEYS: [&str; 6] = ["command", "cmd", "script", "shell_command", "commandLine", "command_line"];
    let listed = |words: &Vec<Value>| shell_words::join(words.iter().filter_map(Value::as_str));
    let one = || {
        let found = KEYS.iter().find_map(|key| input.get(*key))?;
        found.as_str().map(str::to_owned).or_else(|| found.as_array().map(listed))
    };
    // Several commands, one after the other.
    let several = || {
        let lines: Vec<&str> = input.get("commands")?.as_array()?.iter().filter_map(Value::as_str).collect();
        Some(lines.join("\n"))
    };
    let mut command = one().or_else(several)?;
    if let Some(args) = ["args", "arguments", "argv"].iter().find_map(|key| input.get(*key)?.as_array()) {
        command.push(' ');
        command.push_str(&listed(args));
    }
    Some(command)
}

fn workdir(input: &Map<String, Value>) -> Option<String> {
    const KEYS: [&str; 6] = ["cwd", "workdir", "working_directory", "workingDirectory", "working_dir", "directory"];
    text(input, &KEYS).map(str::to_owned)
}

/// The shell that the tool's name or its input names.
fn dialect_of(words: &[String], input: &Map<String, Value>) -> Dialect {
    let shell = text(input, &["shell", "dialect"]).unwrap_or_default().to_ascii_lowercase();
    let is = |name: &str| words.iter().any(|w| w == name) || shell.contains(name);
    match () {
        () if is("powershell") || is("pwsh") => Dialect::PowerShell,
        () if shell == "cmd" || shell.ends_with("cmd.exe") || words.iter().any(|w| w == "batch") => Dialect::Cmd,
        () => Dialect::Bash,
    }
}

fn is_shell(name: &str) -> bool {
    words(name).iter().any(|w| {
        ["bash", "sh", "shell", "zsh", "ksh", "dash", "powershell", "pwsh", "cmd", "batch", "terminal"].contains(&&**w)
    })
}

/// The language of a text that nothing names: most tools of this kind run Python.
fn guessed(source: &str) -> Language {
    let node = ["require(", "const ", "let ", "=>", "console.", "await import(", "function "];
    let python = ["import ", "def ", "print(", "from ", "with open("];
    let is_python = python.iter().any(|mark| source.lines().any(|line| line.trim_start().starts_with(mark)));
    if !is_python && node.iter().any(|mark| source.contains(mark)) { Language::Node } else { Language::Python }
}

fn language_of(name: &str) -> Option<Language> {
    let name = name.to_ascii_lowercase();
    let has = |s: &str| name.contains(s);
    match () {
        () if has("python") || name == "py" => Some(Language::Python),
        () if has("javascript") || has("typescript") || has("node") || name == "js" || name == "ts" => {
            Some(Language::Node)
        }
        () if has("perl") => Some(Language::Perl),
        () if has("ruby") => Some(Language::Ruby),
        () if has("php") => Some(Language::Php),
        () => None,
    }
}

/// Collects one path more than the limit at most. The recursion ends with the JSON reader's own limit of nesting.
fn collect(input: &Map<String, Value>, writes: bool, out: &mut Vec<String>) {
    for (key, value) in input {
        let named = names_path(key) || writes && PLACES.contains(&words(key).concat().as_str());
        take(value, named, writes, out);
    }
}

fn take(value: &Value, named: bool, writes: bool, out: &mut Vec<String>) {
    if out.len() > MAX_INPUT_PATHS {
        return;
    }
    match value {
        Value::String(s) if named => out.extend(as_path(s)),
        Value::Array(items) => items.iter().for_each(|item| take(item, named, writes, out)),
        Value::Object(map) => {
            if named {
                // `{"files": {"PATH": "content"}}`
                let is_place = |key: &&String| key.contains(['/', '\\', '.']) && !names_path(key);
                out.extend(map.keys().filter(is_place).filter_map(|key| as_path(key)).take(MAX_INPUT_PATHS + 1));
            }
            collect(map, writes, out);
        }
        _ => {}
    }
}

/// Keys that hold a place where a tool writes; of other tools they may hold anything (`to` of a message).
const PLACES: &[&str] = &["dst", "to", "newname", "targetname", "saveto", "saveas", "writeto", "exportto", "into"];

/// Keys that hold a patch.
const PATCHES: &[&str] =
    &["patch", "input", "diff", "patchText", "patch_text", "patchContent", "patch_content", "command"];

/// The files that a patch names.
fn patched(patch: &str) -> Vec<String> {
    let names = patch.lines().filter_map(|line| {
        if let Some(name) = crate::shell::patch::named(line).or_else(|| line.strip_prefix("rename to ")) {
            return Some(name);
        }
        // A time may stand behind the name.
        let name = line.strip_prefix("+++ ")?.split('\t').next()?;
        (name != "/dev/null").then(|| name.strip_prefix("b/").unwrap_or(name))
    });
    names.filter_map(|name| as_path(name.trim().trim_matches('"'))).take(MAX_INPUT_PATHS + 1).collect()
}

/// A new name without a folder stays in the folder of the file that it is given to.
fn renamed(input: &Map<String, Value>) -> Option<String> {
    const OLD: &[&str] = &["path", "file", "source", "src", "from", "old_path", "oldPath", "filePath", "file_path"];
    let new = text(input, &["new_name", "newName", "newname"]).filter(|name| !name.contains(['/', '\\']))?;
    let old = as_path(text(input, OLD)?)?;
    let folder = old.rfind(['/', '\\']).map(|at| &old[..=at])?;
    as_path(&format!("{folder}{new}"))
}

/// Whether a key of this name holds a path: `path`, `filePath`, `output_dir`, `destination` …
fn names_path(key: &str) -> bool {
    const WORDS: &[&str] = &[
        "path",
        "paths",
        "file",
        "files",
        "filename",
        "filenames",
        "filepath",
        "dir",
        "directory",
        "folder",
        "destination",
        "dest",
        "target",
        "output",
        "out",
        "location",
        "uri",
        "outfile",
        "outdir",
        "savepath",
    ];
    words(key).iter().any(|w| WORDS.contains(&w.as_str()))
}

/// The path in a value, where it looks like one. A relative path counts: it starts at the call's cwd.
fn as_path(s: &str) -> Option<String> {
    if let Some(rest) = file_url(s) {
        let path = decoded(rest);
        return Some(if Model::native() == Model::Windows { windows_uri(&path) } else { path });
    }
    let is_text = s.is_empty() || s.contains("://") || s.contains('\n');
    // A tool may shorten `a/../` before the system measures the path.
    let model = Model::native();
    let root = if model == Model::Windows { r"C:\" } else { "/" };
    let fits = |s: &str| s.len() <= MAX_PATH_BYTES || model.join(root, s).len() <= MAX_PATH_BYTES;
    (!is_text && fits(s)).then(|| s.to_owned())
}

/// What stands behind `file://`, `file://localhost` or `file:` before a path, in any case.
fn file_url(s: &str) -> Option<&str> {
    let without = |s: &'_ str, start: &str| s.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if without(s, "file://localhost/") {
        return Some(&s["file://localhost".len()..]);
    }
    if without(s, "file://") {
        return Some(&s["file://".len()..]);
    }
    without(s, "file:/").then(|| &s["file:".len()..])
}

/// `/C:/x` of `file:///C:/x` is on the drive, `server/share/x` of `file://server/share/x` on the share.
fn windows_uri(path: &str) -> String {
    let bytes = path.as_bytes();
    match bytes {
        [b'/', letter, b':', ..] if letter.is_ascii_alphabetic() => path[1..].to_owned(),
        [b'/', ..] => path.to_owned(),
        _ => format!("//{path}"),
    }
}

/// A URI's path with its `%20` decoded; what is no such sequence, or would be no text, stays as it is.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digit = |i: usize| after.get(i).and_then(|&d| char::from(d).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (byte, digit(0), digit(1)) {
            bytes.extend(u8::try_from(high * 16 + low));
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, input: &str, want: &str) {
        let Ok(Value::Object(input)) = serde_json::from_str(input) else { panic!("bad test input {input}") };
        let got = match classify(name, &input) {
            Ok(Tool::Shell { dialect, command, .. }) => format!("shell {dialect:?} {command}"),
            Ok(Tool::Write { paths, known: true }) => format!("write {}", paths.join(" ")),
            Ok(Tool::Write { paths, known: false }) => format!("maybe {}", paths.join(" ")),
            Ok(Tool::Code { language, .. }) => format!("code {language:?}"),
            Ok(Tool::Read { paths }) => format!("read {}", paths.join(" ")),
            Ok(Tool::Other) => "other".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, want, "{name} {input:?}");
    }

    #[test]
    fn unknown_tools() {
        check("mcp__fs__write_file", r#"{"path":"/srv/a","content":"x"}"#, "write /srv/a");
        check("mcp__fs__read_file", r#"{"path":"/srv/a"}"#, "read /srv/a");
        check("mcp__fs__readFile", r#"{"filePath":"/srv/a"}"#, "read /srv/a");
        check("mcp__fs__get_or_create", r#"{"path":"/srv/a"}"#, "write /srv/a");
        check("mcp__fs__move_file", r#"{"source":"/a","destination":"/b"}"#, "write /b");
        check("mcp__x__store", r#"{"files":[{"path":"/a","text":"t"},{"path":"b"}]}"#, "maybe /a b");
        check("mcp__x__store", r#"{"outputDir":"file:///srv/x"}"#, "maybe /srv/x");
        check("mcp__x__ping", r#"{"url":"https://h/p"}"#, "other");
        // Codex's own, should it ever come without what tells whose it is.
        check(
            "apply_patch",
            r#"{"command":"*** Begin Patch\n*** Add File: /srv/a\n+x\n*** End Patch"}"#,
            "write /srv/a",
        );
        check("mcp__sh__run_command", r#"{"command":"mkdir /srv/x"}"#, "shell Bash mkdir /srv/x");
        check("mcp__sh__run_command", r#"{"command":["mkdir","/srv/a b"]}"#, "shell Bash mkdir '/srv/a b'");
        check("mcp__x__store", r#"{"uri":"file:///p/%2e%2e/srv/a%20b%"}"#, "maybe /p/../srv/a b%");
        check("mcp__py__run_python", r#"{"code":"open('/x','w')"}"#, "code Python");
        check("mcp__x__run_code", r#"{"language":"bash","code":"mkdir /srv/x"}"#, "shell Bash mkdir /srv/x");
        check("mcp__x__run_code", r#"{"language":"pwsh","code":"ni x"}"#, "shell PowerShell ni x");
        check("mcp__x__run_code", r#"{"language":"typescript","code":"x"}"#, "code Node");
        check("mcp__x__run_code", r#"{"code":"open('/srv/x','w')"}"#, "code Python");
        check("mcp__x__run_code", r#"{"code":"const fs = require('fs')"}"#, "code Node");
        check("mcp__x__run_script", r#"{"language":"python","script":"x"}"#, "code Python");
        check("mcp__x__run_script", r#"{"script":"mkdir /srv/x"}"#, "shell Bash mkdir /srv/x");
        check("mcp__ide__executeCode", r#"{"code":"import os"}"#, "code Python");
        check("mcp__sh__run", r#"{"command":"mkdir","args":["/srv/a b"]}"#, "shell Bash mkdir '/srv/a b'");
        check("mcp__sh__run_commands", r#"{"commands":["cd /srv","mkdir x"]}"#, "shell Bash cd /srv\nmkdir x");
        check("mcp__dc__start_process", r#"{"command":"ni x","shell":"powershell.exe"}"#, "shell PowerShell ni x");
        check("mcp__dc__start_process", r#"{"command":"md x","shell":"cmd.exe"}"#, "shell Cmd md x");
        check("mcp__db__query", r#"{"sql":"select 1"}"#, "other");
    }

    #[test]
    fn places_of_tools_that_write() {
        check("mcp__fs__copy_file", r#"{"src":"a","dst":"/srv/b"}"#, "write /srv/b");
        check("mcp__fs__move", r#"{"from":"a","to":"/srv/b"}"#, "write /srv/b");
        check("mcp__mail__send", r#"{"from":"a","to":"b"}"#, "other");
        check("mcp__fs__rename", r#"{"path":"/srv/a","newName":"b"}"#, "write b /srv/a /srv/b");
        check("mcp__fs__write_files", r#"{"files":{"/srv/a":"x","b.txt":"y"}}"#, "write /srv/a b.txt");
        check("mcp__x__store", r#"{"files":{"/srv/a":{"content":"x"}}}"#, "maybe /srv/a");
        let begin = r#"{"patch":"*** Begin Patch\n*** Add File: /srv/a\n+x\n*** Move to: b\n*** End Patch"}"#;
        check("mcp__x__apply_patch", begin, "write /srv/a b");
        let unified = r#"{"diff":"--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- /dev/null\n+++ /srv/a\tnow\n+++ /dev/null\n"}"#;
        check("mcp__x__patch_file", unified, "write x /srv/a");
        check("mcp__x__write", r#"{"uri":"FILE:///srv/a"}"#, "write /srv/a");
        check("mcp__x__write", r#"{"uri":"file:/srv/a"}"#, "write /srv/a");
        check("mcp__x__write", r#"{"uri":"file://localhost/srv/a"}"#, "write /srv/a");
    }

    #[test]
    fn file_uris_of_windows() {
        let check = |path: &str, want: &str| assert_eq!(windows_uri(path), want);
        check("/C:/a b/x", "C:/a b/x");
        check("server/share/x", "//server/share/x");
        check("/x", "/x");
    }

    #[test]
    fn nothing_is_left_out_in_silence() {
        let deep = format!("{}{{\"path\":\"/srv/a\"}}{}", "{\"x\":[".repeat(40), "]}".repeat(40));
        check("mcp__x__store", &deep, "maybe /srv/a");
        let many = format!("{{\"files\":[{}\"b\"]}}", "\"a\",".repeat(1000));
        check("mcp__x__store", &many, "it names more than 1000 paths");
        let winding = format!("/srv/{}x", "a/../".repeat(1000));
        check("mcp__x__store", &format!("{{\"path\":{winding:?}}}"), &format!("maybe {winding}"));
        check("mcp__x__store", &format!("{{\"file\":\"/9j/{}\"}}", "4AAQ".repeat(2000)), "other");
    }
}
