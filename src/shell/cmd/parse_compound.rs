//! `if` and `for`.

use super::ast::{For, Form, If, Kind, Node, Redirect, Test};
use super::parse::{Parsed, Parser, is_delimiter};
use super::text::Text;

const OPERATORS: [&str; 6] = ["equ", "neq", "lss", "leq", "gtr", "geq"];

impl Parser<'_> {
    /// Behind `if`.
    pub(super) fn condition(&mut self, redirects: Vec<Redirect>) -> Parsed<Node> {
        self.enter()?;
        let (mut fold, mut not) = (false, false);
        let test = loop {
            let word = self.word()?;
            match word.as_str().to_ascii_lowercase().as_str() {
                "/i" => fold = true,
                "not" => not = !not,
                "exist" => break Test::Exist(self.word()?),
                "defined" => break Test::Defined(self.word()?),
                "errorlevel" | "cmdextversion" => {
                    self.word()?;
                    break Test::Number;
                }
                _ => break self.comparison(word)?,
            }
        };
        let then = self.body()?;
        let mut otherwise = None;
        if matches!(then.kind, Kind::Group(_)) || ends_with_group(&then) {
            self.skip(is_delimiter);
            if self.keyword() == "else" {
                self.at += 4;
                otherwise = Some(self.body()?);
            }
        }
        self.leave();
        Ok(Node { kind: Kind::If(Box::new(If { fold, not, test, then, otherwise })), redirects })
    }

    fn comparison(&mut self, left: Text) -> Parsed<Test> {
        self.skip(|b| is_delimiter(b) && b != b'=');
        if self.peek() == b'=' {
            self.skip(|b| b == b'=');
            return Ok(Test::Compare(left, "==".to_owned(), self.word()?));
        }
        let operator = self.word()?.as_str().to_ascii_lowercase();
        if !OPERATORS.contains(&operator.as_str()) {
            return Err(self.trouble());
        }
        Ok(Test::Compare(left, operator, self.word()?))
    }

    /// What a condition or a loop runs: all that follows on the line.
    fn body(&mut self) -> Parsed<Node> {
        match self.sequence()? {
            Some(node) => Ok(node),
            None => Err(self.trouble()),
        }
    }

    /// Behind `for`.
    pub(super) fn repetition(&mut self, redirects: Vec<Redirect>) -> Parsed<Node> {
        self.enter()?;
        let mut form = Form::Words;
        let variable = loop {
            let word = self.word()?;
            let text = word.as_str();
            match text.to_ascii_lowercase().as_str() {
                "/d" => form = Form::Folders,
                "/l" => form = Form::Numbers,
                "/r" => form = Form::Tree(None),
                "/f" => form = Form::Lines(None),
                _ if text.starts_with('%') => match text.trim_start_matches('%').chars().next() {
                    Some(c) => break c,
                    None => return Err(self.trouble()),
                },
                _ => match &mut form {
                    Form::Tree(root @ None) => *root = Some(word),
                    Form::Lines(options @ None) => *options = Some(word),
                    _ => return Err(self.trouble()),
                },
            }
        };
        self.expect("in")?;
        self.skip(is_delimiter);
        let set = self.set()?;
        self.expect("do")?;
        let body = self.body()?;
        self.leave();
        Ok(Node { kind: Kind::For(Box::new(For { form, variable, set, body })), redirects })
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        self.skip(is_delimiter);
        if self.keyword() != word {
            return Err(self.trouble());
        }
        self.at += word.len();
        Ok(())
    }

    /// `( … )` of a loop.
    fn set(&mut self) -> Parsed<Text> {
        if self.peek() != b'(' {
            return Err(self.trouble());
        }
        self.at += 1;
        let mut out = Text::default();
        let mut quoted = false;
        loop {
            let start = self.at;
            match self.peek() {
                0 if start >= self.text.len() => {
                    if !self.newline() {
                        return Err(self.trouble());
                    }
                    quoted = false;
                    out.push_all_from(" ", self.text.span(start, start));
                }
                b'\n' => {
                    self.at += 1;
                    quoted = false;
                    out.push_all_from(" ", self.text.span(start, start));
                }
                b'"' => {
                    quoted = !quoted;
                    self.at += 1;
                    out.push_part(&self.text, start, self.at);
                }
                b')' if !quoted => break,
                b'^' if !quoted => self.escape(&mut out),
                _ => self.copy_set(&mut out),
            }
        }
        self.at += 1;
        Ok(out)
    }

    fn copy_set(&mut self, out: &mut Text) {
        let rest = &self.text.as_str()[self.at..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let len = rest.as_bytes()[first..].iter().position(|b| b"\"\n^)".contains(b)).map_or(rest.len(), |n| first + n);
        out.push_part(&self.text, self.at, self.at + len);
        self.at += len;
    }
}

/// `else` belongs to a condition whose commands end with a bracket.
fn ends_with_group(node: &Node) -> bool {
    match &node.kind {
        Kind::Group(_) => true,
        Kind::Sequence(nodes) | Kind::Or(nodes) | Kind::And(nodes) | Kind::Pipe(nodes) => {
            nodes.last().is_some_and(ends_with_group)
        }
        // A bracket of an inner condition or loop.
        Kind::If(inner) => inner.otherwise.as_ref().is_some_and(ends_with_group) || ends_with_group(&inner.then),
        Kind::For(inner) => ends_with_group(&inner.body),
        Kind::Command(_) => false,
    }
}
