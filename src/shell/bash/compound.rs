//! Compound commands and functions.

use super::ast::{CaseArm, Command, CommandKind, List, Part, Word};
use super::cursor::{Parser, R, Stop};
use super::keyword::Keyword;
use super::word::WordMode;

impl Parser<'_> {
    /// The compound command, function or coprocess here with its redirections.
    pub(super) fn compound(&mut self) -> R<Option<Command>> {
        let start = self.pos;
        let kind = if self.peek() == Some(b'(') {
            self.bracket()?
        } else {
            let Some((keyword, end)) = self.keyword() else { return Ok(None) };
            let back = self.pos;
            self.pos = end;
            match keyword {
                Keyword::LeftBrace => CommandKind::Group(self.body(Keyword::RightBrace)?),
                Keyword::If => self.if_command()?,
                Keyword::While | Keyword::Until => self.while_command(keyword == Keyword::Until)?,
                Keyword::For | Keyword::Select => self.for_command(keyword == Keyword::Select)?,
                Keyword::Case => self.case_command()?,
                Keyword::Test => CommandKind::Test(self.test()?),
                Keyword::Function => return self.function_command(start).map(Some),
                Keyword::Coproc => return self.coproc(start).map(Some),
                // After `|` this is a program.
                Keyword::Time => {
                    self.pos = back;
                    return Ok(None);
                }
                _ => return Err(Stop::Syntax),
            }
        };
        let mut redirects = Vec::new();
        let mut end = self.pos;
        loop {
            self.skip_blanks();
            let Some(redirect) = self.redirect()? else { break };
            redirects.push(redirect);
            end = self.pos;
        }
        self.reserved_ok = redirects.is_empty();
        self.pos = end;
        Ok(Some(Command { kind, redirects, span: self.span(start) }))
    }

    /// `(( … ))` or `( list )`.
    fn bracket(&mut self) -> R<CommandKind> {
        let opener = self.pos;
        let next = self.ahead(opener + 1);
        if self.byte(next) == Some(b'(') {
            self.pos = next + 1;
            if let Some(word) = self.arithmetic(opener)? {
                return Ok(CommandKind::Arith(word));
            }
        }
        self.pos = opener + 1;
        let list = self.commands()?;
        self.expect(b')')?;
        Ok(CommandKind::Subshell(list))
    }

    /// At least one command.
    fn commands(&mut self) -> R<List> {
        self.enter()?;
        let mut list = List::new();
        self.list(&mut list, &mut 0)?;
        self.leave();
        if list.is_empty() { Err(Stop::Syntax) } else { Ok(list) }
    }

    /// Commands up to `end`, which is taken.
    fn body(&mut self, end: Keyword) -> R<List> {
        let list = self.commands()?;
        self.skip_blanks();
        if self.take_keyword(end) { Ok(list) } else { Err(Stop::Syntax) }
    }

    fn if_command(&mut self) -> R<CommandKind> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.body(Keyword::Then)?;
            branches.push((condition, self.commands()?));
            self.skip_blanks();
            if self.take_keyword(Keyword::Elif) {
                continue;
            }
            if self.take_keyword(Keyword::Else) {
                otherwise = Some(self.body(Keyword::Fi)?);
            } else if !self.take_keyword(Keyword::Fi) {
                return Err(Stop::Syntax);
            }
            return Ok(CommandKind::If { branches, otherwise });
        }
    }

    fn while_command(&mut self, until: bool) -> R<CommandKind> {
        let condition = self.body(Keyword::Do)?;
        let body = self.body(Keyword::Done)?;
        Ok(CommandKind::While { until, condition, body })
    }

    fn for_command(&mut self, select: bool) -> R<CommandKind> {
        self.skip_blanks();
        if !select && self.take2(b'(', b'(') {
            return self.for_arith();
        }
        let start = self.pos;
        let name = self.word(WordMode::Plain)?;
        if self.pos == start {
            return Err(Stop::Syntax);
        }
        let name = self.name_of(&name, start);
        self.skip_blanks();
        let mut words = None;
        if self.peek() == Some(b';') {
            self.pos += 1;
        } else {
            self.skip_newlines()?;
            if self.take_keyword(Keyword::In) {
                words = Some(self.for_words()?);
            }
        }
        let body = self.loop_body()?;
        Ok(CommandKind::For { name, words, body, select })
    }

    /// The words after `in`, and the `;` that ends them.
    fn for_words(&mut self) -> R<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'\n') => return Ok(words),
                Some(b';') => {
                    self.pos += 1;
                    return Ok(words);
                }
                _ => {
                    let start = self.pos;
                    words.push(self.word(WordMode::Plain)?);
                    if self.pos == start {
                        return Err(Stop::Syntax);
                    }
                }
            }
        }
    }

    /// `do list done` or `{ list; }`.
    fn loop_body(&mut self) -> R<List> {
        self.skip_newlines()?;
        self.reserved_ok = true;
        if self.take_keyword(Keyword::Do) {
            self.body(Keyword::Done)
        } else if self.take_keyword(Keyword::LeftBrace) {
            self.body(Keyword::RightBrace)
        } else {
            Err(Stop::Syntax)
        }
    }

    fn for_arith(&mut self) -> R<CommandKind> {
        let header = self.arith_word(b')')?;
        if !self.take2(b')', b')') || separators(&header) != 2 {
            return Err(Stop::Syntax);
        }
        self.skip_blanks();
        if self.peek() == Some(b';') {
            self.pos += 1;
        }
        let body = self.loop_body()?;
        Ok(CommandKind::ForArith { header, body })
    }

    fn case_command(&mut self) -> R<CommandKind> {
        self.skip_blanks();
        let start = self.pos;
        let word = self.word(WordMode::Plain)?;
        if self.pos == start {
            return Err(Stop::Syntax);
        }
        self.skip_newlines()?;
        self.reserved_ok = true;
        if !self.take_keyword(Keyword::In) {
            return Err(Stop::Syntax);
        }
        let mut arms = Vec::new();
        loop {
            self.skip_newlines()?;
            self.reserved_ok = true;
            if self.take_keyword(Keyword::Esac) {
                break;
            }
            let (arm, last) = self.case_arm()?;
            arms.push(arm);
            if last {
                break;
            }
        }
        Ok(CommandKind::Case { word, arms })
    }

    /// An arm with its terminator, and whether that was `esac`.
    fn case_arm(&mut self) -> R<(CaseArm, bool)> {
        if self.peek() == Some(b'(') {
            self.pos += 1;
        }
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.pos;
            patterns.push(self.word(WordMode::Plain)?);
            if self.pos == start {
                return Err(Stop::Syntax);
            }
            self.skip_blanks();
            match self.peek() {
                Some(b'|') => self.pos += 1,
                Some(b')') => break,
                _ => return Err(Stop::Syntax),
            }
        }
        self.pos += 1;
        self.enter()?;
        let mut body = List::new();
        self.list(&mut body, &mut 0)?;
        self.leave();
        self.skip_blanks();
        let mut arm = CaseArm { patterns, body, falls_through: false };
        if self.take2(b';', b';') {
            arm.falls_through = self.peek() == Some(b'&');
            self.pos += usize::from(arm.falls_through);
            Ok((arm, false))
        } else if self.take2(b';', b'&') {
            arm.falls_through = true;
            Ok((arm, false))
        } else if self.take_keyword(Keyword::Esac) {
            Ok((arm, true))
        } else {
            Err(Stop::Syntax)
        }
    }

    /// `function name [()] compound`, standing behind `function`.
    fn function_command(&mut self, start: usize) -> R<Command> {
        self.skip_blanks();
        let from = self.pos;
        let name = self.word(WordMode::Name)?;
        if self.pos == from {
            return Err(Stop::Syntax);
        }
        let name = self.name_of(&name, from);
        self.skip_blanks();
        let bracket = self.pos;
        if self.peek() == Some(b'(') {
            self.pos += 1;
            self.skip_blanks();
            if self.peek() == Some(b')') {
                self.pos += 1;
            } else {
                // The body is a subshell.
                self.pos = bracket;
            }
        }
        self.reserved_ok = true;
        self.function_body(start, name)
    }

    /// `coproc [name] command`, standing behind `coproc`. A name stands only before a compound command.
    fn coproc(&mut self, start: usize) -> R<Command> {
        self.skip_blanks();
        self.enter()?;
        let mut inner = self.compound()?;
        if inner.is_none() {
            let from = self.pos;
            self.skip_plain_word();
            if self.pos > from && matches!(self.peek(), Some(b' ' | b'\t' | b'(')) {
                self.skip_blanks();
                inner = self.compound()?;
            }
            if inner.is_none() {
                self.pos = from;
            }
        }
        let inner = match inner {
            Some(command) => command,
            None => self.command()?,
        };
        self.leave();
        let kind = CommandKind::Coproc(Box::new(inner));
        Ok(Command { kind, redirects: Vec::new(), span: self.span(start) })
    }
}

/// How many `;` separate the expressions of `for ((…))`.
fn separators(header: &Word) -> usize {
    let bare = |part: &Part| if let Part::Bare(text) = part { text.matches(';').count() } else { 0 };
    header.parts.iter().map(bare).sum()
}
