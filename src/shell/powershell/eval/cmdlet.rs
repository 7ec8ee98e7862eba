//! Cmdlets: what a row says, and the code that knows more.

use super::bind::{Binding, Bound, Given, bind};
use super::machine::{By, Eval};
use super::state::State;
use super::table::Row;
use super::val::Val;
use crate::limits::STEPS_PER_CMDLET;
use crate::shell::{Certainty, Effect, EffectKind, Span, Target, Value};

/// One call of a cmdlet.
pub(super) struct Call<'c> {
    pub(super) name: &'c str,
    pub(super) span: Span,
    pub(super) binding: Binding,
    /// What the pipeline hands it.
    pub(super) feed: Option<Vec<Val>>,
    /// `-WhatIf`: nothing is changed.
    pub(super) dry: bool,
}

impl<'c> Call<'c> {
    pub(super) fn by(&self, span: Span) -> By<'c> {
        By::proven(self.name, span)
    }

    /// The values of the first of these parameters that was given, else what the pipeline hands on.
    pub(super) fn inputs(&self, names: &[&str]) -> Vec<(Val, Span)> {
        match (self.binding.first(names), &self.feed) {
            (Some(bound), _) => vec![(bound.val.clone(), bound.span)],
            (None, Some(feed)) => feed.iter().map(|val| (val.clone(), self.span)).collect(),
            (None, None) => Vec::new(),
        }
    }

    /// Every path of [`Call::inputs`].
    pub(super) fn input_paths(&self, names: &[&str]) -> Vec<(Value, Span)> {
        self.inputs(names).iter().flat_map(|(val, span)| val.paths().into_iter().map(|p| (p, *span))).collect()
    }
}

