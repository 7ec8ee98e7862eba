//! Scripts to compare on: written by bash's grammar, edited at random, or thrown together.

use std::fmt::Write as _;

/// Random numbers from a seed (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap() % n
    }

    pub(crate) fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }
}

/// Writes scripts by bash's grammar.
struct Grammar {
    random: Random,
    /// Also forms whose inside `bash -n` does not read: back-quotes, `${…}`, here-documents.
    unread: bool,
    /// Bodies of here-documents that follow the next newline.
    bodies: String,
    /// Substitutions around the position (a newline in `"…"` or `${…}` brings no bodies).
    inside: usize,
}

impl Grammar {
    fn list(&mut self, depth: usize) -> String {
        let mut out = String::new();
        let count = 1 + self.random.below(3);
        for i in 0..count {
            if self.random.below(8) == 0 {
                out.push_str(self.random.pick(&["! ", "time ", "time -p ", "! ! "]));
            }
            out += &self.pipeline(depth);
            if i + 1 < count {
                let joint = self.random.pick(&["; ", " && ", " || ", " & ", "\n", ";", "&&\n", " # x\n"]);
                out += joint;
                if joint.ends_with('\n') {
                    out += &std::mem::take(&mut self.bodies);
                }
            }
        }
        out
    }

    /// A list and what ends it before a reserved word.
    fn body(&mut self, depth: usize) -> String {
        let list = self.list(depth);
        format!(" {list}{}", self.end())
    }

    fn end(&mut self) -> String {
        match self.random.pick(&["; ", "\n", " &\n", " & "]) {
            end if end.ends_with('\n') => end.to_owned() + &std::mem::take(&mut self.bodies),
            end => end.to_owned(),
        }
    }

