//! bwrap: a program in a sandbox whose folders may be this machine's.

use super::act::Arg;
use super::job::Job;

/// Options with two arguments.
const TWO: &str = " --bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --bind-fd --ro-bind-fd \
                   --symlink --setenv --file --bind-data --ro-bind-data --chmod --add-seccomp-fd ";
/// Options with one.
const ONE: &str = " --chdir --uid --gid --hostname --unsetenv --lock-file --proc --dev --tmpfs --mqueue --dir \
                   --seccomp --exec-label --file-label --args --argv0 --sync-fd --info-fd --json-status-fd --block-fd \
                   --userns --userns2 --userns-block-fd --pidns --cap-add --cap-drop --perms --size --remount-ro \
                   --overlay-src --tmp-overlay --ro-overlay ";

/// Judges `bwrap`'s arguments. What is started is judged as if every path in the sandbox were this machine's: which
/// are is only known from all mounts together.
pub(super) fn bwrap(job: &mut Job<'_>, args: &[Arg]) {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.value.prefix();
        at += 1;
        match text {
            "--" => break,
            "--overlay" => at += 3,
            _ if TWO.contains(&format!(" {text} ")) => at += 2,
            _ if ONE.contains(&format!(" {text} ")) => {
                if text == "--chdir"
                    && let Some(dir) = args.get(at)
                {
                    job.change_folder(&dir.value);
                }
                at += 1;
            }
            _ if text.starts_with("--") => {}
            _ => {
                at -= 1;
                break;
            }
        }
    }
    if let Some(argv) = args.get(at..).filter(|rest| !rest.is_empty()) {
        job.run(argv.to_vec(), None, None);
    }
}
