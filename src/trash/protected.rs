//! What is never recycled, by its path alone. Pure: both path models are judged on every platform.

use super::{Around, Refusal};
use crate::home::TRASH;
use crate::path::Model;

/// Folders of a POSIX system that are not recycled themselves, nor what holds them.
const POSIX: &str = "/bin /boot /dev /efi /etc /home /lib /lib32 /lib64 /libx32 /lost+found /media /mnt /nix /opt /proc /root \
    /run /sbin /selinux /snap /srv /sys /tmp /usr /var /Applications /Library /Network /System /Users /Volumes /cores \
    /private /private/etc /private/tmp /private/var \
    /usr/bin /usr/games /usr/include /usr/lib /usr/lib32 /usr/lib64 /usr/libexec /usr/libx32 /usr/local /usr/sbin \
    /usr/share /usr/src /usr/local/bin /usr/local/etc /usr/local/games /usr/local/include /usr/local/lib \
    /usr/local/lib64 /usr/local/libexec /usr/local/man /usr/local/sbin /usr/local/share /usr/local/src \
    /var/backups /var/cache /var/db /var/empty /var/lib /var/local /var/lock /var/log /var/mail /var/opt /var/run \
    /var/snap /var/spool /var/tmp /var/www /gnu /gnu/store /nix/store";

/// Folders of a POSIX system of which nothing is recycled.
const POSIX_WHOLE: &str = "/bin /boot /dev /efi /lib /lib32 /lib64 /libx32 /proc /sbin /sys /System /usr/bin /usr/lib \
    /usr/lib32 /usr/lib64 /usr/libexec /usr/sbin /nix/store /gnu/store";

/// Folders at the top of a Windows drive that are not recycled themselves; `*` stands for any text.
const WINDOWS: &str = "Windows|Program Files*|ProgramData|Users|$Recycle.Bin|Recovery|System Volume Information|Boot|EFI|\
    PerfLogs|Documents and Settings|$WinREAgent|$SysReset|Config.Msi|MSOCache|Windows.old";

/// Folders at the top of a Windows drive of which nothing is recycled.
const WINDOWS_WHOLE: &str = "Windows|$Recycle.Bin|Recovery|System Volume Information|Boot|EFI";

impl Around {
    /// Why the entry at the normal absolute path `path` is never recycled, whatever the index says of it.
    pub fn judge(&self, path: &str) -> Option<Refusal> {
        let model = self.model;
        let holds = |place: &str| !place.is_empty() && model.is_within(place, path);
        let is_in = |place: &str| !place.is_empty() && model.is_within(path, place);
        if model.parent(path).is_none() {
            return Some(Refusal::DriveRoot);
        }
        if model.parts(path).any(|part| model.same(part, TRASH)) || is_in(&self.own_trash) {
            return Some(Refusal::InTrash);
        }
        if self.mounts.iter().any(|mount| model.same(mount, path)) {
            return Some(Refusal::MountPoint);
        }
        if is_of_system(model, path) {
            return Some(Refusal::SystemFolder);
        }
        if is_home(model, path) || self.user_homes.iter().any(|home| holds(home)) {
            return Some(Refusal::UserHome);
        }
        if is_in(&self.home) || holds(&self.home) {
            return Some(Refusal::OwnState);
        }
        if holds(&self.scratch_root) {
            return Some(Refusal::ScratchRoot);
        }
        if self.temps.iter().any(|temp| holds(temp)) {
            return Some(Refusal::TempFolder);
        }
        if holds(&self.cwd) {
            return Some(Refusal::CurrentFolder);
        }
        if self.mounts.iter().any(|mount| holds(mount)) {
            return Some(Refusal::MountInside);
        }
        self.sessions.iter().any(|folder| holds(folder)).then_some(Refusal::InUse)
    }

