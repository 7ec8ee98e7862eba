//! Operators and how tightly they bind.

use super::cursor::{Parser, is_dash};

/// A comma binds tighter than any of the others.
pub(super) const RANGE: u8 = 8;

impl Parser<'_> {
    /// The word behind a dash that begins here, with its length in bytes.
    fn dashed(&self) -> Option<(&str, usize)> {
        let rest = self.rest();
        let dash = rest.chars().next().filter(|&c| is_dash(c))?;
        let word = &rest[dash.len_utf8()..];
        let len = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
        let ends = word[len..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        (len > 0 && ends).then(|| (&word[..len], dash.len_utf8() + len))
    }

    /// The binary operator that begins here: how tightly it binds, its name, its length in bytes.
    pub(super) fn binary_operator(&self) -> Option<(u8, &'static str, usize)> {
        let (a, b) = (self.byte(0), self.byte(1));
        match (a, b) {
            (b'?', b'?') if self.byte(2) != b'=' => return Some((1, "??", 2)),
            (b'.', b'.') => return Some((RANGE, "..", 2)),
            // `+=` and its like are assignments, `++` and `--` steps.
            (b'+', b'=' | b'+') | (b'*' | b'/' | b'%', b'=') => return None,
            (b'+', _) => return Some((5, "+", 1)),
            (b'*', _) => return Some((6, "*", 1)),
            (b'/', _) => return Some((6, "/", 1)),
            (b'%', _) => return Some((6, "%", 1)),
            _ => {}
        }
        if let Some((word, len)) = self.dashed() {
            return binary_word(word).map(|(level, name)| (level, name, len));
        }
        let dash = self.peek().filter(|&c| is_dash(c))?;
        let next = self.rest()[dash.len_utf8()..].chars().next();
        (!next.is_some_and(|c| c == '=' || is_dash(c))).then_some((5, "-", dash.len_utf8()))
    }

    /// The unary operator that begins here with its length in bytes.
    pub(super) fn unary_operator(&self) -> Option<(&'static str, usize)> {
        if let Some((word, len)) = self.dashed() {
            let word = word.to_ascii_lowercase();
            let bare = word.strip_prefix(['c', 'i']).unwrap_or(&word);
            return unary_word(&word).or_else(|| unary_word(bare)).map(|name| (name, len));
        }
        match self.byte(0) {
            b'!' => return Some(("not", 1)),
            b'+' if self.byte(1) == b'+' => return Some(("++", 2)),
            b'+' => return Some(("+", 1)),
            b',' => return Some((",", 1)),
            _ => {}
        }
        let dash = self.peek().filter(|&c| is_dash(c))?;
        let next = self.rest()[dash.len_utf8()..].chars().next();
        Some(match next.filter(|&c| is_dash(c)) {
            Some(second) => ("--", dash.len_utf8() + second.len_utf8()),
            None => ("-", dash.len_utf8()),
        })
    }

    /// The operator of an assignment that begins here with its length in bytes.
    pub(super) fn assignment_operator(&self) -> Option<(&'static str, usize)> {
        const ALL: [(&str, &str); 7] =
            [("??=", "??"), ("+=", "+"), ("-=", "-"), ("*=", "*"), ("/=", "/"), ("%=", "%"), ("=", "")];
        ALL.iter().find(|(text, _)| self.rest().starts_with(text)).map(|(text, name)| (*name, text.len()))
    }
}

/// How tightly a binary operator binds, with its name without a dash.
fn binary_word(word: &str) -> Option<(u8, &'static str)> {
    let lower = word.to_ascii_lowercase();
    // `-ceq`, `-ireplace`: with case, without.
    plain_word(&lower).or_else(|| plain_word(lower.strip_prefix(['c', 'i'])?).filter(|(level, _)| *level == 4))
}

// A match and no table: a table of names is relocated at each start of the hook.
fn plain_word(word: &str) -> Option<(u8, &'static str)> {
    Some(match word {
        "and" => (2, "and"),
        "or" => (2, "or"),
        "xor" => (2, "xor"),
        "band" => (3, "band"),
        "bor" => (3, "bor"),
        "bxor" => (3, "bxor"),
        "eq" => (4, "eq"),
        "ne" => (4, "ne"),
        "gt" => (4, "gt"),
        "ge" => (4, "ge"),
        "lt" => (4, "lt"),
        "le" => (4, "le"),
        "replace" => (4, "replace"),
        "contains" => (4, "contains"),
        "notcontains" => (4, "notcontains"),
        "in" => (4, "in"),
        "notin" => (4, "notin"),
        "split" => (4, "split"),
        "join" => (4, "join"),
        "as" => (4, "as"),
        "like" | "notlike" | "match" | "notmatch" | "is" | "isnot" | "shl" | "shr" => (4, "like"),
        "f" => (7, "f"),
        _ => return None,
    })
}

fn unary_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "not" => "not",
        "bnot" => "bnot",
        "split" => "split",
        "join" => "join",
        _ => return None,
    })
}