    fn pipeline(&mut self, depth: usize) -> String {
        let mut out = self.command(depth);
        while self.random.below(4) == 0 {
            out += self.random.pick(&[" | ", "|", " |& ", "|\\\n"]);
            out += &self.command(depth);
        }
        out
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) > 0 {
            return self.simple(depth);
        }
        let depth = depth - 1;
        // Bash loses a pending here-document over the last form.
        let forms = if self.bodies.is_empty() { 13 } else { 12 };
        let mut out = match self.random.below(forms) {
            0 => format!("({} )", self.body(depth).trim_end_matches([';', '&', ' '])),
            1 => format!("{{{}}}", self.body(depth)),
            2 => {
                let mut out = format!("if{}then{}", self.body(depth), self.body(depth));
                if self.random.below(3) == 0 {
                    write!(out, "elif{}then{}", self.body(depth), self.body(depth)).unwrap();
                }
                if self.random.below(2) == 0 {
                    write!(out, "else{}", self.body(depth)).unwrap();
                }
                out + "fi"
            }
            3 => format!("{}{}do{}done", self.random.pick(&["while", "until"]), self.body(depth), self.body(depth)),
            4 => {
                let words = self.words(depth);
                let head = self.random.pick(&["for x in", "select y in", "for z in"]);
                format!("{head}{words}; do{}done", self.body(depth))
            }
            5 => format!("for x{} do{}done", self.random.pick(&["", ";", "\n"]), self.body(depth)),
            6 => format!("for ((i=0; i<{}; i++)); do{}done", self.random.below(9), self.body(depth)),
            7 => self.case(depth),
            8 => format!(
                "{}{{{}}}",
                self.random.pick(&["f() ", "function g ", "function h() ", "i ()\n"]),
                self.body(depth)
            ),
            9 => format!("[[ {} ]]", self.test(depth)),
            10 => format!("(({}))", self.arith(depth)),
            11 => format!("{}{{{}}}", self.random.pick(&["coproc ", "coproc NAME "]), self.body(depth)),
            _ => format!(
                "(({}){}({}))",
                self.list_in(depth),
                self.random.pick(&[";", " && ", " | "]),
                self.list_in(depth)
            ),
        };
        while self.random.below(6) == 0 {
            out += " ";
            out += &self.redirect(depth);
        }
        out
    }

    /// A list of its own, without here-documents.
    fn list_in(&mut self, depth: usize) -> String {
        let unread = std::mem::replace(&mut self.unread, false);
        let out = self.list(depth.saturating_sub(1));
        self.unread = unread;
        out
    }

    fn case(&mut self, depth: usize) -> String {
        let mut out = format!("case {} in ", self.word(depth));
        for _ in 0..self.random.below(3) {
            let open = self.random.pick(&["(", ""]);
            write!(out, "{open}{}", self.word(depth)).unwrap();
            if self.random.below(3) == 0 {
                write!(out, "|{}", self.word(depth)).unwrap();
            }
            out.push(')');
            if self.random.below(4) > 0 {
                write!(out, " {}", self.list(depth)).unwrap();
            }
            out += self.random.pick(&[";; ", ";;", ";& ", ";;& "]);
        }
        out + "esac"
    }

    fn test(&mut self, depth: usize) -> String {
        let word = self.word(depth);
        let mut out = match self.random.below(6) {
            0 => format!("-f {word}"),
            1 => word,
            2 => format!("{word} =~ {}", self.random.pick(&["^a+$", "(a|b)c", "a|b", "[[:space:]]*", "$x"])),
            3 => format!("( {word} == b* )"),
            4 => format!("! {word} {} {}", self.random.pick(&["<", ">", "-eq", "!=", "-nt"]), self.word(depth)),
            _ => format!("{word} == @(a|b)"),
        };
        if depth > 0 && self.random.below(3) == 0 {
            out += self.random.pick(&[" && ", " || ", " &&\n"]);
            out += &self.test(depth - 1);
        }
        out
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut out = String::new();
        while self.random.below(5) == 0 {
            out += self.random.pick(&["a=", "b+=", "c[1]=", "d[$i + 1]="]);
            match self.random.below(3) {
                // No escapes in here: within `$(…)` bash prints arrays without them, and then rejects its own text.
                0 => out += self.random.pick(&["()", "(a  b)", "( $x 'y z' # c\n )", "([1]=a [b c]=\"d\")", "(*\n)"]),
                1 => {}
                _ => out += &self.word(depth),
            }
            out.push(' ');
        }
        out += self.random.pick(&["echo", "ls", "x2", "export q=(1 2)", "\"cmd\"", "declare -a z=()", "if2", "./f"]);
        out += &self.words(depth);
        while self.random.below(5) == 0 {
            write!(out, " {}", self.redirect(depth)).unwrap();
        }
        out
    }

    fn words(&mut self, depth: usize) -> String {
        let mut out = String::new();
        for _ in 0..self.random.below(3) {
            out += self.random.pick(&[" ", "  ", "\t", " \\\n"]);
            out += &self.word(depth);
        }
        out
    }

    fn redirect(&mut self, depth: usize) -> String {
        if self.unread && self.inside == 0 && self.random.below(3) == 0 {
            let n = self.random.below(100);
            let (open, end) = match self.random.below(4) {
                0 => (format!("<<E{n}"), format!("E{n}")),
                1 => (format!("<<-'E {n}'"), format!("\t\tE {n}")),
                2 => (format!("<<\\E{n}"), format!("E{n}")),
                _ => (format!("<< \"E\"{n}"), format!("E{n}")),
            };
            let text = self.random.pick(&["", "a b\n", "$x `a` \\\n\n", "'\"\n", ") }\n", "$(a\nb)\n", "\ta\n"]);
            writeln!(self.bodies, "{text}{end}").unwrap();
            return open;
        }
        let op = self
            .random
            .pick(&[">", "2>", "<", ">>", "&>", "&>>", ">|", "<>", "3<", "<<<", ">&", "2>&", "<&", "{v}>", "10>"]);
        let space = self.random.pick(&["", " "]);
        format!("{op}{space}{}", self.word(depth))
    }

    fn arith(&mut self, depth: usize) -> String {
        let leaf = self.random.pick(&["x", "1", " $x ", "a[1]", "\"2\"", "x = 3", "1 << 2"]).to_owned();
        match self.random.below(4) {
            0 if depth > 0 => format!("({}) + {leaf}", self.arith(depth - 1)),
            1 if depth > 0 => format!("{leaf} * {}", self.expansion(depth - 1)),
            _ => leaf,
        }
    }

    fn word(&mut self, depth: usize) -> String {
        let mut out = String::new();
        for _ in 0..=self.random.below(2) {
            match self.random.below(9) {
                0 => write!(out, "'{}'", self.random.pick(&["", "a b", "$x", "\"", "(", "\n"])).unwrap(),
                1 => {
                    out.push('"');
                    for _ in 0..self.random.below(3) {
                        out += self.random.pick(&["a ", "'", "\\\"", "\\$", "# ", ")", "\n"]);
                        if self.random.below(2) == 0 {
                            out += &self.expansion(depth);
                        }
                    }
                    out.push('"');
                }
                2 => out += self.random.pick(&["$'a\\'b'", "$\"x\"", "\\ ", "\\;", "\\(", "\\\n", "\\'"]),
                3 => out += &self.expansion(depth),
                4 => out += self.random.pick(&["*", "?", "[a-z]", "{a,b}", "~", "@(a|b)", "+(x|'y')", "#", "=", "!"]),
                _ => out += self.random.pick(&["a", "b/c", "-x", "1", "é", "f.g", "%", "a:b", "if", "do"]),
            }
        }
        // A leading `#` is a comment, a digit or name before `<` something else: all other cases are the parser's.
        if out.starts_with('#') || out.is_empty() || out == "\\\n" || out == "!" || out == "=" {
            "w".to_owned() + &out
        } else {
            out
        }
    }

    fn expansion(&mut self, depth: usize) -> String {
        let plain = self.random.pick(&["$x", "$1", "$@", "$#", "$-", "${x}", "${#x}", "$_a"]).to_owned();
        if depth == 0 {
            return plain;
        }
        let depth = depth - 1;
        self.inside += 1;
        let out = match self.random.below(if self.unread { 8 } else { 4 }) {
            0 => plain,
            1 => format!("$({})", self.list(depth)),
            2 => format!("$(({}))", self.arith(depth)),
            3 => format!("$[{}]", self.random.pick(&["1", "x+1", "a[1]"])),
            4 => format!("`{}`", self.list_in(0).replace(['\\', '`', '"', '\''], "")),
            5 => format!(
                "${{x{}{}}}",
                self.random.pick(&[":-", "-", ":=", "+", "%", "##", "//"]),
                self.param_word(depth)
            ),
            6 => "${x/a/b}${x:1:2}${x^^}${!x}${x[1]}${x[@]}${#x[@]}${x@Q}".to_owned(),
            _ => format!("$({} )", self.list(depth)),
        };
        self.inside -= 1;
        out
    }

    fn param_word(&mut self, depth: usize) -> String {
        let plain = self.random.pick(&["", "a", "a b", "*", "\"q r\"", "'s'", "(", "\\}"]).to_owned();
        if self.random.below(3) == 0 { plain + &self.expansion(depth) } else { plain }
    }
}

