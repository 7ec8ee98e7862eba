//! What must hold for any text that is judged. Shared by the tests and the fuzz targets.

use workspace_guard::{
    limits::{MAX_EFFECTS, MAX_EXPANSION, MAX_GAPS},
    path::Model,
    shell::{
        Analysis, Context, Dialect, EffectKind, Gap, GapKind, Span, Target, analyse, analyse_code, bash, powershell,
        programs::Language,
    },
    world::{FakeWorld, World},
};

/// Runs one judgement, and may stop where it takes too long.
pub(crate) type Watch<'a> = &'a dyn Fn(&mut dyn FnMut());

fn watched<T>(watch: Watch<'_>, judge: impl Fn() -> T) -> T {
    let mut result = None;
    watch(&mut || result = Some(judge()));
    result.expect("a watch runs what it watches")
}

/// The span lies in the text, between characters.
fn check_span(text: &str, span: Span) {
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {} bytes", text.len());
}

fn check_gaps(text: &str, gaps: &[Gap]) {
    assert!(gaps.len() <= MAX_GAPS + 1);
    for gap in gaps {
        check_span(text, gap.span);
    }
}

/// An analysis of `text` is within its limits, points into it, and names paths that mean the same everywhere.
fn check_analysis(text: &str, found: &Analysis, model: Model) {
    assert!(found.effects.len() <= MAX_EFFECTS);
    assert!(found.gaps.len() <= MAX_GAPS + MAX_EXPANSION + 1);
    let calls = found.operator_calls.iter().map(|call| call.span);
    for span in found.gaps.iter().map(|gap| gap.span).chain(calls) {
        check_span(text, span);
    }
    for effect in &found.effects {
        check_span(text, effect.span);
        if let Target::Path(path) | Target::Inside(path) = &effect.target {
            assert!(model.is_absolute(path), "relative: {path:?} of {effect:?}");
            // Dots and spaces at the end of a name, which only `\\?\` can spell, have no other spelling.
            let bare = |path: &str| -> Vec<String> {
                let parts = path.split('\\').filter(|_| model == Model::Windows);
                parts.map(|name| name.trim_end_matches(['.', ' ']).to_owned()).collect()
            };
            let normal = model.normalize(path);
            let same = normal == *path || model == Model::Windows && bare(&normal) == bare(path);
            assert!(same, "not in its normal form ({normal}): {effect:?}");
        }
    }
}

/// The text is judged within the time, twice the same, within limits.
fn judge(text: &str, world: &FakeWorld, watch: Watch<'_>, judge: impl Fn(&str) -> Analysis) {
    let found = watched(watch, || judge(text));
    check_analysis(text, &found, world.model());
    assert_eq!(found, judge(text), "the same text gets the same answer");
}

/// The first command of `text`, which creates `path`, was seen.
fn check_first(text: &str, path: &str, found: &Analysis) {
    let seen = found.effects.iter().any(|effect| {
        effect.kind == EffectKind::Create && effect.target == Target::Path(path.to_owned()) && effect.span.start < 60
    });
    assert!(seen, "what the first line creates is lost: {text:?}");
}

/// A small machine of either kind.
fn machine(model: Model) -> (FakeWorld, &'static str) {
    match model {
        Model::Posix => {
            let world = FakeWorld::new(model)
                .with_home("/home/u")
                .dir("/home/u/p/src")
                .file("/home/u/p/a.txt", "text\nof two lines\n")
                .file("/home/u/p/run.sh", "echo hi > out.txt\n")
                .link("/home/u/p/out", "/srv/data")
                .link("/home/u/p/loop", "loop")
                .dir("/srv/data")
                .dir("/tmp")
                .var("PATH", "/usr/local/bin:/usr/bin:/bin")
                .var("TMPDIR", "/tmp");
            (world, "/home/u/p")
        }
        Model::Windows => {
            let world = FakeWorld::new(model)
                .with_home(r"C:\Users\u")
                .var("USERPROFILE", r"C:\Users\u")
                .dir(r"C:\Users\u\p\src")
                .file(r"C:\Users\u\p\a.txt", "a b\n")
                .file(r"C:\Users\u\p\run.bat", "md out\n")
                .dir(r"C:\data")
                .var("OUT", r"C:\out")
                .var("TEMP", r"C:\Temp");
            (world, r"C:\Users\u\p")
        }
    }
}

/// Judges a text as a command under both models, alone and behind `first`, which creates `/zz` or `C:\zz`.
fn command(dialect: Dialect, text: &str, first: [&str; 2], watch: Watch<'_>) {
    for (model, first, path) in [(Model::Posix, first[0], "/zz"), (Model::Windows, first[1], r"C:\zz")] {
        if dialect == Dialect::Cmd && model == Model::Posix {
            continue;
        }
        let (world, cwd) = machine(model);
        let context = Context { cwd, world: &world };
        judge(text, &world, watch, |text| analyse(dialect, text, &context));
        let behind = format!("{first}\n{text}");
        let found = watched(watch, || analyse(dialect, &behind, &context));
        // PowerShell reads all of a script before it runs any, and no program can be given a text with a zero in it.
        let unread = dialect == Dialect::PowerShell && !found.gaps.is_empty();
        if !unread && !found.gaps.iter().any(|gap| gap.kind == GapKind::Nul) {
            check_first(&behind, path, &found);
        }
    }
}

