//! Whether a folder is a repository with work that is nowhere else. git is asked, with every program that the repository
//! could name switched off.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::limits::GIT_WAIT_S;

/// Folders in a folder that are looked at for being repositories, and repositories that are asked.
const MAX_INNER: usize = 1_000;
const MAX_ASKED: usize = 16;

/// What is nowhere else.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// It is no repository, or all of it is elsewhere too.
    None,
    /// Something, or it can't be told; for people.
    Some(String),
}

/// Settings under which git starts no program of the repository's choice.
const HARMLESS: [(&str, &str); 8] = [
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.untrackedCache", "false"),
    ("core.alternateRefsCommand", ""),
    ("core.pager", "cat"),
    ("diff.external", ""),
    ("gc.auto", "0"),
    ("log.showSignature", "false"),
];

/// Looks at the folder `path`, and at the folders in it.
pub(crate) fn work(path: &Path) -> Work {
    let mut found: Vec<PathBuf> = Vec::new();
    if is_repository(path) {
        found.push(path.to_owned());
    }
    // One that can't be read holds nothing that git could be asked about.
    let inner = std::fs::read_dir(path).into_iter().flatten().take(MAX_INNER).flatten();
    found.extend(inner.map(|entry| entry.path()).filter(|inner| is_folder(inner) && is_repository(inner)));
    if found.len() > MAX_ASKED {
        return Work::Some(format!("it holds {} repositories", found.len()));
    }
    for repository in found {
        if let Some(what) = unsaved(&repository) {
            let inside = repository.strip_prefix(path).ok().filter(|inner| !inner.as_os_str().is_empty());
            let place = inside.map(|inner| format!("{}: ", inner.display())).unwrap_or_default();
            return Work::Some(format!("{place}{what}"));
        }
    }
    Work::None
}

fn is_folder(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
}

fn is_repository(path: &Path) -> bool {
    std::fs::symlink_metadata(path.join(".git")).is_ok() || is_bare(path)
}

fn is_bare(path: &Path) -> bool {
    ["objects", "refs"].iter().all(|name| path.join(name).is_dir()) && path.join("HEAD").exists()
}

/// What is in `repository` and nowhere else. `None`: nothing.
fn unsaved(repository: &Path) -> Option<String> {
    let filters = match git(repository, &[], &["config", "--name-only", "-z", "--get-regexp", r"^filter\."]) {
        Ok(names) => names,
        // Ends with 1 where there is none.
        Err(Trouble::Code(1)) => Vec::new(),
        Err(trouble) => return Some(trouble.text()),
    };
    let mut off: Vec<(String, String)> = Vec::new();
    for name in filters.split(|&b| b == 0).filter(|name| !name.is_empty()) {
        let name = String::from_utf8_lossy(name).into_owned();
        let value = if name.ends_with(".required") { "false" } else { "" };
        off.push((name, value.to_owned()));
    }
    if !is_bare(repository) {
        if repository.join(".gitmodules").exists() {
            return Some("it has submodules, whose work can't be told from here".to_owned());
        }
        let status = ["status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"];
        match git(repository, &off, &status) {
            Ok(changed) if changed.is_empty() => {}
            Ok(_) => return Some("it has changes that are not committed".to_owned()),
            Err(trouble) => return Some(trouble.text()),
        }
        // A worktree's commits are in its repository, which stays.
        if std::fs::symlink_metadata(repository.join(".git")).is_ok_and(|meta| meta.is_file()) {
            return None;
        }
    }
    let unpushed = ["rev-list", "--max-count=1", "--exclude=refs/tags/*", "--all", "--not", "--remotes"];
    match git(repository, &off, &unpushed) {
        Ok(commits) if commits.is_empty() => None,
        Ok(_) => Some("it has commits, or stashed changes, that are on no remote".to_owned()),
        Err(trouble) => Some(trouble.text()),
    }
}

enum Trouble {
    Missing,
    Slow,
    Code(i32),
}

impl Trouble {
    fn text(&self) -> String {
        match self {
            Self::Missing => "git can't be started, so its work can't be told".to_owned(),
            Self::Slow => format!("git did not answer within {GIT_WAIT_S} seconds, so its work can't be told"),
            Self::Code(code) => format!("git ended with {code}, so its work can't be told"),
        }
    }
}

