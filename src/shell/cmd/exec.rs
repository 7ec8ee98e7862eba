//! Nodes -> what they do: chains, blocks, conditions, redirections.

use super::ast::{If, Kind, Node, Redirect, RedirectKind, Test};
use super::machine::{Cmd, Io, Outcome, Status};
use super::state::{Flow, State};
use super::text::Text;
use crate::shell::bash::Stream;
use crate::shell::{EffectKind, Value};
use crate::world::EntryKind;

/// Where standard output goes.
enum Sink {
    Caller,
    /// A file (where it is known which), and whether it keeps what it holds.
    File(Option<String>, bool),
    Nowhere,
}

impl Cmd<'_, '_, '_> {
    pub(super) fn node(&mut self, st: &mut State, node: &Node, io: &Io) -> Outcome {
        if !self.host.charge(1) || !self.host.enter() {
            return Outcome::silent(Status::Unknown);
        }
        let outcome =
            if node.redirects.is_empty() { self.kind(st, &node.kind, io) } else { self.redirected(st, node, io) };
        self.host.leave();
        outcome
    }

    fn kind(&mut self, st: &mut State, kind: &Kind, io: &Io) -> Outcome {
        match kind {
            Kind::Command(text) => self.command(st, text, io),
            Kind::Group(nodes) | Kind::Sequence(nodes) => self.sequence(st, nodes, io),
            Kind::And(nodes) => self.all(st, nodes, io),
            Kind::Or(nodes) => self.any(st, nodes, io),
            Kind::Pipe(nodes) => self.pipe(st, nodes, io),
            Kind::If(parts) => self.condition(st, parts, io),
            Kind::For(parts) => self.repeat(st, parts, io),
        }
    }

    fn sequence(&mut self, st: &mut State, nodes: &[Node], io: &Io) -> Outcome {
        let mut last = Outcome::silent(Status::True);
        for node in nodes {
            let next = self.node(st, node, io);
            last = Outcome { out: last.out.then(next.out), ..next };
            if st.flow != Flow::Next || self.host.halted() {
                break;
            }
        }
        last
    }

    /// `a && b`
    fn all(&mut self, st: &mut State, nodes: &[Node], io: &Io) -> Outcome {
        let mut out = Outcome::silent(Status::True);
        // The state to go on in where the last command failed as far as anyone can see.
        let mut side: Option<Box<State>> = None;
        for node in nodes {
            if let Some(other) = &mut side {
                self.node(other, node, io);
                continue;
            }
            if out.status == Status::False || st.flow != Flow::Next || self.host.halted() {
                break;
            }
            let before = (out.status == Status::Unknown).then(|| st.clone());
            let next = self.node(st, node, io);
            let status = if out.status == Status::Unknown { Status::Unknown } else { next.status };
            out = Outcome { out: out.out.then(next.out), status, success: None };
            side = next.success;
            if let Some(before) = before {
                self.merge(st, before);
            }
        }
        if let Some(other) = side {
            self.forget(*other);
        }
        out
    }

    /// `a || b`
    fn any(&mut self, st: &mut State, nodes: &[Node], io: &Io) -> Outcome {
        let mut out = Outcome::silent(Status::False);
        for node in nodes {
            match out.status {
                Status::True => break,
                Status::False => {
                    let next = self.node(st, node, io);
                    out = Outcome { out: out.out.then(next.out), ..next };
                }
                Status::Likely | Status::Unknown => {
                    let mut other = st.clone();
                    let next = self.node(&mut other, node, io);
                    out.out = out.out.or(next.out);
                    if out.status == Status::Likely {
                        self.forget(other);
                    } else {
                        self.merge(st, other);
                    }
                }
            }
            if st.flow != Flow::Next || self.host.halted() {
                break;
            }
        }
        out.success = None;
        out
    }

    /// Each side is a cmd.exe of its own.
    fn pipe(&mut self, st: &mut State, nodes: &[Node], io: &Io) -> Outcome {
        let mut io = io.clone();
        let wanted = io.capture;
        let mut outcome = Outcome::silent(Status::True);
        for (i, node) in nodes.iter().enumerate() {
            io.capture = wanted || i + 1 < nodes.len();
            outcome = self.node(&mut st.child(), node, &io);
            io.stdin = std::mem::replace(&mut outcome.out, Stream::empty());
        }
        outcome.out = io.stdin;
        outcome.success = None;
        outcome
    }

    fn condition(&mut self, st: &mut State, parts: &If, io: &Io) -> Outcome {
        let holds = self.test(st, parts).map(|h| h != parts.not);
        match (holds, &parts.otherwise) {
            (Some(true), _) => self.node(st, &parts.then, io),
            (Some(false), Some(otherwise)) => self.node(st, otherwise, io),
            (Some(false), None) => Outcome::silent(Status::True),
            (None, otherwise) => {
                let mut other = st.clone();
                let mut outcome = self.node(st, &parts.then, io);
                let second = match otherwise {
                    Some(node) => self.node(&mut other, node, io).out,
                    None => Stream::empty(),
                };
                self.merge(st, other);
                outcome.out = outcome.out.or(second);
                outcome.status = Status::Unknown;
                outcome.success = None;
                outcome
            }
        }
    }

    fn test(&mut self, st: &mut State, parts: &If) -> Option<bool> {
        match &parts.test {
            Test::Number => None,
            Test::Defined(name) => {
                let name = self.expanded(st, name);
                Some(self.variable(st, name.as_str().trim_matches('"')).is_some())
            }
            Test::Exist(file) => {
                let file = self.expanded(st, file);
                let value = self.plain(&file);
                self.exists(st, &value)
            }
            Test::Compare(left, operator, right) => {
                let (left, right) = (self.expanded(st, left), self.expanded(st, right));
                let (left, right) = (self.filled(left.as_str()), self.filled(right.as_str()));
                compare(left.known()?.as_ref(), operator, right.known()?.as_ref(), parts.fold)
            }
        }
    }

    fn exists(&mut self, st: &State, value: &Value) -> Option<bool> {
        let text = value.known()?;
        let text = text.trim_end_matches(['\\', '/']);
        // `if exist DIR\nul`
        let text = match text.rsplit_once(['\\', '/']) {
            Some((folder, name)) if crate::path::is_device(name) => folder,
            _ => text,
        };
        let path = self.one_path(st, &Value::text(text))?;
        if text.contains(['*', '?']) {
            return None;
        }
        let found = self.host.world().target(&path);
        match found {
            Some(EntryKind::Unreadable) => None,
            Some(_) => Some(true),
            None if self.host.is_dirty() => None,
            None => Some(false),
        }
    }

    /// Text with the variables of loops and `!NAME!` in place.
    pub(super) fn expanded(&mut self, st: &State, text: &Text) -> Text {
        let text = self.loop_variables(st, text);
        self.delayed(st, &text)
    }

    /// The value of a word without its quotes.
    pub(super) fn plain(&self, word: &Text) -> Value {
        self.filled(&word.as_str().replace('"', ""))
    }

    fn redirected(&mut self, st: &mut State, node: &Node, io: &Io) -> Outcome {
        let mut io = io.clone();
        let mut sink = Sink::Caller;
        for redirect in &node.redirects {
            if !self.host.charge(1) {
                break;
            }
            self.redirect(st, redirect, &mut io, &mut sink);
        }
        let wanted = std::mem::replace(&mut io.capture, !matches!(sink, Sink::Nowhere));
        let mut outcome = self.kind(st, &node.kind, &io);
        match sink {
            Sink::Caller if wanted => {}
            Sink::Caller | Sink::Nowhere => outcome.out = Stream::empty(),
            Sink::File(path, append) => {
                let text = std::mem::replace(&mut outcome.out, Stream::empty());
                if let Some(path) = path {
                    self.host.made_file(&path, text, append);
                }
            }
        }
        outcome
    }

    fn redirect(&mut self, st: &State, redirect: &Redirect, io: &mut Io, sink: &mut Sink) {
        let out = matches!(redirect.handle, None | Some(1));
        match &redirect.kind {
            RedirectKind::Same(to) => {
                if out && *to != 1 {
                    *sink = Sink::Nowhere;
                }
            }
            RedirectKind::Read(word) => {
                let word = self.expanded(st, word);
                let value = self.plain(&word);
                self.effect(st, EffectKind::Read, &value, "<", redirect.span);
                if matches!(redirect.handle, None | Some(0)) {
                    io.stdin = match self.one_path(st, &value) {
                        Some(path) => self.host.file_text(&path),
                        None => Stream::Unknown,
                    };
                }
            }
            RedirectKind::Write(word) | RedirectKind::Append(word) => {
                let append = matches!(redirect.kind, RedirectKind::Append(_));
                let word = self.expanded(st, word);
                let value = self.plain(&word);
                self.effect(st, EffectKind::Create, &value, if append { ">>" } else { ">" }, redirect.span);
                if out {
                    *sink = Sink::File(self.one_path(st, &value), append);
                }
            }
        }
    }
}

/// `==` compares text; the named operators compare numbers where both sides are some.
fn compare(left: &str, operator: &str, right: &str, fold: bool) -> Option<bool> {
    use std::cmp::Ordering;
    let order = match (operator, number(left), number(right)) {
        ("==", ..) | (_, None, _) | (_, _, None) => {
            if fold {
                left.to_lowercase().cmp(&right.to_lowercase())
            } else {
                left.cmp(right)
            }
        }
        (_, Some(a), Some(b)) => a.cmp(&b),
    };
    Some(match operator {
        "==" | "equ" => order == Ordering::Equal,
        "neq" => order != Ordering::Equal,
        "lss" => order == Ordering::Less,
        "leq" => order != Ordering::Greater,
        "gtr" => order == Ordering::Greater,
        "geq" => order != Ordering::Less,
        _ => return None,
    })
}

fn number(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |d| (-1, d));
    let value = match digits.get(..2) {
        Some("0x" | "0X") => i64::from_str_radix(&digits[2..], 16).ok()?,
        _ => digits.parse().ok()?,
    };
    value.checked_mul(sign)
}
