//! brush-parser's reading of a script: its trees hold words as text, whose substitutions it reads when it is asked to.

use std::ops::Range;

use brush_parser::ast::{
    AssignmentValue, Command, CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, IoFileRedirectKind,
    IoFileRedirectTarget, IoRedirect, Program, RedirectList, SimpleCommand, SourceLocation, Word,
};
use brush_parser::word::{WordPiece, WordPieceWithSource};
use brush_parser::{ParserOptions, SourceSpan};

use crate::agree::{self, Known};
use crate::fact::{Fact, Reading, Role};

/// Where it is wrong.
pub(crate) const KNOWN: &[Known] = &[
    Known {
        reason: "it knows no descriptors in variables",
        holds: |case| {
            case.theirs.iter().any(|fact| {
                let text = case.of(fact);
                (fact.quoted && text.contains("}>"))
                    || (matches!(fact.role, Role::Argument | Role::Command)
                        && text.starts_with('{')
                        && text.ends_with('}'))
            })
        },
    },
    agree::CLOSING,
    agree::TORN,
    Known {
        reason: "blanks in a subscript belong to the word",
        holds: |case| case.misses(|_, text| agree::meta_subscript(text)),
    },
    Known {
        reason: "a target or an assignment is one behind the opener of a here-document too",
        holds: |case| {
            case.swaps(|ours, theirs, fact| {
                let opened = case.text[..fact.at.0].contains("<<");
                opened && matches!(ours, Role::Target(_) | Role::Assignment) && *theirs == Role::Argument
            })
        },
    },
    Known {
        reason: "a here-document within `$(…)` ends at its delimiter",
        holds: |case| {
            let delimiter =
                |text: &str| text.starts_with('E') && text.len() > 1 && text[1..].bytes().all(|b| b.is_ascii_digit());
            case.claims(|role, text| *role == Role::Command && delimiter(text) && case.text.contains("<<"))
        },
    },
    Known {
        reason: "a here-document begins at the next newline, within a substitution too",
        holds: |case| {
            case.ours.iter().any(|fact| {
                let line = case.text[fact.at.1..].split('\n').next().unwrap_or_default();
                fact.role == Role::Target("<<") && line.contains("$(")
            })
        },
    },
    Known {
        reason: "an empty array does not end its word, nor does a newline in `$[…]`",
        holds: |case| {
            case.theirs.iter().any(|fact| case.text[..fact.at.0].ends_with("=()"))
                || case.misses(|_, text| text.contains("$[") && text.contains('\n'))
        },
    },
    Known {
        reason: "a number and a blank before a second here-document are no descriptor",
        holds: |case| {
            let number = |fact: &&Fact| {
                case.of(fact).bytes().all(|b| b.is_ascii_digit()) && case.text[fact.at.1..].starts_with(" <<")
            };
            case.theirs.is_empty() && case.ours.iter().all(number)
        },
    },
];

/// `None` where it finds an error.
pub(crate) fn read(text: &str) -> Option<Reading> {
    // It panics on some texts.
    let read = || {
        let mut reading = Reading::default();
        read_at(text, 0, None, &mut reading).then_some(reading)
    };
    std::panic::catch_unwind(read).ok().flatten()
}

fn read_at(text: &str, base: usize, quoted: Option<&Range<usize>>, reading: &mut Reading) -> bool {
    let options = ParserOptions::default();
    let Ok(tokens) = brush_parser::uncached_tokenize_str(text, &options.tokenizer_options()) else { return false };
    let Ok(program) = brush_parser::parse_tokens(&tokens, &options) else { return false };
    // Its positions count characters.
    let mut bytes: Vec<usize> = text.char_indices().map(|(at, _)| base + at).collect();
    bytes.push(base + text.len());
    let mut walk = Walk { text, base, bytes, quoted, reading, options, ok: true };
    walk.program(&program);
    walk.ok
}

struct Walk<'a> {
    text: &'a str,
    base: usize,
    bytes: Vec<usize>,
    quoted: Option<&'a Range<usize>>,
    reading: &'a mut Reading,
    options: ParserOptions,
    ok: bool,
}

