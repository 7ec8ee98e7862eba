//! `powershell` and `pwsh`: options may be cut short and spelled in any case, and what follows `-Command` is text.

use super::act::Arg;
use super::job::Job;
use super::row::Row;
use crate::shell::{EffectKind, Value};

/// Options that take an argument: the shortest spelling that is taken, the name, its other names.
const VALUED: [(&str, &str, &str); 10] = [
    ("ex", "executionpolicy", "ep"),
    ("w", "windowstyle", ""),
    ("v", "version", ""),
    ("inp", "inputformat", "if"),
    ("o", "outputformat", "of"),
    ("config", "configurationname", ""),
    ("configurationf", "configurationfile", ""),
    ("ps", "psconsolefile", ""),
    ("cus", "custompipename", ""),
    ("settings", "settingsfile", "s"),
];

/// What a word means.
enum Means<'t> {
    Command,
    Encoded,
    File,
    Valued(&'t str),
    Switch,
}

fn meaning(word: &str) -> Option<Means<'static>> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix(['-', '/', '\u{2013}', '\u{2014}']))?;
    let name = name.to_ascii_lowercase();
    let is = |full: &str| !name.is_empty() && full.starts_with(&name);
    if name == "wo" || name == "wd" || name.len() > 1 && is("workingdirectory") {
        return Some(Means::Valued("workingdirectory"));
    }
    if is("command") {
        return Some(Means::Command);
    }
    if is("encodedcommand") || name == "ec" {
        return Some(Means::Encoded);
    }
    if is("file") {
        return Some(Means::File);
    }
    let valued = VALUED
        .iter()
        .find(|(least, full, other)| *other == name && !other.is_empty() || name.len() >= least.len() && is(full));
    Some(valued.map_or(Means::Switch, |(_, full, _)| Means::Valued(full)))
}

/// Judges one start of a PowerShell.
pub(super) fn pwsh(job: &mut Job<'_>, row: Row<'static>, program: &str, args: &[Arg]) {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        at += 1;
        let Some(means) = arg.value.known().and_then(|word| meaning(&word)) else {
            // Windows PowerShell takes the first word for a command, PowerShell 7 for a file.
            let script = arg.value.known().is_some_and(|w| w.to_ascii_lowercase().ends_with(".ps1"));
            if script || program.eq_ignore_ascii_case("pwsh") && !arg.value.prefix().contains(' ') {
                return file(job, row, arg, &args[at..]);
            }
            return job.joined(row, arg, &args[at..]);
        };
        match means {
            Means::Command => {
                let Some((first, rest)) = args.get(at..).and_then(<[Arg]>::split_first) else { return };
                if rest.is_empty() && first.value.known().is_some_and(|v| v == "-") {
                    return job.code_stdin(row, Vec::new());
                }
                return job.joined(row, first, rest);
            }
            Means::Encoded => {
                let Some(text) = args.get(at) else { return };
                let decoded = text.value.known().and_then(|t| decode(&t));
                let value = decoded.map_or_else(Value::any, Value::text);
                return job.shell(row, &Arg { value, span: text.span }, Vec::new());
            }
            Means::File => {
                let Some(script) = args.get(at) else { return };
                return file(job, row, script, &args[at + 1..]);
            }
            Means::Valued(name) => {
                if let ("workingdirectory", Some(dir)) = (name, args.get(at)) {
                    job.path(EffectKind::Read, dir);
                    job.change_folder(&dir.value);
                }
                at += 1;
            }
            Means::Switch => {}
        }
    }
    job.code_stdin(row, Vec::new());
}

/// A script file with its arguments.
fn file(job: &mut Job<'_>, row: Row<'static>, script: &Arg, args: &[Arg]) {
    if script.value.known().is_some_and(|v| v == "-") {
        return job.code_stdin(row, Vec::new());
    }
    job.path(EffectKind::Read, script);
    job.unknown(args);
}

/// `-EncodedCommand`: base64 of UTF-16.
pub(in crate::shell) fn decode(text: &str) -> Option<String> {
    let bytes = base64(text)?;
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    String::from_utf16(&pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect::<Vec<_>>()).ok()
}

/// The bytes that base64 stands for.
pub(in crate::shell) fn base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in text.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' | b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count & 0xFF) as u8);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::decode;
    use crate::path::Model;
    use crate::shell::programs::{Act, Arg, Invocation, acts};
    use crate::shell::{Span, Value};
    use crate::world::FakeWorld;

    #[test]
    fn forms() {
        let world = FakeWorld::new(Model::Posix).dir("/w");
        let check = |line: &str, want: &str| {
            let argv: Vec<Arg> =
                line.split('|').map(|word| Arg { value: Value::text(word), span: Span::default() }).collect();
            let inv = Invocation { argv: &argv, cwd: "/w", world: &world, assigned: &|_| None, input: &Value::default };
            let texts: Vec<String> = acts(&inv)
                .iter()
                .filter_map(|act| match act {
                    Act::Shell { text, cwd, .. } => Some(match cwd {
                        Some(cwd) => format!("{} in {}", text.prefix(), cwd.prefix()),
                        None => text.prefix().to_owned(),
                    }),
                    Act::ShellStdin { .. } => Some("stdin".to_owned()),
                    _ => None,
                })
                .collect();
            assert_eq!(texts.join(";"), want, "{line}");
        };
        check("pwsh|-c|ni x", "ni x");
        check("pwsh|-NoProfile|-Command|ni|x", "ni x");
        check("powershell.exe|-nop|-ex|bypass|-co|ni x", "ni x");
        check("powershell|ni|x", "ni x");
        check("powershell|-ExecutionPolicy|Bypass|-File|a.ps1|-X|1", "");
        check("pwsh|a.ps1", "");
        check("pwsh|-wd|/srv|-c|ni x", "ni x in /srv");
        check("pwsh|-Command|-", "stdin");
        check("pwsh", "stdin");
        check("pwsh|-EncodedCommand|bgBpACAAeAA=", "ni x");
        check("powershell|-e|bgBpACAAeAA=", "ni x");
        check("pwsh|-v", "stdin");
    }

    #[test]
    fn decoding() {
        assert_eq!(decode("bgBpACAAeAA=").as_deref(), Some("ni x"));
        assert_eq!(decode("???"), None);
        assert_eq!(decode("bgBp"), None);
    }
}
