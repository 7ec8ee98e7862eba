//! The agent may not move its own fence.

use std::fs;

use serde_json::json;

#[cfg(unix)]
use crate::env::copy_program;
use crate::env::{TestEnv, symlink, text};
use crate::payload::Payload;

#[test]
fn home_is_closed_apart_from_the_agents_own_folders() {
    let env = TestEnv::new();
    let home = env.guard_home();
    for name in [
        "config.toml",
        "new.txt",
        "workspace-mgr/journal.jsonl",
        "workspace-mgr/grants.jsonl",
        "scratch/other-file",
        "scratch/../config.toml",
        "cache/x",
        "trash/x",
        "profiles/x.toml",
    ] {
        let path = text(&home.join(name));
        env.write(&path).assert_refused();
        env.bash(&format!("echo x > {path}")).assert_refused();
        env.bash(&format!("echo x >> {path}")).assert_refused();
    }
    env.write(&text(&home.join("cache/tmp/x"))).assert_pass();
    env.write(&text(&env.scratch().join("x"))).assert_pass();
}

#[test]
fn what_exists_in_home_may_not_be_changed_or_removed() {
    let env = TestEnv::new();
    env.config("fail = \"closed\"\n");
    let file = text(&env.guard_home().join("config.toml"));
    let home = text(&env.guard_home());
    for command in [
        format!("echo 'gate = false' > {file}"),
        format!("echo 'gate = false' >> {file}"),
        format!("sed -i s/closed/open/ {file}"),
        format!("rm {file}"),
        format!("rm -rf {home}"),
        format!("mv {home} {home}.bak"),
        format!("cp a.txt {file}"),
        format!("tee {file} < a.txt"),
        format!("chmod 000 {file}"),
        format!("python3 -c \"open('{file}','w').write('gate=false')\""),
        format!("cd {home} && echo x > config.toml"),
        "echo 'gate = false' > ~/.wsguard/config.toml".to_owned(),
        "rm -rf ~/.wsguard".to_owned(),
    ] {
        env.bash(&command).assert_refused();
    }
    env.bash(&format!("cat {file}")).assert_pass();
}

#[test]
fn the_trash_is_the_users() {
    let env = TestEnv::new();
    let item = env.outside("_dsh-trash/20260101T000000Z-a");
    fs::create_dir_all(format!("{item}/payload")).unwrap();
    let top = env.outside("");
    let top = top.trim_end_matches('/');
    for command in [
        format!("rm -rf {item}"),
        format!("rm -rf {top}/_dsh-trash"),
        format!("rm -rf {top}"),
        format!("mv {item}/payload ."),
        format!("echo x > {item}/manifest.json"),
        format!("cd {top} && rm -r _dsh-trash/*"),
        format!("find {top}/_dsh-trash -delete"),
    ] {
        env.bash(&command).assert_refused();
    }
    let reason = env.bash(&format!("rm -rf {item}")).assert_refused();
    assert!(reason.contains("the trash is the user's"), "{reason}");
    env.bash(&format!("ls {item} && cat {item}/payload/x")).assert_pass();
    env.bash(&format!("cp -r {item}/payload back")).assert_pass();
}

#[test]
fn allowed_roots_do_not_open_the_fence() {
    let env = TestEnv::new();
    env.config(&format!("allow_roots = [{:?}]\n", text(env.root())));
    env.write(&env.outside("x")).assert_pass();
    env.write(&text(&env.guard_home().join("config.toml"))).assert_refused();
    env.write(&text(&env.user_home().join(".claude/settings.json"))).assert_refused();
}

#[test]
fn the_registration_is_out_of_reach() {
    let env = TestEnv::new();
    let user = text(&env.user_home().join(".claude/settings.json"));
    let project = env.inside(".claude/settings.json");
    let local = env.inside(".claude/settings.local.json");
    for path in [&user, &project, &local] {
        env.write(path).assert_refused();
        env.tool("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"})).assert_refused();
        env.bash(&format!("echo '{{}}' > {path}")).assert_refused();
        env.bash(&format!("rm -f {path}")).assert_refused();
        env.bash(&format!("jq . {path} > x && mv x {path}")).assert_refused();
        let dir = std::path::Path::new(path).parent().unwrap();
        fs::create_dir_all(dir).unwrap();
        let dir = text(dir);
        fs::write(path, "{}").unwrap();
        for tests in ["-name 'settings*.json'", "-type f", ""] {
            env.bash(&format!("find {dir} {tests} -delete")).assert_refused();
        }
        env.bash(&format!("find {dir} -type d -empty -delete")).assert_pass();
        env.bash(&format!("find {dir} -name '*.bak' -delete")).assert_pass();
        env.bash(&format!("cat {path}")).assert_pass();
    }
}

