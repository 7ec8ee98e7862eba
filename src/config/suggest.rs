//! The nearest known name to a misspelt one. Runs only when something already failed.

use super::settings::Key;

/// Longer words than this are no misspelling of a setting.
const MAX_WORD: usize = 48;

/// The setting whose name or alias is nearest to `word`, if one is near.
pub(super) fn nearest_key(word: &str) -> Option<Key> {
    nearest(word, Key::spellings())
}

/// The nearest of `words`, if one is near.
pub(super) fn nearest_word(word: &str, words: &[&'static str]) -> Option<&'static str> {
    nearest(word, words.iter().map(|w| (*w, *w)))
}

fn nearest<T>(word: &str, candidates: impl Iterator<Item = (&'static str, T)>) -> Option<T> {
    let folded = fold(word)?;
    let (distance, found) = candidates
        .filter_map(|(name, value)| Some((distance(&folded, &fold(name)?), value)))
        .min_by_key(|(distance, _)| *distance)?;
    // A third of the word may be wrong.
    (distance <= (folded.len() / 3).max(1)).then_some(found)
}

/// Case, `_` and `-` are spelling, not meaning.
fn fold(word: &str) -> Option<Vec<char>> {
    let folded: Vec<char> =
        word.chars().take(MAX_WORD + 1).filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect();
    (!folded.is_empty() && folded.len() <= MAX_WORD).then_some(folded)
}

/// Edits (insert, remove, replace, swap of neighbours) between two words.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i);
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, want: usize| {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            assert_eq!(distance(&a, &b), want);
            assert_eq!(distance(&b, &a), want);
        };
        check("", "", 0);
        check("", "abc", 3);
        check("kitten", "sitting", 3);
        check("gaet", "gate", 1);
        check("abc", "abc", 0);
    }

    #[test]
    fn misspellings() {
        let check = |word: &str, want: Option<Key>| assert_eq!(nearest_key(word), want, "{word}");
        check("protectDrive", Some(Key::ProtectDrives));
        check("protect-drives", Some(Key::ProtectDrives));
        check("Gate", Some(Key::Gate));
        check("gaet", Some(Key::Gate));
        check("allow_root", Some(Key::AllowRoots));
        check("hook_deadline", Some(Key::HookDeadlineMs));
        check("zzzzzz", None);
        check("", None);
        check("__", None);
        check(&"a".repeat(10_000), None);
    }
}
