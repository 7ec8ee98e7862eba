//! Where a package manager puts packages when nobody names the place.

use super::act::{Act, Arg};
use super::job::Job;
use crate::limits::MAX_SEARCH_FOLDERS;
use crate::path::Model;
use crate::shell::{Certainty, EffectKind, Value};

/// The file that makes a folder a virtual environment (PEP 405).
const MARKER: &str = "pyvenv.cfg";

/// The variable that names the virtual environment in use.
const IN_USE: &str = "VIRTUAL_ENV";

/// The variable that lists the folders in which programs are looked for.
const PATH: &str = "PATH";

impl Job<'_> {
    /// Packages are installed. `finder` says how their place is found: `venv` in the virtual environment that the program
    /// lies in, `uv` in the one in use, else in `.venv` of the folder or of one above it. Elsewhere the manager's own tree
    /// is meant, wherever that is.
    pub(super) fn installs(&mut self, finder: &Arg) {
        let place = match finder.value.prefix() {
            "venv" => self.environment().map(Value::text),
            "uv" => {
                let in_use = self.variable_or_empty(IN_USE);
                if in_use.is_empty() { self.nearest_environment().map(Value::text) } else { Some(in_use) }
            }
            _ => None,
        };
        self.acts.push(Act::Path {
            kind: EffectKind::Create,
            value: place.unwrap_or_else(Value::any),
            certainty: Certainty::Proven,
            span: finder.span,
            package_install: true,
        });
    }

    /// What is run as another user gets that user's variables, and with them no environment that is in use.
    pub(super) fn leave_environment(&mut self) {
        for name in [PATH, IN_USE] {
            if !self.variable_or_empty(name).is_empty() {
                self.env.push((name.to_owned(), Value::default()));
            }
        }
    }

    /// The environment that the program belongs to: the one that it lies in, as it is named or found.
    fn environment(&self) -> Option<String> {
        let (model, world) = (self.model(), self.inv.world);
        let program = self.inv.argv.first()?.value.known()?;
        if program.contains(|c| model.is_separator(c)) {
            return self.environment_of(&program);
        }
        let path = self.variable_or_empty(PATH);
        for folder in
            path.prefix().split(list_separator(model)).filter(|folder| !folder.is_empty()).take(MAX_SEARCH_FOLDERS)
        {
            let found = model.join(folder, &program);
            if let Some(environment) = self.environment_of(&found) {
                return Some(environment);
            }
            if world.entry(&model.normalize(&model.join(self.inv.cwd, &found))).is_some() {
                return None;
            }
        }
        None
    }

    /// A variable as the program gets it.
    fn variable_or_empty(&self, name: &str) -> Value {
        (self.inv.assigned)(name).unwrap_or_else(|| Value::text(self.inv.world.env(name).unwrap_or_default()))
    }

    /// The environment whose `bin` (Windows: `Scripts`) holds `program`.
    fn environment_of(&self, program: &str) -> Option<String> {
        let (model, world) = (self.model(), self.inv.world);
        let program = model.normalize(&model.join(self.inv.cwd, program));
        let programs = model.parent(&program)?;
        let folder = environment_around(model, &program)?;
        // One that this very command makes holds nothing yet.
        let is_one = world.entry(&model.join(folder, MARKER)).is_some() || world.entry(programs).is_none();
        is_one.then(|| folder.to_owned())
    }

    fn nearest_environment(&self) -> Option<String> {
        let (model, base) = (self.model(), self.base.known()?);
        let folder = model.normalize(&model.join(self.inv.cwd, &base));
        let above = std::iter::successors(Some(folder.as_str()), |folder| model.parent(folder));
        above.take(MAX_SEARCH_FOLDERS).map(|f| model.join(f, ".venv")).find(|f| self.inv.world.entry(f).is_some())
    }
}

/// The folder that would be an environment, were `program` one of its own: `X` of `X/bin/pip`, `X\Scripts\pip.exe`.
pub(in crate::shell) fn environment_around(model: Model, program: &str) -> Option<&str> {
    let programs = model.parent(program)?;
    let named = ["bin", "Scripts"].iter().any(|name| model.same(name, model.base_name(programs)));
    model.parent(programs).filter(|_| named)
}

/// What stands between the folders of `PATH`.
pub(in crate::shell) const fn list_separator(model: Model) -> char {
    match model {
        Model::Windows => ';',
        Model::Posix => ':',
    }
}
