//! Patches that Codex takes out of a command and applies by itself (measured on 0.171.0).
//!
//! It does so where the whole command is `apply_patch <<WORD …` or `cd FOLDER && apply_patch <<WORD …`; no shell runs then.
//! Nothing is expanded, in the folder's name, in the patch or in its paths, and the folder need not be there: what is
//! missing is made. So such a patch is judged as it stands, beside what the command would do in a shell. Whether the rest of
//! the command is of the form is left to the client: one that only begins so is judged both ways too.

use super::tool::{literal, patched};
use crate::path::Model;

const PROGRAMS: [&str; 2] = ["apply_patch", "applypatch"];

/// The files that the client would write by itself for this command, which starts in `workdir` where the call names one.
pub(crate) fn taken_out(command: &str, workdir: Option<&str>) -> Result<Vec<String>, serde_json::Error> {
    let Some((folder, patch)) = patch_in(command) else { return Ok(Vec::new()) };
    let below = |path: String| {
        let folders = [workdir, folder].into_iter().flatten().map(literal);
        let absolute = |path: &str| Model::native().is_absolute(path);
        folders.chain([path]).fold(String::new(), |at, path| {
            if at.is_empty() || absolute(&path) { path } else { format!("{at}/{path}") }
        })
    };
    Ok(patched(patch)?.into_iter().map(below).collect())
}

/// The folder that a command of this form changes to, and its patch.
fn patch_in(command: &str) -> Option<(Option<&str>, &str)> {
    let program = |text: &'_ str| PROGRAMS.iter().find_map(|name| Some(text.len() - text.strip_prefix(name)?.len()));
    let mut rest = blank(command);
    let mut folder = None;
    if let Some(after) = rest.strip_prefix("cd").filter(|after| blank(after).len() < after.len()) {
        let (word, after) = word(blank(after))?;
        rest = blank(blank(after).strip_prefix("&&")?);
        folder = Some(word);
    }
    rest = blank(&rest[program(rest)?..]).strip_prefix("<<")?;
    let begin = rest.find("*** Begin Patch")?;
    // The here-document's last line behind it names no file.
    Some((folder, &rest[begin..]))
}

/// The text without blanks, line ends and continued lines before it.
fn blank(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix("\\\n").or_else(|| rest.strip_prefix("\\\r\n")) {
        rest = after.trim_start();
    }
    rest
}

/// A word as it stands, without the quotes around the whole of it, and what follows.
fn word(text: &str) -> Option<(&str, &str)> {
    for quote in ['\'', '"'] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split_once(quote);
        }
    }
    let mut escaped = false;
    let end = text.find(|c: char| {
        let ends = !escaped && (c.is_whitespace() || matches!(c, '&' | ';' | '|' | '<' | '>'));
        escaped = c == '\\' && !escaped;
        ends
    })?;
    Some(text.split_at(end))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::taken_out;

    const PATCH: &str = "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\nEOF\n";

    #[track_caller]
    fn check(command: &str, want: &[&str]) {
        assert_eq!(taken_out(&format!("{command}\n{PATCH}"), None).unwrap(), want, "{command}");
    }

    #[test]
    fn forms_that_are_taken_out() {
        check("apply_patch <<'EOF'", &["n"]);
        check("  applypatch <<EOF", &["n"]);
        check("cd sub && apply_patch <<'EOF'", &["sub/n"]);
        check("cd ~/t && apply_patch <<'EOF'", &["./~/t/n"]);
        check("cd 'q q' && apply_patch <<'EOF'", &["q q/n"]);
        check("cd \"q\" &&\n apply_patch <<-'EOF'", &["q/n"]);
        check("cd a\\ b && apply_patch <<'EOF'", &["a\\ b/n"]);
        check("cd g* && apply_patch <<'EOF'", &["g*/n"]);
        check("cd \\\nx && apply_patch <<'EOF'", &["x/n"]);
        assert_eq!(taken_out(&format!("apply_patch <<E\n{PATCH}"), Some("w")).unwrap(), ["w/n"]);
        let literal = "cd no && apply_patch <<EOF\n*** Begin Patch\n*** Add File: $HOME/n\n+x\n*** End Patch\nEOF\n";
        assert_eq!(taken_out(literal, None).unwrap(), ["no/$HOME/n"]);
    }

    #[test]
    fn commands_that_are_run() {
        for command in [
            "cd nope; apply_patch <<'EOF'",
            "false && apply_patch <<'EOF'",
            "cd a && cd b && apply_patch <<'EOF'",
            "cdx && apply_patch <<EOF",
            "cat <<EOF",
        ] {
            check(command, &[]);
        }
        assert!(taken_out("apply_patch", None).unwrap().is_empty());
        assert!(taken_out("apply_patch <<EOF\nx\nEOF\n", None).unwrap().is_empty());
    }
}
