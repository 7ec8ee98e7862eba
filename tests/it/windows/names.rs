//! Names that Windows has for one place: spellings, drives, short names, links, long paths.

use std::fs;

use serde_json::json;

use super::native;
use crate::env::Answer;
use crate::env::{TestEnv, run, symlink};
use crate::payload::{Payload, SESSION};

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

/// A drive of the tests' own beside `C:`, which `.ci/windows` makes; nothing on it is anybody's.
pub(super) fn second_drive() -> Option<String> {
    let drive = std::env::var("WSGUARD_TEST_DRIVE").ok().filter(|letter| letter.len() == 1);
    if drive.is_none() {
        crate::report::skipped("a second drive: WSGUARD_TEST_DRIVE names none");
    }
    drive.map(|letter| format!("{letter}:"))
}

#[test]
fn a_second_drive_in_every_shell() {
    let Some(drive) = second_drive() else { return };
    let env = TestEnv::new();
    let letter = drive[..1].to_lowercase();
    let calls = [
        ("Bash", format!("mkdir /{letter}/data")),
        ("Bash", format!("cd /{letter} && mkdir data")),
        ("Bash", format!("echo x > '{drive}\\n.txt'")),
        ("Bash", format!("cmd //c \"md {drive}\\data\"")),
        ("Bash", format!("cmd //c \"cd /d {drive}\\ && md data\"")),
        ("PowerShell", format!("New-Item -ItemType Directory {drive}\\data")),
        ("PowerShell", format!("Set-Location {drive}\\; mkdir data")),
        ("PowerShell", format!("'x' > {letter}:/n.txt")),
        ("PowerShell", format!("cmd /c \"echo x> {drive}\\n.txt\"")),
    ];
    let check = |refused: bool| {
        for (tool, command) in &calls {
            let answer = env.tool(tool, json!({"command": command})).answer();
            assert_eq!(matches!(answer, Answer::Deny(_)), refused, "{command}: {answer:?}");
        }
    };
    check(false);
    env.config(&format!("protect_drives = ['C', '{drive}\\']\n"));
    check(true);
    env.write(&format!("{drive}\\n.txt")).assert_refused();
    // A project there is one as anywhere.
    let project = format!("{drive}\\wsg-project");
    fs::create_dir_all(&project).unwrap();
    let mut there = TestEnv::new();
    there.set("CLAUDE_PROJECT_DIR", &project).config(&format!("protect_drives = ['C', '{drive}']\n"));
    let call = |path: String| there.hook(&Payload::write(std::path::Path::new(&project), &path));
    call(format!("{project}\\a.txt")).assert_pass();
    call("sub\\a.txt".to_owned()).assert_pass();
    call(format!("{drive}\\wsg-other\\a.txt")).assert_refused();
    call("..\\wsg-other\\a.txt".to_owned()).assert_refused();
    call(native(&there, r"project\a.txt")).assert_refused();
    fs::remove_dir_all(&project).unwrap();
}