/// Whether an escape or a here-document at the end of `text` could take in what stands behind it.
fn takes_more(text: &str, escape: char) -> bool {
    text.ends_with(escape) || text.ends_with('\r') || text.contains("<<")
}

fn only_limits(gaps: &[Gap]) -> bool {
    gaps.iter().all(|gap| matches!(gap.kind, GapKind::Nesting | GapKind::Size))
}

/// Any text for bash.
pub(crate) fn bash(text: &str, watch: Watch<'_>) {
    let script = watched(watch, || bash::parse(text));
    check_gaps(text, &script.gaps);
    command(Dialect::Bash, text, ["mkdir /zz", r"mkdir 'C:\zz'"], watch);
    if !script.gaps.is_empty() || takes_more(text, '\\') {
        return;
    }
    // A script stays one, and keeps its commands, with another behind it, in brackets, and as a substitution.
    let behind = format!("{text}\nmkdir /zz");
    let longer = bash::parse(&behind);
    assert!(only_limits(&longer.gaps), "{behind:?}: {:?}", longer.gaps);
    if longer.gaps.is_empty() {
        assert_eq!(longer.list.len(), script.list.len() + 1, "{behind:?}");
    }
    for (open, close) in [("(", ")"), ("{ ", "}"), ("x=$(", ")"), ("if a; then ", "fi"), ("cat <(", ")")] {
        let around = format!("{open}\n:\n{text}\n{close}");
        let wrapped = bash::parse(&around);
        assert!(only_limits(&wrapped.gaps), "{around:?}: {:?}", wrapped.gaps);
        assert!(!wrapped.gaps.is_empty() || wrapped.list.len() == 1, "{around:?}");
    }
}

/// Any text for PowerShell.
pub(crate) fn powershell(text: &str, watch: Watch<'_>) {
    let script = watched(watch, || powershell::parse(text));
    check_gaps(text, &script.gaps);
    command(Dialect::PowerShell, text, ["mkdir /zz", r"mkdir C:\zz"], watch);
    // Blocks with names and parameters stand at a script's start alone, behind nothing else.
    let body = &script.body;
    // An empty list of parameters leaves no trace in the tree.
    let named = !body.process.is_empty()
        || !body.end.is_empty()
        || !body.params.is_empty()
        || text.to_ascii_lowercase().contains("param");
    if !script.gaps.is_empty() || text.ends_with('`') || named {
        return;
    }
    let behind = format!("{text}\nmkdir C:\\zz");
    let longer = powershell::parse(&behind);
    assert!(only_limits(&longer.gaps), "{behind:?}: {:?}", longer.gaps);
    // `using` stands at a script's start alone, whatever is read of it there.
    if text.trim_start_matches('\u{feff}').trim_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("using"))
    {
        return;
    }
    // A byte order mark is one at the start alone.
    let inner = text.strip_prefix('\u{feff}').unwrap_or(text);
    let around = format!("if ($x) {{\n:\n{inner}\n}}");
    let wrapped = powershell::parse(&around);
    assert!(only_limits(&wrapped.gaps), "{around:?}: {:?}", wrapped.gaps);
}

/// Any text for cmd.exe.
pub(crate) fn cmd(text: &str, watch: Watch<'_>) {
    command(Dialect::Cmd, text, ["", r"md C:\zz"], watch);
}

/// A language, a first line of it that creates `/zz`, and what a text that changes that line's meaning holds.
const LANGUAGES: [(Language, &str, &str); 7] = [
    (Language::Python, "open('/zz', 'w')", "open"),
    (Language::Node, "require('fs').writeFileSync('/zz', '');", "require"),
    (Language::Perl, "open(F, '>/zz');", "open"),
    (Language::Ruby, "File.write('/zz', '');", "File"),
    (Language::Php, "file_put_contents('/zz', '');", "<?"),
    (Language::Awk, "BEGIN { print 1 > \"/zz\" }", "BEGIN"),
    (Language::Sed, "w /zz", "\0"),
];

/// Any program text. Its first character chooses the language, `0` for the first of them.
pub(crate) fn inline(text: &str, watch: Watch<'_>) {
    let Some(chosen) = text.chars().next() else { return };
    let number = (u32::from(chosen) as usize).wrapping_sub('0' as usize) % LANGUAGES.len();
    let Some(&(language, first, unless)) = LANGUAGES.get(number) else { return };
    let source = &text[chosen.len_utf8()..];
    let (world, cwd) = machine(Model::Posix);
    let context = Context { cwd, world: &world };
    judge(source, &world, watch, |text| analyse_code(language, text, &context));
    if !source.contains(unless) {
        let behind = format!("{first}\n{source}");
        let found = watched(watch, || analyse_code(language, &behind, &context));
        // The effects of a program text are those of all of it.
        let seen = found.effects.iter().any(|effect| {
            effect.kind == EffectKind::Create && matches!(&effect.target, Target::Path(path) if path == "/zz")
        });
        assert!(seen || !found.gaps.is_empty(), "what the first line creates is lost: {behind:?}");
    }
}
