//! Where TEMP, TMP and TMPDIR of the agent's shell point: HOME/cache/tmp.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::exports::{Shell, exports};
use crate::home::Home;
use crate::ledger::files;
use crate::limits::{MAX_ENV_FILE_BYTES, MAX_SOCKET_PATH_BYTES, TEMP_NAME_BYTES};
use crate::sys::open_without_waiting;

/// First line of our part of a file of exports.
const BEGIN: &str = "# >>> workspace-guard >>>";
/// Its last line.
const END: &str = "# <<< workspace-guard <<<";

/// The variables that name the temp folder.
pub const TEMP_VARIABLES: [&str; 3] = ["TMPDIR", "TEMP", "TMP"];

/// Why the temp folder is not redirected.
#[derive(Debug, thiserror::Error)]
pub enum TempError {
    /// The system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// Programs would fail in it.
    #[error(
        "`{}` is too long for a temp folder: sockets made in it would exceed the {MAX_SOCKET_PATH_BYTES} bytes that \
         the system takes", path.display()
    )]
    TooLong {
        /// The folder.
        path: PathBuf,
    },
    /// It can't be spelled in a shell.
    #[error("`{}` holds characters that the shell can't be given", path.display())]
    Unspeakable {
        /// The folder.
        path: PathBuf,
    },
}

impl TempError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "temp_io",
            Self::TooLong { .. } => "temp_too_long",
            Self::Unspeakable { .. } => "temp_unspeakable",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "make the folder writable for this user, or set WSGUARD_HOME to one that is",
            Self::TooLong { .. } => "set WSGUARD_HOME to a shorter path, or redirect_temp = false",
            Self::Unspeakable { .. } => "set WSGUARD_HOME to a path of ordinary characters",
        }
    }
}

/// Creates the temp folder and returns its path as text. Only a folder that every program can use is given:
/// where a socket with a usual name would not fit, the system's own temp folder is the better one.
pub fn prepare(home: &Home) -> Result<String, TempError> {
    let path = home.temp();
    let Some(text) = path.to_str() else { return Err(TempError::Unspeakable { path }) };
    if !fits_sockets(text) {
        return Err(TempError::TooLong { path });
    }
    let text = text.to_owned();
    files::create_private_dir(&path).map_err(|source| TempError::Io { action: "create", path, source })?;
    Ok(text)
}

/// Whether a socket with a usual name fits below the folder `path`.
pub fn fits_sockets(path: &str) -> bool {
    path.len() + 1 + TEMP_NAME_BYTES <= MAX_SOCKET_PATH_BYTES
}

/// Creates the temp folder and writes the exports to a file that the agent's shell sources (`CLAUDE_ENV_FILE`).
/// Returns the folder.
pub fn redirect(home: &Home, env_file: &Path) -> Result<String, TempError> {
    let temp = prepare(home)?;
    write_env_file(env_file, &temp)?;
    Ok(temp)
}

/// Puts the exports for the folder `temp` into the file `path`. An earlier block of ours is replaced, other lines
/// stay, and a file that says so already is not written.
pub fn write_env_file(path: &Path, temp: &str) -> Result<(), TempError> {
    let block = env_block(temp).ok_or_else(|| TempError::Unspeakable { path: PathBuf::from(temp) })?;
    let fail = |action| move |source| TempError::Io { action, path: path.to_owned(), source };
    let old = read(path).map_err(fail("read"))?;
    let new = with_block(&old, &block);
    if new == old {
        return Ok(());
    }
    if let Some(dir) = path.parent() {
        files::create_private_dir(dir).map_err(fail("create the folder of"))?;
    }
    files::replace(path, &new).map_err(fail("write"))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match open_without_waiting(path) {
        Ok(file) if !file.metadata()?.is_file() => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"));
        }
        Ok(file) => file.take(MAX_ENV_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?,
        Err(e) if e.kind() == io::ErrorKind::NotFound => 0,
        Err(e) => return Err(e),
    };
    if bytes.len() > MAX_ENV_FILE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "too large for a file of exports"));
    }
    Ok(bytes)
}

fn env_block(temp: &str) -> Option<String> {
    // A block is known by its lines.
    if temp.contains(['\n', '\r']) {
        return None;
    }
    // Git Bash sources this on Windows; forward slashes mean the same there and need no care.
    let temp = if cfg!(windows) { temp.replace('\\', "/") } else { temp.to_owned() };
    let lines = exports(Shell::Bash, &TEMP_VARIABLES.map(|name| (name, temp.as_str())))?;
    Some(format!("{BEGIN}\n{lines}{END}\n"))
}

