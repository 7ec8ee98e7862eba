//! The real Codex, headless, against a model that plays a script: what the guard says must reach the model.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::{
    codex::{Run, Script, Use, client, put_on_path},
    env::{TestEnv, copy_program, text},
};

/// A model whose tools are a shell and patches.
const PLAIN: &str = "gpt-5.5";
/// One whose tools are called from a program text.
const CODE_MODE: &str = "gpt-6.2-astra";

fn shell(command: &str) -> Use {
    Use("exec_command", json!({"cmd": command}))
}

fn patch(lines: &str) -> Use {
    Use("apply_patch", json!(patch_text(lines)))
}

fn patch_text(lines: &str) -> String {
    format!("*** Begin Patch\n{lines}\n*** End Patch\n")
}

/// A machine with the client on PATH, and nothing else.
fn machine(program: &Path) -> TestEnv {
    let mut env = TestEnv::lasting();
    put_on_path(&mut env, program);
    env
}

/// The same with the guard installed and trusted by its own command.
fn guarded(program: &Path) -> TestEnv {
    let env = machine(program);
    let said = env.wsguard_ok(&["install", "codex", "--trust"]);
    assert!(said.contains("Codex now trusts its 7 hooks"), "{said}");
    env
}

/// The session's scratch, as the first request names it.
fn scratch(env: &TestEnv, run: &Run) -> String {
    let folder = fs::read_dir(env.guard_home().join("scratch")).unwrap().next().unwrap().unwrap().path();
    let scratch = text(&folder);
    assert!(run.requests[0].to_string().contains(&scratch), "{:#}", run.requests[0]);
    scratch
}

#[track_caller]
fn assert_told(run: &Run, step: usize, path: &str) {
    let seen = run.result(step);
    assert!(seen.contains("blocked by PreToolUse hook: workspace-guard: "), "{seen}");
    assert!(seen.contains(path) && seen.contains("wsguard allow"), "{seen}");
}

#[test]
fn a_session_is_kept_in_its_place() {
    let Some(program) = client() else { return };
    let env = guarded(&program);
    let hooks = env.user_home().join(".codex/hooks.json");
    let outside = |name: &str| env.outside(name);
    let here_document = |name: &str| {
        shell(&format!("apply_patch <<'EOF'\n{}EOF\n", patch_text(&format!("*** Add File: {}\n+x", outside(name)))))
    };
    let script = vec![
        shell(&format!("mkdir -p {}/out", outside("zzz"))),
        patch(&format!("*** Add File: {}\n+x", outside("added.txt"))),
        patch("*** Add File: ../outside/climbed.txt\n+x"),
        patch(&format!("*** Update File: a.txt\n*** Move to: {}\n@@\n-inside\n+moved", outside("moved.txt"))),
        here_document("here.txt"),
        Use("exec_command", json!({"cmd": "touch there.txt", "workdir": env.root().join("outside")})),
        patch("*** Add File: b.txt\n+one"),
        patch("*** Update File: a.txt\n@@\n-inside\n+edited"),
        shell("printf hi > c.txt; cat c.txt"),
        patch(&format!("*** Delete File: {}", text(&hooks))),
        shell(&format!("echo '{{}}' > {}", text(&hooks))),
        shell("wsguard uninstall codex"),
        shell(&format!("cd nope && {}", here_document("nope.txt").1["cmd"].as_str().unwrap())),
    ];
    let before = fs::read_to_string(&hooks).unwrap();
    let run = Run::play(&env, PLAIN, Script(script));

    let scratch = scratch(&env, &run);
    for (step, name) in [
        (0, "zzz"),
        (1, "added.txt"),
        (2, "climbed.txt"),
        (3, "moved.txt"),
        (4, "here.txt"),
        (5, "there.txt"),
        (12, "nope.txt"),
    ] {
        assert_told(&run, step, &outside(name));
        assert!(run.result(step).contains(&scratch), "{}", run.result(step));
        assert!(!Path::new(&outside(name)).exists(), "{name} was made");
    }
    assert_eq!(fs::read_to_string(env.inside("b.txt")).unwrap(), "one\n", "{}", run.result(6));
    assert_eq!(fs::read_to_string(env.inside("a.txt")).unwrap(), "edited\n", "{}", run.result(7));
    assert!(run.result(8).contains("hi"), "{}", run.result(8));
    for step in 9..=11 {
        assert!(run.result(step).contains("blocked by PreToolUse hook"), "{}", run.result(step));
    }
    assert_eq!(fs::read_to_string(&hooks).unwrap(), before);

    // The same session, as the guard's own books have it.
    let status: Value = serde_json::from_str(&env.wsguard_ok(&["status", "--json"])).unwrap();
    let session = &status["sessions"][0];
    assert_eq!(
        (session["harness"].as_str(), session["project"].as_str()),
        (Some("codex"), Some(&*text(&env.project())))
    );
    let harness = &status["harnesses"][1];
    assert_eq!((harness["name"].as_str(), harness["untrusted"].as_u64()), (Some("codex"), Some(0)), "{status:#}");
    assert!(harness["lastEvent"].is_string(), "{status:#}");
}

