//! Rows of data: texts compiled in, one row a line, sorted by name, searched without building anything.

/// Cmdlets with their parameters.
pub(super) const CMDLETS: &str = include_str!("cmdlets.roles");
/// Aliases of cmdlets.
pub(super) const ALIASES: &str = include_str!("aliases.roles");
/// Static methods and constructors of .NET.
pub(super) const DOTNET: &str = include_str!("dotnet.roles");

/// Parameters that every cmdlet has.
const COMMON: &str = "verbose,vb! debug,db! whatif,wi! confirm,cf! erroraction,ea:n warningaction,wa:n \
                      informationaction,infa:n progressaction,proga:n errorvariable,ev:v warningvariable,wv:v \
                      informationvariable,iv:v outvariable,ov:v outbuffer,ob:n pipelinevariable,pv:v usetransaction!";

/// The rest of the row that begins with `name`.
pub(super) fn find<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (mut low, mut high) = (0, if name.is_empty() { 0 } else { text.len() });
    while low < high {
        let middle = low + (high - low) / 2;
        let start = text[..middle].rfind('\n').map_or(0, |i| i + 1).max(low);
        let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let line = &text[start..end];
        let key = if line.starts_with('#') { "" } else { line.split(' ').next().unwrap_or("") };
        match name.cmp(key) {
            std::cmp::Ordering::Equal => return Some(line[key.len()..].trim_start()),
            std::cmp::Ordering::Less => high = start,
            std::cmp::Ordering::Greater => low = (end + 1).min(text.len()),
        }
    }
    None
}

/// A parameter of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Param {
    /// Its name and its aliases, separated by commas.
    names: &'static str,
    /// Where it stands among arguments without a name.
    pub(super) position: Option<u8>,
    /// Takes every argument without a name.
    pub(super) rest: bool,
    /// Takes what the pipeline hands on.
    pub(super) piped: bool,
    /// `None`: a switch.
    pub(super) role: Option<char>,
}

impl Param {
    pub(super) fn name(self) -> &'static str {
        self.names.split(',').next().unwrap_or(self.names)
    }

    fn is_called(self, name: &str) -> bool {
        self.names.split(',').any(|n| n == name)
    }
}

/// A cmdlet's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    text: &'static str,
}

impl Row {
    pub(super) fn of(name: &str) -> Option<Self> {
        find(CMDLETS, name).map(|text| Self { text })
    }

    /// The code that knows more than the row says.
    pub(super) fn code(self) -> &'static str {
        self.text.split(' ').find_map(|token| token.strip_prefix('=')).unwrap_or("")
    }

    /// Whether the cmdlet makes or changes files.
    pub(super) fn writes(self) -> bool {
        const CODES: &str = " newitem mkdir copy move rename setitem expand compress outfile setcontent addcontent tee \
                             transcript web bits start ";
        let code = self.code();
        !code.is_empty() && CODES.contains(&format!(" {code} "))
            || self.params().any(|p| matches!(p.role, Some('c' | 'm' | 'x' | 'i')))
    }

    pub(super) fn params(self) -> impl Iterator<Item = Param> {
        self.text.split(' ').filter(|t| !t.is_empty() && !t.starts_with('=')).map(param)
    }

    /// The parameter that `name` (lower case) means: by its name, an alias, or a beginning of the name that no other
    /// shares; where several share it, the row's first.
    pub(super) fn param(self, name: &str) -> Option<Param> {
        let common = || COMMON.split_ascii_whitespace().map(param);
        let exact = self.params().find(|p| p.is_called(name)).or_else(|| common().find(|p| p.is_called(name)));
        let begins = |p: &Param| p.name().starts_with(name);
        exact.or_else(|| self.params().find(begins)).or_else(|| common().find(begins))
    }
}

fn param(token: &'static str) -> Param {
    let (head, role) = match token.strip_suffix('!') {
        Some(head) => (head, None),
        None => match token.rsplit_once(':') {
            Some((head, role)) => (head, role.chars().next()),
            None => (token, Some('n')),
        },
    };
    let piped = head.ends_with('|');
    let head = head.trim_end_matches('|');
    let (names, position) = head.split_once('@').unwrap_or((head, ""));
    Param { names, position: position.parse().ok(), rest: position == "*", piped, role }
}

/// The cmdlet that a built-in alias stands for.
pub(super) fn alias(name: &str, windows: bool) -> Option<&'static str> {
    let row = find(ALIASES, name)?;
    let mut words = row.split(' ');
    let target = words.next()?;
    (words.next().is_none() || windows).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split(' ').next().unwrap_or("")).collect()
    }

    #[test]
    fn rows_are_sorted_and_found() {
        for text in [CMDLETS, ALIASES, DOTNET] {
            let names = names(text);
            assert!(names.windows(2).all(|w| w[0] < w[1]), "{:?}", names.windows(2).find(|w| w[0] >= w[1]));
            for name in names {
                assert!(find(text, name).is_some(), "{name}");
            }
            assert!(find(text, "zzz").is_none() && find(text, "").is_none() && find(text, "a").is_none());
        }
    }

    #[test]
    fn parameters_have_known_roles_and_lower_names() {
        for name in names(CMDLETS) {
            let row = Row::of(name).map(Row::params).into_iter().flatten();
            for param in row {
                assert!(
                    param.names.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b','),
                    "{name}: {param:?}"
                );
                assert!(param.role.is_none_or(|r| "nrcmxiPv".contains(r)), "{name}: {param:?}");
            }
        }
    }

    #[test]
    fn abbreviations() {
        let check = |cmdlet: &str, given: &str, want: Option<&str>| {
            let found = Row::of(cmdlet).and_then(|row| row.param(given));
            assert_eq!(found.map(Param::name), want, "{cmdlet} -{given}");
        };
        check("new-item", "type", Some("itemtype"));
        check("new-item", "it", Some("itemtype"));
        check("copy-item", "dest", Some("destination"));
        check("copy-item", "rec", Some("recurse"));
        check("copy-item", "wh", Some("whatif"));
        check("get-content", "first", Some("totalcount"));
        check("out-file", "zzz", None);
    }

    #[test]
    fn aliases_lead_to_rows() {
        for name in names(ALIASES) {
            let target = alias(name, true).unwrap_or("");
            assert!(target.contains('-') || Row::of(target).is_some(), "{name}");
        }
        assert_eq!(alias("cp", false), None);
        assert_eq!(alias("cp", true), Some("copy-item"));
        assert_eq!(alias("gci", false), Some("get-childitem"));
    }
}
