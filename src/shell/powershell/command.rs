//! Pipelines and commands: words, parameters, redirections.

use super::ast::{
    Argument, ArgumentKind, Chain, Command, Element, ElementKind, Expr, ExprKind, Invocation, Pipeline, Redirect,
};
use super::cursor::{Parser, R, Stop, is_dash, is_double_quote, is_single_quote};
use super::string::expandable;

impl Parser<'_> {
    /// Pipelines joined by `&&` and `||`.
    pub(super) fn chain(&mut self) -> R<Chain> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks()?;
            let and = match (self.byte(0), self.byte(1)) {
                (b'&', b'&') => true,
                (b'|', b'|') => false,
                (b'&', _) => {
                    // A job in the background.
                    self.pos += 1;
                    return Ok(Chain { first, rest });
                }
                _ => return Ok(Chain { first, rest }),
            };
            self.pos += 2;
            self.skip_lines()?;
            rest.push((and, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> R<Pipeline> {
        let mut elements = Vec::new();
        loop {
            if !elements.is_empty() && self.begins_expression() {
                // Only the first part may be an expression.
                return Err(Stop::Syntax);
            }
            elements.push(self.element()?);
            self.skip_blanks()?;
            let before = self.pos;
            // A line that begins with a bar goes on with the one before it.
            self.skip_lines()?;
            if self.byte(0) != b'|' || self.byte(1) == b'|' {
                self.pos = before;
                return Ok(elements);
            }
            self.pos += 1;
            self.skip_lines()?;
        }
    }

    fn element(&mut self) -> R<Element> {
        self.charge()?;
        let start = self.pos;
        if self.byte(0) == b'@' && !self.begins_expression()
            || matches!(self.byte(0), b'1'..=b'6') && self.byte(1) == b'>'
        {
            // Neither a splatted variable nor a redirection is a command.
            return Err(Stop::Syntax);
        }
        let mut redirects = Vec::new();
        let kind = if self.begins_expression() {
            let expr = self.expression()?;
            loop {
                self.skip_blanks()?;
                if !self.redirect(&mut redirects)? {
                    break;
                }
            }
            ElementKind::Expr(expr)
        } else {
            ElementKind::Command(self.command(&mut redirects)?)
        };
        Ok(Element { kind, redirects, span: self.span(start) })
    }

    /// Whether what stands here is an expression and no command.
    pub(super) fn begins_expression(&self) -> bool {
        let (a, b) = (self.byte(0), self.byte(1));
        match a {
            b'$' | b'(' | b'[' | b'{' | b'!' | b',' | b'+' => true,
            b'@' => matches!(b, b'(' | b'{') || self.at_string(),
            b'0'..=b'9' => self.number_len().is_some(),
            b'.' => b.is_ascii_digit() && self.number_len().is_some(),
            _ if self.at_string() => true,
            _ if self.peek().is_some_and(is_dash) => self.unary_operator().is_some(),
            _ => false,
        }
    }

    fn command(&mut self, redirects: &mut Vec<Redirect>) -> R<Command> {
        let invocation = match self.byte(0) {
            b'&' if self.byte(1) != b'&' => Some(Invocation::Call),
            b'.' if matches!(
                self.byte(1),
                // The text's end among them: nothing is there to be run either way.
                b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'$' | b'(' | b'{' | b'@' | b'`' | 0
            ) =>
            {
                Some(Invocation::Dot)
            }
            _ => None,
        };
        if invocation.is_some() {
            self.pos += 1;
            self.skip_blanks()?;
        }
        let name = if invocation.is_some() { self.value()? } else { self.bare_word()? };
        let mut args = Vec::new();
        loop {
            self.skip_blanks()?;
            if self.redirect(redirects)? {
                continue;
            }
            if self.ends_command() {
                break;
            }
            args.push(self.argument()?);
        }
        Ok(Command { invocation, name, args })
    }

    fn ends_command(&self) -> bool {
        self.at_end() || matches!(self.byte(0), b'\n' | b'\r' | b';' | b'|' | b'&' | b')' | b'}')
    }

    /// A redirection, where one begins here.
    fn redirect(&mut self, redirects: &mut Vec<Redirect>) -> R<bool> {
        let start = self.pos;
        let stream = match (self.byte(0), self.byte(1)) {
            (b'>', _) => 1,
            (b'*', b'>') => 0,
            (digit @ b'1'..=b'6', b'>') => digit - b'0',
            (b'<', next) if next != b'#' => return Err(Stop::Syntax),
            _ => return Ok(false),
        };
        if self.byte(0) != b'>' {
            self.pos += 1;
        }
        self.pos += 1;
        let append = self.eat(">");
        if self.byte(0) == b'&' && matches!(self.byte(1), b'1' | b'2') {
            self.pos += 2;
            redirects.push(Redirect { stream, append, file: None, span: self.span(start) });
            return Ok(true);
        }
        self.skip_blanks()?;
        let file = Some(self.value()?);
        redirects.push(Redirect { stream, append, file, span: self.span(start) });
        Ok(true)
    }

    fn argument(&mut self) -> R<Argument> {
        let start = self.pos;
        if self.rest().starts_with("--%") && matches!(self.byte(3), b' ' | b'\t' | b'\r' | b'\n' | 0) {
            self.pos += 3;
            let rest = self.rest();
            let len = rest.find(['\n', '|']).unwrap_or(rest.len());
            let text = rest[..len].trim().to_owned();
            self.pos += len;
            return Ok(Argument { kind: ArgumentKind::Verbatim(text), span: self.span(start) });
        }
        if self.byte(0) == b'@' && (self.byte(1).is_ascii_alphabetic() || self.byte(1) == b'_') {
            let name = self.variable_name()?.ok_or(Stop::Syntax)?;
            if self.peek().is_none_or(ends_word) {
                return Ok(Argument { kind: ArgumentKind::Splat(name), span: self.span(start) });
            }
            // `@scope/name` is a word.
            self.pos = start;
        }
        if let Some(kind) = self.parameter()? {
            return Ok(Argument { kind, span: self.span(start) });
        }
        let first = self.value()?;
        let mut items = vec![first];
        loop {
            let before = self.pos;
            self.skip_blanks()?;
            if self.byte(0) != b',' {
                self.pos = before;
                break;
            }
            self.pos += 1;
            self.skip_lines()?;
            items.push(self.value()?);
        }
        let value = match items.len() {
            1 => items.pop().ok_or(Stop::Syntax)?,
            _ => Expr { kind: ExprKind::List(items), span: self.span(start) },
        };
        Ok(Argument { kind: ArgumentKind::Value(value), span: self.span(start) })
    }

    /// `-Name`, `-Name:value`.
    fn parameter(&mut self) -> R<Option<ArgumentKind>> {
        let Some(dash) = self.peek().filter(|&c| is_dash(c)) else { return Ok(None) };
        let rest = &self.rest()[dash.len_utf8()..];
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '?') {
            return Ok(None);
        }
        let is_name = |c: char| c.is_alphanumeric() || "_-?".contains(c);
        let len = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let name = rest[..len].to_owned();
        let end = self.pos + dash.len_utf8() + len;
        let next = rest[len..].chars().next();
        if next == Some(':') {
            self.pos = end + 1;
            self.skip_blanks()?;
            if self.ends_command() || self.byte(0) == b'>' {
                return Ok(Some(ArgumentKind::Parameter { name, value: None }));
            }
            let list = self.argument_list()?;
            return Ok(Some(ArgumentKind::Parameter { name, value: Some(list) }));
        }
        if next.is_none_or(|c| c.is_whitespace() || ";|&(){},".contains(c)) {
            self.pos = end;
            return Ok(Some(ArgumentKind::Parameter { name, value: None }));
        }
        Ok(None)
    }

    /// `a,b` behind a parameter's colon.
    fn argument_list(&mut self) -> R<Expr> {
        let start = self.pos;
        let mut items = vec![self.value()?];
        while self.byte(0) == b',' {
            self.pos += 1;
            self.skip_lines()?;
            items.push(self.value()?);
        }
        match items.len() {
            1 => items.pop().ok_or(Stop::Syntax),
            _ => Ok(Expr { kind: ExprKind::List(items), span: self.span(start) }),
        }
    }

    /// One value as an argument or a redirection's file.
    pub(super) fn value(&mut self) -> R<Expr> {
        let start = self.pos;
        let (a, b) = (self.byte(0), self.byte(1));
        let bracket = matches!((a, b), (b'(' | b'{', _) | (b'@', b'(' | b'{') | (b'$', b'('));
        if bracket || self.at_string() {
            let operand = self.operand()?;
            return self.hanging(operand, start);
        }
        if a == b'$'
            && let Some(name) = self.variable_name()?
        {
            let next = self.peek();
            let access = match self.byte(0) {
                b'.' => self.byte(1).is_ascii_alphabetic() || b"_$\"'(".contains(&self.byte(1)),
                b'[' => true,
                b':' => self.byte(1) == b':',
                _ => false,
            };
            if access || next.is_none_or(ends_word) {
                let operand = Expr { kind: ExprKind::Variable(name), span: self.span(start) };
                return self.hanging(operand, start);
            }
            self.pos = start;
        }
        self.bare_word()
    }

    /// Members, calls and indexes on an argument; a list's comma belongs to the arguments.
    fn hanging(&mut self, operand: Expr, start: usize) -> R<Expr> {
        self.postfix(operand, start)
    }

    /// Bytes of a number that a redirection follows directly: `10>x`, where any other word would go on.
    fn number_before_redirect(&mut self) -> Option<usize> {
        let start = self.pos;
        self.pos += usize::from(self.byte(0) == b'-');
        let len = if self.byte(0).is_ascii_digit() { self.number_len() } else { None };
        let end = self.pos + len.unwrap_or(0);
        self.pos = start;
        (len.is_some() && self.text[end..].starts_with('>')).then_some(end - start)
    }

    /// A word without quotes around it: variables, sub-expressions and quoted parts may be in it.
    pub(super) fn bare_word(&mut self) -> R<Expr> {
        let start = self.pos;
        let at = self.byte(0) == b'@' && !self.byte(1).is_ascii_alphabetic() && self.byte(1) != b'_';
        let sign = matches!(self.byte(0), b'1'..=b'6' | b'*') && self.byte(1) == b'>';
        if at || sign || matches!(self.byte(0), b'<' | b'>') {
            return Err(Stop::Syntax);
        }
        if let Some(len) = self.number_before_redirect() {
            let text = self.rest()[..len].to_owned();
            self.pos += len;
            return Ok(Expr { kind: ExprKind::Text { text, bare: true }, span: self.span(start) });
        }
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut from = start;
        while let Some(c) = self.peek() {
            if ends_word(c) {
                break;
            }
            let at = self.pos;
            let part = match c {
                '`' => {
                    self.bump();
                    if self.at_end() || matches!(self.byte(0), b'\n' | b'\r') {
                        self.pos = at;
                        break;
                    }
                    self.escape(&mut text);
                    None
                }
                '$' => {
                    if let Some(part) = self.deeper(Self::dollar)? {
                        Some(part)
                    } else {
                        self.bump();
                        text.push('$');
                        None
                    }
                }
                c if is_single_quote(c) => {
                    self.bump();
                    text.push_str(&self.single()?);
                    None
                }
                c if is_double_quote(c) => {
                    self.bump();
                    let inner = self.deeper(|p| p.double(None))?;
                    let kind = expandable(inner, false);
                    match kind {
                        ExprKind::Text { text: plain, .. } => {
                            text.push_str(&plain);
                            None
                        }
                        kind => Some(Expr { kind, span: self.span(at) }),
                    }
                }
                c => {
                    self.bump();
                    text.push(c);
                    None
                }
            };
            if let Some(part) = part {
                let after = self.pos;
                self.pos = at;
                self.flush(&mut parts, &mut text, from);
                self.pos = after;
                parts.push(part);
                from = after;
            }
        }
        if self.pos == start {
            return Err(Stop::Syntax);
        }
        self.flush(&mut parts, &mut text, from);
        Ok(Expr { kind: expandable(parts, true), span: self.span(start) })
    }
}

/// What a word never holds unless it is quoted. `a>b` is a word.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || ";|&(){},".contains(c)
}
