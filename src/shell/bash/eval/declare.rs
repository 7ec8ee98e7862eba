//! `export`, `declare`, `typeset`, `local`, `readonly`.

use super::machine::{Eval, Io, Outcome, Status};
use super::state::{State, Var};
use super::values::Stream;
use crate::shell::Value;
use crate::shell::bash::ast::{Part, Word};

pub(super) fn is_declaration(name: &str) -> bool {
    matches!(name, "export" | "declare" | "typeset" | "local" | "readonly")
}

/// Options that change what is stored.
#[derive(Default)]
struct Attributes {
    export: bool,
    unexport: bool,
    local: bool,
    number: bool,
    functions: bool,
    array: bool,
    reference: bool,
}

impl Eval<'_> {
    /// A declaration builtin; its words are not split or globbed as a command's are.
    pub(super) fn declare(&mut self, st: &mut State, words: &[Word], _io: &Io) -> Outcome {
        let builtin = words.first().and_then(super::simple::literal).unwrap_or_default();
        let mut attributes = Attributes { export: builtin == "export", ..Attributes::default() };
        attributes.local = builtin != "export" && builtin != "readonly" && !self.locals.is_empty();
        let mut options = true;
        let mut printed = false;
        for word in &words[1..] {
            if let Some((name, append, parts)) = assignment(word) {
                options = false;
                self.declare_one(st, &attributes, &name, append, &parts, word);
                continue;
            }
            for value in self.expand_word(st, word) {
                let Some(text) = value.known() else { continue };
                match text.as_ref() {
                    "--" if options => options = false,
                    flags if options && flags.starts_with(['-', '+']) => {
                        let on = flags.starts_with('-');
                        for letter in flags.chars().skip(1) {
                            match letter {
                                'x' if on => attributes.export = true,
                                'x' => attributes.unexport = true,
                                'n' if builtin == "export" => attributes.unexport = true,
                                'n' => attributes.reference = on,
                                'g' => attributes.local = false,
                                'i' => attributes.number = true,
                                'f' | 'F' => attributes.functions = true,
                                'a' | 'A' => attributes.array = true,
                                'p' => printed = true,
                                _ => {}
                            }
                        }
                    }
                    name if attributes.functions && attributes.export && st.functions.contains_key(name) => {
                        options = false;
                        st.export_function(name);
                    }
                    text => {
                        options = false;
                        // `export $pair` with the assignment in a value.
                        match text.split_once('=') {
                            Some((name, v)) if is_name(name) => {
                                self.hide(st, &attributes, name);
                                self.store(st, name, None, false, Value::text(v));
                                self.mark(st, &attributes, name);
                            }
                            _ if is_name(text) => {
                                self.hide(st, &attributes, text);
                                if attributes.local {
                                    st.set(
                                        text,
                                        if attributes.array { Var::Array(Vec::new()) } else { Var::Unset },
                                        self.world,
                                    );
                                }
                                self.mark(st, &attributes, text);
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        Outcome::new(Status::True, if printed { Stream::Unknown } else { Stream::empty() })
    }

    fn declare_one(
        &mut self,
        st: &mut State,
        attributes: &Attributes,
        name: &str,
        append: bool,
        parts: &[Part],
        word: &Word,
    ) {
        if let Some(Part::ArrayLiteral(words)) = parts.first() {
            let items = self.array_items(st, words);
            self.hide(st, attributes, name);
            self.store_array(st, name, append, items);
        } else {
            let value = Word { parts: parts.to_vec(), span: word.span };
            let mut value = self.expand_assigned(st, &value);
            if attributes.number
                && let Some(text) = value.known().map(std::borrow::Cow::into_owned)
            {
                value = self.arith_text(st, &text).map_or_else(Value::name, |n| Value::text(n.to_string()));
            }
            let (name, index) = match name.split_once('[') {
                Some((name, index)) => (name, Some(Value::text(index.trim_end_matches(']')))),
                None => (name, None),
            };
            self.hide(st, attributes, name);
            if attributes.reference {
                if let Some(target) = value.known().filter(|t| is_name(t)) {
                    st.refer(name, &target);
                }
                return;
            }
            self.store(st, name, index.as_ref(), append, value);
        }
        self.mark(st, attributes, name);
    }

    /// Keeps what a local variable hides.
    fn hide(&mut self, st: &State, attributes: &Attributes, name: &str) {
        if attributes.local
            && let Some(frame) = self.locals.last_mut()
            && !frame.iter().any(|(n, _)| n == name)
        {
            frame.push((name.to_owned(), st.var(name).cloned()));
        }
    }

    fn mark(&mut self, st: &mut State, attributes: &Attributes, name: &str) {
        if attributes.functions {
            return;
        }
        if attributes.unexport {
            st.export(name, false, self.world);
        } else if attributes.export {
            st.export(name, true, self.world);
        }
    }
}

pub(super) fn is_name(s: &str) -> bool {
    s.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// `name=…` or `name+=…`: the name, whether it appends, and the parts of the value.
fn assignment(word: &Word) -> Option<(String, bool, Vec<Part>)> {
    let Some(Part::Bare(first)) = word.parts.first() else { return None };
    let at = first.find('=')?;
    let (head, append) = match first[..at].strip_suffix('+') {
        Some(head) => (head, true),
        None => (&first[..at], false),
    };
    let base = head.split('[').next().unwrap_or_default();
    if !is_name(base) {
        return None;
    }
    let mut parts = Vec::new();
    if first.len() > at + 1 {
        parts.push(Part::Bare(first[at + 1..].to_owned()));
    }
    parts.extend_from_slice(&word.parts[1..]);
    Some((head.to_owned(), append, parts))
}
