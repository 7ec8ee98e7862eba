//! The product's reading of a script.

use std::ops::Range;

use workspace_guard::shell::Span;
use workspace_guard::shell::bash::ast::{
    Assign, AssignValue, Command, CommandKind, Item, ParamOp, Part, Redirect, RedirectKind, Script, Word,
};

use crate::fact::{Reading, Role, operator};

pub(crate) fn read(text: &str, script: &Script) -> Reading {
    let mut walk = Walk { text, quoted: None, reading: Reading::default() };
    walk.list(&script.list);
    walk.reading
}

struct Walk<'a> {
    text: &'a str,
    quoted: Option<Range<usize>>,
    reading: Reading,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl Walk<'_> {
    fn push(&mut self, span: Span, role: Role) {
        assert!(!self.text[range(span)].starts_with([' ', '\t', '\n']), "a word begins with a blank: {:?}", self.text);
        self.reading.push(range(span), role, self.quoted.as_ref());
    }

    fn list(&mut self, list: &[Item]) {
        for item in list {
            for command in &item.pipeline.commands {
                self.command(command);
            }
        }
    }

    fn command(&mut self, command: &Command) {
        match &command.kind {
            CommandKind::Simple { assignments, words } => {
                for assign in assignments {
                    self.push(assign.span, Role::Assignment);
                    self.assign(assign);
                }
                for (i, word) in words.iter().enumerate() {
                    self.push(word.span, if i == 0 { Role::Command } else { Role::Argument });
                    self.word(word);
                }
            }
            CommandKind::Subshell(list) | CommandKind::Group(list) => self.list(list),
            CommandKind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.list(condition);
                    self.list(body);
                }
                self.list(otherwise.as_deref().unwrap_or_default());
            }
            CommandKind::While { condition, body, .. } => {
                self.list(condition);
                self.list(body);
            }
            CommandKind::For { words, body, .. } => {
                self.words(words.as_deref().unwrap_or_default());
                self.list(body);
            }
            CommandKind::ForArith { header, body } => {
                self.word(header);
                self.list(body);
            }
            CommandKind::Case { word, arms } => {
                self.word(word);
                for arm in arms {
                    self.words(&arm.patterns);
                    self.list(&arm.body);
                }
            }
            CommandKind::Function { body, .. } => {
                let start = command.span.start;
                self.push(Span { start, end: start }, Role::Function);
                self.command(body);
            }
            CommandKind::Test(words) => self.words(words),
            CommandKind::Arith(word) => self.word(word),
            CommandKind::Coproc(inner) => self.command(inner),
        }
        for redirect in &command.redirects {
            self.redirect(redirect);
        }
    }

    fn words(&mut self, words: &[Word]) {
        for word in words {
            self.word(word);
        }
    }

    fn assign(&mut self, assign: &Assign) {
        self.words(assign.index.as_slice());
        match &assign.value {
            AssignValue::Word(word) => self.word(word),
            AssignValue::Array(words) => self.words(words),
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        let source = self.text.get(range(redirect.span)).expect("a redirection lies in the text");
        if source == "|&" {
            return;
        }
        let (op, word) = match &redirect.kind {
            RedirectKind::Read(word) => ("<", word),
            RedirectKind::Write { word, clobber } => (if *clobber { ">|" } else { ">" }, word),
            RedirectKind::Append(word) => (">>", word),
            RedirectKind::ReadWrite(word) => ("<>", word),
            RedirectKind::AppendBoth(word) => ("&>>", word),
            RedirectKind::DupIn(word) => ("<&", word),
            RedirectKind::WriteBoth(word) | RedirectKind::DupOut(word) => (">&", word),
            RedirectKind::HereDoc { body, .. } => ("<<", body),
            RedirectKind::HereString(word) => ("<<<", word),
        };
        let mut span = word.span;
        if self.quoted.is_none() {
            let name = if source.starts_with('{') { source.find('}') } else { None };
            let from = name.unwrap_or(0);
            let at = source[from..].find(['<', '>', '&']).map(|at| from + at).expect("a redirection has an operator");
            assert_eq!(op, operator(&source[at..]), "the operator of {source:?}");
            if op == "<<" {
                let behind = source[at + 2..].strip_prefix('-').unwrap_or(&source[at + 2..]);
                let mut delimiter = behind.trim_start_matches([' ', '\t']);
                while let Some(rest) = delimiter.strip_prefix("\\\n") {
                    delimiter = rest.trim_start_matches([' ', '\t']);
                }
                let length = u32::try_from(delimiter.len()).unwrap();
                span = Span { start: redirect.span.end - length, end: redirect.span.end };
            }
        }
        self.push(span, Role::Target(op));
        self.word(word);
    }

    fn word(&mut self, word: &Word) {
        self.parts(&word.parts);
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Bare(_) | Part::Quoted(_) => {}
                Part::Double(parts) => self.parts(parts),
                Part::Param(param) => {
                    self.words(param.index.as_slice());
                    match &param.op {
                        ParamOp::Default { word, .. }
                        | ParamOp::AssignDefault { word, .. }
                        | ParamOp::Error { word, .. }
                        | ParamOp::Alternative { word, .. }
                        | ParamOp::RemovePrefix { pattern: word, .. }
                        | ParamOp::RemoveSuffix { pattern: word, .. } => self.word(word),
                        ParamOp::Replace { pattern, with, .. } => {
                            self.word(pattern);
                            self.word(with);
                        }
                        ParamOp::Substring { offset, length } => {
                            self.word(offset);
                            self.words(length.as_slice());
                        }
                        ParamOp::Plain
                        | ParamOp::Length
                        | ParamOp::Case { .. }
                        | ParamOp::Transform(_)
                        | ParamOp::Names => {}
                    }
                }
                Part::Command { list, span } => {
                    let back = self.quoted.clone();
                    if back.is_none() && self.text[range(*span)].starts_with('`') {
                        self.quoted = Some(range(*span));
                    }
                    self.list(list);
                    self.quoted = back;
                }
                Part::Process { list, .. } => self.list(list),
                Part::Arith(word) => self.word(word),
                Part::ArrayLiteral(words) => self.words(words),
            }
        }
    }
}
