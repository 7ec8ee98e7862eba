//! Whatever runs a script block, a text or another shell: `Invoke-Expression`, `Start-Process`, jobs, aliases.

use std::rc::Rc;

use super::bind::Given;
use super::cmdlet::Call;
use super::machine::Eval;
use super::native::words;
use super::state::{Place, State};
use super::val::Val;
use crate::limits::MAX_EXPANSION;
use crate::shell::bash::eval::values::Stream;
use crate::shell::programs::Arg;
use crate::shell::{Dialect, EffectKind, Span, Value};

impl Eval<'_> {
    /// A script's text with its arguments.
    pub(super) fn script_text(
        &mut self,
        st: &mut State,
        path: &str,
        text: &Value,
        span: Span,
        args: Vec<Given>,
    ) -> Vec<Val> {
        let values: Vec<Val> = args
            .into_iter()
            .filter_map(|g| match g {
                Given::Value { val, .. } => Some(val),
                Given::Param { val, .. } => val,
                Given::Verbatim { text, .. } => Some(Val::text(text)),
            })
            .collect();
        st.set("args", Val::list(values));
        let folder = self.model().parent(path).unwrap_or(path);
        st.set("psscriptroot", Val::text(folder));
        st.set("pscommandpath", Val::text(path));
        self.run_text(st, text, span)
    }

    /// `wsl COMMAND`.
    pub(super) fn shell_program(&mut self, st: &State, name: &str, argv: &[Arg]) -> Option<Vec<Val>> {
        if name == "wsl" {
            // What runs there has other paths; the Windows side is reached by /mnt/c.
            let text = argv.iter().skip(1).find(|a| !a.value.prefix().starts_with('-'))?;
            let at = argv.iter().position(|a| std::ptr::eq(a, text))?;
            let mut line = Value::default();
            for (i, arg) in argv[at..].iter().enumerate() {
                if i > 0 {
                    line.push_str(" ");
                }
                line.append(arg.value.clone());
            }
            return Some(self.other_shell(st, Dialect::Bash, &line, None, text.span));
        }
        None
    }

    /// `pwsh -File x.ps1`, where this very command wrote the file.
    pub(super) fn script_program(&mut self, st: &State, argv: &[Arg]) -> bool {
        let is_script = |a: &Arg| a.value.known().is_some_and(|v| v.to_ascii_lowercase().ends_with(".ps1"));
        let Some(at) = argv.iter().position(is_script) else { return false };
        let Some(path) = self.known_path(st, &argv[at].value) else { return false };
        let Some(Stream::Text(text)) = self.overlay.written(&path).cloned() else { return false };
        let mut child = st.child();
        let given =
            argv[at + 1..].iter().map(|a| Given::Value { val: Val::Str(a.value.clone()), span: a.span, bare: false });
        self.script_text(&mut child, &path, &text, argv[at].span, given.collect());
        true
    }

    /// Script blocks among the arguments of another PowerShell.
    pub(super) fn block_program(&mut self, st: &State, given: &[Given]) -> bool {
        let mut ran = false;
        for arg in given {
            if let Given::Value { val: Val::Block(body), .. } = arg {
                let body = Rc::clone(body);
                let mut child = st.child();
                self.call(&mut child, &body, Vec::new(), None, false);
                ran = true;
            }
        }
        ran
    }

    pub(super) fn invoke_expression(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let mut out = Vec::new();
        for (val, span) in call.inputs(&["command"]) {
            for one in val.alternatives() {
                let more = self.run_text(st, &one.string(), span);
                super::statement::give(&mut out, more);
            }
        }
        out
    }

    /// Blocks that a cmdlet runs at once or when something happens.
    pub(super) fn block_arguments(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let vals = call.binding.bound.iter().map(|b| b.val.clone());
        let extra = call.binding.extra.iter().map(|(v, _)| v.clone());
        let all: Vec<Val> = vals.chain(extra).collect();
        for val in all {
            if let Val::Block(body) = val {
                self.call(st, &body, Vec::new(), None, false);
            }
        }
        vec![Val::Unknown]
    }

    fn args_of(call: &Call<'_>) -> Vec<Given> {
        let items = call.binding.val("argumentlist").cloned().map(Val::items).unwrap_or_default();
        items.into_iter().map(|val| Given::Value { val, span: call.span, bare: false }).collect()
    }

    pub(super) fn invoke_command(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let remote = ["computername", "session", "hostname", "vmname", "containerid"];
        if remote.iter().any(|name| call.binding.get(name).is_some()) {
            return vec![Val::Unknown];
        }
        match call.binding.val("scriptblock").cloned() {
            Some(Val::Block(body)) => self.call(st, &body, Self::args_of(call), call.feed.clone(), false),
            _ => vec![Val::Unknown],
        }
    }

    pub(super) fn start_job(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let mut child = st.child();
        if let Some(dir) = call.binding.val("workingdirectory") {
            let dir = dir.string();
            child.place = Place::Folder(self.folder_of(st, &dir));
        }
        for name in ["initializationscript", "scriptblock"] {
            if let Some(Val::Block(body)) = call.binding.val(name).cloned() {
                // `$using:x` is the caller's.
                for (name, val) in st.scope().iter().filter(|(k, _)| !k.starts_with("env:")) {
                    child.set(name, val.clone());
                }
                self.call(&mut child, &body, Self::args_of(call), None, false);
            }
        }
        vec![Val::Unknown]
    }

    pub(super) fn set_alias(st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let name = call.binding.val("name").and_then(Val::known);
        let target = call.binding.val("value").and_then(Val::known);
        if let (Some(name), Some(target)) = (name, target)
            && st.aliases.len() < MAX_EXPANSION
        {
            Rc::make_mut(&mut st.aliases).insert(name.to_lowercase(), target.to_lowercase());
        }
        Vec::new()
    }

    pub(super) fn set_variable_cmdlet(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let value = match (call.binding.val("value"), &call.feed) {
            (Some(val), _) => val.clone(),
            (None, Some(feed)) => Val::collect(feed.clone()),
            (None, None) => Val::Null,
        };
        for (name, _) in call.input_paths(&["name"]) {
            if let Some(name) = name.known() {
                self.set_variable(st, &name.to_lowercase(), value.clone());
            }
        }
        Vec::new()
    }

    pub(super) fn get_variable(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let Some(name) = call.binding.val("name").and_then(Val::known) else { return vec![Val::Unknown] };
        if call.binding.has("valueonly") {
            return self.variable(st, &name.to_lowercase()).items();
        }
        vec![Val::Unknown]
    }

    pub(super) fn start_process(&mut self, st: &mut State, call: &Call<'_>) -> Vec<Val> {
        let binding = &call.binding;
        let Some(program) = binding.get("filepath") else { return vec![Val::Unknown] };
        if call.dry {
            return vec![Val::Unknown];
        }
        let mut child = st.clone();
        if let Some(dir) = binding.get("workingdirectory") {
            let dir = dir.val.string();
            self.path_effect(st, EffectKind::Read, &dir, &call.by(call.span));
            child.place = Place::Folder(self.folder_of(st, &dir));
        }
        let mut argv = vec![Arg { value: program.val.string(), span: program.span }];
        let listed = binding.get("argumentlist").map(|b| (b.val.clone().items(), b.span));
        let extra = binding.extra.iter().map(|(val, span)| (vec![val.clone()], *span));
        for (vals, span) in listed.into_iter().chain(extra) {
            for val in vals {
                // The list is one command line in the end.
                argv.extend(words(&val.string()).into_iter().map(|value| Arg { value, span }));
            }
        }
        let name = argv[0].value.prefix().to_lowercase();
        if name.starts_with("http:") || name.starts_with("https:") {
            return vec![Val::Unknown];
        }
        self.start(&child, &argv, &Stream::Unknown);
        vec![Val::Unknown]
    }
}
