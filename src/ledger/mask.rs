//! Secrets in commands, paths and messages are replaced before they are written down.
//!
//! One pass from left to right: what stands before a value (a name, an option, a scheme) or how it begins says that it is a
//! secret. In doubt more is hidden than less, but never a variable's name, and nothing before the secret.

use std::borrow::Cow;

/// What stands in a secret's place.
pub(crate) const MASK: &str = "***";

/// Passes over a text at most. A second one finds nothing, but in texts that were made for it.
const ROUNDS: usize = 8;

/// Bytes of a name that are looked at.
const NAME_BYTES: usize = 64;

/// Bytes within which a token has to show what it is.
const SHAPE_BYTES: usize = 64;

/// Spaces around a sign of equality or a colon.
const SPACES: usize = 16;

/// Endings of names whose value is a secret, in small letters, with `_` for `-` and `.`.
const SECRET_ENDS: [&str; 25] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "apikey",
    "api_key",
    "access_key",
    "accesskey",
    "secret_key",
    "secretkey",
    "private_key",
    "privatekey",
    "account_key",
    "accountkey",
    "auth_key",
    "signing_key",
    "encryption_key",
    "credential",
    "credentials",
    "authorization",
    "_pwd",
    "_pass",
    "_auth",
];

/// Names that are secret as a whole.
const SECRET_NAMES: [&str; 7] = ["pass", "dbpass", "cookie", "set_cookie", "sharedaccesskey", "storepass", "keypass"];

/// Names that are secret in the query of a URL.
const QUERY_NAMES: [&str; 6] = ["key", "sig", "signature", "auth", "code", "x_amz_signature"];

/// First words of names that ask for a secret or count something instead of giving it.
const NO_SECRET: [&str; 7] = ["no_", "ask_", "skip_", "max_", "min_", "num_", "without_"];

/// How tokens begin, and how many bytes of theirs follow at least.
const SHAPES: [(&str, usize); 26] = [
    ("AKIA", 16),
    ("ASIA", 16),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 16),
    ("xoxa-", 8),
    ("xoxb-", 8),
    ("xoxe-", 8),
    ("xoxp-", 8),
    ("xoxr-", 8),
    ("xoxs-", 8),
    ("xapp-", 8),
    ("sk-", 16),
    ("sk_live_", 8),
    ("sk_test_", 8),
    ("rk_live_", 8),
    ("npm_", 16),
    ("AIza", 30),
    ("eyJ", 16),
    ("hf_", 20),
    ("ya29.", 16),
    ("pypi-", 20),
];

/// Programs whose options say differently what a secret is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Other,
    /// `-uUSER:PASSWORD`.
    Curl,
    /// `-pPASSWORD`.
    Mysql,
    /// `-pPASSWORD`, `-p PASSWORD`.
    Sshpass,
    /// `-p PASSWORD` where one logs in; `-u UID:GID` elsewhere.
    Docker,
    /// The same, logging in.
    Login,
    /// `-a PASSWORD`.
    Redis,
    /// `-p PASSWORD`.
    Mongo,
    /// `NAME VALUE`.
    Setx,
}

const TOOLS: [(&str, Tool); 21] = [
    ("curl", Tool::Curl),
    ("mysql", Tool::Mysql),
    ("mysqldump", Tool::Mysql),
    ("mysqladmin", Tool::Mysql),
    ("mysqlimport", Tool::Mysql),
    ("mysqlshow", Tool::Mysql),
    ("mysqlpump", Tool::Mysql),
    ("mariadb", Tool::Mysql),
    ("mariadb-dump", Tool::Mysql),
    ("mariadb-admin", Tool::Mysql),
    ("7z", Tool::Mysql),
    ("sshpass", Tool::Sshpass),
    ("docker", Tool::Docker),
    ("podman", Tool::Docker),
    ("nerdctl", Tool::Docker),
    ("helm", Tool::Docker),
    ("az", Tool::Docker),
    ("redis-cli", Tool::Redis),
    ("mongosh", Tool::Mongo),
    ("mongo", Tool::Mongo),
    ("setx", Tool::Setx),
];

