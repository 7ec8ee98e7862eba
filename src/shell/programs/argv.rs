//! Arguments -> options and operands, by the options that a row lists.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::act::Arg;
use super::row::{Row, Token};
use super::stops::Stops;
use crate::shell::Value;

/// An option that was given.
#[derive(Clone, Debug)]
pub(super) struct Seen<'a> {
    /// The first of its names in the row; its own spelling where the row does not list it.
    pub(super) name: &'a str,
    /// The role of its argument; empty where it has none.
    pub(super) role: &'a str,
    /// Its argument.
    pub(super) arg: Option<Arg>,
}

/// Arguments sorted out.
#[derive(Debug, Default)]
pub(super) struct Parsed<'a> {
    /// In order.
    pub(super) options: Vec<Seen<'a>>,
    /// Values of long options that the row does not list (`--unknown=VALUE`).
    pub(super) strays: Vec<Arg>,
    /// In order.
    pub(super) operands: Vec<Arg>,
    /// Where in `operands` those begin that came after the end of options.
    pub(super) tail: usize,
    index: RefCell<Index<'a>>,
}

/// The options by their names. A long line asks for them at each of its arguments; a short one is searched.
#[derive(Debug, Default)]
struct Index<'a> {
    /// The options that are in it.
    len: usize,
    /// Where the last one of a name stands that has an argument, if one has.
    last: BTreeMap<&'a str, Option<usize>>,
}

/// Options that are searched faster than they are put into a table.
const FEW: usize = 16;

impl<'a> Parsed<'a> {
    /// Whether the option was given.
    pub(super) fn has(&self, name: &str) -> bool {
        if self.options.len() <= FEW {
            return self.options.iter().any(|o| is_named(o.name, name));
        }
        self.indexed(name).next().is_some()
    }

    /// The last argument of one option.
    pub(super) fn last_arg<'s>(&'s self, name: &'s str) -> Option<&'s Arg> {
        if self.options.len() <= FEW {
            return self.args_of(name).last();
        }
        self.indexed(name).flatten().max().and_then(|at| self.options[at].arg.as_ref())
    }

    /// What the table holds under the two spellings of a name.
    fn indexed(&self, name: &str) -> impl Iterator<Item = Option<usize>> + use<> {
        let mut index = self.index.borrow_mut();
        for (at, seen) in self.options.iter().enumerate().skip(index.len) {
            let last = index.last.entry(seen.name).or_default();
            if seen.arg.is_some() {
                *last = Some(at);
            }
        }
        index.len = self.options.len();
        let found = [Some(name), name.strip_prefix('-')].map(|name| index.last.get(name?).copied());
        found.into_iter().flatten()
    }

    /// The arguments of one option.
    pub(super) fn args_of<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Arg> + use<'s, 'a> {
        self.options.iter().filter(move |o| is_named(o.name, name)).filter_map(|o| o.arg.as_ref())
    }

    /// Whether a condition holds: atoms joined by `&`.
    pub(super) fn holds(&self, when: &str) -> bool {
        when.is_empty() || when.split('&').all(|atom| self.holds_atom(atom))
    }

    fn holds_atom(&self, atom: &str) -> bool {
        if let Some(atom) = atom.strip_prefix('^') {
            return !self.holds_atom(atom);
        }
        if let Some(word) = atom.strip_prefix('%') {
            return self.operands.iter().any(|o| o.value.known().is_some_and(|v| v == word));
        }
        if let Some((option, value)) = atom.split_once('@') {
            return self.args_of(option).any(|a| a.value.known().is_some_and(|v| v == value));
        }
        let Some(count) = atom.strip_prefix('#') else { return self.has(atom) };
        let at_least = count.strip_suffix('-');
        let number: usize = at_least.unwrap_or(count).parse().unwrap_or(usize::MAX);
        if at_least.is_some() { self.operands.len() >= number } else { self.operands.len() == number }
    }
}

/// The name under which a row asks for any `-x=VALUE` that it does not list.
const ANY_VALUED: &str = "-*";

/// How an option is listed.
#[derive(Clone, Copy)]
struct Listed<'a> {
    name: &'a str,
    role: Option<&'a str>,
}

