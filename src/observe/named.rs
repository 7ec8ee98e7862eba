//! Whether a command names an entry.

use crate::path::Model;

/// Whether `command` holds the path `path`, or its last name, as a word or part of a word that ends there.
pub(crate) fn names(model: Model, command: &str, path: &str) -> bool {
    let name = model.base_name(path);
    let (command, name) = (model.fold(command), model.fold(name));
    let (text, wanted) = (command.as_bytes(), name.as_bytes());
    let Some(&first) = wanted.first() else { return false };
    // A command is short and read once, beside some thirty others: to prepare a search costs more than it saves.
    (0..(text.len() + 1).saturating_sub(wanted.len())).any(|at| {
        text[at] == first
            && text[at..].starts_with(wanted)
            && !continues(command[..at].chars().next_back())
            && !continues(command[at + wanted.len()..].chars().next())
    })
}

/// Whether `c` beside a name would make it another name. A dot does not: `x.` ends a sentence, `./x` begins a path.
fn continues(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// Whether `command` looks as if something of it could go on after its end.
pub(crate) fn may_outlive(command: &str) -> bool {
    const WORDS: &str = "nohup setsid disown daemonize daemon screen tmux systemd-run at batch start Start-Process Start-Job \
                         coproc bg fork pm2 forever docker podman";
    let bytes = command.as_bytes();
    let alone = |i: usize| {
        let beside = |c: Option<&u8>| matches!(c, Some(b'&' | b'>' | b'<' | b'|'));
        !beside(i.checked_sub(1).and_then(|i| bytes.get(i))) && !matches!(bytes.get(i + 1), Some(b'&' | b'>'))
    };
    bytes.iter().enumerate().any(|(i, b)| *b == b'&' && alone(i))
        || command.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).any(|word| is_one_of(WORDS, word))
}

/// Whether `word` is one of the words of `list`.
fn is_one_of(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let Some(&first) = word.first() else { return false };
    // Few places begin with its first letter.
    list.iter().enumerate().any(|(at, b)| {
        *b == first
            && list[at..].starts_with(word)
            && (at == 0 || list[at - 1] == b' ')
            && list.get(at + word.len()).is_none_or(|b| *b == b' ')
    })
}

#[cfg(test)]
mod tests {
    use super::{may_outlive, names};
    use crate::path::Model;

    #[test]
    fn named_or_not() {
        let check = |command: &str, path: &str, want: bool| {
            assert_eq!(names(Model::Posix, command, path), want, "{command} {path}");
        };
        check("mkdir /opt/x", "/opt/x", true);
        check("cd /opt && mkdir x", "/opt/x", true);
        check("mkdir -p /opt/x/y", "/opt/x", true);
        check("tar xf a.tar -C '/opt/x'", "/opt/x", true);
        check("mkdir /opt/xy", "/opt/x", false);
        check("mkdir /opt/ax", "/opt/x", false);
        check("mkdir /opt/x-1", "/opt/x", false);
        check("python3 -c 'os.mkdir(\"/op\" + \"t/y\")'", "/opt/x", false);
        check("echo", "/", false);
        assert!(names(Model::Windows, r"mkdir C:\NEW", r"C:\new"));
    }

    #[test]
    fn what_may_go_on() {
        for command in ["sleep 9 &", "(sleep 9; mkdir x)& ls", "nohup x", "setsid -f x", "a & b", "Start-Process x"] {
            assert!(may_outlive(command), "{command}");
        }
        for command in
            ["a && b", "a 2>&1", "a &> x", "a >& x", "a |& b", "ls", "", "cat 'startup'", "x tar", "mux", "pod"]
        {
            assert!(!may_outlive(command), "{command}");
        }
    }
}
