//! What Claude Code 2.1 sends on Windows, as it stands on the hook's standard input: its shell tools, `Write` and `Edit`,
//! with commands as models write them for Git Bash, PowerShell and cmd.

use serde_json::{Value, json};

use super::{git_bash, native};
use crate::env::{Answer, TestEnv, run, text};
use crate::payload::Payload;

/// A command with `OUT`, `IN` and `HOME` for the folders of the test as the shell's users write them, and whether it is
/// refused because of something new in `OUT` or `HOME`.
type Case = (&'static str, bool);

const GIT_BASH: &[Case] = &[
    ("mkdir -p OUT/report/2026", true),
    ("cat > \"OUT/n.md\" << 'EOF'\n# Notes\n- C:\\x\nEOF", true),
    ("cd \"OUT\" && touch n.txt", true),
    ("cp a.txt ~/n.txt", true),
    ("cp a.txt \"$USERPROFILE/n.txt\"", true),
    ("cp a.txt \"$HOME/Desktop\"", true),
    ("git clone https://example.org/x.git OUT/x", true),
    ("git worktree add ../outside/tree", true),
    ("cd ../outside && npm init -y > log.txt", true),
    ("curl -sSL https://example.org/x.zip -o OUT/x.zip && unzip -q OUT/x.zip -d OUT/x", true),
    ("python - << 'EOF'\nfrom pathlib import Path\nPath(r'NATIVE_OUT\\n').mkdir()\nEOF", true),
    ("cmd //c \"md NATIVE_OUT\\n\"", true),
    ("cmd.exe /c 'echo x > %USERPROFILE%\\n.txt'", true),
    ("powershell -NoProfile -Command \"New-Item -ItemType Directory -Force -Path 'NATIVE_OUT\\n'\"", true),
    ("powershell.exe -c 'Set-Content -Path \"$env:USERPROFILE\\n.txt\" -Value x'", true),
    ("pwsh -c \"'x' | Out-File NATIVE_OUT/n.txt\"", true),
    ("node -e \"require('fs').mkdirSync('JS_OUT\\\\\\\\n')\"", true),
    ("reg export 'HKCU\\Software\\Shop' 'NATIVE_OUT\\shop.reg'", true),
    ("mkdir -p IN/report/2026 && cat > IN/report/n.md << 'EOF'\nx\nEOF", false),
    ("npm run build > build.log 2>&1; tail -5 build.log", false),
    ("cat \"OUT/existing.txt\" | head -5", false),
    ("ls \"$USERPROFILE\" ~ && cat ~/.gitconfig 2> /dev/null", false),
    ("echo x > \"$TEMP/n.txt\" && echo x > \"$TMP\\\\m.txt\" && mktemp", false),
    ("git commit -m \"move OUT/n here\"", false),
    ("cmd //c \"dir NATIVE_OUT > nul\"", false),
    ("taskkill //F //PID 4711; tasklist | grep node", false),
    ("which node python && where git", false),
    ("start https://example.org/x", false),
];

const POWERSHELL: &[Case] = &[
    ("New-Item -ItemType Directory -Force -Path \"OUT\\n\" | Out-Null", true),
    ("mkdir OUT\\n\\deep", true),
    ("'x' | Out-File -FilePath 'OUT\\n.txt' -Encoding utf8", true),
    ("Set-Content -Path OUT\\n.txt -Value @'\n# Notes\n'@", true),
    ("Get-Date > OUT\\n.txt", true),
    ("Copy-Item a.txt \"$env:USERPROFILE\\n.txt\"", true),
    ("Copy-Item a.txt ~\\n.txt", true),
    ("Copy-Item a.txt $HOME\\n.txt", true),
    ("$out = Join-Path 'OUT' 'n'; New-Item -ItemType Directory $out", true),
    ("[IO.File]::WriteAllText('OUT\\n.txt', 'x')", true),
    ("Set-Location ..\\outside; New-Item n.txt", true),
    ("Push-Location OUT; 'x' > n.txt; Pop-Location", true),
    ("Invoke-WebRequest https://example.org/x.zip -OutFile OUT\\x.zip", true),
    ("Expand-Archive a.zip -DestinationPath OUT\\x", true),
    ("git clone https://example.org/x.git 'OUT\\x'", true),
    ("git worktree add ..\\outside\\tree", true),
    ("cmd /c \"md OUT\\n\"", true),
    ("cmd /c \"echo x > %USERPROFILE%\\n.txt\"", true),
    ("bash -c 'mkdir POSIX_OUT/n'", true),
    ("& 'C:\\Program Files\\Git\\bin\\bash.exe' -c \"touch POSIX_OUT/n\"", true),
    ("python -c \"open(r'OUT\\n.txt', 'w')\"", true),
    ("Start-Process notepad -RedirectStandardOutput OUT\\n.txt", true),
    ("New-Item -ItemType SymbolicLink -Path OUT\\n -Target IN", true),
    ("New-Item -ItemType Directory -Force -Path IN\\n | Out-Null; 'x' > IN\\n\\a.txt", false),
    ("npm run build *> build.log; Get-Content build.log -Tail 5", false),
    ("Get-Content OUT\\existing.txt -TotalCount 5", false),
    ("Get-ChildItem $env:USERPROFILE -Force | Select-Object Name", false),
    ("Test-Path 'OUT\\n'; if (Test-Path OUT\\n) { Get-Item OUT\\n }", false),
    ("'x' > $env:TEMP\\n.txt; 'x' > \"$env:TMP\\m.txt\"", false),
    ("git status 2>$null; npm test > $null", false),
    ("git commit -m 'move OUT\\n here'", false),
    ("cmd /c \"dir OUT > nul\"", false),
    ("Write-Host 'mkdir OUT\\n'", false),
    ("Get-Process node | Stop-Process -Force", false),
];

/// What the hook answers to a call of `tool`, where the test's folders stand for their names in `command`.
fn check(env: &TestEnv, tool: &str, cases: &[Case], folder: impl Fn(&TestEnv, &str) -> String) {
    let fill = |command: &str| {
        command
            // As a string of JavaScript within double quotes of bash.
            .replace("JS_OUT", &native(env, "outside").replace('\\', r"\\\\"))
            .replace("NATIVE_OUT", &native(env, "outside"))
            .replace("POSIX_OUT", &git_bash(env, "outside"))
            .replace("OUT", &folder(env, "outside"))
            .replace("IN", &folder(env, "project"))
    };
    let mut wrong = Vec::new();
    for (case, refused) in cases {
        let command = fill(case);
        match (env.tool(tool, json!({"command": command, "description": "test", "timeout": 120_000})).answer(), refused)
        {
            (Answer::Pass, false) => {}
            (Answer::Deny(reason), true) if reason.contains(&env.outside("")) || names_home(env, &reason) => {}
            (other, _) => wrong.push(format!("{command}\n  {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{tool}: {} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether the reason names something new in the user's home.
fn names_home(env: &TestEnv, reason: &str) -> bool {
    let home = text(&env.user_home());
    ["n.txt", "Desktop"].iter().any(|name| reason.contains(&format!("{home}/{name}")))
}

/// The environment of a user who has no `HOME`, as outside of Git Bash; Git Bash's own has one.
fn user(shell: &str) -> TestEnv {
    let mut env = TestEnv::new();
    if shell == "Bash" {
        env.set("HOME", git_bash(&env, "home"));
    } else {
        env.unset("HOME");
    }
    env
}

#[test]
fn the_bash_tool() {
    let env = user("Bash");
    check(&env, "Bash", GIT_BASH, git_bash);
    let env = user("none");
    check(&env, "Bash", GIT_BASH, |env, name| text(&env.root().join(name)));
}

#[test]
fn the_powershell_tool() {
    check(&user("none"), "PowerShell", POWERSHELL, native);
    check(&user("Bash"), "PowerShell", POWERSHELL, native);
}

#[test]
fn write_and_edit() {
    let env = user("none");
    let inputs = |path: &str| {
        [
            ("Write", json!({"file_path": path, "content": "one\r\ntwo\r\n"})),
            ("Edit", json!({"file_path": path, "old_string": "a\r\n", "new_string": "b\r\n", "replace_all": false})),
            ("MultiEdit", json!({"file_path": path, "edits": [{"old_string": "a", "new_string": "b"}]})),
            ("NotebookEdit", json!({"notebook_path": path, "cell_id": "c1", "new_source": "x"})),
        ]
    };
    for (tool, input) in inputs(&native(&env, r"outside\n.md")) {
        env.tool(tool, input).assert_denied(&env.outside("n.md"));
    }
    for (tool, input) in inputs(&native(&env, r"home\n.md")) {
        env.tool(tool, input).assert_refused();
    }
    for path in [native(&env, r"project\src\n.md"), native(&env, r"home\AppData\Local\Temp\n.md")] {
        for (tool, input) in inputs(&path) {
            env.tool(tool, input).assert_pass();
        }
    }
    // The client's own registration, by the path that the client has for it.
    for (tool, input) in inputs(&native(&env, r"home\.claude\settings.json")) {
        env.tool(tool, input).assert_refused();
    }
}

/// Programs that stand between a client and the hook may mark the text or end its lines their own way.
#[test]
fn a_payload_with_marks_and_line_ends_of_windows() {
    let env = user("none");
    let pretty = |payload: Payload| serde_json::to_string_pretty(&payload.into_value()).unwrap().replace('\n', "\r\n");
    let bad = pretty(Payload::write(&env.project(), &native(&env, r"outside\n.md")));
    let good = pretty(Payload::bash(&env.project(), "ls"));
    for start in ["", "\u{feff}"] {
        env.hook_bytes(format!("{start}{bad}\r\n").as_bytes()).assert_denied(&env.outside("n.md"));
        env.hook_bytes(format!("{start}{good}\r\n").as_bytes()).assert_pass();
    }
    // UTF-16 is nothing that a client sends: refused, not misread.
    let wide: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    env.hook_bytes(&wide).assert_refused();
}

/// From a file to a file, as cmd starts it, whatever its code page: the answer's bytes are the same.
#[test]
fn the_answer_does_not_depend_on_the_console() {
    let env = user("none");
    let payload = Payload::write(&env.project(), &native(&env, r"outside\naïve — 新しい.md"));
    let file = env.root().join("payload.json");
    std::fs::write(&file, payload.line()).unwrap();
    let piped = env.hook(&payload).raw.stdout;
    let script = env.root().join("call.cmd");
    for page in ["437", "850", "65001"] {
        let hook = env.program("wsguard-hook");
        let text = format!(
            "@echo off\r\nchcp {page} > nul\r\n\"{}\" --harness claude-code < \"{}\" > \"{}\"\r\n",
            hook.display(),
            file.display(),
            native(&env, "answer.json"),
        );
        std::fs::write(&script, text).unwrap();
        let mut command = env.command("cmd");
        command.arg("/c").arg(&script).env("WSGUARD_HOOK_DEADLINE_MS", "10000");
        let out = run(command, b"");
        let answer = std::fs::read_to_string(env.root().join("answer.json")).unwrap();
        assert_eq!(answer, piped, "{page}: {out:?}");
        let value: Value = serde_json::from_str(&answer).unwrap();
        assert!(value["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap().contains("新しい"));
    }
}
