//! Redirections.

use super::ast::{Part, Redirect, RedirectKind, Word};
use super::cursor::{Parser, R, Stop};
use super::word::{WordMode, bare_text, identifier};

impl Parser<'_> {
    /// The redirection here, if one begins here.
    pub(super) fn redirect(&mut self) -> R<Option<Redirect>> {
        let start = self.pos;
        match self.peek() {
            Some(b'<' | b'>') => self.redirect_from(start, None, None),
            Some(b'&') if self.after(self.pos) == Some(b'>') => {
                self.take2(b'&', b'>');
                let append = self.peek() == Some(b'>');
                self.pos += usize::from(append);
                let word = self.target()?;
                let kind = if append { RedirectKind::AppendBoth(word) } else { RedirectKind::WriteBoth(word) };
                Ok(Some(Redirect { fd: None, fd_var: None, kind, span: self.span(start) }))
            }
            Some(b'0'..=b'9') => {
                let rest = self.text.as_bytes().get(start..).unwrap_or_default();
                let length = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
                let Ok(fd) = self.slice(start, start + length).parse::<u32>() else { return Ok(None) };
                if i32::try_from(fd).is_err() {
                    return Ok(None);
                }
                self.redirect_at(start, start + length, Some(fd), None)
            }
            Some(b'{') => {
                let rest = self.text.as_bytes().get(start + 1..).unwrap_or_default();
                let mut length = identifier(rest);
                if length > 0 && rest.get(length) == Some(&b'[') {
                    let subscript = rest.get(length..).unwrap_or_default().iter();
                    length += subscript.take_while(|&&b| !matches!(b, b'}' | b'\n' | b' ' | b'$' | b'`')).count();
                }
                if length == 0 || rest.get(length) != Some(&b'}') {
                    return Ok(None);
                }
                let name = self.slice(start + 1, start + 1 + length).to_owned();
                self.redirect_at(start, start + length + 2, None, Some(name))
            }
            _ => Ok(None),
        }
    }

    /// An operator right at `at`, after a descriptor that began at `start`.
    fn redirect_at(&mut self, start: usize, at: usize, fd: Option<u32>, name: Option<String>) -> R<Option<Redirect>> {
        let at = self.ahead(at);
        if !matches!(self.byte(at), Some(b'<' | b'>')) {
            return Ok(None);
        }
        self.pos = at;
        let redirect = self.redirect_from(start, fd, name)?;
        if redirect.is_none() {
            self.pos = start;
        }
        Ok(redirect)
    }

    fn redirect_from(&mut self, start: usize, fd: Option<u32>, fd_var: Option<String>) -> R<Option<Redirect>> {
        if self.after(self.pos) == Some(b'(') {
            return Ok(None);
        }
        let kind = if self.byte(self.pos) == Some(b'<') { self.input()? } else { self.output(fd, fd_var.as_deref())? };
        Ok(Some(Redirect { fd, fd_var, kind, span: self.span(start) }))
    }

    fn input(&mut self) -> R<RedirectKind> {
        self.pos += 1;
        Ok(match self.peek() {
            Some(b'<') => {
                self.pos += 1;
                match self.peek() {
                    Some(b'<') => {
                        self.pos += 1;
                        RedirectKind::HereString(self.target()?)
                    }
                    Some(b'-') => {
                        self.pos += 1;
                        self.here_doc(true)?
                    }
                    _ => self.here_doc(false)?,
                }
            }
            Some(b'&') => {
                self.pos += 1;
                RedirectKind::DupIn(self.duplicated()?)
            }
            Some(b'>') => {
                self.pos += 1;
                RedirectKind::ReadWrite(self.target()?)
            }
            _ => RedirectKind::Read(self.target()?),
        })
    }

    fn output(&mut self, fd: Option<u32>, fd_var: Option<&str>) -> R<RedirectKind> {
        self.pos += 1;
        Ok(match self.peek() {
            Some(b'>') => {
                self.pos += 1;
                RedirectKind::Append(self.target()?)
            }
            Some(b'|') => {
                self.pos += 1;
                RedirectKind::Write { word: self.target()?, clobber: true }
            }
            Some(b'&') => {
                self.pos += 1;
                let word = self.duplicated()?;
                // Only standard output can be meant: `2>&file` is an error when it runs.
                let both = fd_var.is_none() && matches!(fd, None | Some(1)) && !names_descriptor(&word);
                if both { RedirectKind::WriteBoth(word) } else { RedirectKind::DupOut(word) }
            }
            _ => RedirectKind::Write { word: self.target()?, clobber: false },
        })
    }

    fn target(&mut self) -> R<Word> {
        self.skip_blanks();
        let start = self.pos;
        let word = self.word(WordMode::Plain)?;
        if self.pos == start || self.is_descriptor(&word) { Err(Stop::Syntax) } else { Ok(word) }
    }

    /// Whether the word just read belongs to the next redirection: in `>1>f` a target is missing.
    pub(super) fn is_descriptor(&mut self, word: &Word) -> bool {
        matches!(self.peek(), Some(b'<' | b'>')) && precedes_operator(word)
    }

    /// The word after `<&` or `>&`; a `-` ends it.
    fn duplicated(&mut self) -> R<Word> {
        self.skip_blanks();
        if self.peek() != Some(b'-') {
            let start = self.pos;
            let word = self.word(WordMode::Plain)?;
            return if self.pos == start { Err(Stop::Syntax) } else { Ok(word) };
        }
        let start = self.pos;
        self.pos += 1;
        Ok(Word { parts: vec![Part::Bare("-".to_owned())], span: self.span(start) })
    }
}

/// What the operator of a redirection may follow: `3`, `{fd}`.
fn precedes_operator(word: &Word) -> bool {
    let Some(text) = bare_text(word) else { return false };
    let name = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
    text.bytes().all(|b| b.is_ascii_digit()) || (!name.is_empty() && identifier(name.as_bytes()) == name.len())
}

/// `3`, `3-` or `-`.
fn names_descriptor(word: &Word) -> bool {
    let Some(text) = bare_text(word) else { return false };
    let digits = text.strip_suffix('-').unwrap_or(text);
    !text.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}
