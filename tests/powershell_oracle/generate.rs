//! Random scripts.

/// A small generator of random numbers (xorshift): the same scripts at every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const NAMES: &[&str] =
    &["Get-ChildItem", "ls", "git", "New-Item", "echo", "npm", "mkdir", "foo.exe", "./run.ps1", "Write-Host", "where"];
const WORDS: &[&str] = &[
    "a",
    "src",
    "x.txt",
    "C:\\a\\b",
    "./x",
    "..\\y",
    "*.txt",
    "a-b",
    "10",
    "3.5",
    "'q r'",
    "\"d q\"",
    "\"a $x b\"",
    "$x",
    "$env:TEMP",
    "$x.Name",
    "$x[0]",
    "(Get-Date)",
    "$(Get-Date)",
    "@(1, 2)",
    "{ ls }",
    "a,b",
    "'a', 'b'",
    "$true",
    "~",
    "${a b}",
    "a=b",
    "http://h/x",
    "\"$($x.y)\"",
    "@{ a = 1 }",
    "$home\\x",
];
const FLAGS: &[&str] =
    &["-Path", "-Recurse", "-Force", "-Name:x", "-Value $y", "--long", "-p", "-Filter *.log", "-ErrorAction Stop"];
const REDIRECTS: &[&str] = &["> o.txt", ">> o.txt", "2> e.txt", "2>&1", "*> all.txt", "> $null", "2>$null", "3>> w"];
const OPERATORS: &[&str] = &["+", "-", "*", "-eq", "-and", "-or", "-like", "-f", "..", "-match", "-join", "-gt"];
const OPERANDS: &[&str] =
    &["1", "$a", "'s'", "\"t $u\"", "(ls)", "$a.b", "$a.b(1)", "[int]$a", "[IO.Path]::x('y')", "@(1)"];

fn words(random: &mut Random) -> String {
    let mut out = random.one(NAMES).to_owned();
    for _ in 0..random.below(4) {
        out.push(' ');
        out.push_str(if random.below(3) == 0 { random.one(FLAGS) } else { random.one(WORDS) });
    }
    if random.below(4) == 0 {
        out.push(' ');
        out.push_str(random.one(REDIRECTS));
    }
    out
}

fn expression(random: &mut Random) -> String {
    let mut out = random.one(OPERANDS).to_owned();
    for _ in 0..random.below(3) {
        out = format!("{out} {} {}", random.one(OPERATORS), random.one(OPERANDS));
    }
    out
}

fn pipeline(random: &mut Random, depth: usize) -> String {
    let mut out = match random.below(6) {
        0 => expression(random),
        1 => format!("& {}", random.one(&["'a b'", "$x", "\"c\"", "foo", "{ ls }"])),
        _ => words(random),
    };
    for _ in 0..random.below(3) {
        let next = match random.below(4) {
            0 if depth > 0 => format!("ForEach-Object {{ {} }}", statement(random, depth - 1)),
            1 => "? { $_.x -gt 1 }".to_owned(),
            2 => format!("% {{ {} }}", expression(random)),
            _ => words(random),
        };
        out = format!("{out} | {next}");
    }
    out
}

fn block(random: &mut Random, depth: usize) -> String {
    let mut out = "{ ".to_owned();
    for i in 0..=random.below(2) {
        if i > 0 {
            out.push_str(random.one(&["; ", "\n"]));
        }
        out.push_str(&statement(random, depth));
    }
    out.push_str(" }");
    out
}

fn statement(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return pipeline(random, 0);
    }
    let inner = depth - 1;
    match random.below(14) {
        0 => format!("$x = {}", pipeline(random, inner)),
        1 => format!("if ({}) {} else {}", expression(random), block(random, inner), block(random, inner)),
        2 => format!("foreach ($i in {}) {}", random.one(&["$a", "(1..3)", "(ls)", "@(1,2)"]), block(random, inner)),
        3 => format!("while ({}) {}", expression(random), block(random, inner)),
        4 => format!("function f {{ param($a)\n{} }}", statement(random, inner)),
        5 => format!("try {} catch {} finally {}", block(random, inner), block(random, inner), block(random, inner)),
        6 => format!("switch ($x) {{ 'a' {}\ndefault {} }}", block(random, inner), block(random, inner)),
        7 => format!("for ($i = 0; $i -lt 3; $i++) {}", block(random, inner)),
        8 => format!("$x += {}", expression(random)),
        9 => format!("$h = @{{ a = {}; b = {} }}", random.one(OPERANDS), random.one(OPERANDS)),
        10 => format!("do {} while ({})", block(random, inner), expression(random)),
        11 => format!("return {}", expression(random)),
        _ => pipeline(random, inner),
    }
}

/// Scripts of a grammar.
pub(crate) fn generated(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let mut out = statement(&mut random, 3);
            for _ in 0..random.below(3) {
                let separator = random.one(&["\n", "; ", "\n# note\n", " # note\n", "\r\n"]);
                out = format!("{out}{separator}{}", statement(&mut random, 2));
            }
            out
        })
        .collect()
}

/// Such scripts after a few random edits.
pub(crate) fn edited(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let pieces = [
        "'", "\"", "$", "(", ")", "{", "}", ";", "|", "&", ">", " ", "\n", "`", "@", "#", "-", ",", "=", "a", "2>", ".",
    ];
    let mut scripts = generated(seed + 100, count);
    for script in &mut scripts {
        for _ in 0..=random.below(2) {
            let mut at = random.below(script.len() + 1);
            while !script.is_char_boundary(at) {
                at -= 1;
            }
            if random.below(2) == 0 && at < script.len() {
                script.remove(at);
            } else {
                script.insert_str(at, random.one(&pieces));
            }
        }
    }
    scripts
}

/// Pieces thrown together.
pub(crate) fn thrown(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let glue =
        [" ", " ", " ", " | ", "; ", "\n", " > ", " && ", " || ", ", ", "(", ")", "{ ", " }", "$(", " -eq ", "& "];
    (0..count)
        .map(|_| {
            let mut out = String::new();
            for _ in 0..2 + random.below(5) {
                let piece = match random.below(4) {
                    0 => random.one(NAMES),
                    1 => random.one(WORDS),
                    2 => random.one(OPERANDS),
                    _ => random.one(FLAGS),
                };
                out.push_str(piece);
                out.push_str(random.one(&glue));
            }
            out
        })
        .collect()
}
