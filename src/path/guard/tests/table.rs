//! Hazards one by one, each under all rules.

use super::super::Rules::{self, Portable, Posix, Windows};
use super::verdict;

/// `windows` under the Windows and the portable rules, `posix` under those of POSIX. Codes without `path_`.
fn check(raw: impl AsRef<[u8]>, windows: &str, posix: &str) {
    let raw = raw.as_ref();
    for (rules, want) in [(Windows, windows), (Portable, windows), (Posix, posix)] {
        let got = verdict(raw, rules);
        assert_eq!(got.strip_prefix("path_").unwrap_or(got), want, "{} under {rules:?}", raw.escape_ascii());
    }
}

fn both(raw: impl AsRef<[u8]>, want: &str) {
    check(raw, want, want);
}

#[test]
fn ordinary_names_pass() {
    let names = [
        "src/path/guard/mod.rs",
        ".gitignore",
        ".a",
        "a",
        "x",
        "0x",
        "0x1f",
        "Makefile",
        "C++/vector",
        "[id].tsx",
        "a@b#c",
        "a&b",
        "(draft) v2.txt",
        "50% off",
        "100%",
        "a%20b.txt",
        "%41",
        "%zz",
        "#1",
        "!important",
        "console.log",
        "connect",
        "auxiliary/x",
        "com",
        "com10",
        "lpt",
        "nul-safe.rs",
        "prn2",
        "a..b",
        "a.b.c",
        "-rf",
        "--",
        "_",
        "${name}.hbs",
        "$id.tsx",
        "{a,b}",
        "a=b",
        "日本語/設計書.md",
        "café",
        "cafe\u{301}",
        "Ünïcödé",
        "ｶﾀｶﾅ",
        "（最終）.txt",
        "標題：副標題.md",
        "½",
        "①.txt",
        "🎉.md",
        "naïve…txt",
        "a。b",
        "Привет",
        "עברית",
        "ไทย",
        "हिन्दी",
        "~$doc.docx",
        "a~",
        "a/~root",
        "file~backup",
        "main.rs~",
        ".#lock",
        "0x2e1f",
        "a'b",
        "x+AC4x",
        "lr=2e-05",
        "Q：why.md",
        "～メモ.txt",
        "…",
        "a\u{a0}b",
        "Foo 2024-01-01 at 1.23.45\u{202f}PM.png",
    ];
    for name in names {
        // A name of dots alone is the one exception.
        both(name, if name == "…" { "traverses_outside_workspace" } else { "ok" });
    }
}

#[test]
fn what_only_windows_reads_differently() {
    for stream in ["x:y", "xx::$DATA", "aa/b:c", "folder:$I30:$INDEX_ALLOCATION"] {
        let starts_with_drive = stream.as_bytes()[1] == b':';
        let want = if starts_with_drive { "is_absolute" } else { "contains_alternate_data_stream" };
        check(stream, want, if starts_with_drive { "is_absolute" } else { "ok" });
    }
    for device in [
        "NUL",
        "nul",
        "a/Con",
        "AUX.txt",
        "prn.a.b",
        "COM1",
        "com9.log",
        "LPT0",
        "COM¹",
        "lpt³.x",
        "CONIN$",
        "conout$.txt",
        "CLOCK$",
        "NUL .txt",
        "COM1 .log",
        "ＮＵＬ",
        "COM⁴",
        "LPT₁.txt",
        "ℂON",
        "𝐂𝐎𝐍",
    ] {
        check(device, "is_reserved_device_name", "ok");
    }
    for edge in ["a.", "a ", " a", "a/b./c", "a. .", "x\u{a0}", "\u{3000}x", "a．", "a\u{2003}/b"] {
        check(edge, "has_edge_dot_or_space", "ok");
    }
    for alias in ["PROGRA~1", "foo~1.txt", "a/b~9999.c", "AB~12345", "ABCDEF~1234", "A~123456.X"] {
        check(alias, "uses_short_name_alias", "ok");
    }
    for other in ["chapter~1.md", "a~1.html", "a/~1", "AB~1234567", "ABCDEF~12345", "a~b.txt", "a.~1~"] {
        both(other, "ok");
    }
    for illegal in ["a<b", "a>b", "a\"b", "a|b", "why?", "*.rs"] {
        check(illegal, "contains_illegal_character", "ok");
    }
    check("a¥b", "contains_separator_homoglyph", "ok");
    check("a₩b", "contains_separator_homoglyph", "ok");
}

#[test]
fn roots_of_every_kind() {
    for absolute in [
        "/",
        "/etc/passwd",
        r"\x",
        r"\",
        "/c/Users",
        "/mnt/c/x",
        "/cygdrive/c",
        "C:",
        "c:x",
        r"C:\x",
        "z:/x",
        "/dev/null",
    ] {
        both(absolute, "is_absolute");
    }
    for unc in [
        r"\\server\share",
        "//server/share",
        r"\\?\C:\x",
        r"\\.\COM1",
        "//?/C:/x",
        "//./NUL",
        r"\\wsl$\d\x",
        "///x",
        r"\\",
    ] {
        both(unc, "is_unc_or_device_namespace");
    }
    both(r"\/server", "is_absolute");
    both("/\\server", "is_absolute");
    both(r"\??\C:\x", "is_absolute");
    check("./C:x", "contains_alternate_data_stream", "is_absolute");
    both("Ｃ：\\x", "is_absolute");
    both("C꞉/x", "is_absolute");
    for home in [
        "~",
        "~root/x",
        "~/x",
        "./~/x",
        "~a.b-c_d",
        "~+/x",
        "~-",
        "~+1",
        "~ünal/x",
        "～",
        "$HOME/x",
        "${HOME}",
        "%USERPROFILE%\\x",
    ] {
        both(home, "uses_home_expansion");
    }
}