/// Sorts `args` (without the program) out. Options end at the first operand where `row` starts programs or
/// sub-commands.
pub(super) fn parse<'a>(row: Row<'a>, args: &'a [Arg]) -> Parsed<'a> {
    if row.has("slash") {
        return super::slash::parse(row, args);
    }
    let mut out = Parsed::default();
    let mut stops = Stops::new(row);
    let whole = ["whole", "first", "valued"].iter().any(|f| row.has(f));
    let mut at = 0;
    if row.has("old")
        && let Some(first) = args.first()
        && !first.value.prefix().starts_with('-')
        && first.value.known().is_some_and(|v| !v.is_empty())
    {
        at = 1;
        old_style(row, args, first.value.prefix(), &mut at, &mut out);
    }
    while let Some(arg) = args.get(at) {
        at += 1;
        let text = arg.value.prefix();
        if text == "--" && arg.value.known().is_some() {
            break;
        }
        if !text.starts_with('-') || text.len() < 2 {
            if row.has("plus") && text.starts_with('+') && text.len() > 1 {
                // `vim +COMMAND` is `vim -c COMMAND`.
                if let Some(Listed { name, role: Some(role @ "y") }) = exact(row, "-c") {
                    let command = Arg { value: arg.value.skip(1), span: arg.span };
                    out.options.push(Seen { name, role, arg: Some(command) });
                }
                continue;
            }
            if row.has("words")
                && let Some(listed) = exact(row, &format!("-{text}"))
            {
                take(listed, None, args, &mut at, &mut out);
                continue;
            }
            if stops.at_operand(&out) {
                out.tail = out.operands.len();
                out.operands.extend_from_slice(&args[at - 1..]);
                return out;
            }
            out.operands.push(arg.clone());
            continue;
        }
        let done = if text.starts_with("--") || whole || exact(row, spelled(text)).is_some() {
            word_option(row, args, arg, text, &mut at, &mut out)
        } else {
            cluster(row, args, arg, text, &mut at, &mut out)
        };
        if done {
            break;
        }
    }
    out.tail = out.operands.len();
    out.operands.extend_from_slice(args.get(at..).unwrap_or_default());
    out
}

/// `--long`, `--long=value`, `-long` of programs that take such.
fn word_option<'a>(
    row: Row<'a>,
    args: &'a [Arg],
    arg: &'a Arg,
    text: &'a str,
    at: &mut usize,
    out: &mut Parsed<'a>,
) -> bool {
    let name = spelled(text);
    let attached = (name.len() < text.len()).then(|| Arg { value: arg.value.skip(name.len() + 1), span: arg.span });
    if let Some(listed) = exact(row, name).or_else(|| abbreviated(row, name)) {
        return take(listed, attached, args, at, out);
    }
    // `-ofile`, `-I/usr/include` of programs whose options are words otherwise.
    if row.has("first")
        && let Some(letter) = text[1..].chars().next().filter(|&c| c != '-')
        && let Some(listed) = short(row, letter).filter(|l| l.role.is_some())
    {
        let value = arg.value.skip(1 + letter.len_utf8());
        return take(listed, Some(Arg { value, span: arg.span }), args, at, out);
    }
    // `-MFfile`.
    if row.has("first")
        && let Some((name, listed)) = begun(row, text)
    {
        let value = arg.value.skip(name.len());
        return take(listed, Some(Arg { value, span: arg.span }), args, at, out);
    }
    if let Some(value) = attached {
        out.options.push(Seen { name: ANY_VALUED, role: "", arg: None });
        if !row.has("closed") {
            out.strays.push(value);
        }
    } else if row.has("valued") {
        *at += 1;
    }
    out.options.push(Seen { name, role: "", arg: None });
    false
}

/// `-abc`, `-ofile`.
fn cluster<'a>(
    row: Row<'a>,
    args: &'a [Arg],
    arg: &'a Arg,
    text: &'a str,
    at: &mut usize,
    out: &mut Parsed<'a>,
) -> bool {
    let mut from = 1;
    while let Some(c) = text[from..].chars().next() {
        let next = from + c.len_utf8();
        let Some(listed) = short(row, c) else {
            out.options.push(Seen { name: &text[from..next], role: "", arg: None });
            from = next;
            continue;
        };
        if listed.role.is_none() {
            out.options.push(Seen { name: listed.name, role: "", arg: None });
            from = next;
            continue;
        }
        if listed.role.is_some_and(|role| role.starts_with("?#")) {
            let digits = number(&text[next..]);
            let value = Value::text(&text[next..next + digits]);
            let attached = (digits > 0).then_some(Arg { value, span: arg.span });
            take(listed, attached, args, at, out);
            from = next + digits;
            continue;
        }
        let rest = arg.value.skip(next);
        let attached = (!rest.is_empty()).then_some(Arg { value: rest, span: arg.span });
        return take(listed, attached, args, at, out);
    }
    false
}