    /// Every place by itself, with why it and whatever holds it is not recycled: for those who ask by what stands there.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&str, Refusal)> {
        let system: &[&str] = if self.model == Model::Posix { &[POSIX] } else { &[] };
        let system = system.iter().flat_map(|list| list.split_ascii_whitespace()).map(|p| (p, Refusal::SystemFolder));
        let homes = self.user_homes.iter().map(|home| (&**home, Refusal::UserHome));
        let temps = self.temps.iter().map(|temp| (&**temp, Refusal::TempFolder));
        let sessions = self.sessions.iter().map(|folder| (&**folder, Refusal::InUse));
        system
            .chain(homes)
            .chain([(&*self.home, Refusal::OwnState), (&*self.scratch_root, Refusal::ScratchRoot)])
            .chain(temps)
            .chain([(&*self.cwd, Refusal::CurrentFolder)])
            .chain(sessions)
            .filter(|(path, _)| !path.is_empty())
    }
}

fn is_of_system(model: Model, path: &str) -> bool {
    match model {
        Model::Posix => {
            POSIX.split_ascii_whitespace().any(|folder| model.is_within(folder, path))
                || POSIX_WHOLE.split_ascii_whitespace().any(|folder| model.is_within(path, folder))
        }
        Model::Windows => {
            let mut parts = model.parts(&path[model.root_len(path)..]).filter(|part| !part.is_empty());
            let Some(top) = parts.next() else { return true };
            let is = |list: &str| list.split('|').any(|name| fits(model, name, top));
            is(WINDOWS_WHOLE) || parts.next().is_none() && is(WINDOWS)
        }
    }
}

fn fits(model: Model, pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => model.fold(name).starts_with(&*model.fold(start)),
        None => model.same(pattern, name),
    }
}