/// git writes over what a pathspec names, by a file of another revision.
#[test]
fn git_does_not_bring_back_another_registration() {
    let env = TestEnv::new();
    let home = text(&env.user_home());
    fs::create_dir_all(env.project().join(".git")).unwrap();
    fs::write(env.project().join(".git/config"), "").unwrap();
    fs::create_dir_all(env.project().join("sub")).unwrap();
    for path in [env.project().join(".claude/settings.json"), env.user_home().join(".claude/settings.json")] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }
    for command in [
        "git restore --source=HEAD~1 .claude/settings.json",
        "git restore -s HEAD~1 -- .claude",
        "git restore .claude/",
        "git restore ':/.claude/settings.json'",
        "cd sub && git checkout HEAD~1 -- ':(top).claude/settings.json'",
        "cd sub && git checkout HEAD~1 ../.claude/settings.json",
        "git checkout .claude/settings.json",
        "git checkout HEAD~1 -- '.claude/*.json'",
        "git checkout old .claude",
        "git checkout old .claude/settings.local.json",
        "git checkout -- .claude/settings.local.json",
        "git -C .claude checkout HEAD~1 settings.json",
        "git stash push .claude/settings.json",
        "git stash -- .claude",
        "git checkout-index -f .claude/settings.json",
        "git show HEAD~1:.claude/settings.json > .claude/settings.json",
        "git rm .claude/settings.json",
        "git rm -f ':/.claude/settings.json'",
        "git rm -f '.claude/*'",
        "git clean -fx ':(top).claude'",
        "/usr/lib/git-core/git-restore .claude",
        "git -c alias.q='checkout old -- .claude' q",
        "git -c alias.q='!wsguard' q allow /srv",
        "git rm -rf .claude",
        "git clean -fdx .claude",
        "cd .claude && git clean -fdx",
        &format!("git -C {home} restore .claude/settings.json"),
        &format!("git --work-tree={home}/.claude --git-dir=x checkout -f HEAD -- settings.json"),
        &format!("git -C {home}/.claude reset --hard HEAD~1"),
        &format!("rm {home}/.claude/$NAME"),
    ] {
        env.bash(command).assert_refused();
    }
    for command in [
        "git restore .",
        "git checkout main",
        "git checkout -b feature/x",
        "git checkout HEAD~1 -- src/main.rs",
        "git checkout .claude/agents/a.md",
        "git checkout -- ':!.claude'",
        "git restore --staged .claude/settings.json",
        "git stash",
        "git diff HEAD~1 .claude/settings.json",
        "git log -- .claude/settings.json",
        "git add .claude/settings.json && git commit -m x",
        "git show HEAD~1:.claude/settings.json",
        "git clean -fd",
        "git reset --hard",
    ] {
        env.bash(command).assert_pass();
    }
}

/// Where there is no registration yet, a folder put in its place may bring one.
#[test]
fn a_folder_with_settings_is_not_put_in_place() {
    let env = TestEnv::new();
    let home = text(&env.user_home());
    fs::create_dir_all(env.project().join("src")).unwrap();
    for command in [
        "mv src .claude",
        "ln -s src .claude",
        "ln -s $PWD/src .claude",
        "cp -r src .claude",
        "cp -r ../x/.claude .",
        "rsync -a src/ .claude",
        "git clone https://example.com/x .claude",
        "git worktree add .claude x",
        "git checkout x -- .claude",
        "git restore -s x .claude/",
        &format!("cp -r src {home}/.claude"),
    ] {
        env.bash(command).assert_refused();
    }
    for command in ["mkdir -p .claude/agents", "mkdir .claude && touch .claude/notes.md", "cp -r src .other"] {
        env.bash(command).assert_pass();
    }
    fs::create_dir_all(env.project().join(".claude")).unwrap();
    for command in ["cp -r src/. .claude", "tar xf x.tar -C .claude", "unzip x.zip -d .claude"] {
        env.bash(command).assert_refused();
    }
    for command in ["cp src/a.md .claude/", "mkdir .claude/agents && cp -r src/. .claude/agents", "ls .claude"] {
        env.bash(command).assert_pass();
    }
}

#[test]
fn the_hook_itself_is_out_of_reach() {
    let env = TestEnv::new();
    let hook = text(&env.program("wsguard-hook"));
    for command in
        [format!("rm {hook}"), format!("cp /bin/true {hook}"), format!("chmod -x {hook}"), format!(": > {hook}")]
    {
        env.bash(&command).assert_refused();
    }
}