/// Runs git in `repository` with nothing of the repository's own switched on.
fn git(repository: &Path, off: &[(String, String)], args: &[&str]) -> Result<Vec<u8>, Trouble> {
    let own = ["PATH", "HOME", "USERPROFILE", "SystemRoot", "SystemDrive", "ComSpec", "PATHEXT"];
    let mut settings: BTreeMap<&str, &str> = HARMLESS.into_iter().collect();
    settings.extend(off.iter().map(|(name, value)| (&**name, &**value)));
    let mut command = Command::new("git");
    command.env_clear().envs(own.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
    command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
    command.env("GIT_CONFIG_COUNT", settings.len().to_string());
    for (n, (name, value)) in settings.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{n}"), name).env(format!("GIT_CONFIG_VALUE_{n}"), value);
    }
    command.arg("-C").arg(repository).arg("--no-pager").args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|_| Trouble::Missing)?;
    let out = child.stdout.take();
    // The first word is enough: nobody reads the rest.
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let read = out.map_or(Ok(0), |out| out.take(1 << 20).read_to_end(&mut text));
        read.map(|_| text)
    });
    let end = Instant::now() + Duration::from_secs(GIT_WAIT_S);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                // It is ended and reaped; whether that works makes no difference to the answer.
                drop(child.kill().and_then(|()| child.wait()));
                return Err(Trouble::Slow);
            }
        }
    };
    let text = reader.join().ok().and_then(Result::ok).ok_or(Trouble::Missing)?;
    // A reader that has enough ends git by a broken pipe.
    if status.success() || !text.is_empty() { Ok(text) } else { Err(Trouble::Code(status.code().unwrap_or(-1))) }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use super::{Work, work};

    /// Whether git can be run.
    fn git(dir: &Path, args: &[&str]) -> bool {
        let identity = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "init.defaultBranch=main"];
        let out = Command::new("git").args(identity).arg("-C").arg(dir).args(args).output();
        out.is_ok_and(|out| out.status.success())
    }

    #[test]
    fn work_is_found_wherever_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("plain/inner")).unwrap();
        assert_eq!(work(&at("plain")), Work::None);
        fs::create_dir(at("remote")).unwrap();
        if !git(&at("remote"), &["init", "--bare", "."]) {
            // Without git nothing can be told, which is an answer too.
            fs::create_dir(at("plain/.git")).unwrap();
            assert!(matches!(work(&at("plain")), Work::Some(_)));
            return;
        }
        assert!(git(dir.path(), &["clone", "remote", "box/clone"]));
        assert_eq!(work(&at("box/clone")), Work::None, "nothing was ever written");
        let says = |what: &str| {
            let Work::Some(text) = work(&at("box/clone")) else { unreachable!("{what}") };
            assert!(text.contains(what), "{text}");
        };
        fs::write(at("box/clone/a"), "1").unwrap();
        says("not committed");
        assert!(git(&at("box/clone"), &["add", "a"]) && git(&at("box/clone"), &["commit", "-m", "a"]));
        says("on no remote");
        assert!(git(&at("box/clone"), &["push", "origin", "HEAD"]));
        assert_eq!(work(&at("box/clone")), Work::None);
        fs::write(at("box/clone/a"), "2").unwrap();
        assert!(git(&at("box/clone"), &["stash"]));
        says("on no remote");
        assert!(git(&at("box/clone"), &["stash", "drop"]) && git(&at("box/clone"), &["checkout", "-b", "other"]));
        assert_eq!(work(&at("box/clone")), Work::None);
        assert!(git(&at("box/clone"), &["commit", "--allow-empty", "-m", "b"]));
        says("on no remote");
        // In a folder of the folder.
        let Work::Some(text) = work(&at("box")) else { unreachable!("it is found") };
        assert!(text.starts_with("clone: "), "{text}");
        // A repository of which nothing can be told.
        fs::create_dir(at("plain/.git")).unwrap();
        assert!(matches!(work(&at("plain")), Work::Some(_)));
    }

    #[cfg(unix)]
    #[test]
    fn no_program_of_the_repository_runs() {
        let dir = tempfile::tempdir().unwrap();
        if !git(dir.path(), &["init", "."]) {
            return;
        }
        let trap = dir.path().join("trap");
        let program = format!("touch {}", trap.display());
        fs::write(dir.path().join(".gitattributes"), "* filter=evil\n").unwrap();
        for name in ["core.fsmonitor", "filter.evil.clean", "filter.evil.process", "core.pager", "diff.external"] {
            assert!(git(dir.path(), &["config", name, &program]));
        }
        fs::write(dir.path().join("a"), "1").unwrap();
        assert!(matches!(work(dir.path()), Work::Some(_)));
        assert!(!trap.exists());
    }
}
