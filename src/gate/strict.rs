//! `shell = "strict"`: the published rule. Any absolute path on a protected drive that is named in the
//! command's text and does not exist is denied, whatever the command would do with it. What is allowed goes by the
//! path as it is spelled: the rule knows no links. docs/MODES.md says it in full.

use super::Inputs;
use super::place::{Roots, is_protected};
use crate::path::{Model, resolve};

/// The first path named in `command` that the rule denies.
pub(crate) fn first_missing(inputs: &Inputs<'_>, roots: &Roots<'_>, command: &str) -> Option<String> {
    let model = inputs.world.model();
    let mut at = 0;
    while let Some((start, end)) = next_path(model, command, at) {
        at = end;
        // A full stop or a comma at its end belongs to the prose around it.
        let path = model.normalize(command[start..end].trim_end_matches(['.', ',']));
        if model.parent(&path).is_none() || roots.names(&path) || !is_protected(model, inputs.policy, &path) {
            continue;
        }
        let resolved = resolve(inputs.world, &path, true);
        if resolved.entry.is_none() && !(inputs.granted)(&resolved.path) && !(inputs.granted)(&path) {
            return Some(path);
        }
    }
    None
}

/// The next absolute path at or after byte `at`: where it starts and ends.
fn next_path(model: Model, text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut i = at;
    while i < bytes.len() {
        let begins = match model {
            Model::Posix => bytes[i] == b'/' && bytes.get(i + 1) != Some(&b'/'),
            Model::Windows => {
                bytes[i].is_ascii_alphabetic()
                    && bytes.get(i + 1) == Some(&b':')
                    && matches!(bytes.get(i + 2), Some(b'\\' | b'/'))
            }
        };
        if begins && (i == 0 || opens(bytes[i - 1])) {
            let head = if model == Model::Windows { 3 } else { 0 };
            let len = text[i + head..].find(|c| !is_path_char(model, c)).unwrap_or(text.len() - i - head);
            return Some((i, i + head + len));
        }
        i += 1;
    }
    None
}

/// What may stand before a path: white space, a quote, an operator, a separator of lists.
const fn opens(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'"' | b'\'' | b'`' | b'=' | b',' | b'(' | b'<' | b'>' | b'|' | b';' | b'&' | b':' | b'{')
}

fn is_path_char(model: Model, c: char) -> bool {
    c.is_ascii_alphanumeric()
        || !c.is_ascii()
        || "._-/%+@~".contains(c)
        || (model == Model::Windows && "\\$()".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_paths() {
        let check = |text: &str, want: &[&str]| {
            let mut got = Vec::new();
            let mut at = 0;
            while let Some((start, end)) = next_path(Model::Posix, text, at) {
                got.push(&text[start..end]);
                at = end;
            }
            assert_eq!(got, want, "{text}");
        };
        check("mkdir /srv/x && echo '/a b' >/c", &["/srv/x", "/a", "/c"]);
        check("curl http://host/path a/b --out=/x", &["/x"]);
        check("PATH=/a:/b", &["/a", "/b"]);
        check("sed 's,^x,/y,'", &["/y"]);
        check("touch /srv/naïve", &["/srv/naïve"]);
    }

    #[test]
    fn windows_paths() {
        assert_eq!(next_path(Model::Windows, r#"md "C:\new dir""#, 0), Some((4, 10)));
        assert_eq!(next_path(Model::Windows, "http://x", 0), None);
    }
}
