//! What holds for every path.

use proptest::prelude::*;

use super::super::{PathGuard, Rules, published, stricter};
use super::reference;

/// Pieces that meet each other's checks. Small, so that they do meet.
const PIECES: [&str; 68] = [
    ".", "..", "/", "\\", "a", "b", "A", "C", ":", "~", "1", "9", " ", "%", "2e", "2f", "5c", "25", "32", "65", "7e",
    "43", "u002e", "x", "0", "0x2e", "&#46;", "+AC4-", "NUL", "con", "COM", "¹", "$", "HOME", "{", "}", "．", "‥", "…",
    "。", "：", "Ｃ", "～", "／", "℀", "é", "e\u{301}", "名", "🎉", "\u{200d}", "\u{fe0f}", "\u{85}", "\u{2028}", "\n",
    "\0", "?", "*", "\"", "\u{a0}", "¥", "txt", "123456", "-", "\u{e000}", "+", "\u{131}", "Ж", "\u{2d0}",
];

fn woven() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => (0..PIECES.len()).prop_map(|i| PIECES[i].as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|b| vec![b]),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn raw() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![8 => woven(), 1 => prop::collection::vec(any::<u8>(), 0..64), 1 => prop::collection::vec(32u8..127, 0..1100)]
}

/// Where `root` and the names of `path` lead, by the separators of either platform, as a depth below the root; `None` when
/// it leaves.
fn stays_below(path: &str, separators: &[char]) -> bool {
    let mut depth = 0i32;
    for name in path.split(separators) {
        match name {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        if depth < 0 {
            return false;
        }
    }
    depth > 0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    /// Never a panic, and an admitted path judged again is itself.
    #[test]
    fn the_normal_form_is_a_fixed_point(raw in raw()) {
        for rules in Rules::ALL {
            let guard = PathGuard::new(rules);
            if let Ok(safe) = guard.judge(&raw) {
                let again = guard.judge(safe.as_str().as_bytes());
                prop_assert_eq!(again.as_ref().map(super::super::SafePath::as_str), Ok(safe.as_str()), "{:?}", rules);
            }
        }
    }

    /// The naive join of an admitted path stays below the root on either platform, whichever rules admitted it.
    #[test]
    fn nothing_admitted_leaves(raw in raw()) {
        for rules in Rules::ALL {
            if let Ok(safe) = PathGuard::new(rules).judge(&raw) {
                let path = safe.as_str();
                prop_assert!(stays_below(path, &['/']) && stays_below(path, &['/', '\\']), "{:?} {:?}", path, rules);
                // A join replaces the root by an absolute path and by another drive.
                let is_drive = path.len() > 1 && path.as_bytes()[1] == b':' && path.as_bytes()[0].is_ascii_alphabetic();
                prop_assert!(!path.starts_with(['/', '\\']) && !is_drive, "{:?} {:?}", path, rules);
                prop_assert!(!path.contains('\\') && !path.contains('\0'));
            }
        }
    }

    /// What the published rules refuse has its published code; what they admit keeps its normal form if it is admitted.
    #[test]
    fn published_codes_never_move(raw in raw()) {
        let (published, ours) = (reference::judge(&raw), PathGuard::default().judge(&raw));
        match (published, ours) {
            (Err(code), ours) => prop_assert_eq!(ours.map(|safe| safe.as_str().to_owned()), Err(code)),
            (Ok(normal), Ok(safe)) => prop_assert_eq!(normal, safe.as_str()),
            (Ok(_), Err(_)) => {}
        }
    }

    /// Portable is both at once.
    #[test]
    fn portable_admits_what_both_admit(raw in raw()) {
        let judge = |rules| PathGuard::new(rules).judge(&raw).map(|safe| safe.as_str().to_owned());
        let (windows, posix, portable) = (judge(Rules::Windows), judge(Rules::Posix), judge(Rules::Portable));
        prop_assert_eq!(portable.is_ok(), windows.is_ok() && posix.is_ok());
        if let Ok(normal) = portable {
            prop_assert!(windows == Ok(normal.clone()) && posix == Ok(normal));
        }
    }

    /// The short way for ordinary paths is a short way and no other rule.
    #[test]
    fn the_fast_way_agrees(raw in raw()) {
        for rules in Rules::ALL {
            let slow = published::judge(&raw, rules).and_then(|text| stricter::judge(text, rules));
            prop_assert_eq!(PathGuard::new(rules).judge(&raw).map(drop), slow, "{:?}", rules);
        }
    }

    /// Neither one more decoding nor a change of case lets through what was refused for it.
    #[test]
    fn no_decoding_of_an_admitted_path_is_refused(raw in raw()) {
        let decode = |text: &str| {
            let mut out = Vec::new();
            let mut bytes = text.bytes().collect::<std::collections::VecDeque<_>>();
            while let Some(byte) = bytes.pop_front() {
                let value = |b: Option<&u8>| b.and_then(|&b| char::from(b).to_digit(16));
                match (byte, value(bytes.front()), value(bytes.get(1))) {
                    (b'%', Some(high), Some(low)) => {
                        bytes.drain(..2);
                        out.push(u8::try_from(high * 16 + low).unwrap());
                    }
                    _ => out.push(byte),
                }
            }
            out
        };
        for rules in Rules::ALL {
            let guard = PathGuard::new(rules);
            if let Ok(safe) = guard.judge(&raw) {
                let once = decode(safe.as_str());
                prop_assert!(guard.judge(&once).is_ok(), "{:?} {:?}", safe.as_str(), rules);
                let twice = decode(&String::from_utf8(once).unwrap());
                prop_assert!(guard.judge(&twice).is_ok(), "{:?} {:?}", safe.as_str(), rules);
            }
        }
    }
}
