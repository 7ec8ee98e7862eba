//! The hook as one line that a shell reads, for clients that know no other form.
//!
//! On POSIX that shell is `sh` or the user's own. On Windows it is PowerShell, or cmd where that is missing, and a program's
//! path in quotation marks is no call for PowerShell but a text, which it prints: the hook never runs, and the client sees a
//! success. What every shell there takes for a call is a bare name that is found on PATH, or a path without anything that
//! would have to be quoted.

use crate::path::Model;

/// Why there is no such line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLine {
    /// On Windows, a path that would have to be quoted, and the program is not found by its name.
    #[error("{program} can only be named in quotation marks, which PowerShell prints instead of running it")]
    Quoted {
        /// The program.
        program: String,
        /// The folder that has to be on PATH.
        folder: String,
    },
    /// An argument that would have to be quoted there.
    #[error("the argument {argument} would have to be quoted")]
    Argument {
        /// The argument.
        argument: String,
    },
}

impl NoLine {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Quoted { folder, .. } => format!("put the folder {folder} on PATH, then try again"),
            Self::Argument { .. } => "use another one".to_owned(),
        }
    }
}

/// The line that starts the program at the absolute path `program` with `args`. `found` is the file that its bare name
/// starts, by PATH. Only where a failing hook must stop the call, `closes`: then the line itself refuses what the hook
/// can't judge, by exit code 2 and a text on standard error, in shells that have a form for it.
pub fn command_line(
    model: Model,
    program: &str,
    args: &[&str],
    found: Option<&str>,
    closes: bool,
) -> Result<String, NoLine> {
    match model {
        Model::Posix => Ok(posix(program, args, closes)),
        Model::Windows => windows(program, args, found),
    }
}

/// What stands behind a command of POSIX that closes.
const CLOSING: &str = " || { echo 'wsguard: the guard failed, the call is refused' >&2; exit 2; }";

/// Whether a line refuses the call where its program can't run. Elsewhere than on POSIX no line can.
pub fn closes(model: Model, line: &str) -> bool {
    model == Model::Posix && line.ends_with(CLOSING)
}

fn posix(program: &str, args: &[&str], closes: bool) -> String {
    let line = shell_words::join(std::iter::once(program).chain(args.iter().copied()));
    if closes { line + CLOSING } else { line }
}

fn windows(program: &str, args: &[&str], found: Option<&str>) -> Result<String, NoLine> {
    let model = Model::Windows;
    let name = model.base_name(program);
    let bare = name.len().checked_sub(4).and_then(|end| name.split_at_checked(end));
    let bare = bare.filter(|(_, end)| end.eq_ignore_ascii_case(".exe")).map_or(name, |(stem, _)| stem);
    let first = if found.is_some_and(|found| model.same(&model.normalize(found), program)) && is_plain(bare) {
        bare
    } else if is_plain(program) {
        program
    } else {
        let folder = model.parent(program).unwrap_or_default().to_owned();
        return Err(NoLine::Quoted { program: program.to_owned(), folder });
    };
    if let Some(argument) = args.iter().find(|argument| !is_plain(argument)) {
        return Err(NoLine::Argument { argument: (*argument).to_owned() });
    }
    Ok([&[first], args].concat().join(" "))
}

/// Whether PowerShell and cmd take the text as it stands. Both split at blanks, commas and semicolons; the rest that is left
/// out here is an operator, a variable or a quotation mark to one of them.
fn is_plain(text: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '\\');
    !text.is_empty() && text.chars().all(plain)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::{NoLine, command_line};
    use crate::path::Model;

    const ARGS: [&str; 2] = ["--harness", "codex"];

    #[test]
    fn of_windows() {
        let check = |program: &str, found: Option<&str>, want: Option<&str>| {
            let line = command_line(Model::Windows, program, &ARGS, found, true);
            assert_eq!(line.as_deref().ok(), want, "{program} {found:?}");
        };
        let usual = r"C:\Users\me\.cargo\bin\wsguard-hook.exe";
        check(usual, Some(usual), Some("wsguard-hook --harness codex"));
        check(usual, Some(r"c:/users/ME/.cargo/bin/WSGUARD-HOOK.EXE"), Some("wsguard-hook --harness codex"));
        // Another one by the same name: by its path.
        check(
            usual,
            Some(r"C:\old\wsguard-hook.exe"),
            Some(r"C:\Users\me\.cargo\bin\wsguard-hook.exe --harness codex"),
        );
        check(usual, None, Some(r"C:\Users\me\.cargo\bin\wsguard-hook.exe --harness codex"));
        let blank = r"C:\Users\John Doe\.cargo\bin\wsguard-hook.exe";
        check(blank, Some(blank), Some("wsguard-hook --harness codex"));
        check(blank, None, None);
        for sign in ["&", "(x86)", "'", "$a", "`", "%T%", "^", ";", ",", "@", "{", "!"] {
            check(&format!(r"C:\a{sign}\wsguard-hook.exe"), None, None);
        }
        check(r"C:\Users\Jörg\wsguard-hook.exe", None, Some(r"C:\Users\Jörg\wsguard-hook.exe --harness codex"));
        let refused = command_line(Model::Windows, blank, &ARGS, None, true).unwrap_err();
        assert!(refused.hint().contains(r"C:\Users\John Doe\.cargo\bin on PATH"), "{}", refused.hint());
        let argument = command_line(Model::Windows, usual, &["a b"], None, true);
        assert_eq!(argument, Err(NoLine::Argument { argument: "a b".to_owned() }));
    }

    #[test]
    fn of_posix() {
        let line = |program, closes| command_line(Model::Posix, program, &ARGS, None, closes).unwrap();
        assert_eq!(line("/opt/wsguard-hook", false), "/opt/wsguard-hook --harness codex");
        assert_eq!(line("/opt/a b/wsguard-hook", false), "'/opt/a b/wsguard-hook' --harness codex");
        let closing = line("/opt/wsguard-hook", true);
        assert!(closing.starts_with("/opt/wsguard-hook --harness codex || {") && closing.ends_with("exit 2; }"));
    }

    /// With a real shell: what the hook says is passed on, and a hook that is missing refuses.
    #[cfg(unix)]
    #[test]
    fn a_line_that_closes() {
        let run = |program: &str| {
            let line = command_line(Model::Posix, program, &["judged"], None, true).unwrap();
            std::process::Command::new("sh").arg("-c").arg(line).output().unwrap()
        };
        let out = run("/bin/echo");
        assert_eq!((out.status.code(), &*out.stdout), (Some(0), b"judged\n".as_slice()));
        for broken in ["/no/such/program", "/bin/false"] {
            let out = run(broken);
            assert_eq!(out.status.code(), Some(2));
            assert!(String::from_utf8(out.stderr).unwrap().contains("the guard failed"));
        }
    }
}
