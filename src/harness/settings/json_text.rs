//! JSON text with comments, edited by splicing: what an edit does not name keeps its bytes.

use std::ops::Range;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, ParseOptions, ParseResult};
use serde::Serialize;

/// One step from a value to a value inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The value of this key of an object.
    Key(&'a str),
    /// This element of an array, from 0.
    Index(usize),
}

/// Text that is no JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct SyntaxError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What the parser met.
    pub what: String,
}

/// A JSON text. Comments are kept; trailing commas and other extensions are refused, because the clients that
/// read these files refuse them too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText {
    bom: bool,
    text: String,
    newline: &'static str,
    indent: String,
}

const BOM: char = '\u{feff}';

impl JsonText {
    /// Checks `text` and takes it over. A text without any value (empty, only comments) gets an empty object.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let (bom, text) = text.strip_prefix(BOM).map_or((false, text), |rest| (true, rest));
        let newline = match text.find('\n') {
            Some(i) if text[..i].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        let mut this = Self { bom, text: text.to_owned(), newline, indent: indent_of(text) };
        if ast(&this.text)?.value.is_none() {
            if !this.text.is_empty() && !this.text.ends_with('\n') {
                this.text.push_str(newline);
            }
            this.text.push_str("{}");
            this.text.push_str(newline);
        }
        Ok(this)
    }