#[test]
fn operator_commands_are_refused() {
    let env = TestEnv::new();
    let full = text(&env.program("wsguard"));
    for command in [
        "wsguard allow /srv/zzz",
        "wsguard config set gate false",
        "wsguard uninstall claude-code",
        "wsguard revoke /srv/zzz",
        "wsguard recycle /srv/zzz --confirm",
        "wsguard trash purge 1 --confirm",
        "cd /tmp && wsguard allow /srv/zzz",
        "env -u CLAUDECODE wsguard allow /srv/zzz",
        "sudo wsguard allow /srv/zzz",
        "bash -c 'wsguard allow /srv/zzz'",
        "echo /srv/zzz | xargs wsguard allow",
        "W=wsguard; $W allow /srv/zzz",
        "$(which wsguard) allow /srv/zzz",
        "W=$(command -v wsguard); \"$W\" allow /srv/zzz",
        "nohup wsguard allow /srv/zzz &",
        &format!("{full} allow /srv/zzz"),
    ] {
        env.bash(command).assert_refused();
    }
}

#[test]
fn the_clients_own_shell_files_are_out_of_reach() {
    let env = TestEnv::new();
    for name in ["session-env/s1/sessionstart-hook-0.sh", "shell-snapshots/x.sh", "plugins/installed_plugins.json"] {
        env.bash(&format!("echo 'export TMPDIR=/srv' >> ~/.claude/{name}")).assert_refused();
        env.write(&text(&env.user_home().join(".claude").join(name))).assert_refused();
        env.bash(&format!("cat ~/.claude/{name}")).assert_pass();
    }
    for name in ["plans/a.md", "skills/x/SKILL.md", "plugins/cache/x/README.md"] {
        env.write(&text(&env.user_home().join(".claude").join(name))).assert_pass();
    }
}

#[test]
fn the_hook_is_fed_by_the_client_alone() {
    let env = TestEnv::new();
    let hook = text(&env.program("wsguard-hook"));
    let start = r#"{"hook_event_name":"SessionStart","session_id":"s","cwd":"/srv"}"#;
    for command in [
        format!("echo '{start}' | wsguard-hook"),
        format!("echo '{start}' | CLAUDE_PROJECT_DIR=/srv {hook} --harness claude-code"),
        format!("{hook} --event SessionStart < a.txt"),
        format!("echo '{start}' | wsguard hook"),
        format!("python3 -c \"import subprocess; subprocess.run(['{hook}'], input='x')\""),
        "pkill wsguard-hook".to_owned(),
        "while :; do killall -9 wsguard-hook; done &".to_owned(),
    ] {
        env.bash(&command).assert_refused();
    }
    for command in ["wsguard-hook --version", "pgrep wsguard-hook", "pkill -f vite", "ls -l $(which wsguard-hook)"] {
        env.bash(command).assert_pass();
    }
}

#[test]
fn looking_is_free() {
    let env = TestEnv::new();
    for command in [
        "wsguard status",
        "wsguard explain 'mkdir /srv/zzz'",
        "wsguard session",
        "wsguard prompt",
        "wsguard grants",
        "wsguard config show",
        "wsguard --help",
        "echo 'ask the operator to run: wsguard allow /srv/zzz'",
        "man wsguard",
        "grep -rn 'wsguard allow' .",
        "cd / && wsguard audit verify && wsguard explain ls && wsguard-hook --version",
    ] {
        env.bash(command).assert_pass();
    }
}

#[test]
fn the_gate_switched_off_still_keeps_the_fence() {
    let env = TestEnv::new();
    env.config("shell = \"off\"\n");
    env.bash(&format!("mkdir {}", env.outside("zzz"))).assert_pass();
    env.bash("wsguard allow /srv/zzz").assert_refused();
}

#[test]
fn a_projects_own_file_only_tightens() {
    let env = TestEnv::new();
    let path = env.outside("zzz");
    fs::write(env.project().join(".wsguard.toml"), format!("gate = false\nallow_roots = [{path:?}]\n")).unwrap();
    env.write(&path).assert_refused();
    fs::write(env.project().join(".wsguard.toml"), "protect_existing = true\n").unwrap();
    env.bash(&format!("rm {}", env.outside("existing.txt"))).assert_refused();
}