/// Whether `path` is where some user's home folder is by the system's custom.
fn is_home(model: Model, path: &str) -> bool {
    let Some(parent) = model.parent(path) else { return false };
    match model {
        Model::Posix => ["/home", "/Users", "/var/home", "/export/home"].contains(&parent),
        Model::Windows => {
            let above = &parent[model.root_len(parent)..];
            let above = above.trim_matches(|c| model.is_separator(c));
            ["Users", "Documents and Settings"].iter().any(|folder| model.same(above, folder))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Around, Refusal};
    use crate::path::Model;

    fn texts<const N: usize>(list: [&str; N]) -> Vec<String> {
        list.map(str::to_owned).to_vec()
    }

    fn posix() -> Around {
        Around {
            model: Model::Posix,
            cwd: "/work/me/now".to_owned(),
            home: "/data/state/guard".to_owned(),
            own_trash: "/data/state/guard/trash".to_owned(),
            scratch_root: "/scratch/here".to_owned(),
            temps: texts(["/fast/tmp"]),
            user_homes: texts(["/root", "/srv/people/ann"]),
            sessions: texts(["/projects/live"]),
            mounts: texts(["/", "/disk/two"]),
        }
    }

    fn windows() -> Around {
        Around {
            model: Model::Windows,
            cwd: r"D:\work\now".to_owned(),
            home: r"C:\Users\me\.wsguard".to_owned(),
            own_trash: r"C:\Users\me\.wsguard\trash".to_owned(),
            scratch_root: r"E:\scratch".to_owned(),
            temps: texts([r"C:\Users\me\AppData\Local\Temp", r"T:\tmp"]),
            user_homes: texts([r"F:\homes\me"]),
            sessions: texts([r"D:\projects\live"]),
            mounts: texts(["C:\\", "D:\\", r"D:\volume"]),
        }
    }

    fn check(around: &Around, path: &str, want: Option<Refusal>) {
        assert_eq!(around.judge(path), want, "{path}");
    }

    #[test]
    fn on_posix() {
        let around = posix();
        for path in [
            "/bin",
            "/boot",
            "/dev",
            "/etc",
            "/home",
            "/lib",
            "/media",
            "/mnt",
            "/opt",
            "/proc",
            "/run",
            "/sbin",
            "/srv",
            "/sys",
            "/tmp",
            "/usr",
            "/var",
            "/usr/local",
            "/usr/local/bin",
            "/var/lib",
            "/var/log",
            "/var/tmp",
            "/usr/bin/x",
            "/usr/lib/python3/x",
            "/boot/grub",
            "/dev/shm/x",
            "/sys/x",
            "/Users",
            "/private",
        ] {
            check(&around, path, Some(Refusal::SystemFolder));
        }
        check(&around, "/", Some(Refusal::DriveRoot));
        for path in ["/home/bob", "/Users/bob", "/var/home/bob", "/srv/people/ann", "/srv/people"] {
            check(&around, path, Some(Refusal::UserHome));
        }
        check(&around, "/root", Some(Refusal::SystemFolder));
        for path in ["/data/state/guard", "/data/state/guard/x", "/data/state", "/data"] {
            check(&around, path, Some(Refusal::OwnState));
        }
        check(&around, "/data/state/guard/trash/x", Some(Refusal::InTrash));
        check(&around, "/scratch/here", Some(Refusal::ScratchRoot));
        check(&around, "/scratch", Some(Refusal::ScratchRoot));
        check(&around, "/scratch/here/old-session", None);
        check(&around, "/fast/tmp", Some(Refusal::TempFolder));
        check(&around, "/fast", Some(Refusal::TempFolder));
        check(&around, "/fast/tmp/dsh-1", None);
        check(&around, "/work/me/now", Some(Refusal::CurrentFolder));
        check(&around, "/work", Some(Refusal::CurrentFolder));
        check(&around, "/work/me/now/deeper", None);
        check(&around, "/disk/two", Some(Refusal::MountPoint));
        check(&around, "/disk", Some(Refusal::MountInside));
        check(&around, "/disk/two/x", None);
        check(&around, "/projects/live", Some(Refusal::InUse));
        check(&around, "/projects", Some(Refusal::InUse));
        check(&around, "/projects/live/stray", None);
        check(&around, "/_dsh-trash", Some(Refusal::InTrash));
        check(&around, "/disk/two/_dsh-trash/x/payload", Some(Refusal::InTrash));
        for path in
            ["/srv/data", "/opt/x", "/home/bob/x", "/tmp/claude-1", "/var/tmp/x", "/etc/x", "/newdir", "/usr/local/x"]
        {
            check(&around, path, None);
        }
    }

    #[test]
    fn on_windows() {
        let around = windows();
        check(&around, "C:\\", Some(Refusal::DriveRoot));
        check(&around, r"\\srv\share\", Some(Refusal::DriveRoot));
        for path in [
            r"C:\Windows",
            r"c:\WINDOWS",
            r"D:\Windows",
            r"C:\Program Files",
            r"C:\Program Files (x86)",
            r"C:\ProgramData",
            r"C:\Users",
            r"C:\$Recycle.Bin",
            r"D:\$RECYCLE.BIN",
            r"C:\Windows\System32",
            r"C:\$Recycle.Bin\S-1-5",
            r"C:\System Volume Information",
            r"C:\Recovery",
        ] {
            check(&around, path, Some(Refusal::SystemFolder));
        }
        for path in [r"C:\Users\me", r"c:\users\Other", r"D:\Users\x", r"F:\homes\me", r"F:\homes"] {
            check(&around, path, Some(Refusal::UserHome));
        }
        for path in [r"C:\Users\me\.wsguard", r"C:\users\ME\.WSGUARD\config.toml"] {
            check(&around, path, Some(Refusal::OwnState));
        }
        check(&around, r"E:\Scratch", Some(Refusal::ScratchRoot));
        check(&around, r"t:\TMP", Some(Refusal::TempFolder));
        check(&around, r"C:\Users\me\AppData", Some(Refusal::TempFolder));
        check(&around, r"D:\Work", Some(Refusal::CurrentFolder));
        check(&around, r"D:\volume", Some(Refusal::MountPoint));
        check(&around, r"D:\projects", Some(Refusal::InUse));
        check(&around, r"D:\_DSH-trash\x", Some(Refusal::InTrash));
        for path in [r"C:\x", r"C:\Program Files\x", r"C:\Users\me\x", r"D:\data", r"T:\tmp\x"] {
            check(&around, path, None);
        }
    }
}