/// `text` with `***` in the place of each secret. The work is in proportion to the length; masking twice changes nothing.
pub(crate) fn mask(text: &str) -> Cow<'_, str> {
    let mut masked = once(text);
    for _ in 1..ROUNDS {
        // With a secret gone, what is around it may read otherwise.
        let Cow::Owned(before) = &masked else { break };
        let Cow::Owned(after) = once(before) else { break };
        masked = Cow::Owned(after);
    }
    masked
}

fn once(text: &str) -> Cow<'_, str> {
    let mut scan = Scan { bytes: text.as_bytes(), tool: Tool::Other };
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while at < scan.bytes.len() {
        match scan.secret_at(at) {
            Some((from, to)) if from < to => {
                // Where the scan stops within a character of several bytes, all of that is hidden.
                let to = text.ceil_char_boundary(to);
                out.push_str(&text[copied..from]);
                out.push_str(MASK);
                (copied, at) = (to, to);
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Whether a value with this name is a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    names_secret(name.as_bytes())
}

fn names_secret(name: &[u8]) -> bool {
    let mut folded = [0; NAME_BYTES];
    let name = &name[name.len().saturating_sub(NAME_BYTES)..];
    let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let name = fold(&name[..name.len() - digits], &mut folded);
    let name = name.strip_suffix(b"_").unwrap_or(name);
    !NO_SECRET.iter().any(|start| name.starts_with(start.as_bytes()))
        && (SECRET_ENDS.iter().any(|end| name.ends_with(end.as_bytes()))
            || SECRET_NAMES.iter().any(|known| name == known.as_bytes()))
}

/// In small letters, with `_` for what else joins words.
fn fold<'a>(name: &[u8], into: &'a mut [u8; NAME_BYTES]) -> &'a [u8] {
    let name = &name[name.len().saturating_sub(NAME_BYTES)..];
    for (to, from) in into.iter_mut().zip(name) {
        *to = if matches!(from, b'-' | b'.') { b'_' } else { from.to_ascii_lowercase() };
    }
    &into[..name.len()]
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn is_token(byte: u8) -> bool {
    is_name(byte) || matches!(byte, b'/' | b'+' | b'=' | b'~')
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// What ends a word outside quotes.
fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b'&' | b'|' | b'<' | b'>' | b')')
}

struct Scan<'a> {
    bytes: &'a [u8],
    tool: Tool,
}

