//! Variables as the commands of a shell.

/// A shell that can be told to set variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// bash, and every POSIX shell.
    Bash,
    /// zsh.
    Zsh,
    /// fish.
    Fish,
    /// Windows PowerShell and PowerShell 7.
    Pwsh,
    /// cmd.exe: lines for `for /f "delims=" %i in ('…') do @%i`.
    Cmd,
}

/// The commands that set `variables`, one a line. `None` where a value can't be spelled in that shell: a zero byte
/// in any, a line end or a double quote in cmd.
pub fn exports(shell: Shell, variables: &[(&str, &str)]) -> Option<String> {
    let mut text = String::new();
    for &(name, value) in variables {
        if value.contains('\0') {
            return None;
        }
        let parts = match shell {
            Shell::Bash | Shell::Zsh => ["export ", name, "='", &value.replace('\'', r"'\''"), "'\n"],
            Shell::Fish => ["set -gx ", name, " '", &value.replace('\\', r"\\").replace('\'', r"\'"), "'\n"],
            Shell::Pwsh => ["$env:", name, " = '", &pwsh(value), "'\n"],
            Shell::Cmd if value.contains(['\n', '\r', '"']) => return None,
            Shell::Cmd => ["set \"", name, "=", value, "\"\n"],
        };
        text.extend(parts);
    }
    Some(text)
}

/// PowerShell takes the typographic quotes for single quotes too; each is doubled.
fn pwsh(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        if matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}') {
            out.push(c);
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    #![cfg_attr(unix, expect(clippy::unwrap_used, reason = "tests"))]

    use super::Shell::{self, Bash, Cmd, Fish, Pwsh, Zsh};
    use super::exports;

    #[test]
    fn quoting() {
        let check = |shell: Shell, value: &str, want: Option<&str>| {
            assert_eq!(exports(shell, &[("T", value)]).as_deref(), want, "{shell:?} {value:?}");
        };
        check(Bash, "/a b$x`y`", Some("export T='/a b$x`y`'\n"));
        check(Zsh, "/it's", Some("export T='/it'\\''s'\n"));
        check(Bash, "/a\nb", Some("export T='/a\nb'\n"));
        check(Fish, r"/it's\a", Some("set -gx T '/it\\'s\\\\a'\n"));
        check(Pwsh, "C:\\it's ’x$y", Some("$env:T = 'C:\\it''s ’’x$y'\n"));
        check(Cmd, r"C:\a b&c%d%", Some("set \"T=C:\\a b&c%d%\"\n"));
        check(Cmd, "a\"b", None);
        check(Cmd, "a\nb", None);
        for shell in [Bash, Zsh, Fish, Pwsh, Cmd] {
            check(shell, "a\0b", None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_real_shell_reads_the_value_back() {
        for value in
            ["/plain", "/it's", "/a\nb\t", "/$(id)`id`\\\"", "/ümlaut \u{1f980}\u{202e}", "'", "''\\", "-n", "!x"]
        {
            let script = exports(Bash, &[("WSG_T", value)]).unwrap() + "printf %s \"$WSG_T\"";
            let out = std::process::Command::new("/bin/sh").arg("-c").arg(script).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&out.stdout), value);
        }
    }
}
