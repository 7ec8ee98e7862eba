//! `wsguard config show`: each value and where it came from.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::{Map, Value as Json, json};

use crate::cli::output;
use crate::config::{Key, Loaded, Origin, Outcome, PROJECT_FILE, Step, Value, load_all, process_env};
use crate::home::Home;

/// Shows each setting, its value and where the value came from.
///
/// On a terminal a table, otherwise TOML. Exits with 1 when something is wrong: the gate then counts as closed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  wsguard config show --project ~/src/app")]
pub(super) struct Args {
    /// Only this setting.
    key: Option<String>,
    /// The project whose `.wsguard.toml` counts; the current folder where it is left out.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let only = args.key.as_deref().map(super::key).transpose()?;
    let (home, project) = (super::home()?, super::project(args.project.as_ref())?);
    let loaded = load_all(&home, Some(&project), &process_env);
    let shown = Key::all().filter(|key| only.is_none_or(|only| only == *key));
    let rows: Vec<Row> = shown.map(|key| Row::new(&loaded, key, &home)).collect();
    if args.json {
        output::print_json(&as_json(&loaded, &rows, [&home.config(), &project.join(PROJECT_FILE)]))?;
    } else {
        if std::io::stdout().is_terminal() {
            output::println(table(&rows))?;
        } else {
            output::print(toml(&rows))?;
        }
        for step in ignored(&loaded, only) {
            output::warn(notice(step));
        }
        super::print_errors(&loaded.errors)?;
    }
    Ok(if loaded.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Row {
    key: Key,
    value: String,
    json: Json,
    origin: Origin,
}

impl Row {
    fn new(loaded: &Loaded, key: Key, home: &Home) -> Self {
        // The scratch root is the only setting whose default is a place.
        let value = loaded.value(key).unwrap_or_else(|| Value::Text(home.scratch().to_string_lossy().into_owned()));
        Self { key, value: value.to_toml(), json: value_json(&value), origin: loaded.origin(key) }
    }
}

/// Narrower than this a table is unreadable, and some terminals claim to have no width at all.
const MIN_WIDTH: u16 = 40;

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    if table.width().is_some_and(|width| width >= MIN_WIDTH) {
        table.set_content_arrangement(ContentArrangement::Dynamic);
    }
    table.set_header(["setting", "value", "from"]);
    for row in rows {
        table.add_row([row.key.name(), &row.value, &row.origin.to_string()]);
    }
    table
}

/// Lines that are a configuration themselves.
fn toml(rows: &[Row]) -> String {
    let line = |row: &Row| format!("{} = {}  # {}\n", row.key.name(), row.value, row.origin);
    rows.iter().map(line).collect::<Vec<_>>().concat()
}

pub(super) fn ignored(loaded: &Loaded, only: Option<Key>) -> impl Iterator<Item = &Step> {
    let refused = move |step: &&Step| {
        matches!(step.outcome, Outcome::Ignored(_))
            && only.is_none_or(|only| only == step.key)
            // A profile is a set of values: those that do not tighten are no surprise.
            && !matches!(step.origin, Origin::Profile { .. })
    };
    loaded.steps.iter().filter(refused)
}

pub(super) fn notice(step: &Step) -> String {
    let why = match step.outcome {
        Outcome::Ignored(why) => why,
        Outcome::Applied | Outcome::Unchanged => "it holds already",
    };
    format!("{}: {} = {} is not taken as it is: {why}", step.origin, step.key.name(), step.value.to_toml())
}

fn as_json(loaded: &Loaded, rows: &[Row], [config, project]: [&Path; 2]) -> Json {
    let settings: Map<String, Json> = rows
        .iter()
        .map(|row| (row.key.name().to_owned(), json!({ "value": row.json, "from": origin_json(&row.origin) })))
        .collect();
    let notices: Vec<Json> = ignored(loaded, None)
        .map(|step| {
            json!({
                "key": step.key.name(),
                "value": value_json(&step.value),
                "from": origin_json(&step.origin),
                "message": notice(step),
            })
        })
        .collect();
    let errors: Vec<Json> = loaded.errors.iter().map(super::error_json).collect();
    let files = json!({ "config": config.to_string_lossy(), "project": project.to_string_lossy() });
    json!({ "files": files, "settings": settings, "notices": notices, "errors": errors })
}

fn origin_json(origin: &Origin) -> Json {
    match origin {
        Origin::Default => json!({ "layer": "default" }),
        Origin::Profile { name, project } => json!({ "layer": "profile", "name": name, "project": project }),
        Origin::Config { line } => json!({ "layer": "config", "line": line }),
        Origin::Env { name } => json!({ "layer": "env", "name": name }),
        Origin::Project { line } => json!({ "layer": "project", "line": line }),
    }
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Bool(b) | Value::Gate(b, None) => json!(b),
        Value::Gate(_, Some(action)) => json!(action.word()),
        Value::Shell(v) => json!(v.word()),
        Value::Action(v) => json!(v.word()),
        Value::Fail(v) => json!(v.word()),
        Value::Choice(v) => json!(v.word()),
        Value::Int(n) => json!(n),
        Value::List(items) => json!(items),
        Value::Text(text) => json!(text),
    }
}
