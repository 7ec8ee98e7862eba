//! Text -> tree, as tables. `\n` in a row is a newline.

#![expect(clippy::unwrap_used, reason = "a test")]

use proptest::prelude::*;

use super::{dump, parse};
use crate::limits::{MAX_COMMAND_BYTES, MAX_GAPS, MAX_NESTING, MAX_NODES};
use crate::shell::GapKind;

/// Checks rows of text and rendering.
fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|&(text, wanted)| {
            let found = dump::script(&parse(text));
            (found != wanted).then(|| format!("{text:?}\n  found  {found:?}\n  wanted {wanted:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_and_quotes() {
    check(&[
        ("ls -la", "ls -la"),
        ("", ""),
        ("  \t# nothing\n\n", ""),
        ("a 'b c' \"d e\"", "a 'b c' \"'d e'\""),
        ("a\\ b", "a' 'b"),
        ("a '' \"\"", "a '' \"\""),
        ("l\\\ns -\\\nl", "ls -l"),
        ("echo a#b #c", "echo a#b"),
        ("echo \"a\\\"b\\$c\\d\\\ne\"", "echo \"'a\"b$c\\de'\""),
        ("echo $'a\\n\\x41\\u00e9\\101\\'b\\cA'", "echo 'a\nAéA'b\u{1}'"),
        ("echo $'a\\0b' $'\\x{42}'", "echo 'a' 'B'"),
        ("echo $\"hi $x\"", "echo \"'hi '${x}\""),
        ("echo ~/a{b,c}*.?[x]", "echo ~/a{b,c}*.?[x]"),
        ("echo é\\ü", "echo é'ü'"),
        ("a\r\nb", "a\r; b"),
        ("echo a\\", "echo a'\\'"),
        ("echo @(a|b) !(x|'y z')*", "echo @(a|b) !(x|'y z')*"),
        ("echo a+b c?d", "echo a+b c?d"),
        ("echo $ $. \"$\"", "echo $ $. \"'$'\""),
    ]);
}

#[test]
fn parameters() {
    check(&[
        ("echo $x$y.$1$10 $@ $# $$", "echo ${x}${y}.${1}${1}0 ${@} ${#} ${$}"),
        ("echo ${x} ${10} ${#x} ${#} ${##} ${#@} ${!x}", "echo ${x} ${10} ${x len} ${#} ${# len} ${@ len} ${!x}"),
        (
            "echo ${x:-a b} ${x-$(c)} ${x:=d} ${x=} ${x:?e} ${x?} ${x:+f} ${x+g}",
            "echo ${x :- a b} ${x - $(c)} ${x := d} ${x = } ${x :? e} ${x ? } ${x :+ f} ${x + g}",
        ),
        ("echo ${x#a} ${x##*/} ${x%.*} ${x%%b}", "echo ${x # a} ${x ## */} ${x % .*} ${x %% b}"),
        (
            "echo ${x/a/b} ${x//a} ${x/#a/b} ${x/%a/} ${x/\\//$y}",
            "echo ${x / a -> b} ${x // a -> } ${x /# a -> b} ${x /% a -> } ${x / '/' -> ${y}}",
        ),
        (
            "echo ${x:1} ${x:1:2} ${x: -1} ${x:a?b:c:2} ${x:$(y)}",
            "echo ${x sub 1} ${x sub 1 2} ${x sub  -1} ${x sub a?b:c 2} ${x sub $(y)}",
        ),
        ("echo ${x^} ${x^^} ${x,} ${x,,} ${x@Q}", "echo ${x ^} ${x ^^} ${x ,} ${x ,,} ${x @Q}"),
        (
            "echo ${!p*} ${!p@} ${!x[@]} ${x[@]} ${x[$i+1]} ${#x[@]}",
            "echo ${p names} ${p names} ${x[@] names} ${x[@]} ${x[${i}+1]} ${x[@] len}",
        ),
        ("echo \"${x:-\"a b\"}\" \"${x:-'$(y)}'}\"", "echo \"${x :- \"'a b'\"}\" \"${x :- '''$(y)'}''}\""),
        ("echo \"${x%'}'}\" \"${x%.*}\"", "echo \"${x % '}'}\" \"${x % .*}\""),
        ("echo ${x:-{a}}", "echo ${x :- {a}}"),
        ("echo ${ ls; } ${|ls; }", "echo $(ls) $(ls)"),
        ("echo ${(f)x}", "echo ${x @(}"),
        ("echo ${#-} ${#:-x} ${#?}", "echo ${- len} ${# :- x} ${? len}"),
        ("echo ${x!} b; c", "echo ${x :? !} b; c !Syntax@8..9"),
    ]);
}

#[test]
fn substitutions() {
    check(&[
        ("echo $(ls | wc) `ls` \"$(a \"b\")\"", "echo $(ls | wc) $(ls) \"$(a \"'b'\")\""),
        ("echo $() ``", "echo $() $()"),
        ("echo $(case x in a) b;; esac)", "echo $(case x[a](b))"),
        ("echo `a \\`b \\$c\\`` d", "echo $(a $(b ${c})) d"),
        ("echo \"`a \\\"b  c\\\"`\"", "echo \"$(a \"'b  c'\")\""),
        ("echo $((1 + $(a) * (2))) $[3+$x]", "echo $((1 + $(a) * (2))) $((3+${x}))"),
        ("echo $((a); (b))", "echo $((a); (b))"),
        ("echo $( (a) )", "echo $((a))"),
        ("echo $(( '$(a)' ))", "echo $(( '$(a)' ))"),
        ("diff <(a) >(b) x<(c)", "diff <(a) >(b) x<(c)"),
        ("echo $(a # b)\n)", "echo $(a)"),
        ("((x = 1 << 2, y))", "((x = 1 << 2, y))"),
        ("((a); b)", "((a); b)"),
        ("((a) | (b))", "((a) | (b))"),
        ("echo $(", "!Syntax@0..7"),
    ]);
}

#[test]
fn redirections() {
    check(&[
        ("echo hi>f", "echo hi >f"),
        ("echo 2>f a2>g", "echo a2 2>f >g"),
        ("a >b>c <d>>e 3<>f >|g", "a >b >c <d >>e 3<>f >|g"),
        ("a 2>&1 >&2 >&- 3<&0 4>&3- <&-", "a 2>&1 >&2 >&- 3<&0 4>&3- <&-"),
        ("a &>b &>>c >&d 1>&e 2>&$f", "a &>b &>>c &>d 1&>e 2>&${f}"),
        ("a&>b", "a &>b"),
        ("{fd}>x {a[1]}<y {a-b}>z", "{a-b} {fd}>x {a[1]}<y >z"),
        (">x", ">x"),
        ("a <<<b <<< \"c d\"", "a <<<b <<<\"'c d'\""),
        ("a | b |& c", "a | b 2>&1 | c"),
        ("{ a; } >x 2>&1", "{a} >x 2>&1"),
        ("a > b c", "a c >b"),
        ("a 99999999999>b", "a 99999999999 >b"),
        ("a >1>b", "!Syntax@0..6"),
        ("a 2>&1>b", "a 2>&1 >b"),
        ("a >&-b", "a b >&-"),
        ("a >\nb", "b !Syntax@0..4"),
    ]);
}

#[test]
fn here_documents() {
    check(&[
        ("cat <<E\na $x `b` $(c)\nE\nd", "cat <<{'a '${x}' '$(b)' '$(c)'\n'}; d"),
        ("cat <<'E'\n$x\nE\n", "cat <<q{'$x\n'}"),
        ("cat <<\\E >f; b\nx\nE\nc", "cat <<q{'x\n'} >f; b; c"),
        ("cat <<-E\n\ta\n\t\tb\n\tE\nc", "cat <<{'a\nb\n'}; c"),
        ("cat <<A <<B | c\na\nA\nb\nB\nd", "cat <<{'a\n'} <<{'b\n'} | c; d"),
        ("cat <<E", "cat <<{}"),
        ("cat <<E\nabc", "cat <<{'abc'}"),
        ("x=$(cat <<E\n)\nE\n)", "x=$(cat <<{')\n'})"),
        ("echo $(cat <<E)\nb\nE\nc", "echo $(cat <<{'b\n'}); c"),
        ("echo $(cat <<E\nb\nE)\nc", "echo $(cat <<{'b\n'}); c"),
        ("cat <<A $(cat <<B)\n1\nB\n2\nA\n", "cat $(cat <<{'1\n'}) <<{'2\n'}"),
        ("cat <<E $(a\nb)\nc\nE\nd", "cat $(a; b) <<{'c\n'}; d"),
        ("cat <<E\na\\\nE\nE\nb", "cat <<{'aE\n'}; b"),
        ("cat <<E\n$(cat <<F\nx\nF\n)\nE\nb", "cat <<{$(cat <<{'x\n'})'\n'}; b"),
        ("if a; then cat <<E; fi\nx\nE\nb", "if(a)(cat <<{'x\n'}); b"),
        ("cat <<E\n$(\nE\nb", "cat <<{}; b !Syntax@8..11"),
        ("cat <<\"a b\"\nx\na b\nc", "cat <<q{'x\n'}; c"),
        ("cat <<E\n\"a\\\"b\" 'c' \\$d\nE\n", "cat <<{'\"a\\\"b\" 'c' $d\n'}"),
    ]);
}

#[test]
fn lists_and_compounds() {
    check(&[
        ("a && b || c; d & e\nf", "a && b || c; d &; e; f"),
        ("a &&\n\n b", "a && b"),
        ("! a | b", "! a | b"),
        ("! ! a", "a"),
        ("time -p a; time", "time a; time "),
        ("(a; b) | { c; d; }", "(a; b) | {c; d}"),
        ("!(a)", "! (a)"),
        ("if a; then b; elif c; then d; else e; fi >x", "if(a)(b)elif(c)(d)else(e) >x"),
        ("if (a) then b; fi", "if((a))(b)"),
        ("while a; do b; done; until c\ndo d\ndone", "while(a)(b); until(c)(d)"),
        ("for x in a $b; do c; done", "for x in(a ${b})(c)"),
        ("for x do c; done; for x; { d; }", "for x(c); for x(d)"),
        ("for x\nin a\ndo b; done", "for x in(a)(b)"),
        ("for ((i=0; i<$n; i++)); do a; done", "for((i=0; i<${n}; i++))(a)"),
        ("select x in a b; do c; done", "select x in(a b)(c)"),
        ("case $x in a|b) c;; (d) ;& *) e ;;& esac", "case ${x}[a|b](c)[d]();&[*](e);&"),
        ("case x in esac", "case x"),
        ("case x in a) b\nesac", "case x[a](b)"),
        ("f() { a; } >x", "fn f {a} >x"),
        ("function f { a; }; function g() (b); function h (c)", "fn f {a}; fn g (b); fn h (c)"),
        ("f ()\n if a; then b; fi", "fn f if(a)(b)"),
        ("[[ -f $x && ! ( a == b* || c =~ ^(d|e)f$ ) ]]", "[[-f ${x} && ! ( a == b* || c =~ ^(d|e)f$ )]]"),
        ("[[ a < b ]] && [[ c ]]", "[[a < b]] && [[c]]"),
        ("if [[ a ]] then b; fi", "if([[a]])(b)"),
        ("coproc a b; coproc X { c; }; coproc { d; }", "coproc a b; coproc {c}; coproc {d}"),
        ("echo if then { } ! [[", "echo if then { } ! [["),
        ("{ls; }", "{ls !Syntax@5..6"),
        ("{ { a; } >x }", "!Syntax@0..13"),
        ("a | time b", "a | time b"),
        ("{ a; } >x || for y in b; do c; done", "{a} >x || for y in(b)(c)"),
        ("f() coproc a", "!Syntax@0..12"),
        ("in", "!Syntax@0..2"),
        ("]]", "!Syntax@0..2"),
        ("+() { a; }", "fn + {a}"),
        ("coproc a-b { c; }", "coproc {c}"),
    ]);
}

#[test]
fn assignments() {
    check(&[
        ("a=b c+=d e", "a=b c+=d e"),
        ("a= b", "a= b"),
        ("a[1]=b a[$x+1]+=c a[b c]=d", "a[1]=b a[${x}+1]+=c a[b c]=d"),
        ("a=(b 'c d' # e\n [3]=f [g h]=i)", "a=(b 'c d' [3]=f [g h]=i)"),
        ("a+=(b)", "a+=(b)"),
        ("export a=b c", "export a=b c"),
        ("declare -a a=(b c) d", "declare -a a=(b c) d"),
        ("a[$(b)] c", "a[$(b)] c"),
        ("x=a=b", "x=a=b"),
        ("a\\\nb=c", "ab=c"),
        ("export a\\\n=(b)", "export a=(b)"),
        ("x=(a)$(b)", "x=(a $(b))"),
        (">f a=(b)", "a=(b) >f"),
        ("a= >f b=(c)", "!Syntax@0..11"),
        ("declare >f a=(b)", "!Syntax@0..16"),
        ("echo a=(b)", "!Syntax@0..10"),
        ("1a=b", "1a=b"),
    ]);
}

#[test]
fn the_rest_is_read_after_an_error() {
    check(&[
        ("a; ) b\nc", "a; c !Syntax@3..7"),
        ("echo 'a\nb", "b !Syntax@0..8"),
        ("a\0b", "a\0b !Nul@1..2"),
        ("a ;; b\nif\nc", "a; c !Syntax@0..7 !Syntax@7..10"),
    ]);
}

/// What opens a level of each form, and what closes it again.
const NESTED: &[(&str, &str)] = &[
    ("$(", ")"),
    ("( ", ")"),
    // Two and more are one expression with brackets in it.
    ("(", ")"),
    ("((", "))"),
    ("{ ", "; }"),
    ("\"$(", ")\""),
    ("${a:-", "}"),
    ("\"${a:-", "}\""),
    ("$((1+", "))"),
    ("a[$((", "))]=1"),
    ("${a[$((", "))]}"),
    ("if a; then ", "; fi"),
    ("if ", "; then a; fi"),
    ("while a; do ", "; done"),
    ("case a in a) ", ";; esac"),
    ("case $(", ") in esac"),
    ("f() { ", "; }"),
    ("coproc { ", "; }"),
    ("<(", ")"),
    ("x=(a $(", "))"),
    ("[[ $(", ") ]]"),
    ("cat <<< $(", ")"),
    ("for x in $(", "); do a; done"),
    ("declare x=(a <(", "))"),
    ("${ ", "; }"),
];

#[test]
fn nesting_up_to_the_limit_is_read() {
    for (open, close) in NESTED {
        // Some forms take more than one level.
        let levels = MAX_NESTING / 3 - 1;
        let text = format!("{}a{}", open.repeat(levels), close.repeat(levels));
        assert_eq!(parse(&text).gaps, [], "{open}");
    }
}

#[test]
fn deeper_nesting_is_one_gap() {
    for (open, close) in NESTED {
        for tail in ["", "a"] {
            let close = if tail.is_empty() { "" } else { close };
            let text = format!("{}{tail}{}", open.repeat(10_000), close.repeat(10_000));
            let gaps = parse(&text).gaps;
            assert!(matches!(gaps.as_slice(), [gap] if gap.kind == GapKind::Nesting), "{open}: {gaps:?}");
        }
    }
}

#[test]
fn other_repetition_ends_too() {
    for open in
        ["((", "[[ ( ", "@(", "`", "\\`", "$(`", "<<a", "<<a\n", "$(cat <<E\n", "'", "$[", "a[", "! ", "time ", "f() "]
    {
        let text = open.repeat(20_000);
        assert!(parse(&text).gaps.len() <= MAX_GAPS, "{open}");
    }
    let gaps = parse(&"a;".repeat(MAX_NODES + 1)).gaps;
    assert!(matches!(gaps.as_slice(), [gap] if gap.kind == GapKind::Size), "{gaps:?}");
    let gaps = parse(&" ".repeat(MAX_COMMAND_BYTES + 1)).gaps;
    assert!(matches!(gaps.as_slice(), [gap] if gap.kind == GapKind::Size), "{gaps:?}");
}

/// Pieces that meet in interesting ways.
const PIECES: &[&str] = &[
    "a",
    "é",
    " ",
    "\n",
    "\t",
    "\r",
    "\0",
    "\\",
    "\\\n",
    "'",
    "\"",
    "`",
    "\\`",
    "$",
    "$x",
    "${",
    "}",
    "$(",
    ")",
    "((",
    "))",
    "$((",
    "<(",
    ">(",
    "(",
    "{ ",
    "; }",
    "[[ ",
    " ]]",
    "[",
    "]",
    "=",
    "+=",
    "a=(",
    "a[",
    "#",
    " #",
    "!",
    "*",
    "@(",
    "?",
    "<<E",
    "<<-'E'",
    "\nE\n",
    "E",
    "<<<",
    ">",
    ">&",
    "2>&1",
    "&>",
    "&",
    "|",
    "|&",
    "&&",
    "||",
    ";",
    ";;",
    ";&",
    "if ",
    "then ",
    "elif ",
    "else ",
    "fi",
    "while ",
    "do ",
    "done",
    "for x in ",
    "for ((;;)) ",
    "case x in ",
    "esac",
    "select ",
    "function f ",
    "f()",
    "coproc ",
    "time ",
    "$'\\x4",
    "$'",
    "${x/",
    "${x:",
    "${#",
    "${!",
    ":-",
    "%%",
    "@Q}",
    "~/",
    "{a,b}",
    "=~ ",
    "-f ",
    "declare ",
    "$[",
    "1",
    "-",
    "/",
];

/// Every span of the tree, found in its `Debug` form so that none is forgotten, lies in the text and on characters.
fn check_spans(text: &str) {
    let script = parse(text);
    let tree = format!("{script:?}");
    for field in tree.split("Span { start: ").skip(1) {
        let Some((start, rest)) = field.split_once(", end: ") else { continue };
        let end = rest.split(' ').next().unwrap();
        // The same words may stand in the text itself.
        let (Ok(start), Ok(end)) = (start.parse::<usize>(), end.parse::<usize>()) else { continue };
        assert!(text.get(start..end).is_some(), "{start}..{end} in {text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn pieces_are_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        check_spans(&pieces.concat());
    }

    #[test]
    fn bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_spans(&String::from_utf8_lossy(&bytes));
    }

    /// Whatever stands before it, a later line is read or a gap reaches it.
    #[test]
    fn a_later_line_is_not_lost(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
        // The empty line is for an escaped newline.
        let text = pieces.concat() + "\n\nmarker\n";
        let script = parse(&text);
        let line = text.len() - "marker\n".len();
        let covered = script.gaps.iter().any(|gap| gap.span.end as usize >= line);
        prop_assert!(covered || format!("{script:?}").contains("marker"), "{:?}", text);
    }
}