impl Scan<'_> {
    fn get(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(b'\n')
    }

    fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(b'\n', |at| self.bytes[at])
    }

    /// From `at` on as long as `holds`.
    fn run(&self, at: usize, holds: impl Fn(u8) -> bool) -> usize {
        at + self.bytes[at.min(self.bytes.len())..].iter().take_while(|b| holds(**b)).count()
    }

    fn spaces(&self, at: usize) -> usize {
        self.run(at, |b| matches!(b, b' ' | b'\t')).min(at + SPACES)
    }

    /// The secret that what stands at `at` announces or begins.
    fn secret_at(&mut self, at: usize) -> Option<(usize, usize)> {
        let (byte, before) = (self.bytes[at], self.before(at));
        match byte {
            b'=' => self.assigned(at),
            b':' => self.after_colon(at),
            b'-' if self.bytes[at..].starts_with(b"-----BEGIN ") => self.private_key(at),
            b'-' if !is_name(before) => self.option(at),
            b';' | b'|' | b'&' | b'\n' => {
                self.tool = Tool::Other;
                None
            }
            _ if byte.is_ascii_alphanumeric() && !before.is_ascii_alphanumeric() => {
                let shape = self.shape(at);
                if shape.is_none() && !is_name(before) { self.word(at) } else { shape }
            }
            _ => None,
        }
    }

    /// A token by how it begins.
    fn shape(&self, at: usize) -> Option<(usize, usize)> {
        let rest = &self.bytes[at..];
        let (start, least) = SHAPES.iter().find(|(start, _)| rest.starts_with(start.as_bytes()))?;
        let body = &rest[start.len()..];
        let shown = body.iter().take(SHAPE_BYTES).take_while(|b| is_name(**b)).count();
        // Names of people's things have words; a token has digits.
        let drawn = body[..shown].iter().any(u8::is_ascii_digit);
        (shown >= *least && drawn).then(|| (at, self.run(at, is_token)))
    }

    /// A word that says what follows it.
    fn word(&mut self, at: usize) -> Option<(usize, usize)> {
        let end = self.run(at, is_name).min(at + NAME_BYTES);
        let mut word = &self.bytes[at..end];
        if word.len() > 4 && word[word.len() - 4..].eq_ignore_ascii_case(b".exe") {
            word = &word[..word.len() - 4];
        }
        if let Some((_, tool)) = TOOLS.iter().find(|(name, _)| word == name.as_bytes()) {
            self.tool = *tool;
        } else if self.tool == Tool::Docker && word == b"login" {
            self.tool = Tool::Login;
        }
        let next = self.spaces(end);
        if next == end {
            return None;
        }
        let token = self.run(next, is_token);
        if word.eq_ignore_ascii_case(b"bearer") && token >= next + 8 {
            return Some((next, token));
        }
        (self.tool == Tool::Setx && names_secret(word)).then(|| self.value(next, b'\n')).flatten()
    }

    /// The value of an option that stands behind it.
    fn option(&self, at: usize) -> Option<(usize, usize)> {
        let end = self.run(at, is_name);
        let word = &self.bytes[at..end.min(at + NAME_BYTES + 2)];
        let quote = self.before(at);
        let value = |at| self.value(at, if is_quote(quote) { quote } else { b'\n' });
        let glued = self.get(at + 2);
        let is_glued = !is_end(glued) && glued != b'=' && glued != quote;
        match (self.tool, word) {
            (Tool::Mysql | Tool::Sshpass, [b'-', b'p', ..]) if is_glued => return value(at + 2),
            (Tool::Curl, [b'-', b'u' | b'U', ..]) if is_glued => return self.password_of(at + 2),
            _ => {}
        }
        // The option itself may stand in quotes.
        let closed = if is_quote(quote) && self.get(end) == quote { end + 1 } else { end };
        let next = self.spaces(closed);
        if next == closed || next >= self.bytes.len() {
            return None;
        }
        let owns = match (self.tool, word) {
            (Tool::Docker, b"-u" | b"--user") => return None,
            (_, b"-u" | b"-U" | b"--user" | b"--proxy-user") => return self.password_of(next),
            (Tool::Sshpass | Tool::Login | Tool::Mongo, b"-p") | (Tool::Redis, b"-a") => true,
            _ => names_secret(&word[word.iter().take_while(|b| **b == b'-').count()..]),
        };
        let is_value = self.get(next) != b'-' && !self.bytes[next..].starts_with(b"id=");
        if owns && is_value { self.value(next, b'\n') } else { None }
    }

    /// The password in `USER:PASSWORD`.
    fn password_of(&self, at: usize) -> Option<(usize, usize)> {
        let quote = if is_quote(self.get(at)) { self.get(at) } else { b'\n' };
        let start = if quote == b'\n' { at } else { at + 1 };
        let colon = self.run(start, |b| b != b':' && !is_end(b) && !is_quote(b));
        if self.get(colon) != b':' {
            return None;
        }
        if quote == b'\n' { self.value(colon + 1, quote) } else { self.until(colon + 1, quote) }
    }

    /// The value behind `=`.
    fn assigned(&self, at: usize) -> Option<(usize, usize)> {
        let mut sign = at;
        while sign > 0 && at - sign < SPACES && matches!(self.bytes[sign - 1], b' ' | b'\t') {
            sign -= 1;
        }
        let (start, end) = self.name_before(sign);
        let name = &self.bytes[start..end];
        let before = self.before(start);
        let mut folded = [0; NAME_BYTES];
        let name_is = |names: &[&str], folded: &[u8]| names.iter().any(|known| folded == known.as_bytes());
        let folded = fold(name, &mut folded);
        let secret = names_secret(name)
            || matches!(before, b'?' | b'&') && name_is(&QUERY_NAMES, folded)
            || before == b';' && folded == b"pwd";
        if name.is_empty() || !secret {
            return None;
        }
        let mut next = at + 1;
        if self.get(next) == b'>' {
            next += 1;
        }
        let begin = self.spaces(next);
        if begin > next || sign < at {
            // `NAME = VALUE` of a program; in a shell's text an empty value.
            let opens = self.run(begin, |b| b == b'\\');
            return if is_quote(self.get(opens)) { self.value(begin, b'\n') } else { None };
        }
        // A word that is quoted as a whole, and is no text of commands, ends with its quote.
        let opened = if is_quote(before) { before } else { b'\n' };
        let is_option = name.starts_with(b"-");
        let is_variable = name.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_');
        let quote = if is_option || is_variable && !self.is_command_text(start) { opened } else { b'\n' };
        if before == b';' { self.until_semicolon(begin) } else { self.value(begin, quote) }
    }

    /// Whether the quote before `at` opens what another shell runs.
    fn is_command_text(&self, at: usize) -> bool {
        let mut end = at.saturating_sub(1);
        while end > 0 && at - end < SPACES && matches!(self.bytes[end - 1], b' ' | b'\t') {
            end -= 1;
        }
        let word = &self.bytes[self.name_before(end).0..end];
        word.starts_with(b"-") && word.ends_with(b"c") || word.eq_ignore_ascii_case(b"-command") || word == b"eval"
    }

    /// Where the name that ends before `at` begins and ends. Quotes and brackets may close it.
    fn name_before(&self, at: usize) -> (usize, usize) {
        let mut end = at;
        while end > 0 && at - end < 3 && matches!(self.bytes[end - 1], b'"' | b'\'' | b']' | b'\\') {
            end -= 1;
        }
        let name = &self.bytes[end.saturating_sub(NAME_BYTES)..end];
        (end - name.iter().rev().take_while(|b| is_name(**b)).count(), end)
    }

    /// What a colon announces: the password of a URL, a header, a member.
    fn after_colon(&self, at: usize) -> Option<(usize, usize)> {
        if self.bytes[at..].starts_with(b"://") {
            return self.user_info(at + 3);
        }
        let (start, end) = self.name_before(at);
        let name = &self.bytes[start..end];
        if self.get(at + 1) == b':' || !(names_secret(name) || name == b"pass" && self.before(start) != b'-') {
            return None;
        }
        let next = self.spaces(at + 1);
        let opens = self.run(next, |b| b == b'\\');
        if is_quote(self.get(opens)) {
            return self.value(next, b'\n');
        }
        let mut folded = [0; NAME_BYTES];
        let folded = fold(name, &mut folded);
        let is_header = folded.ends_with(b"authorization") || folded.ends_with(b"cookie") || folded.starts_with(b"x_");
        if next == at + 1 && !is_header && name != b"pass" && !name.starts_with(b"-") {
            // `image-token:latest`
            return None;
        }
        let quote = self.before(start);
        match is_quote(quote) {
            true => self.until(next, quote),
            false if is_header && next > at + 1 => {
                Some((next, self.run(next, |b| !is_quote(b) && b != b'\n' && b != b'\r')))
            }
            false => self.value(next, b'\n'),
        }
    }

    /// The password, or the token, before the host of a URL.
    fn user_info(&self, at: usize) -> Option<(usize, usize)> {
        let end = self.run(at, |b| {
            !matches!(b, b'/' | b'?' | b'#' | b'<' | b'>' | b'|') && !b.is_ascii_whitespace() && !is_quote(b)
        });
        let host = at + self.bytes[at..end].iter().rposition(|b| *b == b'@')?;
        let user = &self.bytes[at..host];
        match user.iter().position(|b| *b == b':') {
            Some(colon) => self.unless_variable(at + colon + 1, host),
            None if user.len() >= 16 && user.iter().any(u8::is_ascii_digit) => self.unless_variable(at, host),
            None => None,
        }
    }

    /// A block of a private key, to its end or that of the text.
    fn private_key(&self, at: usize) -> Option<(usize, usize)> {
        let begin = self.run(at + 5, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b' ');
        if !self.bytes[at..begin].ends_with(b"PRIVATE KEY") {
            return None;
        }
        let body = &self.bytes[begin..];
        let found = body.windows(9).position(|w| w == b"-----END ").map(|end| begin + end + 9);
        let end = found.map(|end| self.run(end, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b' '));
        Some((at, end.map_or(self.bytes.len(), |end| self.run(end, |b| b == b'-'))))
    }

    /// A word's worth from `at` on, with all its quoted parts; where `quote` opened before it, up to that.
    fn value(&self, at: usize, quote: u8) -> Option<(usize, usize)> {
        if is_quote(quote) {
            return self.until(at, quote);
        }
        let opens = self.run(at, |b| b == b'\\').min(at + 3);
        if opens > at && is_quote(self.get(opens)) {
            // A quote within a quoted text: what closes it has no more of them.
            let mut end = opens + 1;
            while end < self.bytes.len() {
                let slashes = self.run(end, |b| b == b'\\') - end;
                if self.get(end + slashes) == self.bytes[opens] && slashes <= opens - at {
                    break;
                }
                end += slashes + 1;
            }
            return self.unless_variable(opens + 1, end.min(self.bytes.len()));
        }
        let mut end = at;
        let mut parts = 0;
        while end < self.bytes.len() && !is_end(self.bytes[end]) {
            let byte = self.bytes[end];
            parts += 1;
            if !is_quote(byte) {
                end += if byte == b'\\' { 2 } else { 1 };
                continue;
            }
            if end > at && self.closes(end + 1) {
                // It was opened before the name.
                break;
            }
            end = (self.closing(end + 1, byte) + 1).min(self.bytes.len());
            if self.closes(end) {
                break;
            }
        }
        let end = end.min(self.bytes.len());
        if parts == 1 && is_quote(self.get(at)) {
            // The quotes stay.
            let is_closed = end > at + 1 && self.bytes[end - 1] == self.bytes[at];
            return self.unless_variable(at + 1, if is_closed { end - 1 } else { end });
        }
        self.unless_variable(at, end)
    }

    /// Whether a word that is quoted is over at `at`: in a shell's text, or in that of a program.
    fn closes(&self, at: usize) -> bool {
        let next = self.get(at + 1);
        match self.get(at) {
            b',' => next.is_ascii_whitespace() || is_quote(next) || next == b'\\',
            b'}' | b']' => is_end(next) || is_quote(next) || matches!(next, b',' | b'}' | b']'),
            byte => is_end(byte),
        }
    }

    /// Where the next `quote` is, or the end of the text.
    fn closing(&self, at: usize, quote: u8) -> usize {
        let mut end = at;
        while end < self.bytes.len() && self.bytes[end] != quote {
            end += if self.bytes[end] == b'\\' { 2 } else { 1 };
        }
        end.min(self.bytes.len())
    }

    /// Up to the next `quote`, or the end of the text.
    fn until(&self, at: usize, quote: u8) -> Option<(usize, usize)> {
        self.unless_variable(at, self.closing(at, quote))
    }

    /// In a connection string.
    fn until_semicolon(&self, at: usize) -> Option<(usize, usize)> {
        self.unless_variable(at, self.run(at, |b| b != b';' && b != b'\n' && !is_quote(b)))
    }

    /// A variable, or the output of a command, is no secret itself; nor is what was masked before.
    fn unless_variable(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let value = self.bytes.get(from..to)?;
        let is_word = |name: &[u8]| {
            !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'))
        };
        let is_none = match value {
            [b'$', b'(', ..] => true,
            [b'$', b'{', name @ .., b'}'] | [b'%', name @ .., b'%'] | [b'$', name @ ..] => is_word(name),
            value => {
                let next = self.get(from + MASK.len());
                value.starts_with(MASK.as_bytes())
                    && (is_end(next) || is_quote(next) || matches!(next, b'@' | b',' | b'}' | b']'))
            }
        };
        (!is_none).then_some((from, to))
    }
}

#[cfg(test)]
mod tests;