/// What stands between the pieces of a thrown script.
const WORDS: &[&str] = &[
    "a ", "b", " ", "echo x", "1", "2", "é", "'q'", "\"r\"", "$x", "${y}", " -o", "*", "~", "x=1 ", "; ", "\n", "/t/u ",
];

/// What an edit may insert.
const PIECES: &[&str] = &[
    ";",
    "&",
    "|",
    "(",
    ")",
    "{",
    "}",
    "\n",
    " ",
    "'",
    "\"",
    "\\",
    "$",
    "<",
    ">",
    " if ",
    " then ",
    " fi",
    " esac ",
    ";;",
    "[[ ",
    " ]]",
    "((",
    "))",
    "=",
    "!",
    "#",
    " do ",
    " done ",
    " in ",
    "a=(",
    "1>",
    "<(",
    "$(",
    "case ",
    " }",
    "{ ",
    "f()",
    "time ",
    "coproc ",
    " function ",
    "2>&1",
    ">&-",
    "for ",
    "&&",
    "||",
    "|&",
    "&>",
    "[",
    "]",
    "+",
    "@",
    "while ",
];

fn mutate(script: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = script.chars().collect();
    for _ in 0..=random.below(2) {
        let at = random.below(chars.len() + 1);
        let end = (at + 1 + random.below(3)).min(chars.len());
        match random.below(3) {
            0 => drop(chars.drain(at..end)),
            1 => drop(chars.splice(at..at, random.pick(PIECES).chars())),
            _ => {
                let to = random.below(chars.len() + 1);
                let part: Vec<char> = chars.get(at..end).unwrap_or_default().to_vec();
                chars.splice(to..to, part);
            }
        }
    }
    chars.into_iter().collect()
}

pub(crate) fn generate(seed: u64, count: usize, unread: bool) -> (Vec<String>, Random) {
    let mut grammar = Grammar { random: Random(seed), unread, bodies: String::new(), inside: 0 };
    let scripts = (0..count)
        .map(|_| {
            let depth = grammar.random.below(4);
            let list = grammar.list(depth);
            format!("{list}\n{}", std::mem::take(&mut grammar.bodies))
        })
        .collect();
    (scripts, grammar.random)
}

/// Scripts of [`generate`] with one to three edits each.
pub(crate) fn edited(seed: u64, count: usize, unread: bool) -> Vec<String> {
    let (scripts, mut random) = generate(seed, count, unread);
    scripts.iter().map(|script| mutate(script, &mut random)).collect()
}

/// Pieces in any order.
pub(crate) fn thrown(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random(seed);
    let piece = |random: &mut Random| {
        let from = if random.below(2) == 0 { PIECES } else { WORDS };
        random.pick(from)
    };
    (0..count).map(|_| (0..=random.below(12)).map(|_| piece(&mut random)).collect()).collect()
}

pub(crate) fn seed() -> u64 {
    // For longer searches: WSGUARD_ORACLE_SEED=$RANDOM.
    std::env::var("WSGUARD_ORACLE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(20_260_101)
}
