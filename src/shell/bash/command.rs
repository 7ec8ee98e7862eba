//! Lists, pipelines and simple commands.

use std::borrow::Cow;

use super::ast::{
    Assign, AssignValue, Command, CommandKind, Item, Join, List, Part, Pipeline, Redirect, RedirectKind, Word,
};
use super::cursor::{Parser, R, Stop};
use super::keyword::Keyword;
use super::word::{Parts, WordMode, bare_text, identifier, is_meta};

impl Parser<'_> {
    /// Items up to something that ends a list, which stays. `begin` follows the start of the line that is
    /// being read.
    pub(super) fn list(&mut self, list: &mut List, begin: &mut usize) -> R<()> {
        let mut join = Join::Always;
        loop {
            self.skip_newlines()?;
            if join == Join::Always {
                *begin = self.pos;
                self.reserved_ok = true;
                if self.at_end() {
                    return Ok(());
                }
            }
            let pipeline = self.pipeline()?;
            self.skip_blanks();
            let mut item = Item { join, background: false, pipeline };
            let next = self.after(self.pos);
            join = Join::Always;
            let ended = match self.peek() {
                Some(b'&') if self.take2(b'&', b'&') => {
                    join = Join::And;
                    false
                }
                Some(b'|') if self.take2(b'|', b'|') => {
                    join = Join::Or;
                    false
                }
                Some(b'&') => {
                    item.background = true;
                    self.pos += 1;
                    false
                }
                Some(b';') if !matches!(next, Some(b';' | b'&')) => {
                    self.pos += 1;
                    false
                }
                Some(b'\n') => false,
                _ => true,
            };
            list.push(item);
            if ended {
                return Ok(());
            }
        }
    }

    /// At the end of a list: nothing more, `)`, `;;`, or a word that closes a compound command.
    fn at_end(&mut self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.after(self.pos), Some(b';' | b'&')),
            Some(b'}') if self.in_brace_substitution => true,
            Some(b'}' | b'a'..=b'z') => self.keyword().is_some_and(|(keyword, _)| keyword.closes()),
            _ => false,
        }
    }

    fn pipeline(&mut self) -> R<Pipeline> {
        let mut pipeline = Pipeline { negated: false, timed: false, commands: Vec::new() };
        loop {
            self.skip_blanks();
            match self.keyword() {
                Some((Keyword::Bang, end)) => {
                    pipeline.negated = !pipeline.negated;
                    self.pos = end;
                }
                Some((Keyword::Time, end)) => {
                    pipeline.timed = true;
                    self.pos = end;
                    self.time_options();
                }
                _ => break,
            }
            self.skip_blanks();
            let alone = match self.peek() {
                None | Some(b'\n') => true,
                Some(b';') => self.after(self.pos) != Some(b';'),
                _ => false,
            };
            if alone {
                let kind = CommandKind::Simple { assignments: Vec::new(), words: Vec::new() };
                pipeline.commands.push(Command { kind, redirects: Vec::new(), span: self.span(self.pos) });
                return Ok(pipeline);
            }
        }
        loop {
            let mut command = self.command()?;
            self.skip_blanks();
            let pipe = self.pos;
            let go_on = match self.peek() {
                Some(b'|') if self.after(pipe) == Some(b'|') => false,
                Some(b'|') => {
                    if self.take2(b'|', b'&') {
                        command.redirects.push(self.both_into_pipe(pipe));
                    } else {
                        self.pos += 1;
                    }
                    true
                }
                _ => false,
            };
            pipeline.commands.push(command);
            if !go_on {
                return Ok(pipeline);
            }
            self.skip_newlines()?;
        }
    }

    /// `|&` is `2>&1 |`.
    fn both_into_pipe(&self, start: usize) -> Redirect {
        let span = self.span(start);
        let word = Word { parts: vec![Part::Bare("1".to_owned())], span };
        Redirect { fd: Some(2), fd_var: None, kind: RedirectKind::DupOut(word), span }
    }

    /// `-p` and `--` after `time`.
    fn time_options(&mut self) {
        for option in ["-p", "--"] {
            self.skip_blanks();
            let rest = self.text.get(self.pos..).unwrap_or_default();
            if let Some(after) = rest.strip_prefix(option)
                && after.bytes().next().is_none_or(is_meta)
            {
                self.pos += option.len();
            }
        }
    }

    pub(super) fn command(&mut self) -> R<Command> {
        self.step()?;
        self.reserved_ok = true;
        self.skip_blanks();
        match self.compound()? {
            Some(command) => Ok(command),
            None => self.simple(),
        }
    }

    /// Assignments, words and redirections; or a function whose name is the only word.
    fn simple(&mut self) -> R<Command> {
        let start = self.pos;
        let mut end = start;
        let (mut assignments, mut words, mut redirects) = (Vec::new(), Vec::<Word>::new(), Vec::new());
        let mut mode = WordMode::Plain;
        loop {
            self.skip_blanks();
            let Some(b) = self.peek() else { break };
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                end = self.pos;
                // Bash reads no array after it.
                mode = WordMode::Plain;
                continue;
            }
            let arrays = redirects.is_empty() || assignments.is_empty();
            match b {
                b'\n' | b';' | b'|' | b'&' | b')' => break,
                b'(' => {
                    if let ([name], true, true) = (words.as_slice(), assignments.is_empty(), redirects.is_empty()) {
                        let name = self.name_of(name, start);
                        return self.function(start, name);
                    }
                    return Err(Stop::Syntax);
                }
                _ if words.is_empty() => match self.assignment(arrays)? {
                    Ok(assign) => assignments.push(assign),
                    Err(word) => {
                        if arrays && declares(&word) {
                            mode = WordMode::Declaration;
                        }
                        words.push(word);
                    }
                },
                _ => words.push(self.word(mode)?),
            }
            end = self.pos;
        }
        if end == start {
            return Err(Stop::Syntax);
        }
        self.pos = end;
        let span = self.span(start);
        Ok(Command { kind: CommandKind::Simple { assignments, words }, redirects, span })
    }

    /// `()` and the body, standing at the bracket.
    fn function(&mut self, start: usize, name: String) -> R<Command> {
        self.pos += 1;
        self.skip_blanks();
        self.expect(b')')?;
        self.function_body(start, name)
    }

    pub(super) fn function_body(&mut self, start: usize, name: String) -> R<Command> {
        self.skip_newlines()?;
        self.enter()?;
        let body =
            self.compound()?.filter(|body| !matches!(body.kind, CommandKind::Function { .. } | CommandKind::Coproc(_)));
        let Some(body) = body else { return Err(Stop::Syntax) };
        self.leave();
        let kind = CommandKind::Function { name, body: Box::new(body) };
        Ok(Command { kind, redirects: Vec::new(), span: self.span(start) })
    }

    /// A function's or variable's name: the text of the word that began at `start` and ends here, but for
    /// blanks. (Its span says nothing within back-quotes.)
    pub(super) fn name_of(&self, word: &Word, start: usize) -> String {
        let source = || self.source(start).trim_end_matches([' ', '\t']);
        bare_text(word).unwrap_or_else(source).to_owned()
    }

    /// An assignment, or else the command's first word. Without `arrays`, `a=(` is an error.
    fn assignment(&mut self, arrays: bool) -> R<Result<Assign, Word>> {
        let start = self.pos;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let length = identifier(rest);
        let mut parts = Parts::default();
        let mut index = None;
        let name = if rest.get(length) == Some(&b'\\') {
            // An escaped newline may split it.
            Cow::Owned(self.name())
        } else {
            self.pos += length;
            Cow::Borrowed(self.source(start))
        };
        if name.is_empty() || !matches!(self.peek(), Some(b'=' | b'+' | b'[')) {
            self.pos = start;
            return Ok(Err(self.word(WordMode::Name)?));
        }
        if self.peek() == Some(b'[') {
            let bracket = self.pos + 1;
            self.subscript(&mut parts)?;
            index = Some(bracket..self.pos - 1);
        }
        let append = self.take2(b'+', b'=');
        if !append && self.peek() != Some(b'=') {
            let mut all = Parts::default();
            all.bare(&name);
            for part in parts.0 {
                match part {
                    Part::Bare(text) => all.bare(&text),
                    other => all.push(other),
                }
            }
            return Ok(Err(self.word_from(start, all, WordMode::Name)?));
        }
        self.pos += usize::from(!append);
        let value = if self.peek() == Some(b'(') {
            if !arrays {
                return Err(Stop::Syntax);
            }
            let mut words = self.array()?;
            // `a=(1)b`: no array in the end, but what is in there is run.
            let rest = self.word(WordMode::Plain)?;
            words.extend((!rest.parts.is_empty()).then_some(rest));
            AssignValue::Array(words)
        } else {
            AssignValue::Word(self.word(WordMode::Plain)?)
        };
        let index = index.map(|range| self.index_word(parts, range));
        Ok(Ok(Assign { name: name.into_owned(), index, append, value, span: self.span(start) }))
    }

    /// The subscript `[…]` without its brackets.
    fn index_word(&self, parts: Parts, range: std::ops::Range<usize>) -> Word {
        let mut parts = parts.0;
        if let Some(Part::Bare(first)) = parts.first_mut() {
            first.remove(0);
        }
        if let Some(Part::Bare(last)) = parts.last_mut() {
            last.pop();
        }
        parts.retain(|part| !matches!(part, Part::Bare(text) if text.is_empty()));
        Word { parts, span: self.span_between(range.start, range.end) }
    }
}

/// Builtins whose arguments may be array assignments.
fn declares(word: &Word) -> bool {
    matches!(
        bare_text(word).unwrap_or_default(),
        "declare" | "typeset" | "local" | "export" | "readonly" | "alias" | "eval" | "let"
    )
}
