//! The machine's places, as the rules of the trash see them.

use std::path::{Path, PathBuf};

use crate::config::Policy;
use crate::home::Home;
use crate::path::Model;
use crate::session::clean::{self, Life, Rules};
use crate::sys::{mounts, real_path};

/// Places that are never recycled; all absolute and normal, with links followed where they are there.
#[derive(Clone, Debug)]
pub struct Around {
    /// The rules of paths here.
    pub model: Model,
    /// The current folder; empty where it is not known.
    pub cwd: String,
    /// HOME of this product.
    pub home: String,
    /// The trash folder in it.
    pub own_trash: String,
    /// The parent of the scratch folders.
    pub scratch_root: String,
    /// Temp folders.
    pub temps: Vec<String>,
    /// Users' home folders.
    pub user_homes: Vec<String>,
    /// Projects and scratch folders of live sessions.
    pub sessions: Vec<String>,
    /// Mount points and roots of drives.
    pub mounts: Vec<String>,
}

impl Around {
    /// The places of this machine, for a command in the folder `cwd`.
    pub fn find(home: &Home, policy: &Policy, cwd: &Path) -> Self {
        let rules = Rules::from(policy);
        let scratch_root = rules.root.map_or_else(|| home.scratch(), PathBuf::from);
        let variables = ["TMPDIR", "TEMP", "TMP"].iter().filter_map(std::env::var_os).map(PathBuf::from);
        let mut temps: Vec<PathBuf> = variables.chain([home.temp(), std::env::temp_dir()]).collect();
        if cfg!(unix) {
            temps.extend(["/tmp", "/var/tmp"].map(PathBuf::from));
        }
        let own_home = std::env::home_dir().into_iter();
        let user_homes = own_home.chain(passwd_homes()).filter(|home| home.parent().is_some());
        // Sessions that can't be listed are no reason to stop: their folders are guarded by the other rules.
        let live = clean::list(home, &rules).unwrap_or_default().into_iter().filter(|f| f.life == Life::Live);
        let sessions = live.flat_map(|folder| {
            let cwd = folder.owner.map(|owner| PathBuf::from(owner.cwd)).filter(|cwd| cwd.is_absolute());
            [Some(folder.path), cwd].into_iter().flatten()
        });
        Self {
            model: Model::native(),
            cwd: text(cwd),
            home: text(home.path()),
            own_trash: text(&home.trash()),
            scratch_root: text(&scratch_root),
            temps: temps.iter().filter(|temp| temp.is_absolute()).map(|temp| text(temp)).collect(),
            user_homes: user_homes.map(|home| text(&home)).collect(),
            sessions: sessions.map(|folder| text(&folder)).collect(),
            mounts: mounts().iter().map(|mount| mount.path.to_string_lossy().into_owned()).collect(),
        }
    }
}

/// The path as rules compare it. What is no text is compared by what can be read of it: no rule has such a name.
fn text(path: &Path) -> String {
    let real = real_path(path).unwrap_or_else(|_| path.to_owned());
    Model::native().normalize(&real.to_string_lossy())
}

/// The home folders of the users that the system lists in its own file.
#[cfg(unix)]
fn passwd_homes() -> Vec<PathBuf> {
    let table = std::fs::read("/etc/passwd").unwrap_or_default();
    let table = String::from_utf8_lossy(&table);
    table.lines().filter_map(|line| line.split(':').nth(5)).filter(|h| h.starts_with('/')).map(PathBuf::from).collect()
}

/// They are all in one folder, whose entries are guarded by its name.
#[cfg(not(unix))]
const fn passwd_homes() -> Vec<PathBuf> {
    Vec::new()
}
