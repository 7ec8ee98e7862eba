//! What stands between brackets: statements, script blocks, parameters.

use super::ast::{Body, Param, Statement};
use super::cursor::{Parser, R, Stop};

impl Parser<'_> {
    /// Statements up to `close`, which is not taken.
    pub(super) fn statements_until(&mut self, close: char) -> R<Vec<Statement>> {
        let commas = std::mem::replace(&mut self.commas, true);
        let mut statements = Vec::new();
        loop {
            self.skip_separators()?;
            if self.at_end() || self.peek() == Some(close) {
                break;
            }
            statements.push(self.statement()?);
            self.end_statement()?;
        }
        self.commas = commas;
        Ok(statements)
    }

    /// Behind the `{` of a script block.
    pub(super) fn script_block(&mut self) -> R<Body> {
        let commas = std::mem::replace(&mut self.commas, true);
        let mut body = Body::default();
        self.body_until(&mut body, Some('}'))?;
        self.expect("}")?;
        self.commas = commas;
        Ok(body)
    }

    /// The inside of a script or block. What was read before a mistake is in `body` already.
    pub(super) fn body_until(&mut self, body: &mut Body, close: Option<char>) -> R<()> {
        self.skip_lines()?;
        if body.statements.is_empty() && body.params.is_empty() {
            self.param_block(body)?;
        }
        loop {
            self.skip_separators()?;
            if self.at_end() || (close.is_some() && self.peek() == close) {
                return Ok(());
            }
            // Without a bracket to close, one that stands here is a mistake of the caller's to report.
            if close.is_none() && matches!(self.byte(0), b')' | b'}') {
                return Ok(());
            }
            if let Some(word) = self.named_block()? {
                let mut statements = self.block()?;
                match word {
                    "process" => body.process.append(&mut statements),
                    "end" | "clean" => body.end.append(&mut statements),
                    _ => body.statements.append(&mut statements),
                }
                continue;
            }
            let statement = self.statement()?;
            body.statements.push(statement);
            self.end_statement()?;
        }
    }

    /// `begin`, `process` and the like in front of a bracket, taken.
    fn named_block(&mut self) -> R<Option<&'static str>> {
        let Some(word) = self.word() else { return Ok(None) };
        let names = ["begin", "process", "end", "dynamicparam", "clean"];
        let Some(name) = names.into_iter().find(|n| *n == word) else { return Ok(None) };
        let before = self.pos;
        self.pos += name.len();
        self.skip_lines()?;
        if self.byte(0) == b'{' {
            return Ok(Some(name));
        }
        self.pos = before;
        Ok(None)
    }

    /// What must follow a statement.
    fn end_statement(&mut self) -> R<()> {
        self.skip_blanks()?;
        if self.at_end() || matches!(self.byte(0), b';' | b'\n' | b'\r' | b')' | b'}') {
            return Ok(());
        }
        // A block ends its statement by itself: `if (x) { } foo`.
        if self.text[..self.pos].trim_end_matches([' ', '\t']).ends_with('}') {
            return Ok(());
        }
        Err(Stop::Syntax)
    }

    /// `[CmdletBinding()] param( … )` at the start of a body.
    fn param_block(&mut self, body: &mut Body) -> R<()> {
        let before = self.pos;
        while self.byte(0) == b'[' {
            if self.skip_brackets().is_err() {
                self.pos = before;
                return Ok(());
            }
            self.skip_lines()?;
        }
        if !self.eat_word("param") {
            self.pos = before;
            return Ok(());
        }
        self.skip_lines()?;
        self.expect("(")?;
        body.params = self.deeper(Self::params)?;
        Ok(())
    }

    /// Parameters behind the bracket, and the bracket that closes them.
    pub(super) fn params(&mut self) -> R<Vec<Param>> {
        let commas = std::mem::replace(&mut self.commas, false);
        let mut params = Vec::new();
        loop {
            self.skip_lines()?;
            if self.eat(")") {
                break;
            }
            let mut switch = false;
            while self.byte(0) == b'[' {
                let start = self.pos;
                self.skip_brackets()?;
                switch |= self.text[start..self.pos].to_ascii_lowercase().contains("[switch");
                self.skip_lines()?;
            }
            if self.byte(0) != b'$' {
                return Err(Stop::Syntax);
            }
            let name = self.variable_name()?.ok_or(Stop::Syntax)?;
            self.skip_lines()?;
            let default = if self.eat("=") {
                self.skip_lines()?;
                Some(self.expression()?)
            } else {
                None
            };
            params.push(Param { name, switch, default });
            self.skip_lines()?;
            if self.eat(",") {
                continue;
            }
            self.expect(")")?;
            break;
        }
        self.commas = commas;
        Ok(params)
    }
}