#[test]
fn dots_in_any_spelling() {
    for dots in [
        "..",
        "../x",
        r"a\..\b",
        "...",
        "....//x",
        "..;/x",
        "..foo",
        ".. /x",
        "．．/x",
        "‥/x",
        "…/x",
        "a/．.b/c",
        ".．",
        "。。/x",
        "․․/x",
        "．",
        "a/．/b",
        "︰/x",
        "..\u{a0}",
    ] {
        both(dots, "traverses_outside_workspace");
    }
    both(".", "is_empty");
    both("./", "is_empty");
    both("././.", "is_empty");
}

#[test]
fn characters_nobody_should_meet() {
    both("a\0b", "contains_null_byte");
    both("a\x01", "contains_control_character");
    both("a\n", "contains_control_character");
    both("a\x7f", "contains_control_character");
    both("a\u{85}", "contains_control_character");
    for invisible in [
        '\u{ad}',
        '\u{200d}',
        '\u{202e}',
        '\u{feff}',
        '\u{2028}',
        '\u{2029}',
        '\u{180e}',
        '\u{206a}',
        '\u{fff9}',
        '\u{e0041}',
        '\u{e0100}',
        '\u{fe0f}',
        '\u{3164}',
        '\u{115f}',
        '\u{e000}',
        '\u{f05c}',
        '\u{10ffff}',
        '\u{fffe}',
        '\u{fdd0}',
        '\u{1fffe}',
        '\u{600}',
        '\u{2800}',
        '\u{1d173}',
        '\u{34f}',
    ] {
        both(format!("a{invisible}b"), "contains_invisible_character");
    }
    for separator in [
        '\u{2044}', '\u{2215}', '\u{2216}', '\u{29f5}', '\u{29f8}', '\u{29f9}', '\u{fe68}', '／', '＼', '℀', '℅', '╱',
        '⟋',
    ] {
        both(format!("a{separator}b"), "contains_separator_homoglyph");
    }
    for bytes in [
        &b"\xff"[..],
        b"a\xc0\xafb",
        b"\xc0\xae\xc0\xae/x",
        b"\xed\xa0\x80",
        b"a\x80",
        b"\xf4\x90\x80\x80",
        b"\xe0\x80\xae",
    ] {
        both(bytes, "is_not_valid_utf8");
    }
}

#[test]
fn encodings_once_and_more() {
    for encoded in [
        "%2e%2e/x",
        "%2E./x",
        "a%2fb",
        "a%5Cb",
        "%00",
        "%252e",
        "%25252e",
        "%c0%af",
        "%ff",
        "%u002e",
        "%uff0e",
        "a%u2216b",
        "%%32%65",
        "%%32%35",
        "%%32%66",
        "%25%32%65",
        "%7e",
        "%43%3a",
        "a/%0a",
        "%01",
        "&#46;&#46;/x",
        "&#x2e;",
        "&#047",
        "&sol;",
        "a&period;",
        "+AC4-+AC4-/x",
        "+AC4ALgAv-",
        "0x2e0x2e/x",
        "0x2f",
        "a0x5c.b",
        "%%%32%35",
    ] {
        both(encoded, "contains_encoded_separator");
    }
    for encoded in ["%4eUL", "aa%3ab", "a%20", "%3f", "PROGRA%7e1"] {
        check(encoded, "contains_encoded_separator", "ok");
    }
    let nested = (0..9).fold("%41".to_owned(), |inner, _| inner.replace('4', "%34"));
    both(nested, "contains_encoded_separator");
}

#[test]
fn lengths_are_exact() {
    both("a".repeat(255), "ok");
    both("a".repeat(256), "segment_too_long");
    let path = |bytes: usize| format!("{}{}", "abcdefg/".repeat(bytes / 8), "z".repeat(bytes % 8));
    both(path(1023), "ok");
    both(path(1024).trim_end_matches('/'), "ok");
    both(path(1025), "too_long");
    // 85 three-byte characters fit; under the Windows rules alone a name is counted in UTF-16.
    both("名".repeat(85), "ok");
    assert_eq!(verdict("名".repeat(86).as_bytes(), Portable), "path_segment_too_long");
    assert_eq!(verdict("名".repeat(86).as_bytes(), Posix), "path_segment_too_long");
    assert_eq!(verdict("名".repeat(255).as_bytes(), Windows), "ok");
    assert_eq!(verdict("名".repeat(256).as_bytes(), Windows), "path_segment_too_long");
}

#[test]
fn the_normal_form() {
    let check = |raw: &str, want: &str| {
        for rules in Rules::ALL {
            let safe = super::PathGuard::new(rules).judge(raw.as_bytes()).unwrap();
            assert_eq!(safe.as_str(), want, "{raw:?}");
            assert!(safe.segments().eq(want.split('/')));
        }
    };
    check("a/b", "a/b");
    check(r"a\b", "a/b");
    check("./a//b/./", "a/b");
    check(r".\a\\b\.", "a/b");
    check("a b/c", "a b/c");
    check("名/前", "名/前");
}
