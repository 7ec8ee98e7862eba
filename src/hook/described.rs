//! A world that is described in a file: commands of one platform judged on another, by the code that judges them
//! there.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::explain::Explanation;
use crate::config::Policy;
use crate::gate::{Inputs, Place, Tool, ToolCall, judge};
use crate::path::Model;
use crate::shell::Dialect;
use crate::world::FakeWorld;

/// The form of the file. Everything but the model and the cwd may be left out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    model: ModelName,
    cwd: String,
    /// The session's project; the cwd where it is left out.
    project: Option<String>,
    home: Option<String>,
    /// The temp folder; it is TMPDIR or TEMP and TMP unless `env` says otherwise.
    temp: Option<String>,
    scratch: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Protected drives; the model's default where it is left out.
    protected: Option<Vec<String>>,
    #[serde(default)]
    allowed_roots: Vec<String>,
    /// What exists; a separator at the end marks a folder.
    #[serde(default)]
    paths: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ModelName {
    Windows,
    Posix,
}

/// Why a description can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DescriptionError {
    /// Not the form.
    #[error("the described world is not valid: {0}")]
    Form(#[from] serde_json::Error),
    /// A protected drive of a Windows world is no drive.
    #[error("the described world is not valid: `protected` holds `{0}`, which {1}")]
    Drive(String, &'static str),
    /// A path that must be absolute is not.
    #[error("the described world is not valid: `{field}` holds `{path}`, which is not an absolute {model} path")]
    Relative {
        /// Which field.
        field: &'static str,
        /// What it holds.
        path: String,
        /// The world's model.
        model: &'static str,
    },
}

/// A described world, ready to judge in.
#[derive(Debug)]
pub struct Described {
    world: FakeWorld,
    policy: Policy,
    place: Place,
    cwd: String,
}

impl Described {
    /// Reads a description: JSON `{"model": "windows"|"posix", "cwd", "project", "home", "temp", "scratch", "env": {},
    /// "protected": [], "allowed_roots": [], "paths": []}`.
    ///
    /// # Errors
    /// Where it is not of this form, or a path in it is not absolute under its model.
    pub fn parse(json: &str) -> Result<Self, DescriptionError> {
        let form: Form = serde_json::from_str(json)?;
        let model = match form.model {
            ModelName::Windows => Model::Windows,
            ModelName::Posix => Model::Posix,
        };
        let absolute = |field, path: &str| absolute(model, field, path);
        let one = |field, path: &Option<String>| path.as_deref().map(|p| absolute(field, p)).transpose();
        let cwd = absolute("cwd", &form.cwd)?;
        let (home, temp) = (one("home", &form.home)?, one("temp", &form.temp)?);
        let mut world = FakeWorld::new(model).dir(&cwd);
        for path in &form.paths {
            let normal = absolute("paths", path)?;
            let folder = path.ends_with(|c| model.is_separator(c));
            world = if folder { world.dir(&normal) } else { world.file(&normal, "") };
        }
        if let Some(home) = &home {
            world = world.with_home(home);
        }
        if let Some(temp) = &temp {
            let names: &[&str] = if model == Model::Posix { &["TMPDIR"] } else { &["TEMP", "TMP"] };
            world = names.iter().fold(world.dir(temp), |world, name| world.var(name, temp));
        }
        for (name, value) in &form.env {
            world = world.var(name, value);
        }
        let mut policy = Policy::for_model(model);
        if let Some(protected) = form.protected {
            let drive = |text: &String| match model {
                Model::Posix => absolute("protected", text),
                Model::Windows => crate::config::drive(text).map_err(|why| DescriptionError::Drive(text.clone(), why)),
            };
            policy.protect_drives = protected.iter().map(drive).collect::<Result<_, _>>()?;
        }
        policy.allow_roots =
            form.allowed_roots.iter().map(|p| absolute("allowed_roots", p)).collect::<Result<_, _>>()?;
        let place = Place {
            project: Some(one("project", &form.project)?.unwrap_or_else(|| cwd.clone())),
            scratch: one("scratch", &form.scratch)?.unwrap_or_default(),
            temp: temp.unwrap_or_default(),
            ..Place::default()
        };
        Ok(Self { world, policy, place, cwd })
    }

    /// Judges a command in this world; `cwd` where it differs from the described one.
    ///
    /// # Errors
    /// Where `cwd` is not absolute under the world's model.
    pub fn explain(&self, command: &str, dialect: Dialect, cwd: Option<&str>) -> Result<Explanation, DescriptionError> {
        let cwd = match cwd {
            Some(cwd) => absolute(self.policy_model(), "cwd", cwd)?,
            None => self.cwd.clone(),
        };
        let tool = Tool::Shell { dialect, command: command.to_owned(), workdir: None };
        let call = ToolCall {
            writes: Vec::new(),
            harness: crate::harness::Client::default().name(),
            session: String::new(),
            call: None,
            cwd,
            tool,
        };
        let inputs =
            Inputs { call: &call, world: &self.world, policy: &self.policy, place: &self.place, granted: &|_| false };
        let judgement = judge(&inputs);
        Ok(Explanation { call, place: self.place.clone(), judgement, gate_off: false })
    }

    fn policy_model(&self) -> Model {
        use crate::world::World as _;
        self.world.model()
    }
}

fn absolute(model: Model, field: &'static str, path: &str) -> Result<String, DescriptionError> {
    if model.is_absolute(path) {
        return Ok(model.normalize(path));
    }
    let name = if model == Model::Posix { "POSIX" } else { "Windows" };
    Err(DescriptionError::Relative { field, path: path.to_owned(), model: name })
}