impl Walk<'_> {
    fn range(&self, span: &SourceSpan) -> Range<usize> {
        self.bytes[span.start.index]..self.bytes[span.end.index]
    }

    fn push(&mut self, span: &SourceSpan, role: Role) {
        let at = self.range(span);
        self.reading.push(at, role, self.quoted);
    }

    fn program(&mut self, program: &Program) {
        for list in &program.complete_commands {
            self.list(list);
        }
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            for (_, pipeline) in &item.0 {
                pipeline.seq.iter().for_each(|command| self.command(command));
            }
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                self.redirects(redirects.as_ref());
            }
            Command::Function(function) => {
                // It keeps the place of the name alone.
                let start = function.fname.location().map_or(0, |span| self.range(&span).start);
                let before = self.text[..start - self.base].trim_end_matches([' ', '\t', '\n', '\\']);
                let start = before.strip_suffix("function").map_or(start, |before| self.base + before.len());
                self.reading.push(start..start, Role::Function, self.quoted);
                self.compound(&function.body.0);
                self.redirects(function.body.1.as_ref());
            }
            Command::ExtendedTest(test, redirects) => {
                self.reading.blind.push(self.range(&test.loc));
                self.redirects(redirects.as_ref());
            }
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(arith) => self.reading.blind.push(self.range(&arith.loc)),
            CompoundCommand::ArithmeticForClause(clause) => {
                let header = self.range(&clause.loc).start..self.range(&clause.body.loc).start;
                self.reading.blind.push(header);
                self.list(&clause.body.list);
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(shell) => self.list(&shell.list),
            CompoundCommand::ForClause(clause) => {
                clause.values.iter().flatten().for_each(|word| self.word(word));
                self.list(&clause.body.list);
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value);
                for case in &clause.cases {
                    case.patterns.iter().for_each(|pattern| self.word(pattern));
                    case.cmd.iter().for_each(|list| self.list(list));
                }
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.list(&clause.then);
                for branch in clause.elses.iter().flatten() {
                    branch.condition.iter().for_each(|list| self.list(list));
                    self.list(&branch.body);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
            CompoundCommand::Coprocess(clause) => self.command(&clause.body),
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, Role::Assignment);
        }
        if let Some(word) = &simple.word_or_name {
            self.word_as(word, Role::Command);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, Role::Argument);
        }
    }

    fn item(&mut self, item: &CommandPrefixOrSuffixItem, role: Role) {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect),
            CommandPrefixOrSuffixItem::Word(word) => self.word_as(word, Role::Argument),
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                if let Some(span) = word.location() {
                    self.push(&span, role);
                }
                match &assignment.value {
                    AssignmentValue::Scalar(_) => self.word(word),
                    AssignmentValue::Array(_) => self.blind(word),
                }
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, shell) => {
                // The word begins at the sign.
                let at = self.range(&shell.loc);
                let role = if role == Role::Assignment { Role::Command } else { role };
                self.reading.push(at.start - 1..at.end, role, self.quoted);
                self.list(&shell.list);
            }
        }
    }

    fn redirects(&mut self, redirects: Option<&RedirectList>) {
        redirects.iter().flat_map(|list| &list.0).for_each(|redirect| self.redirect(redirect));
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(_, kind, target) => {
                let op = match kind {
                    IoFileRedirectKind::Read => "<",
                    IoFileRedirectKind::Write => ">",
                    IoFileRedirectKind::Append => ">>",
                    IoFileRedirectKind::ReadAndWrite => "<>",
                    IoFileRedirectKind::Clobber => ">|",
                    IoFileRedirectKind::DuplicateInput => "<&",
                    IoFileRedirectKind::DuplicateOutput => ">&",
                };
                match target {
                    IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                        self.word_as(word, Role::Target(op));
                    }
                    IoFileRedirectTarget::Fd(_) => self.ok = false,
                    IoFileRedirectTarget::ProcessSubstitution(_, shell) => {
                        let at = self.range(&shell.loc);
                        self.reading.push(at.start - 1..at.end, Role::Target(op), self.quoted);
                        self.list(&shell.list);
                    }
                }
            }
            IoRedirect::HereDocument(_, document) => {
                if let Some(span) = document.here_end.location() {
                    self.push(&span, Role::Target("<<"));
                }
                self.blind(&document.doc);
            }
            IoRedirect::HereString(_, word) => self.word_as(word, Role::Target("<<<")),
            IoRedirect::OutputAndError(word, append) => {
                self.word_as(word, Role::Target(if *append { "&>>" } else { ">&" }));
            }
        }
    }

    fn word_as(&mut self, word: &Word, role: Role) {
        if let Some(span) = word.location() {
            self.push(&span, role);
        }
        self.word(word);
    }

    fn blind(&mut self, word: &Word) {
        if let Some(span) = word.location() {
            self.reading.blind.push(self.range(&span));
        }
    }

    fn word(&mut self, word: &Word) {
        let Some(span) = word.location() else { return };
        let at = self.range(&span);
        // Where it took escaped newlines out, its positions within the word are lost.
        if self.text.get(at.start - self.base..at.end - self.base) != Some(&word.value) {
            self.reading.blind.push(at);
            return;
        }
        match brush_parser::word::parse(&word.value, &self.options) {
            Ok(pieces) => self.pieces(&pieces, at.start),
            Err(_) => self.ok = false,
        }
    }

    fn pieces(&mut self, pieces: &[WordPieceWithSource], start: usize) {
        for piece in pieces {
            let at = start + piece.start_index..start + piece.end_index;
            match &piece.piece {
                WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                    self.pieces(inner, start);
                }
                WordPiece::CommandSubstitution(text) => {
                    let from = self.quoted.map_or(at.start + 2, |_| 0);
                    self.ok &= read_at(text, from, self.quoted, self.reading);
                }
                WordPiece::BackquotedCommandSubstitution(text) => {
                    let quoted = self.quoted.cloned().unwrap_or(at);
                    self.ok &= read_at(text, 0, Some(&quoted), self.reading);
                }
                WordPiece::ParameterExpansion(_) | WordPiece::ArithmeticExpression(_) => self.reading.blind.push(at),
                _ => {}
            }
        }
    }
}
