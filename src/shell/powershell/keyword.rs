//! Statements that begin with a keyword.

use std::rc::Rc;

use super::ast::{Body, Expr, ExprKind, Flow, Statement, StatementKind};
use super::cursor::{Parser, R, Stop};

impl Parser<'_> {
    /// The statement of the keyword `word` that stands here; `None` where it is no keyword.
    pub(super) fn keyword(&mut self, word: &str) -> R<Option<StatementKind>> {
        let before = self.pos;
        self.pos += word.len();
        let kind = match word {
            "if" => self.branches()?,
            "while" => self.while_loop()?,
            "do" => self.do_loop()?,
            "for" => self.for_loop()?,
            "foreach" => {
                let kind = self.foreach_loop()?;
                if kind.is_none() {
                    // The alias of a cmdlet.
                    self.pos = before;
                }
                return Ok(kind);
            }
            "switch" => self.switch()?,
            "try" => self.try_block()?,
            "trap" => {
                self.skip_lines()?;
                if self.byte(0) == b'[' {
                    self.skip_brackets()?;
                }
                StatementKind::Trap(self.block()?)
            }
            "function" | "filter" => self.function(word == "filter")?,
            "return" => self.flow(Flow::Return)?,
            "break" => self.flow(Flow::Break)?,
            "continue" => self.flow(Flow::Continue)?,
            "throw" => self.flow(Flow::Throw)?,
            "exit" => self.flow(Flow::Exit)?,
            "data" | "parallel" | "sequence" => {
                self.skip_lines()?;
                if self.byte(0) != b'{' {
                    self.pos = before;
                    return Ok(None);
                }
                StatementKind::Block(self.block()?)
            }
            "enum" => {
                self.skip_blanks()?;
                let open = self.rest().find(['{', '\n']).ok_or(Stop::Syntax)?;
                self.pos += open;
                self.skip_lines()?;
                if self.byte(0) != b'{' {
                    return Err(Stop::Syntax);
                }
                self.skip_brackets()?;
                StatementKind::Block(Vec::new())
            }
            // A class may do anything when it is used, and so may these.
            "class" | "workflow" | "configuration" | "dynamicparam" | "param" => return Err(Stop::Syntax),
            "using" => {
                let len = self.rest().find(['\n', ';']).unwrap_or(self.rest().len());
                self.pos += len;
                StatementKind::Block(Vec::new())
            }
            _ => {
                self.pos = before;
                return Ok(None);
            }
        };
        Ok(Some(kind))
    }

    /// `( … )` as a statement.
    fn condition(&mut self) -> R<Statement> {
        self.skip_lines()?;
        self.expect("(")?;
        self.deeper(|p| {
            p.skip_separators()?;
            let statement = p.statement()?;
            p.skip_separators()?;
            p.expect(")")?;
            Ok(statement)
        })
    }

    fn branches(&mut self) -> R<StatementKind> {
        let mut arms = vec![(self.condition()?, self.block()?)];
        let mut otherwise = None;
        loop {
            let before = self.pos;
            self.skip_lines()?;
            if self.eat_word("elseif") {
                arms.push((self.condition()?, self.block()?));
            } else if self.eat_word("else") {
                otherwise = Some(self.block()?);
                break;
            } else {
                self.pos = before;
                break;
            }
        }
        Ok(StatementKind::If { arms, otherwise })
    }

    fn while_loop(&mut self) -> R<StatementKind> {
        let condition = Box::new(self.condition()?);
        Ok(StatementKind::While { condition, body: self.block()?, first: false, until: false })
    }

    fn do_loop(&mut self) -> R<StatementKind> {
        let body = self.block()?;
        self.skip_lines()?;
        let until = self.eat_word("until");
        if !until && !self.eat_word("while") {
            return Err(Stop::Syntax);
        }
        let condition = Box::new(self.condition()?);
        Ok(StatementKind::While { condition, body, first: true, until })
    }

    fn for_loop(&mut self) -> R<StatementKind> {
        self.skip_lines()?;
        self.expect("(")?;
        let mut parts: [Option<Box<Statement>>; 3] = [None, None, None];
        self.deeper(|p| {
            for (i, part) in parts.iter_mut().enumerate() {
                p.skip_lines()?;
                if !matches!(p.byte(0), b';' | b')') {
                    *part = Some(Box::new(p.statement()?));
                }
                p.skip_lines()?;
                if i < 2 && !p.eat(";") {
                    break;
                }
            }
            p.skip_lines()?;
            p.expect(")")
        })?;
        let [init, condition, step] = parts;
        Ok(StatementKind::For { init, condition, step, body: self.block()? })
    }

    /// `None` where what follows is no loop.
    fn foreach_loop(&mut self) -> R<Option<StatementKind>> {
        self.skip_lines()?;
        // `-parallel` of a workflow.
        if self.byte(0) == b'-' && !self.rest().get(..9).is_some_and(|w| w.eq_ignore_ascii_case("-parallel")) {
            return Ok(None);
        }
        if self.byte(0) == b'-' {
            self.pos += "-parallel".len();
            self.skip_lines()?;
        }
        if !self.eat("(") {
            return Ok(None);
        }
        let (variable, list) = self.deeper(|p| {
            p.skip_lines()?;
            if p.byte(0) != b'$' {
                return Err(Stop::Syntax);
            }
            let variable = p.variable_name()?.ok_or(Stop::Syntax)?;
            p.skip_lines()?;
            if !p.eat_word("in") {
                return Err(Stop::Syntax);
            }
            p.skip_lines()?;
            let list = Box::new(p.statement()?);
            p.skip_separators()?;
            p.expect(")")?;
            Ok((variable, list))
        })?;
        Ok(Some(StatementKind::ForEach { variable, list, body: self.block()? }))
    }

    fn switch(&mut self) -> R<StatementKind> {
        let (mut file, mut patterns) = (false, false);
        self.skip_lines()?;
        while self.byte(0) == b'-' {
            self.pos += 1;
            let word = self.word().ok_or(Stop::Syntax)?;
            self.pos += word.len();
            file |= "file".starts_with(&word);
            patterns |= "regex".starts_with(&word) || "wildcard".starts_with(&word);
            self.skip_lines()?;
        }
        let value = if self.byte(0) == b'(' {
            Box::new(self.condition()?)
        } else {
            let start = self.pos;
            let expr = self.value()?;
            let span = self.span(start);
            Box::new(plain(expr, span))
        };
        self.skip_lines()?;
        self.expect("{")?;
        let cases = self.deeper(Self::cases)?;
        Ok(StatementKind::Switch { value, file, cases, patterns })
    }

    /// The cases behind the bracket, and the bracket that closes them.
    fn cases(&mut self) -> R<Vec<(Option<Expr>, Vec<Statement>)>> {
        let mut cases = Vec::new();
        loop {
            self.skip_separators()?;
            if self.eat("}") {
                return Ok(cases);
            }
            let test = if self.eat_word("default") { None } else { Some(self.value()?) };
            cases.push((test, self.block()?));
        }
    }

    fn try_block(&mut self) -> R<StatementKind> {
        let body = self.block()?;
        let (mut catches, mut finally) = (Vec::new(), Vec::new());
        loop {
            let before = self.pos;
            self.skip_lines()?;
            if self.eat_word("catch") {
                self.skip_lines()?;
                while self.byte(0) == b'[' {
                    self.skip_brackets()?;
                    self.skip_lines()?;
                    if self.eat(",") {
                        self.skip_lines()?;
                    }
                }
                catches.push(self.block()?);
            } else if self.eat_word("finally") {
                finally = self.block()?;
            } else {
                self.pos = before;
                return Ok(StatementKind::Try { body, catches, finally });
            }
        }
    }

    fn function(&mut self, filter: bool) -> R<StatementKind> {
        self.skip_lines()?;
        let name = match self.bare_word()?.kind {
            ExprKind::Text { text, .. } => text.to_lowercase(),
            _ => return Err(Stop::Syntax),
        };
        let scopes = ["global:", "script:", "local:", "private:"];
        let name = scopes.iter().find_map(|s| name.strip_prefix(s)).unwrap_or(&name).to_owned();
        self.skip_lines()?;
        let params = if self.eat("(") { self.deeper(Self::params)? } else { Vec::new() };
        self.skip_lines()?;
        self.expect("{")?;
        let mut body = self.deeper(Self::script_block)?;
        if body.params.is_empty() {
            body.params = params;
        }
        if filter {
            body.process.append(&mut body.statements);
        }
        Ok(StatementKind::Function { name, body: Rc::<Body>::new(body) })
    }
}

/// An expression as a statement.
fn plain(expr: Expr, span: crate::shell::Span) -> Statement {
    use super::ast::{Chain, Element, ElementKind};
    let element = Element { kind: ElementKind::Expr(expr), redirects: Vec::new(), span };
    Statement { kind: StatementKind::Chain(Chain { first: vec![element], rest: Vec::new() }), span }
}
