//! Statements: blocks, loops, definitions, imports. Both branches of every condition are taken, loops run once with all their values.

use super::interp::{Interp, is_code};
use super::token::Kind;
use super::val::Val;
use crate::shell::programs::Language;

/// Where a block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// At this token.
    At(usize),
    /// At the first line that is indented no deeper.
    Indent(usize),
    /// With the line.
    Line,
}

#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) ends: Ends,
    pub(super) mark: usize,
    /// It may be skipped: what was known before stays possible.
    pub(super) merge: bool,
    pub(super) repeats: bool,
    pub(super) class: bool,
}

/// Blocks that are open in one body.
#[derive(Default)]
pub(super) struct Blocks(pub(super) Vec<Block>);

impl Interp<'_> {
    /// All statements up to the end of the range; the value of the last one.
    pub(super) fn statements(&mut self) -> Val {
        self.deeper(Val::Unknown, |me| {
            let mut blocks = Blocks::default();
            let mut last = Val::Unknown;
            while me.i < me.end && me.spend(1) {
                let before = me.i;
                me.close_blocks(&mut blocks);
                if let Some(v) = me.statement(&mut blocks) {
                    last = v;
                }
                if me.i <= before {
                    me.i = before + 1;
                }
            }
            while let Some(b) = blocks.0.pop() {
                me.leave_block(b);
            }
            last
        })
    }

    fn close_blocks(&mut self, blocks: &mut Blocks) {
        while let Some(b) = blocks.0.last().copied() {
            let t = &self.toks[self.i];
            let over = match b.ends {
                Ends::At(at) => self.i >= at,
                Ends::Indent(col) => t.kind == Kind::Newline && t.mate <= col,
                Ends::Line => t.kind == Kind::Newline,
            };
            if !over {
                break;
            }
            blocks.0.pop();
            self.leave_block(b);
        }
    }

    fn leave_block(&mut self, b: Block) {
        self.leave(b.mark, b.merge);
        if b.class {
            self.class_attributes(b.mark);
        }
        self.loops -= usize::from(b.repeats).min(self.loops);
    }

    /// What a class body assigned are attributes of its objects.
    fn class_attributes(&mut self, mark: usize) {
        let names: Vec<_> =
            self.log[mark.min(self.log.len())..].iter().map(|(n, _)| n.clone()).filter(|n| !n.contains('.')).collect();
        let object = self.this();
        for name in names {
            if let Some(v) = self.var(&name).cloned() {
                self.set(&format!("{object}.{}", name.trim_start_matches('$')), v);
            }
        }
    }

    pub(super) fn enter(&mut self, blocks: &mut Blocks, ends: Ends, merge: bool, repeats: bool, class: bool) {
        self.loops += usize::from(repeats);
        let mark = self.log.len();
        blocks.0.push(Block { ends, mark, merge, repeats, class });
    }

    fn statement(&mut self, blocks: &mut Blocks) -> Option<Val> {
        let t = self.peek()?;
        if t.kind == Kind::Newline {
            self.column = t.mate;
            self.i += 1;
            return None;
        }
        if t.kind == Kind::Punct && matches!(t.text.as_ref(), ";" | "," | ":" | "\\") || t.kind == Kind::Close {
            self.i += 1;
            return None;
        }
        match self.language {
            Language::Python => self.python(blocks),
            Language::Ruby => self.ruby(),
            _ => self.braces(blocks),
        }
    }

    // --- Python ---

    pub(super) fn returns(&mut self) {
        self.i += 1;
        if self.peek().is_some_and(|t| t.kind != Kind::Newline && t.text != ";") {
            let value = self.expression_list();
            self.returned.push(value);
        }
    }

    /// An expression, an assignment, several of them.
    pub(super) fn simple_statement(&mut self) -> Val {
        let start = self.i;
        let Some(t) = self.peek() else { return Val::Unknown };
        // `a, b = …`, `(a, b) = …`, `a: T = …`
        let pattern = match t.kind {
            Kind::Word | Kind::Var => self.is_at(1, ",") || self.is_at(1, ":"),
            Kind::Open => true,
            Kind::Punct => t.text == "*",
            _ => false,
        };
        if pattern {
            let eq = self.scan(start, self.end, |t| {
                t.kind == Kind::Newline || (is_code(t) && matches!(t.text.as_ref(), "=" | ";" | "{"))
            });
            if let Some(eq) = eq.filter(|&e| self.toks[e].text == "=") {
                let annotated = self.is_at(1, ":");
                self.i = eq + 1;
                self.skip_newlines();
                let value = self.expression_list();
                self.bind(start, if annotated { start + 1 } else { eq }, value);
                return Val::Unknown;
            }
        }
        let value = self.expression_list();
        // `a = b = c` went into the expression; what is left are operators that we don't know.
        if self.i == start {
            self.i += 1;
        }
        value
    }

    // --- JavaScript, Perl, PHP ---

    // --- imports of the others ---

    // --- Ruby ---
}