/// `old` with our block as its last part.
fn with_block(old: &[u8], block: &str) -> Vec<u8> {
    let mut new = Vec::with_capacity(old.len() + block.len() + 1);
    let mut ours = false;
    for line in old.split_inclusive(|&b| b == b'\n') {
        let text = line.trim_ascii_end();
        if text == BEGIN.as_bytes() {
            ours = true;
        } else if ours && text == END.as_bytes() {
            ours = false;
        } else if ours && is_export(text) {
            // Replaced.
        } else {
            // Not an export: a block without its end is over here.
            ours = false;
            new.extend(line);
        }
    }
    if new.last().is_some_and(|&b| b != b'\n') {
        new.push(b'\n');
    }
    new.extend(block.as_bytes());
    new
}

fn is_export(line: &[u8]) -> bool {
    TEMP_VARIABLES.iter().any(|name| {
        let rest = line.strip_prefix(b"export ").and_then(|l| l.strip_prefix(name.as_bytes()));
        rest.is_some_and(|r| r.starts_with(b"="))
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;

    use proptest::prelude::*;

    use super::{env_block, prepare, redirect, with_block, write_env_file};
    use crate::home::Home;

    const BLOCK: &str = "# >>> workspace-guard >>>\nexport TMPDIR='/t'\nexport TEMP='/t'\nexport TMP='/t'\n\
                         # <<< workspace-guard <<<\n";

    #[test]
    fn the_block_is_written_once() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("session/env.sh");
        write_env_file(&file, "/t").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), BLOCK);
        let before = fs::metadata(&file).unwrap().modified().unwrap();
        write_env_file(&file, "/t").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), before);
        write_env_file(&file, "/u").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), BLOCK.replace("/t", "/u"));
    }

    #[test]
    fn other_lines_stay() {
        let check = |old: &str, want: &str| {
            let new = String::from_utf8(with_block(old.as_bytes(), BLOCK)).unwrap();
            assert_eq!(new, format!("{want}{BLOCK}"), "{old:?}");
        };
        check("", "");
        check("export A=1\n", "export A=1\n");
        check("export A=1", "export A=1\n");
        check("export TMPDIR=/mine\n", "export TMPDIR=/mine\n");
        check(&format!("a\n{BLOCK}b\n"), "a\nb\n");
        check(&format!("{BLOCK}{BLOCK}"), "");
        // Cut short, and with line ends of another system.
        check("# >>> workspace-guard >>>\nexport TMPDIR='/x'\nexport A=1\n", "export A=1\n");
        check(&BLOCK.replace('\n', "\r\n"), "");
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        assert_eq!(with_block(b"\xff\n", BLOCK), [b"\xff\n", BLOCK.as_bytes()].concat());
    }

    #[test]
    fn the_folder_exists_before_it_is_named() {
        let dir = tempfile::tempdir_in("/tmp").or_else(|_| tempfile::tempdir()).unwrap();
        let home = Home::at(dir.path().join("h"));
        let temp = redirect(&home, &dir.path().join("env.sh")).unwrap();
        assert!(fs::metadata(&temp).unwrap().is_dir());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&temp).unwrap().permissions().mode() & 0o777, 0o700);
        }
        let spelled = if cfg!(windows) { temp.replace('\\', "/") } else { temp };
        assert!(fs::read_to_string(dir.path().join("env.sh")).unwrap().contains(&spelled));
    }

    #[test]
    fn a_folder_too_long_for_sockets_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("l".repeat(100)));
        let file = dir.path().join("env.sh");
        let err = redirect(&home, &file).unwrap_err();
        assert_eq!(err.code(), "temp_too_long");
        assert!(!file.exists() && !home.temp().exists());
    }

    #[test]
    fn what_is_in_the_way_is_an_error() {
        let dir = tempfile::tempdir_in("/tmp").or_else(|_| tempfile::tempdir()).unwrap();
        fs::write(dir.path().join("cache"), "").unwrap();
        assert_eq!(prepare(&Home::at(dir.path())).unwrap_err().code(), "temp_io");
        assert_eq!(write_env_file(dir.path(), "/t").unwrap_err().code(), "temp_io");
    }

    proptest! {
        #[test]
        fn writing_twice_is_writing_once(old in any::<Vec<u8>>(), temp in "/[^\0]{0,20}") {
            let block = env_block(&temp).unwrap_or_default();
            let once = with_block(&old, &block);
            prop_assert_eq!(with_block(&once, &block), once);
        }
    }
}
