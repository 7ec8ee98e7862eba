//! The command line's frame: exit codes, help, and where the text goes.

use std::io::Read as _;
use std::process::Stdio;

use crate::env::{TestEnv, run};

#[test]
fn a_usage_error_is_never_a_verdict() {
    let env = TestEnv::new();
    for args in [
        &[][..],
        &["--no-such-flag"],
        &["no-such-command"],
        &["install"],
        &["install", "no-such-harness"],
        &["install", "claude-code", "--scope", "planet"],
        &["install", "claude-code", "--scope", "user", "--settings", "x"],
        &["completions", "no-such-shell"],
    ] {
        let out = env.wsguard(args);
        assert_eq!(out.code, Some(64), "{args:?}: {out:?}");
        assert!(out.stdout.is_empty() && !out.stderr.is_empty(), "{args:?}: {out:?}");
    }
}

#[test]
fn help_and_version_are_answers() {
    let env = TestEnv::new();
    for args in [&["--help"][..], &["-h"], &["help"], &["help", "install"], &["install", "--help"], &["--version"]] {
        let out = env.wsguard(args);
        assert_eq!(out.code, Some(0), "{args:?}: {out:?}");
        assert!(!out.stdout.is_empty() && out.stderr.is_empty(), "{args:?}: {out:?}");
        assert!(!out.stdout.contains('\u{1b}'), "{args:?}: colours in a pipe");
    }
    assert_eq!(env.wsguard(&["--version"]).stdout, format!("wsguard {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let env = TestEnv::new();
    let mut command = env.command(env.program("wsguard"));
    command.args(["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = crate::env::spawn(&mut command);
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{stderr}");
    assert_eq!(stderr, "");
}

#[test]
fn completions_know_the_subcommands() {
    let env = TestEnv::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        // The shell asks the program itself while one types.
        assert!(env.wsguard_ok(&["completions", shell]).contains("WSGUARD_COMPLETE"), "{shell}");
    }
    let mut command = env.command(env.program("wsguard"));
    command.env("WSGUARD_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", "1").args(["--", "wsguard", "unin"]);
    let out = run(command, b"");
    assert_eq!((out.code, out.stdout.trim()), (Some(0), "uninstall"), "{out:?}");
    // A shell that is not known is an error, and no command runs.
    let mut command = env.command(env.program("wsguard"));
    command.env("WSGUARD_COMPLETE", "nosuchshell").args(["status"]);
    let out = run(command, b"");
    assert!(out.code != Some(0) && out.stdout.is_empty(), "{out:?}");
}
