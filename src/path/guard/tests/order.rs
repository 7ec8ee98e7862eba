//! The order of the checks: a path that meets two of them is refused by the first.

use super::super::{PathGuard, Refusal, Rules};
use super::reference;

/// One hazard a published check, the earlier ones first. Each is put beside each later one.
const WHOLE: [(&[u8], &str); 7] = [
    (b"\0", "path_contains_null_byte"),
    (b"\xFF", "path_is_not_valid_utf8"),
    ("\u{200B}".as_bytes(), "path_contains_invisible_character"),
    ("\u{2215}".as_bytes(), "path_contains_separator_homoglyph"),
    (b"\x07", "path_contains_control_character"),
    (b"%2e", "path_contains_encoded_separator"),
    // Any later check will do; the rest is below.
    (b"/../x", "path_traverses_outside_workspace"),
];

fn check(raw: &[u8], want: &str) {
    let got = PathGuard::default().judge(raw).map_or_else(Refusal::code, |_| "ok");
    assert_eq!(got, want, "{}", raw.escape_ascii());
    let published = reference::judge(raw).map_or_else(Refusal::code, |_| "ok");
    assert_eq!(published, want, "published: {}", raw.escape_ascii());
}

#[test]
fn the_whole_text_is_checked_in_the_published_order() {
    check(b"", "path_is_empty");
    let long = [&[0; 1024][..], b"x"].concat();
    check(&long, "path_too_long");
    for (i, (first, code)) in WHOLE.iter().enumerate() {
        for (later, _) in &WHOLE[i..] {
            check(&[b"a", *later, first].concat(), code);
            check(&[b"a", *first, later].concat(), code);
        }
    }
    // 8 before 9, 9 before 10 and 11, 10 before 11, and all of them before any name is looked at.
    check(br"\\server\%2f", "path_contains_encoded_separator");
    check(br"\\C:\..", "path_is_unc_or_device_namespace");
    check(b"//C:/..", "path_is_unc_or_device_namespace");
    check(br"C:\..\NUL", "path_is_absolute");
    check(b"C:", "path_is_absolute");
    check(br"\..\x", "path_is_absolute");
    check(b"/../x", "path_is_absolute");
}

#[test]
fn each_name_is_checked_in_the_published_order() {
    let long = "a".repeat(256);
    // Each name meets its own check and at least the next one.
    check(b"..:", "path_traverses_outside_workspace");
    check(b"x/a:b.", "path_contains_alternate_data_stream");
    check(b"~root.", "path_has_edge_dot_or_space");
    check(b"~1", "path_uses_home_expansion");
    check(b"a/CON~1", "path_uses_short_name_alias");
    check(format!("a/NUL.{long}").as_bytes(), "path_is_reserved_device_name");
    check(format!("a/{long}").as_bytes(), "path_segment_too_long");
    // Name by name, so an earlier name decides.
    check(b"NUL/../x", "path_is_reserved_device_name");
    check(b"aa:b/..", "path_contains_alternate_data_stream");
    check(b"a/./~root", "ok");
    check(b".//~root", "path_uses_home_expansion");
    check(b"./.", "path_is_empty");
}

#[test]
fn stricter_checks_follow_the_same_order() {
    let check = |raw: &str, want: &str| {
        let got = PathGuard::new(Rules::Portable).judge(raw.as_bytes()).map_or_else(Refusal::code, |_| "ok");
        assert_eq!(got, want, "{raw:?}");
    };
    // What the published rules refuse keeps its code.
    check("\u{2028}/../x", "path_traverses_outside_workspace");
    check("a\u{2216}b/NUL", "path_is_reserved_device_name");
    // 5, 6, 7, 8, 10, then the names: 12, 14, illegal, 15, 16, 17.
    check("\u{2216}\u{85}\u{2028}", "path_contains_invisible_character");
    check("\u{85}\u{2216}", "path_contains_separator_homoglyph");
    check("%7e\u{85}", "path_contains_control_character");
    check("Ｃ：/%41UX", "path_contains_encoded_separator");
    check("Ｃ：/．．/x", "path_is_absolute");
    check("．．\u{3000}", "path_traverses_outside_workspace");
    check("a?\u{3000}", "path_has_edge_dot_or_space");
    check("$HOME/a?", "path_uses_home_expansion");
    check("NUL .a?", "path_contains_illegal_character");
    check("AB~12345/NUL .txt", "path_uses_short_name_alias");
    check("NUL .txt/AB~12345", "path_is_reserved_device_name");
}
