//! What only Windows has: its spellings in a client's payloads, drives, other names of one file, access lists, files
//! that others hold open, its shells.
//!
//! Tests of the rest run here too; what differs is in `env.rs`.

use std::fs;
use std::os::windows::fs::OpenOptionsExt as _;

use serde_json::{Value, json};

use crate::env::{Answer, TestEnv, run, symlink, text};
use crate::payload::{Payload, SESSION};

/// A path as Windows writes it.
fn native(env: &TestEnv, name: &str) -> String {
    env.root().join(name).to_str().unwrap().replace('/', r"\")
}

/// As Git Bash writes it: `/c/Users/x`.
fn git_bash(env: &TestEnv, name: &str) -> String {
    let path = text(&env.root().join(name));
    format!("/{}{}", path[..1].to_lowercase(), &path[2..])
}

#[test]
fn a_write_is_judged_in_every_spelling() {
    let env = TestEnv::new();
    let (bad, good) = (native(&env, r"outside\new.md"), native(&env, r"project\new.md"));
    let spellings = |path: &str| {
        let share = format!(r"\\localhost\{}${}", &path[..1], &path[2..]);
        [
            path.to_owned(),
            path.replace('\\', "/"),
            path.to_uppercase(),
            path.to_lowercase(),
            format!(r"\\?\{path}"),
            format!(r"\\.\{path}"),
            format!("//?/{}", path.replace('\\', "/")),
            share.clone(),
            format!(r"\\?\UNC\{}", &share[2..]),
            path[2..].to_owned(),
            format!("{path}:stream"),
            format!("{path}::$DATA"),
            format!("{path}. ."),
            path.replace(r"\new", r"\.\x\..\\new"),
        ]
    };
    for path in spellings(&bad) {
        env.write(&path).assert_refused();
    }
    for path in spellings(&good) {
        env.write(&path).assert_pass();
    }
    env.write(r"..\outside\new.md").assert_refused();
    env.write(r"sub\new.md").assert_pass();
    // Of another drive's folder nothing is known but the drive.
    env.write(r"C:new.md").assert_pass();
}

#[test]
fn the_reason_speaks_as_windows_does() {
    let env = TestEnv::new();
    let path = native(&env, r"outside\a b.md");
    let raw = env.write(&path).raw.stdout;
    let Answer::Deny(reason) = Answer::read(Some(0), &raw) else { panic!("{raw}") };
    for part in [&path, &native(&env, r"home\.wsguard\scratch"), &native(&env, "project")] {
        assert!(reason.contains(part.as_str()), "{part}: {reason}");
    }
    // In one way that cmd, PowerShell and Git Bash read alike.
    assert!(reason.contains(&format!("wsguard allow \"{}\"", path.replace('\\', "/"))), "{reason}");
    env.wsguard_ok(&["allow", &path.replace('\\', "/")]);
    env.write(&path).assert_pass();
}

#[test]
fn git_bash_commands() {
    let env = TestEnv::new();
    let (unix, mixed, native) = (git_bash(&env, "outside/zzz"), env.outside("zzz"), native(&env, r"outside\zzz"));
    for command in [
        format!("mkdir {unix}"),
        format!("mkdir {mixed}"),
        format!("mkdir '{native}'"),
        format!("mkdir \"{native}\""),
        format!("mkdir {}", native.replace('\\', r"\\")),
        format!("echo hi > {unix}"),
        format!("cd {} && mkdir zzz", git_bash(&env, "outside")),
        format!("cp a.txt {unix}"),
        format!("node -e \"require('fs').writeFileSync('{}', '')\"", native.replace('\\', r"\\\\")),
        format!("python -c \"open(r'{native}', 'w')\""),
        format!("mkdir /cygdrive{unix}"),
    ] {
        let reason = env.bash(&command).assert_refused();
        assert!(reason.contains(&mixed), "{command}: {reason}");
    }
    for command in [
        "ls -la > /dev/null 2>&1".to_owned(),
        format!("mkdir {}", git_bash(&env, "project/new")),
        "echo x > /tmp/x && cat /proc/version".to_owned(),
        "echo x > \"$TEMP/x\"".to_owned(),
        format!("cat {unix}"),
        "git status && cargo build 2>/dev/null".to_owned(),
    ] {
        env.bash(&command).assert_pass();
    }
}

#[test]
fn a_file_with_a_devices_name_is_not_made() {
    let env = TestEnv::new();
    for command in ["ls > nul", "ls 2> NUL", "dir &> nul", "touch aux.txt", "echo x | tee con", "mkdir -p src/prn"] {
        let reason = env.bash(command).assert_refused();
        assert!(reason.contains("/dev/null"), "{command}: {reason}");
    }
    // Programs of Windows get the device.
    env.bash("curl -s -o nul https://example.org/").assert_pass();
    env.write("nul").assert_pass();
    env.bash("rm -f nul; ls null").assert_pass();
}

#[test]
fn powershell_and_cmd_calls_are_answered() {
    let env = TestEnv::new();
    let path = native(&env, r"outside\zzz");
    for command in [format!("New-Item -ItemType Directory '{path}'"), format!("Set-Content -Path {path} -Value x")] {
        env.tool("PowerShell", json!({"command": command, "description": "test"})).assert_refused();
    }
    for command in [format!("cmd /c \"mkdir {path}\""), format!("cmd //c \"echo x > {path}\"")] {
        env.bash(&command).assert_refused();
    }
}

#[test]
fn other_drives_are_free_and_may_be_protected() {
    let env = TestEnv::new();
    let payload = |path: &str| Payload::write(&env.project(), path);
    env.hook(&payload(r"Q:\data\x")).assert_pass();
    env.hook(&payload(r"\\server\share\x")).assert_pass();
    env.config("protect_drives = ['c', 'Q:\\']\n");
    env.hook(&payload(r"q:\data\x")).assert_refused();
    env.config("protect_drives = ['Q']\n");
    env.write(&env.outside("x")).assert_pass();
    // A volume without a letter may be any.
    env.hook(&payload(r"\\?\Volume{6fb09ff3-0000-0000-0000-100000000000}\x")).assert_refused();
}

#[test]
fn what_is_fenced_is_fenced_by_every_name() {
    let env = TestEnv::new();
    env.config("fail = \"closed\"\n");
    let config = native(&env, r"home\.wsguard\config.toml");
    for path in [
        config.clone(),
        config.to_uppercase(),
        format!(r"\\?\{config}"),
        format!("{config}::$DATA"),
        format!("{config}."),
        config.replace(r"\.wsguard\", r"\.wsguard.\"),
        config.replace(r"\.wsguard\", r"\.wsguard::$INDEX_ALLOCATION\"),
        format!(r"\\localhost\c${}", &config[2..]),
    ] {
        assert!(env.write(&path).answer() != Answer::Pass, "{path}");
        assert!(env.bash(&format!("echo 'gate = false' > '{path}'")).answer() != Answer::Pass, "{path}");
    }
    let hook = env.program("wsguard-hook").to_str().unwrap().to_uppercase();
    env.bash(&format!("rm '{hook}'")).assert_refused();
    env.bash("wsguard.exe allow C:/x").assert_refused();
    env.bash("WSGUARD.EXE config set gate false").assert_refused();
}

#[test]
fn a_short_name_is_the_long_one() {
    let env = TestEnv::new();
    let long = env.root().join("project").join("a long folder name");
    fs::create_dir(&long).unwrap();
    let out = run(
        {
            let mut command = env.command("cmd");
            command.args(["/c", "dir", "/x", "/ad"]);
            command
        },
        b"",
    );
    let short = out.stdout.split_whitespace().find(|word| word.contains('~')).map(str::to_owned);
    let Some(short) = short else {
        return crate::report::skipped("8.3 names: this volume makes none");
    };
    env.write(&native(&env, &format!(r"project\{short}\x"))).assert_pass();
    env.config(&format!("allow_roots = ['{}']\n", native(&env, &format!(r"project\{short}"))));
    env.write(&native(&env, r"project\a long folder name\x")).assert_pass();
}

#[test]
fn the_published_examples() {
    let env = TestEnv::new();
    env.config(
        "profile = 'dsh'\nprotectDrives = ['C']\nscratchRoot = 'C:\\dsh-test\\scratch'\n"
            .replace("C:\\dsh-test", &native(&env, "dsh"))
            .as_str(),
    );
    // `C:\` is protected.
    for path in [r"C:\out", r"C:\new\deep\x.txt"] {
        env.write(path).assert_refused();
        env.bash(&format!("mkdir '{path}'")).assert_refused();
    }
    // A path in a program's string.
    env.bash(r#"node -e "require('fs').mkdirSync('C:\\out\\x')""#).assert_refused();
    env.bash(r#"node -e "console.log('hi')""#).assert_pass();
    // The scratch root may be anywhere.
    let scratch = env.root().join("dsh").join("scratch").join(SESSION);
    let path = native(&env, r"outside\x");
    let reason = env.write(&path).assert_refused();
    assert!(reason.contains(&text(&scratch)), "{reason}");
    assert!(scratch.is_dir());
    env.write(scratch.join("x").to_str().unwrap()).assert_pass();
}

#[test]
fn paths_beyond_the_old_limit() {
    let env = TestEnv::new();
    let deep = ["a-folder-with-a-name"; 20].join(r"\");
    env.write(&native(&env, &format!(r"project\{deep}\x"))).assert_pass();
    let outside = native(&env, &format!(r"outside\{deep}"));
    env.write(&format!(r"{outside}\x")).assert_refused();
    fs::create_dir_all(&outside).unwrap();
    env.bash(&format!("ls > '{outside}\\x'")).assert_refused();
    let mut far = TestEnv::new();
    let home = far.root().join(deep.replace('\\', "/"));
    far.set("WSGUARD_HOME", &home);
    far.hook(&Payload::session_start(&far.project(), "startup")).assert_context("SessionStart");
    assert!(home.join("scratch").join(SESSION).join(".dsh-owner.json").is_file());
    far.wsguard_ok(&["allow", &far.outside("x")]);
    far.write(&far.outside("x")).assert_pass();
}

#[test]
fn home_is_for_its_user_alone() {
    let env = TestEnv::new();
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    for folder in [env.guard_home(), env.scratch(), env.guard_home().join("workspace-mgr")] {
        let list = workspace_guard::sys::access_list(&folder).unwrap();
        for everybody in [";;;WD)", ";;;BU)", ";;;AU)"] {
            assert!(!list.contains(everybody), "{}: {list}", folder.display());
        }
    }
    env.wsguard_ok(&["install", "claude-code"]);
    let report: Value = serde_json::from_str(&env.wsguard(&["doctor", "--json"]).stdout).unwrap();
    let home = report["findings"].as_array().unwrap().iter().find(|f| f["code"] == "home");
    assert!(home.is_some_and(|f| f["level"] == "ok"), "{report:#}");
}

/// Whether a file that somebody has open (and shares) can be replaced here; said so where not.
fn can_replace_open(env: &TestEnv) -> bool {
    let (old, new) = (env.root().join("old"), env.root().join("new"));
    fs::write(&old, "").unwrap();
    fs::write(&new, "").unwrap();
    let open = fs::File::open(&old).unwrap();
    let done = fs::rename(&new, &old).is_ok();
    drop(open);
    if !done {
        crate::report::skipped("replacing a file that a reader has open: Wine can't");
    }
    done
}

#[test]
fn access_lists_are_kept() {
    let env = TestEnv::new();
    let (private, plain) = (env.root().join("private"), env.root().join("plain"));
    workspace_guard::sys::create_private_folder(&private).unwrap();
    fs::create_dir(&plain).unwrap();
    let list = |path| workspace_guard::sys::access_list(path).unwrap();
    if !list(&private).contains("D:P") {
        return crate::report::skipped("keeping access lists: Wine makes them up from the mode of a file");
    }
    workspace_guard::sys::copy_access(&private, &plain).unwrap();
    assert_eq!(list(&private).split_once("D:"), list(&plain).split_once("D:"));
}

#[test]
fn the_owner_is_the_client_that_started_the_hook() {
    let env = TestEnv::new();
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    let owner: Value = serde_json::from_slice(&fs::read(env.scratch().join(".dsh-owner.json")).unwrap()).unwrap();
    assert_eq!(owner["pid"], std::process::id());
    assert_eq!(owner["cwd"], native(&env, "project"));
}

#[test]
fn files_are_replaced_while_others_read_them() {
    let env = TestEnv::new();
    env.config("gate = true\r\n# mine\r\n");
    let config = env.guard_home().join("config.toml");
    let reader = fs::File::open(&config).unwrap();
    let held = !can_replace_open(&env);
    if held {
        // Wine answers like a file system that knows no such replacement.
        drop(reader);
    }
    env.wsguard_ok(&["config", "set", "gate", "false"]);
    assert_eq!(fs::read_to_string(&config).unwrap(), "gate = false\r\n# mine\r\n");
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    let reader = fs::File::open(&settings).unwrap();
    if held {
        drop(reader);
    }
    env.wsguard_ok(&["uninstall", "claude-code"]);
    // One who shares with nobody: an error that says so, and nothing half done.
    let before = fs::read(&config).unwrap();
    let alone = fs::OpenOptions::new().read(true).share_mode(0).open(&config).unwrap();
    let out = env.wsguard(&["config", "set", "gate", "true"]);
    drop(alone);
    assert!(!matches!(out.code, Some(0 | 2)), "{out:?}");
    assert_eq!(fs::read(&config).unwrap(), before);
    let names: Vec<_> = fs::read_dir(env.guard_home()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(names.iter().all(|n| n == "config.toml" || n == "config.lock"), "{names:?}");
}

#[test]
fn what_is_write_protected_is_not_written() {
    let env = TestEnv::new();
    env.config("gate = true\n");
    let config = env.guard_home().join("config.toml");
    let protect = |path: &std::path::Path, on: bool| {
        let mut rights = fs::metadata(path).unwrap().permissions();
        rights.set_readonly(on);
        fs::set_permissions(path, rights).unwrap();
    };
    protect(&config, true);
    let out = env.wsguard(&["config", "set", "gate", "false"]);
    assert!(out.stderr.contains("error[config_read_only]"), "{out:?}");
    protect(&config, false);
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    protect(&settings, true);
    let out = env.wsguard(&["uninstall", "claude-code"]);
    assert!(out.stderr.contains("error[settings_read_only]"), "{out:?}");
    protect(&settings, false);
}

#[test]
fn settings_keep_their_line_ends_and_mark() {
    let env = TestEnv::new();
    let settings = env.user_home().join(".claude").join("settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let before = "\u{feff}{\r\n  \"model\": \"opus\"\r\n}\r\n";
    fs::write(&settings, before).unwrap();
    env.wsguard_ok(&["install", "claude-code"]);
    let after = fs::read_to_string(&settings).unwrap();
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    assert!(after.starts_with('\u{feff}'));
    env.wsguard_ok(&["uninstall", "claude-code"]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), before);
}

#[test]
fn the_registration_is_the_form_without_a_shell() {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    let value: Value = serde_json::from_slice(&fs::read(settings).unwrap()).unwrap();
    let entry = &value["hooks"]["PreToolUse"][0]["hooks"][0];
    assert_eq!(entry["command"], env.program("wsguard-hook").to_str().unwrap());
    assert!(entry["args"].is_array());
    let report: Value = serde_json::from_str(&env.wsguard(&["doctor", "--json"]).stdout).unwrap();
    assert_eq!(report["ok"], true, "{report:#}");
    assert_eq!(report["probes"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_shell_form_without_a_shell_is_named() {
    let env = TestEnv::new();
    env.wsguard_ok(&["install", "claude-code"]);
    let settings = env.user_home().join(".claude").join("settings.json");
    let mut value: Value = serde_json::from_slice(&fs::read(&settings).unwrap()).unwrap();
    value["hooks"]["PreToolUse"][0]["hooks"][0] = json!({"type": "command", "command": format!("'{}'", text(&env.program("wsguard-hook"))), "timeout": 5, "onFailure": "block"});
    fs::write(&settings, value.to_string()).unwrap();
    let out = env.wsguard(&["doctor", "--json"]);
    assert!(out.stdout.contains("probe_failed") && out.stdout.contains("can't be started"), "{out:?}");
}

#[test]
fn run_passes_the_end_of_a_program_on() {
    let env = TestEnv::new();
    let script = "echo %TMPDIR%&echo %TEMP%&echo %WSGUARD_SESSION%&exit 7";
    let out = env.wsguard(&["run", "--session", SESSION, "--", "cmd", "/c", script]);
    assert_eq!(out.code, Some(7), "{out:?}");
    let temp = text(&env.guard_home().join("cache").join("tmp"));
    let lines: Vec<_> = out.stdout.lines().map(str::trim_end).collect();
    assert_eq!(lines, [temp.as_str(), temp.as_str(), SESSION]);
    assert_eq!(env.wsguard(&["run", "--", "cmd", "/c", "exit 2"]).code, Some(2), "it is the program's own");
    // More than a byte must not look like success.
    assert_eq!(env.wsguard(&["run", "--", "cmd", "/c", "exit 512"]).code, Some(255));
    assert_eq!(env.wsguard(&["run", "--", r"C:\no\such\program"]).code, Some(127));
}

#[test]
fn variables_for_its_shells() {
    let env = TestEnv::new();
    let temp = env.guard_home().join("cache").join("tmp");
    let temp = temp.to_str().unwrap();
    let printed = |args: &[&str]| {
        run(
            {
                let mut c = env.command(env.program("wsguard"));
                c.args(args);
                c
            },
            b"",
        )
        .stdout
    };
    let lines = printed(&["env"]);
    assert!(lines.contains(&format!("$env:TEMP = '{temp}'")), "{lines}");
    let lines = printed(&["env", "--shell", "cmd"]);
    assert!(lines.contains(&format!("set \"TEMP={temp}\"")), "{lines}");
    // What cmd makes of it.
    let script = env.root().join("set.cmd");
    fs::write(&script, format!("@echo off\r\n{}echo %TMP%\r\n", lines.replace('\n', "\r\n"))).unwrap();
    let mut command = env.command("cmd");
    command.args(["/c", script.to_str().unwrap()]);
    assert_eq!(run(command, b"").stdout.trim_end(), temp);
}

#[test]
fn a_home_on_a_drive_that_is_not_there_still_gives_verdicts() {
    let mut env = TestEnv::new();
    env.set("USERPROFILE", r"Q:\no\such\home");
    env.tool("Read", json!({"file_path": env.inside("a.txt")})).assert_pass();
    env.bash("ls").assert_pass();
    let reason = env.write(&env.outside("x")).assert_refused();
    assert!(reason.contains("could not be made"), "{reason}");
}

#[test]
fn output_is_utf8_without_colours_in_a_pipe() {
    let mut env = TestEnv::new();
    env.set("CLAUDE_PROJECT_DIR", env.root().join("project"));
    let name = "outside/naïve — 新しい.md";
    let reason = env.write(&text(&env.root().join(name))).assert_refused();
    assert!(reason.contains("naïve — 新しい.md"), "{reason}");
    let shown = env.wsguard_ok(&["explain", &format!("touch '{}'", text(&env.root().join(name)))]);
    assert!(shown.contains("新しい.md") && !shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn a_junction_leads_where_it_leads() {
    let env = TestEnv::new();
    let mut command = env.command("cmd");
    command.args(["/c", "mklink", "/j", "out"]).arg(native(&env, "outside"));
    run(command, b"");
    if !env.project().join("out").is_symlink() {
        return crate::report::skipped("junctions: Wine makes none");
    }
    env.write(&env.inside("out/x")).assert_refused();
    env.bash("mkdir out/new").assert_refused();
    assert!(symlink("a.txt", env.project().join("l")) || env.project().exists());
}
