//! Effects on paths.

use super::interp::Interp;
use super::val::{Val, base, concat, join};
use crate::limits::MAX_INLINE_ACTS;
use crate::shell::programs::Act;
use crate::shell::{Certainty, EffectKind, Value};
use crate::world::EntryKind;

impl Interp<'_> {
    pub(super) fn act(&mut self, act: Act) {
        if self.acts.len() >= MAX_INLINE_ACTS {
            self.cut = true;
        } else {
            self.acts.push(act);
        }
    }

    /// The path as seen from the folder that the script was started in; `None` for what is no file.
    pub(super) fn located(&self, v: &Value) -> Option<Value> {
        let prefix = v.prefix();
        if ["php://", "http://", "https://", "data:", ":memory:", "s3://", "gs://", "ftp://", "hdfs://"]
            .iter()
            .any(|p| prefix.starts_with(p))
        {
            return None;
        }
        let v = if prefix.starts_with("file:///") { v.skip(7) } else { v.clone() };
        match &self.chdir {
            Some(dir) if v.is_empty() => Some(dir.clone()),
            Some(dir) => Some(join(dir, &v)),
            None => Some(v),
        }
    }

    pub(super) fn effect(&mut self, kind: EffectKind, value: &Val) {
        match value {
            Val::Str(alternatives) => {
                for v in alternatives.iter() {
                    let empty = v.is_empty();
                    let unknown_read = kind == EffectKind::Read && v.known().is_none();
                    if let Some(value) = self.located(v).filter(|_| !empty && !unknown_read) {
                        let (span, certainty) = (self.span, Certainty::Proven);
                        self.act(Act::Path { kind, value, certainty, span, package_install: false });
                    }
                }
            }
            Val::List(items) | Val::Lists(items) => {
                for item in items.iter() {
                    if !self.spend(1) {
                        break;
                    }
                    self.deeper((), |me| me.effect(kind, item));
                }
            }
            Val::Each(item) => self.deeper((), |me| me.effect(kind, item)),
            Val::Unknown | Val::Name(_) if kind != EffectKind::Read => {
                let (span, certainty) = (self.span, Certainty::Proven);
                self.act(Act::Path { kind, value: Value::any(), certainty, span, package_install: false });
            }
            Val::Null | Val::Int(_) | Val::Map(_) | Val::Func(_) | Val::Unknown | Val::Name(_) => {}
        }
    }

    pub(super) fn inside(&mut self, folder: &Val) {
        for v in folder.strings() {
            if let Some(value) = self.located(&v) {
                let (span, certainty) = (self.span, Certainty::Proven);
                self.act(Act::Inside { value, certainty, span });
            }
        }
    }

    /// What the file holds from here on, as far as it is known.
    pub(super) fn holds(&mut self, path: &Val, text: Option<&Val>, append: bool) {
        let paths = path.strings();
        let [path] = paths.as_slice() else { return };
        let Some(value) = self.located(path) else { return };
        let text = match text.filter(|t| t.is_string() && self.loops == 0).map(Val::strings) {
            Some(texts) if texts.len() == 1 => texts[0].clone(),
            _ => Value::any(),
        };
        self.act(Act::Text { value, text, append });
    }

    /// What `open` returns: an object that knows its path.
    pub(super) fn opened(&mut self, path: &Val, mode: Option<&Val>) -> Val {
        let Some(mode) = mode.and_then(Val::known).filter(|m| m.starts_with(['w', 'x', 'a'])) else {
            return Val::Unknown;
        };
        let Some(known) = path.known() else { return Val::Unknown };
        let name = format!("{}{known}", super::calls::FILE);
        self.set(&name, if mode.starts_with('a') { Val::Int(1) } else { Val::Null });
        Val::named(&name)
    }

    /// A path opened with a mode.
    pub(super) fn open(&mut self, path: &Val, mode: Option<&Val>) {
        let kind = match mode {
            Some(Val::Str(modes)) => modes
                .iter()
                .map(|m| m.known().map_or(EffectKind::Create, |m| mode_kind(&m)))
                .max()
                .unwrap_or(EffectKind::Read),
            Some(Val::Name(flags)) => flags_kind(flags),
            None | Some(Val::Int(0) | Val::Null | Val::Map(_) | Val::Func(_)) => EffectKind::Read,
            Some(_) => {
                // Who passes a mode on may mean to write: judged where the path is known.
                if path.is_string() {
                    for v in path.strings() {
                        if let Some(value) = self.located(&v) {
                            let (span, certainty) = (self.span, Certainty::Assumed);
                            self.act(Act::Path {
                                kind: EffectKind::Create,
                                value,
                                certainty,
                                span,
                                package_install: false,
                            });
                        }
                    }
                }
                return;
            }
        };
        self.effect(kind, path);
    }

    pub(super) fn is_folder(&self, v: &Value) -> bool {
        let Some(path) = self.located(v).and_then(|v| v.known().map(std::borrow::Cow::into_owned)) else {
            return false;
        };
        path.ends_with('/') || self.world.target(&self.world.model().join(self.cwd, &path)) == Some(EntryKind::Dir)
    }

    /// `source` appears at `dest`, or in it where it is a folder.
    pub(super) fn into(&mut self, source: &Val, dest: &Val) {
        if matches!(source, Val::List(_) | Val::Lists(_) | Val::Each(_)) {
            let items = match source {
                Val::List(items) => items.as_ref().clone(),
                other => vec![other.element()],
            };
            for item in items {
                let named = item.combine(dest, |s, d| join(d, &base(s)));
                self.effect(EffectKind::Create, &named);
            }
            return;
        }
        let folders = dest.strings().iter().any(|d| self.is_folder(d));
        if folders {
            let sources = if source.is_string() { source.clone() } else { Val::name() };
            let named = sources.combine(dest, |s, d| if self.is_folder(d) { join(d, &base(s)) } else { d.clone() });
            self.effect(EffectKind::Create, &named);
        } else {
            self.effect(EffectKind::Create, dest);
        }
    }

    pub(super) fn copy(&mut self, source: &Val, dest: Option<Val>, on_source: EffectKind) {
        self.effect(on_source, source);
        if let Some(dest) = dest {
            self.into(source, &dest);
        }
    }

    pub(super) fn archive(&mut self, name: &Val, format: Option<&Val>) {
        let suffix = match format.and_then(Val::known).as_deref() {
            Some("zip") => ".zip",
            Some("tar") => ".tar",
            Some("gztar") => ".tar.gz",
            Some("bztar") => ".tar.bz2",
            Some("xztar") => ".tar.xz",
            _ => "",
        };
        let v = name.combine(&Val::text(suffix), concat);
        self.effect(EffectKind::Create, &v);
    }

    pub(super) fn change_folder(&mut self, to: &Val) {
        let known = to.strings();
        let v = match known.as_slice() {
            [one] => one.clone(),
            _ => Value::any(),
        };
        self.chdir = Some(self.absolute(&v));
    }
}

/// What a mode like `w`, `a+`, `rb` does to the file.
fn mode_kind(mode: &str) -> EffectKind {
    if mode.contains(['w', 'a', 'x', 'c']) {
        EffectKind::Create
    } else if mode.contains('+') {
        EffectKind::Modify
    } else {
        EffectKind::Read
    }
}

/// What flags like `os.O_CREAT|os.O_WRONLY` do.
fn flags_kind(flags: &str) -> EffectKind {
    if flags.contains("CREAT") {
        EffectKind::Create
    } else if flags.contains("WRONLY") || flags.contains("RDWR") {
        EffectKind::Modify
    } else if flags.contains("RDONLY") {
        EffectKind::Read
    } else {
        EffectKind::Create
    }
}
