//! Real clients: where they come from, and how long they may take.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use crate::{env::spawn, report::skipped};

/// A run that takes longer has hung.
const PATIENCE: Duration = Duration::from_mins(3);

/// A client as npm has it.
pub(crate) struct Package {
    /// The package.
    pub(crate) name: &'static str,
    /// The release that the hook's contract was measured on.
    pub(crate) version: &'static str,
    /// The native program in the folder that it was installed in.
    pub(crate) program: fn(&Path) -> Option<PathBuf>,
}

impl Package {
    /// The program, installed on the first use; `None`, said aloud, where it can't be had. The environment variable
    /// `variable` names a program to use instead, or `skip`.
    pub(crate) fn program(&self, variable: &str) -> Option<PathBuf> {
        let found = match std::env::var(variable) {
            Ok(value) if value == "skip" => Err(format!("{variable}=skip")),
            Ok(value) => Ok(PathBuf::from(value)),
            Err(_) => self.installed(),
        };
        match found {
            Ok(program) => Some(program),
            Err(why) => {
                skipped(&format!("no test with the real {} {}: {why}", self.name, self.version));
                None
            }
        }
    }

    fn installed(&self) -> Result<PathBuf, String> {
        let short = self.name.rsplit('/').next().unwrap_or(self.name);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{short}-{}", self.version));
        fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        // One installation at a time, whoever runs the tests.
        let lock = fs::File::create(folder.join("lock")).map_err(|e| e.to_string())?;
        lock.lock().map_err(|e| e.to_string())?;
        if let Some(program) = (self.program)(&folder) {
            return Ok(program);
        }
        fs::write(folder.join("package.json"), "{\"private\": true}\n").map_err(|e| e.to_string())?;
        let package = format!("{}@{}", self.name, self.version);
        let out = Command::new("npm")
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", &package])
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("npm: {e}"))?;
        let text = String::from_utf8_lossy(&out.stderr);
        (self.program)(&folder).ok_or_else(|| {
            format!("npm install gave no program ({}): {}", out.status, text.lines().next().unwrap_or(""))
        })
    }
}

/// Starts a client and waits for it; what it writes goes to the file `out`.
pub(crate) fn finish(mut command: Command, out: &Path) -> ExitStatus {
    let mut child = spawn(&mut command);
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the client hung: {}", fs::read_to_string(out).unwrap());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
