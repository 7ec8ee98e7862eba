//! The values within an [`Act`].

use crate::shell::Value;
use crate::shell::programs::{Act, Arg};

/// The act with `f` applied to every value.
pub(in crate::shell) fn map(act: Act, f: &dyn Fn(Value) -> Value) -> Act {
    let all = |args: Vec<Arg>| args.into_iter().map(|a| Arg { value: f(a.value), span: a.span }).collect();
    match act {
        Act::Path { kind, value, certainty, span, package_install } => {
            Act::Path { kind, value: f(value), certainty, span, package_install }
        }
        Act::Inside { value, certainty, span } => Act::Inside { value: f(value), certainty, span },
        Act::Text { value, text, append } => Act::Text { value: f(value), text: f(text), append },
        Act::Run { argv, cwd, env, more_from_stdin, stdin_placeholder } => Act::Run {
            argv: all(argv),
            cwd: cwd.map(f),
            env: env.into_iter().map(|(k, v)| (k, f(v))).collect(),
            more_from_stdin,
            stdin_placeholder,
        },
        Act::Shell { text, dialect, args, span, cwd } => {
            Act::Shell { text: f(text), dialect, args: all(args), span, cwd: cwd.map(f) }
        }
        Act::Code { language, text, args, span } => Act::Code { language, text: f(text), args: all(args), span },
        Act::Script { language, value, args, span } => Act::Script { language, value: f(value), args: all(args), span },
        Act::CodeStdin { language, args } => Act::CodeStdin { language, args: all(args) },
        Act::ShellStdin { dialect, args } => Act::ShellStdin { dialect, args: all(args) },
    }
}

/// Whether any value of the act is such.
pub(super) fn any(act: &Act, is: impl Fn(&Value) -> bool) -> bool {
    let in_args = |args: &[Arg]| args.iter().any(|a| is(&a.value));
    match act {
        Act::Path { value, .. } | Act::Inside { value, .. } => is(value),
        Act::Text { value, text, .. } => is(value) || is(text),
        Act::Run { argv, cwd, env, .. } => {
            in_args(argv) || cwd.as_ref().is_some_and(&is) || env.iter().any(|(_, v)| is(v))
        }
        Act::Shell { text, args, cwd, .. } => is(text) || in_args(args) || cwd.as_ref().is_some_and(&is),
        Act::Code { text, args, .. } | Act::Script { value: text, args, .. } => is(text) || in_args(args),
        Act::CodeStdin { args, .. } | Act::ShellStdin { args, .. } => in_args(args),
    }
}