#[test]
fn tools_called_from_a_program_text_are_judged_one_by_one() {
    let Some(program) = client() else { return };
    let env = guarded(&program);
    let code = |text: String| Use("exec", json!(text));
    let run_shell = |command: &str| {
        code(format!("const r = await tools.exec_command({}); text(JSON.stringify(r));", json!({"cmd": command})))
    };
    let (path, patched) = (env.outside("zzz"), env.outside("p.txt"));
    let added = json!(patch_text(&format!("*** Add File: {patched}\n+x")));
    let script = vec![
        run_shell(&format!("mkdir {path}")),
        code(format!("const r = await tools.apply_patch({added}); text(JSON.stringify(r));")),
        run_shell("touch d.txt"),
    ];
    let run = Run::play(&env, CODE_MODE, Script(script));
    assert_told(&run, 0, &path);
    assert_told(&run, 1, &patched);
    assert!(!Path::new(&path).exists() && !Path::new(&patched).exists());
    assert!(env.project().join("d.txt").exists(), "{}", run.result(2));
}

/// What a script does that nobody looks into, the gate can't refuse; the session goes on guarded all the same.
#[test]
fn a_session_stays_guarded_when_its_registration_goes() {
    let Some(program) = client() else { return };
    let env = guarded(&program);
    let hooks = env.user_home().join(".codex/hooks.json");
    fs::write(env.project().join("gone.sh"), format!("rm '{}'\nsleep 2\n", text(&hooks))).unwrap();
    let path = env.outside("zzz");
    let run = Run::play(&env, PLAIN, Script(vec![shell("bash gone.sh"), shell(&format!("mkdir {path}"))]));
    assert!(!hooks.exists(), "the script ran: {}", run.result(0));
    assert_told(&run, 1, &path);
    assert!(!Path::new(&path).exists());
}

/// Codex has no variables for a session; those that its settings name reach its shells.
#[test]
fn the_temp_folder_is_a_setting_of_the_client() {
    let Some(program) = client() else { return };
    let mut env = guarded(&program);
    // Short: sockets have to fit in.
    let home = tempfile::tempdir().unwrap();
    env.set("WSGUARD_HOME", home.path());
    let temp = text(&home.path().join("cache/tmp"));
    let config = env.user_home().join(".codex/config.toml");
    let before = fs::read_to_string(&config).unwrap();
    let set = format!("[shell_environment_policy.set]\nTMPDIR = '{temp}'\nTMP = '{temp}'\nTEMP = '{temp}'\n");
    fs::write(&config, format!("{before}\n{set}")).unwrap();
    let run = Run::play(&env, PLAIN, Script(vec![shell("mktemp"), shell("touch \"$TMPDIR/x\"")]));
    assert!(run.requests[0].to_string().contains(&temp), "told of it: {:#}", run.requests[0]);
    assert!(run.result(0).contains(&format!("{temp}/")), "{}", run.result(0));
    assert!(Path::new(&temp).join("x").exists(), "{}", run.result(1));
}

#[test]
fn a_hook_that_is_not_trusted_is_off_and_the_doctor_says_so() {
    let Some(program) = client() else { return };
    let env = machine(&program);
    let out = env.wsguard(&["install", "codex"]);
    assert!(out.stderr.contains("the guard is off"), "{out:?}");
    let path = env.outside("zzz");
    let script = || Script(vec![shell(&format!("mkdir {path}"))]);
    // Proves also that the refusals elsewhere are the guard's and not the client's or the disk's.
    Run::play(&env, PLAIN, script());
    assert!(Path::new(&path).exists(), "this client asks no hook that is not trusted");
    let doctor = env.wsguard(&["doctor", "codex"]);
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.stdout.contains("passes over 7 of 7 hooks") && doctor.stdout.contains("Codex itself"), "{doctor:?}");

    fs::remove_dir(&path).unwrap();
    env.wsguard_ok(&["install", "codex", "--trust"]);
    let doctor = env.wsguard_ok(&["doctor", "codex"]);
    assert!(doctor.contains("trusts all 7 hooks"), "{doctor}");
    assert_told(&Run::play(&env, PLAIN, script()), 0, &path);
    // Without the client at hand its settings say the same.
    let config = env.user_home().join(".codex/config.toml");
    let status = || env.wsguard_ok(&["status"]);
    assert!(!status().contains("not trusted"), "{}", status());
    fs::remove_file(&config).unwrap();
    assert!(status().contains("not trusted"), "{}", status());
}

#[test]
fn a_broken_guard_stops_what_writes() {
    let Some(program) = client() else { return };
    let mut env = guarded(&program);
    env.config("gate = \n");
    let script = || Script(vec![shell("touch made.txt"), patch("*** Add File: made.txt\n+x")]);
    let run = Run::play(&env, PLAIN, script());
    for step in 0..2 {
        assert!(run.result(step).contains("config.toml"), "{}", run.result(step));
    }

    // A guard that is gone: the registered line itself says that nothing may run then.
    let gone = env.root().join("bin");
    fs::create_dir(&gone).unwrap();
    for name in ["wsguard", "wsguard-hook"] {
        copy_program(&env.program(name), &gone.join(name));
    }
    env.take_programs_from(&gone);
    env.config("gate = true\n");
    env.wsguard_ok(&["install", "codex", "--trust"]);
    fs::remove_file(gone.join("wsguard-hook")).unwrap();
    let run = Run::play(&env, PLAIN, script());
    for step in 0..2 {
        assert!(run.result(step).contains("the guard failed, the call is refused"), "{}", run.result(step));
    }
    assert!(!env.project().join("made.txt").exists());
}