    /// The text as it stands.
    pub fn to_text(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + BOM.len_utf8());
        if self.bom {
            out.push(BOM);
        }
        out.push_str(&self.text);
        out
    }

    /// The data. Of a key that occurs twice, the last one counts.
    pub fn value(&self) -> serde_json::Value {
        // The text was parsed before and every edit keeps it well formed.
        jsonc_parser::parse_to_serde_value(&self.text, &options()).unwrap_or(serde_json::Value::Null)
    }

    /// Whether the text is JSON without any extension.
    pub fn is_strict(&self) -> bool {
        serde_json::from_str::<serde::de::IgnoredAny>(&self.text).is_ok()
    }

    /// A key that occurs twice in the object at `at`, with its line.
    pub fn duplicate_key(&self, at: &[Step<'_>]) -> Option<(String, usize)> {
        let parsed = ast(&self.text).ok()?;
        let object = find(parsed.value.as_ref()?, at)?.as_object()?;
        let names: Vec<&str> = object.properties.iter().map(|p| p.name.as_str()).collect();
        let i = (1..names.len()).find(|&i| names[..i].contains(&names[i]))?;
        let start = object.properties[i].range.start;
        Some((names[i].to_owned(), self.text[..start].matches('\n').count() + 1))
    }

    /// Adds `key` as the last one of the object at `at`. Nothing happens where there is no such object.
    pub fn insert_key(&mut self, at: &[Step<'_>], key: &str, value: &impl Serialize) -> Result<(), SyntaxError> {
        self.append(at, Some(key), value)
    }

    /// Adds an element at the end of the array at `at`. Nothing happens where there is no such array.
    pub fn push(&mut self, at: &[Step<'_>], value: &impl Serialize) -> Result<(), SyntaxError> {
        self.append(at, None, value)
    }

    /// Puts `value` in the place of what stands at `at`.
    pub fn replace(&mut self, at: &[Step<'_>], value: &impl Serialize) -> Result<(), SyntaxError> {
        let Some(range) = ast(&self.text)?.value.as_ref().and_then(|v| find(v, at)).map(|v| span(v.range())) else {
            return Ok(());
        };
        let base = line_indent(&self.text, range.start).to_owned();
        let compact = !self.text.contains('\n');
        let text = self.render(value, &base, compact);
        self.text.replace_range(range, &text);
        Ok(())
    }

    /// Removes the key or element at `at` with its comma. Comments stay.
    pub fn remove(&mut self, at: &[Step<'_>]) -> Result<(), SyntaxError> {
        let Some((last, parent)) = at.split_last() else { return Ok(()) };
        let cuts = {
            let parsed = ast(&self.text)?;
            let tokens = parsed.tokens.unwrap_or_default();
            let Some(container) = parsed.value.as_ref().and_then(|v| find(v, parent)) else { return Ok(()) };
            let items = items(container);
            let index = match *last {
                Step::Index(i) => Some(i).filter(|&i| i < items.len()),
                Step::Key(key) => container.as_object().and_then(|o| position(o, key)),
            };
            let Some(index) = index else { return Ok(()) };
            cuts(&self.text, &tokens, &items, index, span(container.range()))
        };
        for cut in cuts.into_iter().rev() {
            self.text.replace_range(cut, "");
        }
        Ok(())
    }

    /// Whether the container at `at` holds nothing at all, not even a comment.
    pub fn is_blank(&self, at: &[Step<'_>]) -> bool {
        let Ok(parsed) = ast(&self.text) else { return false };
        let Some(container) = parsed.value.as_ref().and_then(|v| find(v, at)) else { return false };
        let range = span(container.range());
        matches!(container, Value::Object(_) | Value::Array(_))
            && self.text[range.start + 1..range.end - 1].trim().is_empty()
    }

    fn append(&mut self, at: &[Step<'_>], key: Option<&str>, value: &impl Serialize) -> Result<(), SyntaxError> {
        let Some((range, spans)) = ({
            let parsed = ast(&self.text)?;
            parsed.value.as_ref().and_then(|v| find(v, at)).and_then(|container| {
                let fits = if key.is_some() { container.as_object().is_some() } else { container.as_array().is_some() };
                fits.then(|| (span(container.range()), items(container)))
            })
        }) else {
            return Ok(());
        };
        let outer = line_indent(&self.text, range.start).to_owned();
        let inner = match spans.last() {
            // Children on lines of their own show how far they are indented.
            Some(item) if starts_line(&self.text, item.start) => line_indent(&self.text, item.start).to_owned(),
            _ => format!("{outer}{}", self.indent),
        };
        let compact = spans.last().is_some_and(|i| !self.text[range.start..i.start].contains('\n'))
            || (spans.is_empty() && range.start > 0 && !self.text.contains('\n'));
        let body = {
            let rendered = self.render(value, &inner, compact);
            match key {
                Some(key) => format!("{}:{}{rendered}", json(key), if compact { "" } else { " " }),
                None => rendered,
            }
        };
        let newline = self.newline;
        match spans.last() {
            None if compact => self.text.insert_str(range.end - 1, &body),
            None if self.text[range.start + 1..range.end - 1].trim().is_empty() => {
                self.text
                    .replace_range(range.start + 1..range.end - 1, &format!("{newline}{inner}{body}{newline}{outer}"));
            }
            // Only comments in it: they stay first.
            None => {
                let end = range.start + 1 + self.text[range.start + 1..range.end - 1].trim_end().len();
                self.text.replace_range(end..range.end - 1, &format!("{newline}{inner}{body}{newline}{outer}"));
            }
            Some(item) if compact => self.text.insert_str(item.end, &format!(",{body}")),
            Some(item) => {
                let tail = self.same_line_comments(item.end, range.end - 1)?;
                self.text.insert_str(tail, &format!("{newline}{inner}{body}"));
                self.text.insert(item.end, ',');
            }
        }
        Ok(())
    }

    /// The end of the comments that follow `from` on its own line.
    fn same_line_comments(&self, from: usize, limit: usize) -> Result<usize, SyntaxError> {
        let parsed = ast(&self.text)?;
        let mut end = from;
        for token in parsed.tokens.iter().flatten() {
            if token.range.start < from || token.range.start >= limit {
                continue;
            }
            let comment = matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_));
            if !comment || self.text[end..token.range.start].contains('\n') {
                break;
            }
            end = token.range.end;
        }
        // A line comment's range may take in the carriage return of its line.
        Ok(if self.text[..end].ends_with('\r') { end - 1 } else { end })
    }

    fn render(&self, value: &impl Serialize, base: &str, compact: bool) -> String {
        if compact {
            return json(value);
        }
        let mut out = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(self.indent.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
        if value.serialize(&mut serializer).is_err() {
            return json(value);
        }
        String::from_utf8_lossy(&out).replace('\n', &format!("{}{base}", self.newline))
    }
}

/// The value at `at` in `root`.
pub fn get<'v>(root: &'v serde_json::Value, at: &[Step<'_>]) -> Option<&'v serde_json::Value> {
    at.iter().try_fold(root, |value, step| match *step {
        Step::Key(key) => value.get(key),
        Step::Index(i) => value.get(i),
    })
}

fn json(value: impl Serialize) -> String {
    // Only plain data types are written here; they cannot fail to serialise.
    serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned())
}

fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn ast(text: &str) -> Result<ParseResult<'_>, SyntaxError> {
    let collect = CollectOptions { comments: jsonc_parser::CommentCollectionStrategy::AsTokens, tokens: true };
    jsonc_parser::parse_to_ast(text, &collect, &options()).map_err(|e| SyntaxError {
        line: e.line_display(),
        column: e.column_display(),
        what: lower_first(&e.kind().to_string()),
    })
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

fn span(range: jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

fn find<'v, 'a>(root: &'v Value<'a>, at: &[Step<'_>]) -> Option<&'v Value<'a>> {
    at.iter().try_fold(root, |value, step| match *step {
        Step::Key(key) => {
            let object = value.as_object()?;
            object.properties.get(position(object, key)?).map(|p| &p.value)
        }
        Step::Index(i) => value.as_array()?.elements.get(i),
    })
}

/// The last one counts, as for every JSON reader.
fn position(object: &Object<'_>, key: &str) -> Option<usize> {
    object.properties.iter().rposition(|p| p.name.as_str() == key)
}

fn items(container: &Value<'_>) -> Vec<Range<usize>> {
    match container {
        Value::Object(o) => o.properties.iter().map(|p| span(p.range)).collect(),
        Value::Array(a) => a.elements.iter().map(|e| span(e.range())).collect(),
        _ => Vec::new(),
    }
}

/// The two ranges that go when item `index` goes: ascending, not overlapping, one may be empty.
fn cuts(
    text: &str,
    tokens: &[TokenAndRange<'_>],
    items: &[Range<usize>],
    index: usize,
    container: Range<usize>,
) -> [Range<usize>; 2] {
    let one = |range: Range<usize>| [0..0, range];
    let item = items[index].clone();
    let comma_after =
        |from: usize| tokens.iter().find(|t| t.range.start >= from && t.token == Token::Comma).map(|t| span(t.range));
    let blank = |range: Range<usize>| text[range].trim().is_empty();
    if let Some(next) = items.get(index + 1) {
        let Some(comma) = comma_after(item.end) else { return one(item) };
        if blank(item.end..comma.start) && blank(comma.end..next.start) {
            return one(item.start..next.start);
        }
        return [item, comma];
    }
    if let Some(previous) = index.checked_sub(1).map(|i| items[i].clone()) {
        let Some(comma) = comma_after(previous.end) else { return one(item) };
        if blank(comma.end..item.start) {
            return one(comma.start..item.end);
        }
        return [comma, blank_before(text, &item)..item.end];
    }
    if blank(container.start + 1..item.start) && blank(item.end..container.end - 1) {
        return one(container.start + 1..container.end - 1);
    }
    one(blank_before(text, &item)..item.end)
}

/// Where the white space before `item` starts that can go with it. A line end stays where something follows the
/// item on its line: a comment before it must not swallow that.
fn blank_before(text: &str, item: &Range<usize>) -> usize {
    let rest = text[item.end..].split('\n').next().unwrap_or_default();
    let before = &text[..item.start];
    let last_on_its_line = rest.trim().is_empty() && text.len() > item.end + rest.len();
    if last_on_its_line { before.trim_end().len() } else { before.trim_end_matches([' ', '\t']).len() }
}

/// The white space at the start of the line that `at` is on.
fn line_indent(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let line = &text[start..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn starts_line(text: &str, at: usize) -> bool {
    text[..at].trim_end_matches([' ', '\t']).ends_with('\n')
}

/// One level of indentation: that of the first indented line that holds a key or value.
fn indent_of(text: &str) -> String {
    text.lines()
        .map(|line| (&line[..line.len() - line.trim_start_matches([' ', '\t']).len()], line.trim_start()))
        .find(|(space, rest)| !space.is_empty() && rest.starts_with(['"', '{', '[']))
        .map_or_else(|| "  ".to_owned(), |(space, _)| space.to_owned())
}

#[cfg(test)]
mod tests;