/// The published plugin's README: `C:\` protected, scratch on another drive.
#[test]
fn the_scratch_root_on_another_drive() {
    let Some(drive) = second_drive() else { return };
    let env = TestEnv::new();
    let root = format!("{drive}\\dsh\\scratch");
    env.config(&format!("profile = 'dsh'\nprotectDrives = ['C']\nscratchRoot = '{root}'\n"));
    let scratch = format!("{root}\\{SESSION}");
    for (tool, input) in [
        ("Write", json!({"file_path": r"C:\out.md", "content": ""})),
        ("Bash", json!({"command": "mkdir 'C:\\out'"})),
        ("PowerShell", json!({"command": r"mkdir C:\out"})),
        ("Bash", json!({"command": r#"node -e "require('fs').mkdirSync('C:\\out')""#})),
        ("PowerShell", json!({"command": r#"node -e "require('fs').mkdirSync('C:\out')""#})),
    ] {
        let Answer::Deny(reason) = env.tool(tool, input.clone()).answer() else { panic!("{input} passed") };
        assert!(reason.contains(&scratch.replace('\\', "/")), "{input}: {reason}");
    }
    assert!(std::path::Path::new(&scratch).join(".dsh-owner.json").is_file());
    env.write(&format!("{scratch}\\x.md")).assert_pass();
    env.bash(&format!("mkdir '{scratch}\\x'")).assert_pass();
    let context = env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    assert!(context.contains(&scratch.replace('\\', "/")), "{context}");
    // It is allowed where its drive is protected too.
    env.config(&format!("profile = 'dsh'\nprotectDrives = ['C', '{drive}']\nscratchRoot = '{root}'\n"));
    env.write(&format!("{scratch}\\x.md")).assert_pass();
    env.write(&format!("{drive}\\x.md")).assert_refused();
    fs::remove_dir_all(format!("{drive}\\dsh")).unwrap();
}

#[test]
fn the_temp_folder_and_the_profile_are_those_of_the_variables() {
    let mut env = TestEnv::new();
    env.unset("HOME");
    env.hook(&Payload::session_start(&env.project(), "startup")).assert_context("SessionStart");
    assert!(env.guard_home().is_dir(), "HOME lies in the profile");
    env.write(&native(&env, r"home\AppData\Local\Temp\x.md")).assert_pass();
    env.write(&native(&env, r"home\AppData\Local\x.md")).assert_refused();
    env.write(&native(&env, r"home\x.md")).assert_refused();
    // Settings know the profile by both names.
    env.config("allow_roots = ['~/notes', '%USERPROFILE%\\drafts']\n");
    env.write(&native(&env, r"home\notes\x.md")).assert_pass();
    env.write(&native(&env, r"home\Drafts\x.md")).assert_pass();
    // The variables' names have no case there.
    env.unset("TEMP").unset("TMP");
    env.set("Temp", native(&env, r"home\other"));
    env.write(&native(&env, r"home\other\x.md")).assert_pass();
    env.write(&native(&env, r"home\AppData\Local\Temp\x.md")).assert_refused();
    // The profile itself is no project, and a drive is none.
    for place in [env.user_home(), std::path::PathBuf::from("C:\\")] {
        env.set("CLAUDE_PROJECT_DIR", &place);
        env.hook(&Payload::write(&place, "new.md")).assert_refused();
    }
}

#[test]
fn a_drive_that_stands_for_a_folder() {
    let env = TestEnv::new();
    let subst = |args: &[&str]| {
        let mut command = env.command("subst");
        command.args(args);
        run(command, b"")
    };
    let letter = "W:";
    subst(&[letter, &native(&env, "outside")]);
    if !std::path::Path::new("W:\\existing.txt").exists() {
        return crate::report::skipped("drives made by subst: Wine makes none");
    }
    env.write("W:\\x.md").assert_refused();
    env.bash("mkdir /w/x").assert_refused();
    subst(&[letter, "/d"]);
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

/// Makes the junction `link` to the folder `target`; `false`, and said so, where that can't be done.
pub(super) fn junction(env: &TestEnv, link: &std::path::Path, target: &std::path::Path) -> bool {
    let mut command = env.command("cmd");
    let native = |path: &std::path::Path| path.to_str().unwrap().replace('/', r"\");
    command.args(["/c", "mklink", "/j", &native(link), &native(target)]);
    run(command, b"");
    let made = link.is_symlink();
    if !made {
        crate::report::skipped("junctions: Wine makes none");
    }
    made
}

#[test]
fn a_junction_leads_where_it_leads() {
    let env = TestEnv::new();
    if !junction(&env, &env.project().join("out"), &env.root().join("outside")) {
        return;
    }
    env.write(&env.inside("out/x")).assert_refused();
    env.bash("mkdir out/new").assert_refused();
    assert!(symlink("a.txt", env.project().join("l")) || env.project().exists());
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
fn a_home_on_a_drive_that_is_not_there_still_gives_verdicts() {
    let mut env = TestEnv::new();
    env.set("USERPROFILE", r"Q:\no\such\home");
    env.tool("Read", json!({"file_path": env.inside("a.txt")})).assert_pass();
    env.bash("ls").assert_pass();
    let reason = env.write(&env.outside("x")).assert_refused();
    assert!(reason.contains("could not be made"), "{reason}");
}
