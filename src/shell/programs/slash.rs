//! Arguments of Windows programs: `/x`, `/x:VALUE`, `-x VALUE`, in any case.

use super::act::Arg;
use super::argv::{Parsed, Seen, listed};
use super::row::Row;
use super::stops::Stops;

/// The name of options that the row does not list.
const UNLISTED: &str = "/";

/// Sorts `args` out. Git Bash doubles the slash (`//c`) so that it is not taken for a path.
pub(super) fn parse<'a>(row: Row<'a>, args: &'a [Arg]) -> Parsed<'a> {
    let mut out = Parsed::default();
    let mut at = 0;
    let mut stops = Stops::new(row);
    while let Some(arg) = args.get(at) {
        at += 1;
        let text = arg.value.prefix();
        if row.has("plus") && text.starts_with('+') && text.len() > 1 {
            continue;
        }
        let slashes = text.len() - text.trim_start_matches('/').len();
        let marks = match (slashes, text.starts_with('-')) {
            (1 | 2, _) => slashes,
            (0, true) => 1,
            _ => 0,
        };
        if marks == 0 || text.len() == marks || !option(row, args, arg, marks, &mut at, &mut out) {
            if stops.at_operand(&out) {
                out.tail = out.operands.len();
                out.operands.extend_from_slice(&args[at - 1..]);
                return out;
            }
            out.operands.push(arg.clone());
        }
    }
    out.tail = out.operands.len();
    out
}

/// Notes an option; `false` where the argument is an operand after all.
fn option<'a>(row: Row<'a>, args: &'a [Arg], arg: &'a Arg, marks: usize, at: &mut usize, out: &mut Parsed<'a>) -> bool {
    let text = arg.value.prefix();
    let body = &text[marks..];
    let len = body.find([':', '=']).unwrap_or(body.len());
    // `/LOG+:FILE` appends.
    let name = body[..len].trim_end_matches('+');
    let attached = (len < body.len()).then(|| Arg { value: arg.value.skip(marks + len + 1), span: arg.span });
    let Some((first, role)) = find(row, name) else {
        if name.contains(['\\', '/']) {
            return several(row, &body[..len], out) || text.starts_with('-');
        }
        out.options.push(Seen { name: UNLISTED, role: "", arg: None });
        if let Some(value) = attached
            && !row.has("closed")
        {
            out.strays.push(value);
        }
        return true;
    };
    let Some(role) = role else {
        out.options.push(Seen { name: first, role: "", arg: attached });
        return true;
    };
    let (role, optional) = role.strip_prefix('?').filter(|r| !r.is_empty()).map_or((role, false), |r| (r, true));
    let arg = match attached {
        None if !optional => {
            let next = args.get(*at).cloned();
            *at += usize::from(next.is_some());
            next
        }
        attached => attached,
    };
    out.options.push(Seen { name: first, role, arg });
    true
}

/// `/s/e/y`: each part is an option that takes nothing.
fn several<'a>(row: Row<'a>, body: &'a str, out: &mut Parsed<'a>) -> bool {
    let is_short = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    if !body.split('/').all(is_short) {
        return false;
    }
    for part in body.split('/') {
        let name = find(row, part).map_or(UNLISTED, |(first, _)| first);
        out.options.push(Seen { name, role: "", arg: None });
    }
    true
}

/// The option of that name: the first of its names in the row, and its role.
fn find<'a>(row: Row<'a>, name: &str) -> Option<(&'a str, Option<&'a str>)> {
    let is = |n: &str| n.get(1..).is_some_and(|n| n.eq_ignore_ascii_case(name));
    let (names, role) = listed(row).find(|(names, _)| names.split(',').any(is))?;
    Some((names.split(',').next().unwrap_or(names), role))
}
