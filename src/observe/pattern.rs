//! Patterns with `*`.

/// Whether `text` as a whole fits `pattern`, in which `*` stands for any text.
pub(crate) fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    // Where the last star stood, and how much of the text it has taken.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == text[t] => (p, t) = (p + 1, t + 1),
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, t) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

/// Whether `name` fits one of the words of `list`.
pub(crate) fn any_fits(list: &str, name: &[u8]) -> bool {
    let first = name.first().copied();
    let mut rest = list.as_bytes();
    loop {
        rest = rest.trim_ascii_start();
        let Some(&head) = rest.first() else { return false };
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        // Most differ in their first letter.
        if (head == b'*' || Some(head) == first) && fits(&rest[..end], name) {
            return true;
        }
        rest = &rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{any_fits, fits};

    #[test]
    fn stars() {
        let check = |pattern: &str, text: &str, want: bool| {
            assert_eq!(fits(pattern.as_bytes(), text.as_bytes()), want, "{pattern} {text}");
        };
        for (pattern, text) in [("a", "a"), ("*", ""), ("*", "x"), ("a*", "a"), ("a*b*c", "axxbyc"), ("*.tmp", "x.tmp")]
        {
            check(pattern, text, true);
        }
        for (pattern, text) in [("a", ""), ("", "a"), ("a*", "ba"), ("a*b", "a"), ("*.tmp", "x.tmpx"), ("a", "A")] {
            check(pattern, text, false);
        }
        assert!(any_fits("x dsh-*\ny", b"dsh-1") && !any_fits("x dsh-*", b"dsh"));
    }

    proptest! {
        #[test]
        fn a_text_with_parts_replaced_by_stars_fits(text in "[ab]{0,12}", from in 0..12_usize, to in 0..12_usize) {
            let (from, to) = (from.min(to).min(text.len()), from.max(to).min(text.len()));
            let pattern = format!("{}*{}", &text[..from], &text[to..]);
            prop_assert!(fits(pattern.as_bytes(), text.as_bytes()));
        }
    }
}