/// The length of a number at the beginning, in digits or as `xHEX`, or of a category (`:no-deprecated`).
fn number(text: &str) -> usize {
    let end = |rest: &str, fits: fn(char) -> bool| rest.find(|c| !fits(c)).unwrap_or(rest.len());
    match text.chars().next() {
        Some(':') => text.len(),
        Some('x') => 1 + end(&text[1..], |c| c.is_ascii_hexdigit()),
        _ => end(text, |c| c.is_ascii_digit()),
    }
}

/// `tar xzf FILE`: letters without a dash; their arguments follow in order.
fn old_style<'a>(row: Row<'a>, args: &'a [Arg], letters: &'a str, at: &mut usize, out: &mut Parsed<'a>) {
    for (i, c) in letters.char_indices() {
        if let Some(listed) = short(row, c) {
            take(listed, None, args, at, out);
        } else {
            let name = &letters[i..i + c.len_utf8()];
            out.options.push(Seen { name, role: "", arg: None });
        }
    }
}

/// Notes the option and its argument; true where nothing after it is an option.
fn take<'a>(listed: Listed<'a>, attached: Option<Arg>, args: &'a [Arg], at: &mut usize, out: &mut Parsed<'a>) -> bool {
    let Some(role) = listed.role else {
        out.options.push(Seen { name: listed.name, role: "", arg: attached });
        return false;
    };
    let (role, optional) = role.strip_prefix('?').filter(|r| !r.is_empty()).map_or((role, false), |r| (r, true));
    let role = if optional { role.strip_prefix('#').unwrap_or(role) } else { role };
    let (role, last) = role.strip_prefix('!').map_or((role, false), |r| (r, true));
    let arg = match attached {
        None if !optional => {
            let next = args.get(*at).cloned();
            *at += usize::from(next.is_some());
            next
        }
        attached => attached,
    };
    out.options.push(Seen { name: listed.name, role, arg });
    last
}

/// The part of `--name=value` before the `=`.
fn spelled(text: &str) -> &str {
    text.split_once('=').map_or(text, |(name, _)| name)
}

/// Letters out of a cluster stand without their dash.
pub(super) fn is_named(seen: &str, name: &str) -> bool {
    seen == name || name.strip_prefix('-').is_some_and(|n| n == seen)
}

pub(super) fn listed(row: Row<'_>) -> impl Iterator<Item = (&str, Option<&str>)> {
    row.tokens().filter_map(|t| match t {
        Token::Option { names, role } => Some((names, Some(role))),
        Token::Names(names) => Some((names, None)),
        _ => None,
    })
}

fn exact<'a>(row: Row<'a>, name: &str) -> Option<Listed<'a>> {
    if name.len() < 3 {
        let mut chars = name.chars().skip(1);
        return short(row, chars.next()?);
    }
    listed(row).find(|(names, _)| names.split(',').any(|n| n == name)).map(as_listed)
}

fn short(row: Row<'_>, c: char) -> Option<Listed<'_>> {
    listed(row)
        .find(|(names, _)| {
            names.split(',').any(|n| n.strip_prefix('-').is_some_and(|n| n.len() == c.len_utf8() && n.starts_with(c)))
        })
        .map(as_listed)
}

/// The longest listed option of several letters and one dash that `text` begins with.
fn begun<'a>(row: Row<'a>, text: &str) -> Option<(&'a str, Listed<'a>)> {
    let fits = |name: &&str| name.len() > 2 && !name.starts_with("--") && text.starts_with(*name);
    let valued = listed(row).filter(|(_, role)| role.is_some());
    let all = valued.flat_map(|one| one.0.split(',').filter(fits).map(move |name| (name, as_listed(one))));
    all.max_by_key(|(name, _)| name.len())
}

/// A long option cut short.
fn abbreviated<'a>(row: Row<'a>, name: &str) -> Option<Listed<'a>> {
    if name.len() < 4 || !name.starts_with("--") || !row.has("gnu") {
        return None;
    }
    listed(row).find(|(names, _)| names.split(',').any(|n| n.starts_with(name))).map(as_listed)
}

fn as_listed<'a>((names, role): (&'a str, Option<&'a str>)) -> Listed<'a> {
    Listed { name: names.split(',').next().unwrap_or(names), role }
}
