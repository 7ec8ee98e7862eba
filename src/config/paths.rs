//! Paths and drives as settings spell them.

use super::value::Context;
use crate::limits::MAX_CONFIG_PATH_BYTES;
use crate::path::Model;

/// `~/` and `$HOME/` expanded, absolute, normal; else the end of a sentence that says why not.
pub(super) fn folder(text: &str, context: &Context<'_>) -> Result<String, &'static str> {
    if text.contains('\0') || text.len() > MAX_CONFIG_PATH_BYTES {
        return Err("is too long or holds a NUL");
    }
    let expanded = match after_home(text, context.model) {
        Some(rest) => {
            let home = context.home().ok_or("can't be expanded: the environment names no absolute home folder")?;
            if rest.is_empty() { home } else { context.model.join(&home, rest) }
        }
        None => text.to_owned(),
    };
    if !context.model.is_absolute(&expanded) {
        return Err("is not absolute");
    }
    Ok(context.model.normalize(&expanded))
}

/// A name as it is, or a path like that of [`folder`]; stars are left alone.
pub(super) fn pattern(text: &str, context: &Context<'_>) -> Result<String, &'static str> {
    if text.is_empty() || text.contains('\0') || text.len() > MAX_CONFIG_PATH_BYTES {
        return Err("is empty, too long or holds a NUL");
    }
    if !text.contains(|c| context.model.is_separator(c)) {
        return Ok(text.to_owned());
    }
    folder(text, context)
}

/// What follows a leading reference to the home folder, without separators in front.
fn after_home(text: &str, model: Model) -> Option<&str> {
    let rest = ["~", "$HOME", "${HOME}", "%USERPROFILE%"].iter().find_map(|name| text.strip_prefix(name))?;
    let trimmed = rest.trim_start_matches(|c| model.is_separator(c));
    // `~user` and `$HOMES` are something else.
    (rest.is_empty() || trimmed.len() < rest.len()).then_some(trimmed)
}

/// A drive letter, upper case and alone, or a normal mount point.
pub(crate) fn drive(text: &str) -> Result<String, &'static str> {
    if text.contains('\0') || text.len() > MAX_CONFIG_PATH_BYTES {
        return Err("is too long or holds a NUL");
    }
    if text.starts_with('/') {
        return Ok(Model::Posix.normalize(text));
    }
    let bare = text.trim_end_matches(['\\', '/']);
    let bare = bare.strip_suffix(':').unwrap_or(bare);
    let mut chars = bare.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => Ok(letter.to_ascii_uppercase().to_string()),
        _ => Err("is no drive letter or mount point"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders() {
        let env = |name: &str| match name {
            "HOME" => Some("/home/me/".to_owned()),
            "USERPROFILE" => Some(r"C:\Users\me".to_owned()),
            _ => None,
        };
        let check = |model: Model, text: &str, want: Result<&str, ()>| {
            let context = Context { model, env: &env };
            let got = folder(text, &context);
            assert_eq!(got.as_deref().map_err(|_| ()), want, "{text}");
        };
        check(Model::Posix, "~/a//b/../c/", Ok("/home/me/a/c"));
        check(Model::Posix, "~", Ok("/home/me"));
        check(Model::Posix, "~/", Ok("/home/me"));
        check(Model::Posix, "~//x", Ok("/home/me/x"));
        check(Model::Posix, "~/../../..", Ok("/"));
        check(Model::Posix, "$HOME/x", Ok("/home/me/x"));
        check(Model::Posix, "${HOME}/x", Ok("/home/me/x"));
        check(Model::Posix, "$HOMES/x", Err(()));
        check(Model::Posix, "~root/x", Err(()));
        check(Model::Posix, "/", Ok("/"));
        check(Model::Posix, "a/b", Err(()));
        check(Model::Posix, "", Err(()));
        check(Model::Posix, "/a\0b", Err(()));
        check(Model::Posix, r"C:\x", Err(()));
        check(Model::Posix, "/a/$HOME", Ok("/a/$HOME"));
        check(Model::Windows, r"~\x", Ok(r"C:\Users\me\x"));
        check(Model::Windows, r"%USERPROFILE%\x", Ok(r"C:\Users\me\x"));
        check(Model::Windows, "d:/x/./y", Ok(r"d:\x\y"));
        check(Model::Windows, r"\x", Err(()));
        check(Model::Windows, "d:x", Err(()));
    }

    #[test]
    fn no_home() {
        for home in [None, Some(String::new()), Some("relative".to_owned())] {
            let env = |_: &str| home.clone();
            assert!(folder("~/x", &Context { model: Model::Posix, env: &env }).is_err());
        }
    }

    #[test]
    fn drives() {
        let check = |text: &str, want: Option<&str>| assert_eq!(drive(text).ok().as_deref(), want, "{text}");
        check("C", Some("C"));
        check("c:", Some("C"));
        check(r"d:\", Some("D"));
        check("d:/", Some("D"));
        check("/", Some("/"));
        check("/mnt//data/", Some("/mnt/data"));
        check("", None);
        check(":", None);
        check("CD", None);
        check("C:x", None);
        check("é", None);
        check("1", None);
    }
}
