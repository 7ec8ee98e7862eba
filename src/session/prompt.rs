//! What the agent is told at the start of a session.

use crate::limits::MAX_SNIPPET_BYTES;

/// What the snippet names.
#[derive(Clone, Copy, Debug)]
pub struct Snippet<'a> {
    /// The session's scratch folder.
    pub scratch: &'a str,
    /// Whether it is there; where it could not be made, nobody is told to use it.
    pub exists: bool,
    /// Where TMPDIR points, where it is redirected.
    pub temp: Option<&'a str>,
    /// The session's project folder, where it counts as an allowed root.
    pub project: Option<&'a str>,
}

/// The text for the agent, shorter than [`MAX_SNIPPET_BYTES`]. The scratch path is always in it, whole: where it
/// alone is too long, it is all there is.
pub fn snippet(of: &Snippet<'_>) -> String {
    // From the most telling to the barest: the first that fits.
    let without = |temp, project| Snippet { temp, project, ..*of };
    let shorter = [*of, without(None, of.project), without(None, None)];
    let fits = |text: &String| text.len() < MAX_SNIPPET_BYTES;
    shorter.iter().map(full).find(fits).unwrap_or_else(|| format!("Your scratch folder{}: {}", missing(of), of.scratch))
}

fn missing(of: &Snippet<'_>) -> &'static str {
    if of.exists { "" } else { " (missing)" }
}

fn full(of: &Snippet<'_>) -> String {
    let Snippet { scratch, exists, temp, project } = of;
    let mut text = "Where files go in this session (workspace-guard looks after it):\n".to_owned();
    text.extend(["- Your scratch folder", missing(of), ": ", scratch, "\n  "]);
    text.push_str(if *exists {
        "It exists and is yours alone. Put there what is not part of the project: notes, downloads, clones, \
         experiments, reports, test data.\n"
    } else {
        "It could not be made, so nothing can be put there; tell the user, who can look with: wsguard doctor\n"
    });
    if let Some(project) = project {
        text.extend(["- The project, for everything that belongs to it: ", project, "\n"]);
    }
    if let Some(temp) = temp {
        text.extend(["- Short-lived files, by `mktemp` and TMPDIR: ", temp, "\n"]);
    }
    text.push_str(
        "- Anywhere else (/opt, /srv, /data, beside the project, new files in the home folder) creating files or \
         folders is refused. Reading is free everywhere, and so is changing in place what already exists.\n\
         - A refusal names the path and a better place: use that one; another spelling of the same path is refused \
         too. If a file really has to be elsewhere, say so and ask the user, who can allow it in their own terminal: \
         wsguard allow PATH\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::{Snippet, snippet};
    use crate::limits::MAX_SNIPPET_BYTES;

    #[test]
    fn names_the_real_paths_and_the_way_out() {
        let of = Snippet { scratch: "/h/scratch/s1", exists: true, temp: Some("/h/cache/tmp"), project: Some("/w/p") };
        let text = snippet(&of);
        for part in ["/h/scratch/s1", "/h/cache/tmp", "/w/p", "wsguard allow PATH", "refused"] {
            assert!(text.contains(part), "{part}");
        }
        assert!(text.len() < MAX_SNIPPET_BYTES, "{}", text.len());
        assert!(!snippet(&Snippet { temp: None, ..of }).contains("TMPDIR"));
        assert!(text.contains("It exists"));
        let missing = snippet(&Snippet { exists: false, ..of });
        assert!(missing.contains("/h/scratch/s1") && missing.contains("could not be made"), "{missing}");
        assert!(!missing.contains("It exists") && !missing.contains("Put there"), "{missing}");
    }

    #[test]
    fn fits_with_long_paths_and_always_has_the_scratch() {
        for len in [100, 300, 500, 800, 1100, 1500, 1900] {
            let path = "/x".repeat(len / 2);
            let text = snippet(&Snippet { scratch: &path, exists: true, temp: Some(&path), project: Some(&path) });
            assert!(text.contains(&path), "{len}");
            assert!(text.len() < MAX_SNIPPET_BYTES, "{len}: {}", text.len());
        }
        let huge = "/x".repeat(2048);
        assert!(snippet(&Snippet { scratch: &huge, exists: true, temp: None, project: None }).contains(&huge));
    }
}
