//! One entry of the index, with the published fields and ours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::ledger::observed::{Attribution, Candidate, EntryKind, Evidence, Grade};
use crate::ledger::stamp;

/// What the operator thinks of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// Nobody has looked at it.
    #[default]
    Pending,
    /// It is an agent's and may be recycled.
    Confirmed,
    /// It is none of our business, for as long as nothing else takes its place.
    Dismissed,
}

impl State {
    /// The stored word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Confirmed => "confirmed",
            Self::Dismissed => "dismissed",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for State {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let all = [Self::Pending, Self::Confirmed, Self::Dismissed];
        all.into_iter().find(|state| state.as_str().eq_ignore_ascii_case(text)).ok_or(())
    }
}

/// A word that is no state counts as not looked at.
impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        Ok(value.as_str().and_then(|text| text.parse().ok()).unwrap_or_default())
    }
}

/// What happened to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// It was seen for the first time.
    Appeared,
    /// Something else took its place.
    Changed,
    /// It went.
    Vanished,
    /// It came back as it was.
    Returned,
    /// The operator, or the first scan, marked it.
    Marked,
    /// It came from another index.
    Imported,
    /// The operator put it into the trash.
    Recycled,
    /// The operator took it out of the trash.
    Restored,
    /// The operator removed it from the trash for good.
    Purged,
    /// A word of a later version.
    #[serde(other)]
    Other,
}

/// One thing that happened to an entry. Empty texts are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    /// When, RFC 3339 UTC.
    pub time: String,
    /// What.
    pub step: Step,
    /// The state since then.
    #[serde(default)]
    pub state: State,
    /// The session that it is attributed to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// The call.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub call: String,
    /// What the call ran.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub excerpt: String,
    /// Who marked it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Row {
    /// Absolute.
    #[serde(deserialize_with = "text")]
    pub path: String,
    /// When it was first seen, RFC 3339 UTC.
    #[serde(deserialize_with = "time")]
    pub first_seen: Option<String>,
    /// When it was last measured.
    #[serde(deserialize_with = "time")]
    pub last_scan: Option<String>,
    /// Bytes of its files' contents, as last measured.
    #[serde(deserialize_with = "number")]
    pub bytes: Option<u64>,
    /// Its files and links, as last measured.
    #[serde(deserialize_with = "number")]
    pub files: Option<u64>,
    /// Tells it from whatever takes its place.
    #[serde(deserialize_with = "text")]
    pub signature: String,
    /// What the operator thinks of it.
    pub state: State,
    /// The session that it is attributed to.
    #[serde(deserialize_with = "optional")]
    pub session: Option<String>,
    /// The call.
    #[serde(deserialize_with = "optional")]
    pub call: Option<String>,
    /// When this signature was first seen.
    #[serde(deserialize_with = "time")]
    pub observed_at: Option<String>,
    /// Who may have made it, and why that is believed.
    #[serde(deserialize_with = "attribution")]
    pub attribution: Attribution,
    // Beside the published fields:
    /// What it is.
    #[serde(deserialize_with = "entry_kind")]
    pub entry_kind: EntryKind,
    /// The harness of its session.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "text")]
    pub harness: String,
    /// What kind of tool made it.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "text")]
    pub tool: String,
    /// What the call ran.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "text")]
    pub excerpt: String,
    /// When it was born, where the file system knows.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "optional")]
    pub birth: Option<String>,
    /// It appeared while no call was open.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub between: bool,
    /// Since when it is gone.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "time")]
    pub gone: Option<String>,
    /// The trash item that holds it, by its id.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "optional")]
    pub trash: Option<String>,
    /// Bytes on the volume, as last measured.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "number")]
    pub allocated: Option<u64>,
    /// The last measurement did not see everything: unreadable folders, other mounts, limits.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// What happened to it, oldest first; of a long story the middle is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub story: Vec<Told>,
    /// Fields of other writers.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Row {
    /// Whether it was there when it was last looked for.
    pub fn is_present(&self) -> bool {
        self.gone.is_none()
    }

    /// When this entry, and not what stood in its place before, was first seen; milliseconds since 1970.
    pub fn seen_ms(&self) -> Option<u64> {
        self.observed_at.as_deref().or(self.first_seen.as_deref()).and_then(stamp::parse_utc)
    }
}

/// Text, or nothing in the place of anything else: other writers' forms are not ours to judge.
fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    })
}

fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    text(from).map(|text| Some(text).filter(|text| !text.is_empty()))
}

/// A time as we write it; milliseconds since 1970 are taken too.
fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) if !text.is_empty() => Some(text),
        Value::Number(number) => whole(&number).map(stamp::format_utc),
        _ => None,
    })
}

fn number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Number(number) => whole(&number),
        _ => None,
    })
}

/// A number that is not negative, without its fraction.
fn whole(number: &serde_json::Number) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is not negative")]
    let rounded = |value: f64| (value >= 0.0).then_some(value as u64);
    number.as_u64().or_else(|| number.as_f64().and_then(rounded))
}

fn entry_kind<'de, D: Deserializer<'de>>(from: D) -> Result<EntryKind, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// The whole form, or only the grade as a word. What can't be read is no attribution.
fn attribution<'de, D: Deserializer<'de>>(from: D) -> Result<Attribution, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(match value {
        Value::String(_) => {
            let grade: Grade = serde_json::from_value(value).unwrap_or_default();
            Attribution { grade, ..Attribution::default() }
        }
        Value::Object(mut fields) => {
            let mut take = |name: &str| fields.remove(name).unwrap_or_default();
            let each = |value: Value| value.as_array().cloned().unwrap_or_default();
            let grade: Grade = serde_json::from_value(take("grade")).unwrap_or_default();
            let evidence = each(take("evidence")).into_iter();
            let candidates = each(take("candidates")).into_iter();
            Attribution {
                grade,
                evidence: evidence.filter_map(|v| serde_json::from_value::<Evidence>(v).ok()).collect(),
                candidates: candidates.filter_map(|v| serde_json::from_value::<Candidate>(v).ok()).collect(),
            }
        }
        _ => Attribution::default(),
    })
}