#[test]
fn a_link_in_the_place_of_an_allowed_root_allows_nothing() {
    let env = TestEnv::new();
    env.config("redirect_temp = true\n");
    let outside = env.outside("");
    let temp = env.guard_home().join("cache/tmp");
    env.hook(&Payload::session_start(&env.project(), "startup"));
    fs::create_dir_all(env.guard_home().join("cache")).unwrap();
    for own in [env.scratch(), temp] {
        if own.exists() {
            fs::remove_dir_all(&own).unwrap();
        }
        if !symlink(&outside, &own) {
            break;
        }
        env.write(&text(&own.join("x"))).assert_refused();
        env.write(&env.outside("x")).assert_refused();
        env.bash(&format!("mkdir {}", text(&own.join("x")))).assert_refused();
        fs::remove_file(&own).unwrap();
    }
    let project = text(&env.project());
    for command in [
        format!("rm -rf {project} && ln -s {outside} {project}"),
        format!("mv {project} {project}/../old"),
        "cd .. && rm -r project".to_owned(),
    ] {
        env.bash(&command).assert_refused();
    }
    env.bash("rm -rf sub a.txt .cache").assert_pass();
    env.bash(&format!("rm -rf {project}/*")).assert_pass();
}

#[test]
fn another_name_of_a_fenced_file_is_that_file() {
    let env = TestEnv::new();
    env.config("fail = \"closed\"\n");
    let config = text(&env.guard_home().join("config.toml"));
    for command in [
        format!("ln {config} hard"),
        format!("link {config} hard"),
        format!("cp -l {config} hard"),
        format!("python3 -c \"import os; os.link('{config}', 'hard')\""),
        format!("ln {config} hard && echo 'gate = false' > hard"),
    ] {
        env.bash(&command).assert_refused();
    }
    env.bash("ln a.txt hard && echo x > hard").assert_pass();
    fs::hard_link(&config, env.project().join("hard")).unwrap();
    env.write(&env.inside("hard")).assert_refused();
    env.bash("echo 'gate = false' > hard").assert_refused();
    env.bash("rm hard").assert_pass();
}

#[test]
fn a_plugins_registration_is_out_of_reach() {
    let mut env = TestEnv::new();
    let plugin = env.user_home().join(".claude/plugins/workspace-guard");
    fs::create_dir_all(plugin.join("hooks")).unwrap();
    fs::write(plugin.join("hooks/hooks.json"), "{}").unwrap();
    env.set("CLAUDE_PLUGIN_ROOT", &plugin);
    env.write(&text(&plugin.join("hooks/hooks.json"))).assert_refused();
    env.write(&text(&plugin.join(".claude-plugin/plugin.json"))).assert_refused();
    env.bash(&format!("rm -r {}", text(&plugin))).assert_refused();
    env.write(&text(&plugin.join("skills/x.md"))).assert_pass();
}

/// Its own file is fenced, and a descriptor's path names none.
#[cfg(target_os = "linux")]
#[test]
fn the_hook_knows_its_file_however_it_was_started() {
    let env = TestEnv::new();
    let copy = env.project().join("hook");
    copy_program(&env.program("wsguard-hook"), &copy);
    let write = Payload::bash(&env.project(), &format!("echo x > {}", text(&copy))).line();
    for start in [
        "exec \"$0\"",
        "exec ./hook",
        "ln -s hook link; exec \"${0%/*}/link\"",
        "exec 9< \"$0\"; exec /dev/fd/9",
        "exec 9< \"$0\"; exec /proc/self/fd/9",
    ] {
        let mut command = env.command("/bin/sh");
        command.args(["-c", start]).arg(&copy);
        env.finish(command, &write).assert_refused();
    }
}

/// What says what is allowed is fenced where it lies, too, not only by the name in HOME.
#[cfg(unix)]
#[test]
fn what_a_link_in_home_leads_to_is_fenced() {
    let env = TestEnv::new();
    env.wsguard_ok(&["allow", &env.outside("granted")]);
    env.config("fail = \"closed\"\n");
    for name in ["config.toml", "workspace-mgr/grants.json"] {
        let (link, file) = (env.guard_home().join(name), env.project().join("dotfile"));
        fs::rename(&link, &file).unwrap();
        symlink(&file, &link);
        let file = text(&file);
        env.write(&file).assert_refused();
        for command in [
            format!("echo x > {file}"),
            format!("sed -i s/closed/open/ {file}"),
            format!("rm {file}"),
            format!("mv {file} {file}.bak"),
            "cp a.txt dotfile".to_owned(),
        ] {
            env.bash(&command).assert_refused();
        }
        env.bash(&format!("cat {file}")).assert_pass();
        fs::remove_file(&link).unwrap();
        fs::rename(&file, &link).unwrap();
    }
}