impl Eval<'_> {
    pub(super) fn cmdlet(
        &mut self,
        st: &mut State,
        name: &str,
        row: Row,
        span: Span,
        given: Vec<Given>,
        feed: Option<Vec<Val>>,
    ) -> Vec<Val> {
        if !self.charge(STEPS_PER_CMDLET) {
            return Vec::new();
        }
        let binding = bind(row, given);
        let preference = st.var("whatifpreference").and_then(Val::truth) == Some(true);
        let dry = match binding.get("whatif") {
            Some(bound) => bound.val.truth() == Some(true),
            None => preference,
        };
        let call = Call { name, span, binding, feed, dry };
        if asks_help(&call) {
            return vec![Val::Unknown];
        }
        // A cmdlet that writes nothing refuses arguments that it does not know.
        let extra = if row.writes() { call.binding.extra.clone() } else { Vec::new() };
        let out = self.coded(st, row.code(), call, row);
        for (val, span) in extra {
            self.stray(st, &val, name, span);
        }
        out
    }

    fn coded(&mut self, st: &mut State, code: &str, call: Call<'_>, row: Row) -> Vec<Val> {
        let plain = self.plain(st, &call, row);
        match code {
            "" => vec![Val::Unknown],
            "pass" | "strings" => call.feed.unwrap_or_else(|| vec![Val::Unknown]),
            "null" => Vec::new(),
            "name" => vec![Val::Str(Value::name())],
            "echo" => self.echo(call),
            "history" => {
                self.gap(crate::shell::GapKind::Syntax, call.span);
                plain
            }
            "kill" => {
                let words: Vec<Val> = call.inputs(&["name", "id", "inputobject"]).into_iter().map(|(v, _)| v).collect();
                self.kills(call.name, &words, call.span);
                Vec::new()
            }
            // A process is its name here.
            "process" => match call.binding.val("name") {
                Some(name) => name.clone().items(),
                None => vec![Val::Unknown],
            },
            "newitem" => self.new_item(st, &call, false),
            "mkdir" => self.new_item(st, &call, true),
            "copy" => self.copy_item(st, &call),
            "move" => self.move_item(st, &call),
            "rename" => self.rename_item(st, &call),
            "remove" => self.remove_item(st, &call),
            "setitem" => self.set_item(st, &call),
            "expand" => self.expand_archive(st, &call),
            "compress" => self.compress_archive(st, &call),
            "temporary" => self.temporary_file(&call),
            "outfile" => self.out_file(st, &call, &["filepath", "literalpath"]),
            "setcontent" => self.set_content(st, &call, false),
            "addcontent" => self.set_content(st, &call, true),
            "tee" => self.tee(st, call),
            "getcontent" => self.get_content(st, &call),
            "transcript" => self.transcript(st, &call),
            "web" => self.web(st, &call),
            "bits" => self.bits_transfer(st, &call),
            "cd" => self.set_location(st, &call),
            "push" => self.push_location(st, &call),
            "pop" => Self::pop_location(st),
            "location" => vec![Val::Item(st.folder())],
            "newdrive" => self.new_drive(st, &call),
            "children" => self.children(st, &call),
            "getitem" | "resolve" => self.resolve_path(st, &call.binding, call.feed, call.name),
            "joinpath" => self.join_path(&call.binding, call.feed),
            "splitpath" => self.split_path(&call.binding, call.feed),
            "testpath" => self.test_path(st, &call.binding, call.feed),
            "foreach" => self.foreach_object(st, call),
            "where" => self.where_object(st, call),
            "select" => self.select_object(call),
            "outstring" => Self::out_string(&call),
            "date" => Self::date(&call),
            "block" | "eventblock" => self.block_arguments(st, &call),
            "invoke" => self.invoke_command(st, &call),
            "job" => self.start_job(st, &call),
            "iex" => self.invoke_expression(st, &call),
            "setalias" => Self::set_alias(st, &call),
            "setvariable" => self.set_variable_cmdlet(st, &call),
            "getvariable" => self.get_variable(st, &call),
            "newobject" => self.new_object_cmdlet(st, &call),
            "start" => self.start_process(st, &call),
            _ => plain,
        }
    }

    /// What the row alone says: effects of parameters on paths, variables that they set.
    fn plain(&mut self, st: &mut State, call: &Call<'_>, row: Row) -> Vec<Val> {
        for bound in &call.binding.bound {
            if let Some(role) = bound.param.role {
                self.role(st, call, role, bound);
            }
        }
        if let Some(feed) = &call.feed
            && let Some(param) = row.params().find(|p| p.piped)
            && call.binding.get(param.name()).is_none()
            && let Some(role) = param.role
            && role != 'n'
        {
            let all = Bound { param, val: Val::list(feed.clone()), span: call.span };
            self.role(st, call, role, &all);
        }
        vec![Val::Unknown]
    }

    fn role(&mut self, st: &mut State, call: &Call<'_>, role: char, bound: &Bound) {
        let by = call.by(bound.span);
        let kind = match role {
            'r' => EffectKind::Read,
            'c' => EffectKind::Create,
            'm' => EffectKind::Modify,
            'x' => EffectKind::Delete,
            'i' => {
                for path in bound.val.paths() {
                    if call.dry {
                        self.path_effect(st, EffectKind::Read, &path, &by);
                    } else {
                        self.inside_effect(st, &path, &by);
                    }
                }
                return;
            }
            'P' => {
                if !call.dry {
                    self.record(Effect {
                        kind: EffectKind::Create,
                        target: Target::Opaque,
                        certainty: Certainty::Proven,
                        program: call.name.to_owned(),
                        span: self.span(bound.span),
                        package_install: true,
                    });
                }
                return;
            }
            'v' => {
                if let Some(name) = bound.val.known() {
                    self.set_variable(st, &name.trim_start_matches('+').to_lowercase(), Val::Unknown);
                }
                return;
            }
            _ => return,
        };
        let kind = if call.dry { EffectKind::Read } else { kind };
        for path in bound.val.paths() {
            if kind == EffectKind::Create {
                self.written(st, &path, crate::shell::bash::eval::values::Stream::Unknown, false, &by);
            } else {
                self.path_effect(st, kind, &path, &by);
            }
        }
    }

    fn echo(&mut self, call: Call<'_>) -> Vec<Val> {
        match call.binding.get("inputobject") {
            Some(bound) => {
                self.charge_bytes(bound.val.size());
                bound.val.clone().items()
            }
            None => call.feed.unwrap_or_default(),
        }
    }
}

/// `-?` shows help.
fn asks_help(call: &Call<'_>) -> bool {
    call.binding.extra.iter().any(|(val, _)| val.known().is_some_and(|v| v == "-?"))
}
