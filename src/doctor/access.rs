//! Who may change a folder of Windows, read from its access list as text (the security descriptor definition language).

/// What an access list says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Nobody but this user and the system may change the folder.
    Own,
    /// Somebody else owns it, and may change its list.
    Foreign,
    /// Somebody else may write into it.
    Shared,
}

/// Rights to write, in the letters that stand for them.
const WRITING: [&str; 10] = ["FA", "GA", "FW", "GW", "DC", "LC", "DT", "SD", "WD", "WO"];

/// The same as bits: add a file or folder, delete children or itself, change list or owner, everything, writing.
const WRITING_BITS: u32 = 0x2 | 0x4 | 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000 | 0x4000_0000;

/// Judges a list (`O:…G:…D:…(A;OICI;FA;;;SY)…`) for the user with this number.
pub(super) fn judge(list: &str, user: &str) -> Access {
    let trusted = |who: &str| who == user || is_system(who);
    let owner = list.strip_prefix("O:").map(|rest| rest.split(['D', 'G']).next().unwrap_or(rest));
    // The letters of an owner may hold a `D` (`DA`): then the list says nothing that can be trusted here.
    if owner.is_some_and(|owner| !owner.is_empty() && !trusted(owner)) {
        return Access::Foreign;
    }
    if list.contains("NO_ACCESS_CONTROL") {
        return Access::Shared;
    }
    let entries = list.split('(').skip(1).filter_map(|entry| entry.split(')').next());
    for entry in entries {
        let fields: Vec<&str> = entry.split(';').collect();
        let [kind, flags, rights, _, _, who, ..] = fields.as_slice() else { continue };
        let inherit_only = flags.as_bytes().chunks(2).any(|flag| flag == b"IO");
        if *kind == "A" && !inherit_only && may_write(rights) && !trusted(who) {
            return Access::Shared;
        }
    }
    Access::Own
}

/// Administrators, the system, its installer, and whoever owns or made something: who may do everything anyway.
fn is_system(who: &str) -> bool {
    const INSTALLER: &str = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";
    matches!(who, "SY" | "BA" | "LA" | "DA" | "EA" | "CO" | "OW") || who == INSTALLER
}

fn may_write(rights: &str) -> bool {
    if let Some(bits) = rights.strip_prefix("0x").and_then(|hex| u32::from_str_radix(hex, 16).ok()) {
        return bits & WRITING_BITS != 0;
    }
    rights.as_bytes().chunks(2).any(|pair| WRITING.iter().any(|right| right.as_bytes() == pair))
}

#[cfg(test)]
mod tests {
    use super::{Access, judge};

    #[test]
    fn lists() {
        const ME: &str = "S-1-5-21-1-2-3-1001";
        let check = |list: &str, want: Access| assert_eq!(judge(&list.replace("ME", ME), ME), want, "{list}");
        check("O:MED:P(A;OICI;FA;;;ME)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)", Access::Own);
        check("O:BAG:MED:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;ME)", Access::Own);
        check("O:MED:(A;OICI;FA;;;ME)(A;OICI;0x1200a9;;;BU)(A;;FR;;;WD)", Access::Own);
        check("O:MED:(A;OICI;FA;;;ME)(A;OICI;0x1301bf;;;AU)", Access::Shared);
        check("O:MED:(A;OICI;FA;;;ME)(A;;FRFW;;;BU)", Access::Shared);
        check("O:MED:(A;OICI;FA;;;WD)", Access::Shared);
        check("O:MED:(A;OICIIO;FA;;;WD)(D;;FA;;;WD)(A;;FA;;;CO)", Access::Own);
        check("O:S-1-5-21-1-2-3-1002D:(A;;FA;;;ME)", Access::Foreign);
        check("O:MED:NO_ACCESS_CONTROL", Access::Shared);
        check("", Access::Own);
    }
}
