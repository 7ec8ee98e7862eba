//! Processes and users.

#[cfg(unix)]
pub use unix::{parent_id, process_start, program, user_id};
#[cfg(windows)]
pub use windows::{parent_id, process_start, program, user_id};

#[cfg(unix)]
mod unix {
    /// The process that started this one. `None` where the platform doesn't say.
    pub fn parent_id() -> Option<u32> {
        Some(std::os::unix::process::parent_id())
    }

    /// The file that this process runs, by the absolute path that it was started with (getauxval(3), `AT_EXECFN`), which
    /// costs nothing; else as the system has it. That path may be a link.
    pub fn program() -> Option<std::path::PathBuf> {
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        {
            use std::os::unix::ffi::OsStrExt as _;

            #[expect(unsafe_code, reason = "no counterpart in std")]
            // SAFETY: the value for this key is the address of a text that ends with a NUL and stays, or 0.
            let name = unsafe {
                let at = libc::getauxval(libc::AT_EXECFN);
                let text = std::ptr::with_exposed_provenance::<libc::c_char>(usize::try_from(at).unwrap_or(0));
                (!text.is_null()).then(|| std::ffi::CStr::from_ptr(text))
            };
            // Started by a descriptor, it is `/dev/fd/3`: no name of the file.
            let is_name =
                |name: &[u8]| name.starts_with(b"/") && !name.starts_with(b"/dev/") && !name.starts_with(b"/proc/");
            if let Some(name) = name.filter(|name| is_name(name.to_bytes())) {
                return Some(std::ffi::OsStr::from_bytes(name.to_bytes()).into());
            }
        }
        std::env::current_exe().ok()
    }

    /// The user whose rights this process has. `None` where the platform has no such number.
    pub fn user_id() -> Option<u32> {
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: takes nothing, can't fail, touches no memory.
        let id = unsafe { libc::geteuid() };
        Some(id)
    }

    /// When the process `pid` was started, in a unit of the platform; `None` where no such process runs.
    /// Together with the id it names one process, though ids are used again.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub fn process_start(pid: u32) -> Option<u64> {
        let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        // The second field is the program's name in brackets and may hold anything, brackets too.
        let after = stat.iter().rposition(|&b| b == b')')?;
        let text = std::str::from_utf8(&stat[after + 1..]).ok()?;
        let mut fields = text.split_ascii_whitespace();
        // Field 3 is the state (a zombie runs no more), field 22 the start in clock ticks since boot.
        if matches!(fields.next()?, "Z" | "X") {
            return None;
        }
        fields.nth(18)?.parse().ok()
    }

    /// When the process `pid` was started, in a unit of the platform; `None` where no such process runs.
    /// Together with the id it names one process, though ids are used again.
    #[cfg(target_os = "macos")]
    pub fn process_start(pid: u32) -> Option<u64> {
        let pid = i32::try_from(pid).ok()?;
        // SAFETY: a structure of integers, for which all zeroes is a value.
        #[expect(unsafe_code, reason = "no counterpart in std")]
        let mut info: libc::proc_bsdinfo = unsafe { std::mem::zeroed() };
        let size = i32::try_from(size_of::<libc::proc_bsdinfo>()).ok()?;
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: `info` is valid for writes of `size` bytes, and the call writes no more than that.
        let got = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTBSDINFO, 0, (&raw mut info).cast(), size) };
        (got == size).then(|| info.pbi_start_tvsec.wrapping_mul(1_000_000).wrapping_add(info.pbi_start_tvusec))
    }

    /// When the process `pid` was started: not known here, so 0 for every process that runs.
    #[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos")))]
    pub fn process_start(pid: u32) -> Option<u64> {
        let pid = i32::try_from(pid).ok().filter(|p| *p > 0)?;
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: signal 0 is sent to nobody; the call only tells whether the process exists.
        let outcome = unsafe { libc::kill(pid, 0) };
        let denied = std::io::Error::last_os_error().kind() == std::io::ErrorKind::PermissionDenied;
        (outcome == 0 || denied).then_some(0)
    }
}

#[cfg(windows)]
mod windows {
    use crate::sys::winapi::{
        CloseHandle, FileTime, GetCurrentProcess, GetExitCodeProcess, GetProcessTimes, NtQueryInformationProcess,
        OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION, ProcessBasicInformation, STILL_ACTIVE,
    };

    /// The process that started this one. `None` where it has ended, or the platform doesn't say.
    pub fn parent_id() -> Option<u32> {
        const BASIC_INFORMATION: u32 = 0;
        let mut info: ProcessBasicInformation = [0; 6];
        let length = u32::try_from(size_of_val(&info)).ok()?;
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: `info` is valid for writes of `length` bytes; how many were written is not asked.
        let status = unsafe {
            NtQueryInformationProcess(
                GetCurrentProcess(),
                BASIC_INFORMATION,
                &raw mut info,
                length,
                std::ptr::null_mut(),
            )
        };
        let parent = u32::try_from(info[5]).ok().filter(|_| status == 0)?;
        // Ids are used again: whoever started this process is older than it.
        (process_start(parent)? <= process_start(std::process::id())?).then_some(parent)
    }

    /// The file that this process runs.
    pub fn program() -> Option<std::path::PathBuf> {
        std::env::current_exe().ok()
    }

    /// The user whose rights this process has. `None`: Windows has no such number.
    pub fn user_id() -> Option<u32> {
        None
    }

    /// When the process `pid` was started, in a unit of the platform; `None` where no such process runs.
    /// Together with the id it names one process, though ids are used again.
    pub fn process_start(pid: u32) -> Option<u64> {
        let mut code = 0;
        let mut times = [FileTime::default(); 4];
        let [created, exited, kernel, user] = &mut times;
        #[expect(unsafe_code, reason = "no counterpart in std")]
        // SAFETY: the pointers are to locals that outlive the calls; the handle is checked, used and closed once.
        let alive = unsafe {
            let process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid);
            if process.is_null() {
                return None;
            }
            let known = GetExitCodeProcess(process, &raw mut code) != 0
                && GetProcessTimes(process, created, exited, kernel, user) != 0;
            CloseHandle(process);
            known && code == STILL_ACTIVE
        };
        alive.then(|| u64::from(times[0].high) << 32 | u64::from(times[0].low))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::process_start;

    #[test]
    fn this_process_runs_and_an_ended_one_does_not() {
        let me = process_start(std::process::id());
        assert!(me.is_some());
        assert_eq!(me, process_start(std::process::id()));
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .arg("--list")
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let pid = child.id();
        child.wait().unwrap();
        assert_eq!(process_start(pid), None);
        assert_eq!(process_start(u32::MAX), None);
    }

    #[test]
    fn the_parent_is_the_one_that_runs() {
        // Whoever runs the tests: a shell, cargo, a debugger. Under Wine it is a process of the system below.
        let parent = super::parent_id();
        assert!(parent.is_some() || cfg!(windows));
        assert!(parent.is_none_or(|parent| parent != std::process::id() && process_start(parent).is_some()));
    }

    #[test]
    fn this_program() {
        let real = |path: std::path::PathBuf| path.canonicalize().unwrap();
        assert_eq!(super::program().map(real), std::env::current_exe().ok().map(real));
    }

    #[cfg(unix)]
    #[test]
    fn the_user_owns_what_it_makes() {
        use std::os::unix::fs::MetadataExt as _;
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(super::user_id(), Some(file.as_file().metadata().unwrap().uid()));
    }
}
