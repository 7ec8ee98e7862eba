//! One row, taken apart as far as a look-up needs.

/// A program's or sub-command's row: `name token token …`, continued by indented lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'t> {
    /// `git`, `git/clone`, `@read`.
    pub(super) name: &'t str,
    /// The words on the row as a whole, `:closed`, which stand first. Asked for a dozen times for one command.
    flags: &'t str,
    /// The tokens behind them.
    body: &'t str,
    /// Where the text goes on after this row.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests go from row to row"))]
    pub(super) end: usize,
}

/// What a token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// `-o,--output:c`, `/log:c`: an option that takes an argument; `$GIT_DIR:d`: a variable.
    Option { names: &'t str, role: &'t str },
    /// `-r,-R,--recursive`: names of one option without an argument.
    Names(&'t str),
    /// `of=:c`: an operand `of=…`.
    Key { key: &'t str, role: &'t str },
    /// `-i&^-e=nm*`: the operands' roles under a condition.
    Operands { when: &'t str, pattern: &'t str },
    /// `^-o+c[a.out]`: acts under a condition.
    Also { when: &'t str, roles: &'t str },
    /// `lang:python`.
    Lang(&'t str),
    /// `code:find`.
    Code(&'t str),
}

impl<'t> Row<'t> {
    /// The row that begins at byte `start`.
    pub(super) fn at(text: &'t str, start: usize) -> Self {
        let rest = &text[start..];
        let bytes = rest.as_bytes();
        let mut len = 0;
        loop {
            len += bytes[len..].iter().position(|&b| b == b'\n').map_or(bytes.len() - len, |n| n + 1);
            if bytes.get(len) != Some(&b' ') {
                break;
            }
        }
        let row = rest[..len].trim_ascii_end();
        let (name, body) = row.split_once(' ').unwrap_or((row, ""));
        let (flags, body) = body.split_at(flags_len(body));
        Self { name, flags, body, end: start + len }
    }

    /// The row that stands for this one: `see NAME`.
    pub(super) fn see(self) -> Option<&'t str> {
        self.body.trim_ascii_start().strip_prefix("see ").map(str::trim_ascii)
    }

    /// Its tokens.
    pub(super) fn tokens(self) -> impl Iterator<Item = Token<'t>> {
        self.body.split_ascii_whitespace().map(token)
    }

    /// Whether the word `:flag` stands in it.
    pub(super) fn has(self, flag: &str) -> bool {
        self.flags().any(|word| word == flag)
    }

    /// The words on the row as a whole, without their colons.
    pub(super) fn flags(self) -> impl Iterator<Item = &'t str> {
        self.flags.split_ascii_whitespace().map(|word| &word[1..])
    }

    /// `lang:…`.
    pub(super) fn lang(self) -> Option<&'t str> {
        self.tokens().find_map(|t| if let Token::Lang(l) = t { Some(l) } else { None })
    }
}

/// Bytes of the words with a colon that `body` begins with, and of the white space around them.
fn flags_len(body: &str) -> usize {
    let mut len = 0;
    loop {
        let rest = body[len..].trim_ascii_start();
        if !rest.starts_with(':') {
            return len;
        }
        len = body.len() - rest.trim_start_matches(|c: char| !c.is_ascii_whitespace()).len();
    }
}

/// Reads one token. Never fails: what fits no other form is taken as a key without a role, which the table's
/// test refuses.
pub(super) fn token(text: &str) -> Token<'_> {
    // A look-up reads every token of its row, so bytes are looked at, not characters.
    let bytes = text.as_bytes();
    let first = bytes.first().copied().unwrap_or_default();
    match first {
        b'-' | b'/' | b'^' | b'#' | b'%' | b'$' | b'=' | b'+' => {}
        b'l' if bytes.starts_with(b"lang:") => return Token::Lang(&text[5..]),
        b'c' if bytes.starts_with(b"code:") => return Token::Code(&text[5..]),
        _ => {
            let (key, role) = text.split_once("=:").unwrap_or((text, ""));
            return Token::Key { key, role };
        }
    }
    // `%:memory:=…`: the word of a condition may hold a colon.
    let is_mark = |&byte: &u8| matches!(byte, b'=' | b'+') || byte == b':' && first != b'%';
    match bytes.iter().position(is_mark) {
        None => Token::Names(text),
        Some(at) => {
            let (left, right) = (&text[..at], &text[at + 1..]);
            match text.as_bytes()[at] {
                b':' => Token::Option { names: left, role: right },
                b'=' => Token::Operands { when: left, pattern: right },
                _ => Token::Also { when: left, roles: right },
            }
        }
    }
}

/// One place in a pattern: the roles of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place<'t> {
    /// Letters with their parameters.
    pub(super) roles: &'t str,
    /// Any number of operands.
    pub(super) star: bool,
}

/// The places of a pattern: `r`, `(xb[.gz])`, each perhaps with `*`.
pub(super) fn places(pattern: &str) -> impl Iterator<Item = Place<'_>> {
    let mut rest = pattern;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (roles, len) = if first == '(' {
            let close = rest.find(')')?;
            (&rest[1..close], close + 1)
        } else {
            let len = role_len(rest);
            (&rest[..len], len)
        };
        rest = &rest[len..];
        let star = rest.starts_with('*');
        if star {
            rest = &rest[1..];
        }
        Some(Place { roles, star })
    })
}

/// A role: its letter and its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Role<'t> {
    /// See docs/ROLES.md.
    pub(super) letter: char,
    /// `[text]`.
    pub(super) text: Option<&'t str>,
    /// `@-f`: the argument of that option.
    pub(super) option: Option<&'t str>,
}

/// The roles in `c`, `mb[.bak]`, `c@-f`, `e[.srl]@-CA`.
pub(super) fn roles(text: &str) -> impl Iterator<Item = Role<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let letter = rest.chars().next()?;
        let len = role_len(rest);
        let parameter = &rest[letter.len_utf8()..len];
        rest = &rest[len..];
        let (text, option) = match parameter.split_once('@') {
            Some((text, option)) => (text, Some(option)),
            None => (parameter, None),
        };
        Some(Role { letter, text: text.strip_prefix('[').map(|p| p.trim_end_matches(']')), option })
    })
}

/// Bytes of the role at the start of `text`: its letter, `[…]`, `@…`.
fn role_len(text: &str) -> usize {
    let mut len = text.chars().next().map_or(0, char::len_utf8);
    if text[len..].starts_with('[') {
        len = text[len..].find(']').map_or(text.len(), |i| len + i + 1);
    }
    if text[len..].starts_with('@') {
        // An option's name reaches to the end of the roles.
        len = text[len..].find('*').map_or(text.len(), |i| len + i);
    }
    len
}
