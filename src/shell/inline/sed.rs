//! sed scripts: the files that `w` writes, the commands that `e` runs.

use crate::limits::MAX_INLINE_ACTS;
use crate::shell::programs::Act;
use crate::shell::{Certainty, Dialect, EffectKind, Span, Value};

/// What the sed script `source` does besides editing.
pub(super) fn acts(source: &str, span: Span) -> Vec<Act> {
    let mut sed = Sed { src: source, b: source.as_bytes(), i: 0, span, acts: Vec::new() };
    while sed.i < sed.b.len() && sed.acts.len() < MAX_INLINE_ACTS {
        sed.command();
    }
    if sed.acts.len() >= MAX_INLINE_ACTS {
        sed.acts.push(super::acts::unknown(span));
    }
    sed.acts
}

struct Sed<'s> {
    src: &'s str,
    b: &'s [u8],
    i: usize,
    span: Span,
    acts: Vec<Act>,
}

impl<'s> Sed<'s> {
    fn peek(&self) -> u8 {
        self.b.get(self.i).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.i < self.b.len() && wanted(self.b[self.i]) {
            self.i += 1;
        }
    }

    fn command(&mut self) {
        self.skip_while(|c| c.is_ascii_whitespace() || matches!(c, b';' | b'{' | b'}'));
        self.addresses();
        self.skip_while(|c| c.is_ascii_whitespace() || c == b'!');
        let Some(&c) = self.b.get(self.i) else { return };
        self.i += 1;
        match c {
            b'#' | b':' => self.skip_while(|c| c != b'\n'),
            b's' => self.substitute(),
            b'y' => {
                let d = self.peek();
                self.i += 1;
                self.delimited(d);
                self.delimited(d);
            }
            b'a' | b'i' | b'c' => self.text(),
            b'w' | b'W' => {
                let name = self.rest_of_line();
                self.path(EffectKind::Create, name);
            }
            b'r' | b'R' => {
                let name = self.rest_of_line();
                self.path(EffectKind::Read, name);
            }
            b'e' => {
                let text = self.rest_of_line();
                self.shell(if text.is_empty() { Value::any() } else { Value::text(text) });
            }
            b'b' | b't' | b'T' | b'v' => self.skip_while(|c| !matches!(c, b'\n' | b';' | b'}')),
            _ => {}
        }
    }

    fn addresses(&mut self) {
        loop {
            match self.peek() {
                b'/' => {
                    self.i += 1;
                    self.delimited(b'/');
                }
                b'\\' if self.i + 1 < self.b.len() => {
                    let d = self.b[self.i + 1];
                    self.i += 2;
                    self.delimited(d);
                }
                b'0'..=b'9' | b'$' | b',' | b'~' | b'+' | b' ' | b'\t' => self.i += 1,
                b'I' | b'M' if self.i > 0 && !self.b[self.i - 1].is_ascii_whitespace() => self.i += 1,
                _ => return,
            }
        }
    }

    /// Goes past the next `d` that is neither escaped nor in a bracket expression.
    fn delimited(&mut self, d: u8) {
        let mut class = false;
        while self.i < self.b.len() {
            let c = self.b[self.i];
            self.i += 1;
            match c {
                b'\\' => self.i += 1,
                b'[' if d != b'[' => class = self.class_closes(),
                b']' => class = false,
                c if c == d && !class => return,
                _ => {}
            }
        }
        self.i = self.b.len();
    }

    /// Whether a `]` follows on this line soon enough to be the end of a bracket expression.
    fn class_closes(&self) -> bool {
        let rest = &self.b[self.i..self.b.len().min(self.i + 64)];
        rest.iter().skip(1).take_while(|&&c| c != b'\n').any(|&c| c == b']')
    }

    fn substitute(&mut self) {
        let d = self.peek();
        self.i += 1;
        self.delimited(d);
        // In the replacement brackets are plain text.
        while self.i < self.b.len() {
            let c = self.b[self.i];
            self.i += 1;
            if c == b'\\' {
                self.i += 1;
            } else if c == d {
                break;
            }
        }
        while self.i < self.b.len() {
            let c = self.b[self.i];
            self.i += 1;
            match c {
                b'e' => self.shell(Value::any()),
                b'w' => {
                    let name = self.rest_of_line();
                    return self.path(EffectKind::Create, name);
                }
                b'g' | b'p' | b'i' | b'I' | b'm' | b'M' | b'0'..=b'9' => {}
                _ => {
                    self.i -= 1;
                    return;
                }
            }
        }
    }

    /// The text of `a`, `i`, `c`: to the end of the line that no backslash ends.
    fn text(&mut self) {
        while self.i < self.b.len() {
            match self.b[self.i] {
                b'\\' => self.i += 2,
                b'\n' => return,
                _ => self.i += 1,
            }
        }
    }

    fn rest_of_line(&mut self) -> &'s str {
        self.i = self.i.min(self.b.len());
        let from = self.i;
        self.skip_while(|c| c != b'\n');
        // Both ends lie beside ASCII bytes, but an escape may have split a character.
        self.src.get(from..self.i).unwrap_or("").trim()
    }

    fn path(&mut self, kind: EffectKind, name: &str) {
        if !name.is_empty() {
            self.acts.push(Act::Path {
                kind,
                value: Value::text(name),
                certainty: Certainty::Proven,
                span: self.span,
                package_install: false,
            });
        }
    }

    fn shell(&mut self, text: Value) {
        self.acts.push(Act::Shell { text, dialect: Dialect::Bash, args: Vec::new(), span: self.span, cwd: None });
    }
}
