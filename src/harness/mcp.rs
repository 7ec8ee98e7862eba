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
    if let Some(command) = command_text(input, &["command", "cmd", "script", "shell_command"])
        && (has(&["shell", "bash", "exec", "execute", "run", "terminal", "command", "cmd", "powershell", "process"]))
    {
        let dialect = if has(&["powershell", "pwsh"]) { Dialect::PowerShell } else { Dialect::Bash };
        let workdir = text(input, &["cwd", "workdir", "working_directory", "workingDirectory"]);
        return Ok(Tool::Shell { dialect, command, workdir: workdir.map(str::to_owned) });
    }
    if let Some(source) = text(input, &["code", "source", "script"])
        && has(&["run", "exec", "execute", "eval", "evaluate", "code", "python", "node", "javascript"])
    {
        let language = text(input, &["language", "lang"]).unwrap_or(short);
        if let Some(language) = language_of(language) {
            return Ok(Tool::Code { language, source: source.to_owned() });
        }
    }
    let mut paths = Vec::new();
    collect(input, &mut paths);
    if paths.is_empty() {
        return Ok(Tool::Other);
    }
    if paths.len() > MAX_INPUT_PATHS {
        return Err(serde::de::Error::custom(format_args!("it names more than {MAX_INPUT_PATHS} paths")));
    }
    let known = has(WRITING);
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

/// A command as text, or as a list of words that are started as they are.
fn command_text(input: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    if let Some(command) = text(input, keys) {
        return Some(command.to_owned());
    }
    let words = keys.iter().find_map(|key| input.get(*key)?.as_array())?;
    Some(shell_words::join(words.iter().filter_map(Value::as_str)))
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
fn collect(input: &Map<String, Value>, out: &mut Vec<String>) {
    for (key, value) in input {
        take(value, names_path(key), out);
    }
}

fn take(value: &Value, named: bool, out: &mut Vec<String>) {
    if out.len() > MAX_INPUT_PATHS {
        return;
    }
    match value {
        Value::String(s) if named => out.extend(as_path(s)),
        Value::Array(items) => items.iter().for_each(|item| take(item, named, out)),
        Value::Object(map) => collect(map, out),
        _ => {}
    }
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
    if let Some(rest) = s.strip_prefix("file://") {
        return Some(decoded(rest.strip_prefix("localhost").unwrap_or(rest)));
    }
    let is_text = s.is_empty() || s.contains("://") || s.contains('\n');
    // A tool may shorten `a/../` before the system measures the path.
    let fits = |s: &str| s.len() <= MAX_PATH_BYTES || Model::native().normalize(s).len() <= MAX_PATH_BYTES;
    (!is_text && fits(s)).then(|| s.to_owned())
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
        check("mcp__sh__run_command", r#"{"command":"mkdir /srv/x"}"#, "shell Bash mkdir /srv/x");
        check("mcp__sh__run_command", r#"{"command":["mkdir","/srv/a b"]}"#, "shell Bash mkdir '/srv/a b'");
        check("mcp__x__store", r#"{"uri":"file:///p/%2e%2e/srv/a%20b%"}"#, "maybe /p/../srv/a b%");
        check("mcp__py__run_python", r#"{"code":"open('/x','w')"}"#, "code Python");
        check("mcp__db__query", r#"{"sql":"select 1"}"#, "other");
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
