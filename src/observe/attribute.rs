//! Who may have made an entry. A function of what is known; asks nothing of the system.

use super::calls::{Call, Known, Remembered};
use super::facts::GRAIN_MS;
use super::named::names;
use crate::ledger::observed::{Attribution, Candidate, Evidence, Grade};
use crate::limits::{LINGER_MS, MAX_CANDIDATES, SOON_MS};
use crate::path::Model;

/// What was seen to have happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happening<'a> {
    pub(crate) path: &'a str,
    /// Whether there is a new entry: only then its birth says when.
    pub(crate) made: bool,
    /// Milliseconds since 1970; 0: not known.
    pub(crate) birth: i64,
    /// The last change of the entry's state, in the same unit; 0: not known.
    pub(crate) changed: i64,
    /// The last change of its folder: it did not happen later.
    pub(crate) latest: i64,
    /// Whether the entry is this user's, where the platform says.
    pub(crate) own: Option<bool>,
}

/// The judgement, and the one call that it names.
#[derive(Debug)]
pub(crate) struct Finding<'a> {
    pub(crate) attribution: Attribution,
    pub(crate) between: bool,
    pub(crate) chosen: Option<&'a Call>,
}

/// Judges a happening that was found at `now`. `current` is the call whose end led to the look.
///
/// Calls whose end was followed by a look are out of it: that look saw all that they had done, but for what took the place
/// of an old entry, whose birth then tells in whose time it was made. What they left running
/// may go on, though, so they are candidates where no call was open, and beside one that was where their command looks
/// as if it left something.
pub(crate) fn attribute<'a>(
    model: Model,
    what: &Happening<'_>,
    calls: &'a Remembered,
    current: Option<u64>,
    now: i64,
) -> Finding<'a> {
    let latest = [what.latest, what.changed].into_iter().filter(|t| *t > 0).min().unwrap_or(now);
    let earliest = if what.made { what.birth } else { 0 };
    let started = |known: &Known| ms(known.call.start) <= latest + GRAIN_MS;
    // Well before its end: what the next call makes at once is its own, and the clock of births is behind.
    let born_in = |known: &Known, end: i64| {
        what.made && what.birth > 0 && ms(known.call.start) <= what.birth && what.birth + GRAIN_MS < end
    };
    let unseen_end = |known: &Known| {
        let since = |end: i64| if known.looked { born_in(known, end) } else { end + GRAIN_MS >= earliest };
        known.end.is_some_and(|end| since(ms(end)))
    };
    let mut running: Vec<&Known> = calls.open.iter().filter(|k| started(k)).collect();
    running.extend(calls.ended.iter().filter(|k| started(k) && unseen_end(k)));
    running.sort_by_key(|known| Some(known.key) != current);
    let lingers = |known: &&Known| {
        let fits = started(known) && known.end.is_some_and(|end| ms(end) + LINGER_MS >= latest);
        fits && !running.iter().any(|r| r.key == known.key)
    };
    let left: Vec<&Known> = calls.ended.iter().filter(lingers).collect();
    let case = Case { model, what, calls, now };
    if running.is_empty() && !calls.more { case.between(left) } else { case.within(running, left) }
}

struct Case<'a, 'w> {
    model: Model,
    what: &'w Happening<'w>,
    calls: &'a Remembered,
    now: i64,
}

fn ms(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

impl<'a> Case<'a, '_> {
    fn names_it(&self, known: &Known) -> bool {
        names(self.model, &known.call.command, self.what.path)
    }

    /// The one of `calls` that names it, where none of the others could.
    fn only_named(&self, calls: &[&Known]) -> Option<usize> {
        let mut found = None;
        for (i, known) in calls.iter().enumerate() {
            match (self.names_it(known), found) {
                (true, None) => found = Some(i),
                (true, Some(_)) => return None,
                // What was cut off may name it too.
                (false, _) if known.call.cut => return None,
                (false, _) => {}
            }
        }
        found
    }

    fn owner(&self) -> Option<Evidence> {
        self.what.own.map(|own| if own { Evidence::SameOwner } else { Evidence::OtherOwner })
    }

    /// No call was open: what ended before may have left something running.
    fn between(&self, mut left: Vec<&'a Known>) -> Finding<'a> {
        let mut evidence = Vec::new();
        // A command that names what is gone now may just as well have made it.
        let named = self.only_named(&left).filter(|_| self.what.made);
        let leaving: Vec<usize> = (0..left.len()).filter(|&i| left[i].call.outlives).collect();
        let chosen = named.or_else(|| match (leaving.as_slice(), left.len()) {
            (&[one], _) if self.what.own != Some(false) => Some(one),
            (_, 1) if self.what.own != Some(false) && self.is_soon_after(left[0]) => Some(0),
            _ => None,
        });
        if !left.is_empty() {
            evidence.push(Evidence::EndedBefore);
        }
        evidence.extend(named.map(|_| Evidence::Named));
        evidence.extend(self.owner());
        let grade = match chosen {
            Some(_) => Grade::Likely,
            None if left.is_empty() => Grade::Unattributed,
            None => Grade::Ambiguous,
        };
        if let Some(i) = chosen {
            left[..=i].rotate_right(1);
        }
        let chosen = chosen.map(|_| &left[0].call);
        Finding { attribution: attribution(grade, evidence, &left, false), between: true, chosen }
    }

    fn is_soon_after(&self, known: &Known) -> bool {
        known.end.is_some_and(|end| self.what.latest <= ms(end) + SOON_MS)
    }

    /// Calls were open.
    fn within(&self, running: Vec<&'a Known>, left: Vec<&'a Known>) -> Finding<'a> {
        let alone = running.len() == 1 && !self.calls.more;
        let mut evidence = vec![if alone { Evidence::OnlyCall } else { Evidence::CallsOpen }];
        let first = running.first().copied();
        let within = |time: i64| first.is_some_and(|known| time > 0 && self.is_within(known, time));
        let born = self.what.made && within(self.what.birth);
        if alone {
            evidence.extend(born.then_some(Evidence::BornWithin));
            let changed = !born && within(self.what.changed);
            evidence.extend(changed.then_some(Evidence::ChangedWithin));
            let folder = !born && !changed && within(self.what.latest);
            evidence.extend(folder.then_some(Evidence::FolderChangedWithin));
        }
        evidence.extend(self.owner());
        let mut candidates = running;
        candidates.extend(left.into_iter().filter(|known| known.call.outlives));
        let named = self.only_named(&candidates).filter(|_| !self.calls.more);
        // Whoever named it before may have left something that does it now.
        let named_before = || self.calls.ended.iter().any(|known| known.call.runs() && self.names_it(known));
        evidence.extend(named.map(|_| Evidence::Named));
        let own = self.what.own != Some(false);
        let grade = match named {
            Some(0) if alone && born && own && !named_before() => Grade::Certain,
            Some(_) => Grade::Likely,
            // Nothing else ever ran here that could have left a process.
            None if alone && born && own && !self.calls.ended.iter().any(|known| known.call.runs()) => Grade::Certain,
            None if alone && own && candidates.len() == 1 => Grade::Likely,
            None => Grade::Ambiguous,
        };
        let at = named.unwrap_or(0);
        if at > 0 {
            candidates[..=at].rotate_right(1);
        }
        let chosen = (grade <= Grade::Likely).then(|| &candidates[0].call);
        Finding { attribution: attribution(grade, evidence, &candidates, self.calls.more), between: false, chosen }
    }

    fn is_within(&self, known: &Known, time: i64) -> bool {
        time + GRAIN_MS >= ms(known.call.start) && time <= known.end.map_or(self.now, ms) + GRAIN_MS
    }
}

fn attribution(grade: Grade, mut evidence: Vec<Evidence>, calls: &[&Known], more: bool) -> Attribution {
    if more || calls.len() > MAX_CANDIDATES {
        evidence.push(Evidence::MoreCandidates);
    }
    let candidate = |known: &&Known| Candidate { session: known.call.session.clone(), call: known.call.call.clone() };
    Attribution { grade, evidence, candidates: calls.iter().take(MAX_CANDIDATES).map(candidate).collect() }
}

#[cfg(test)]
mod tests {
    use super::{Happening, attribute};
    use crate::ledger::observed::{Evidence, Grade};
    use crate::limits::{LINGER_MS, SOON_MS};
    use crate::observe::calls::{Call, Known, Remembered};
    use crate::observe::named::may_outlive;
    use crate::path::Model;

    fn known(call: &str, start: u64, end: Option<u64>, command: &str) -> Known {
        let call = Call {
            session: "s".to_owned(),
            call: call.to_owned(),
            tool: "shell".to_owned(),
            start,
            command: command.to_owned(),
            outlives: may_outlive(command),
            ..Call::default()
        };
        Known { key: start, call, end, looked: end.is_some() }
    }

    /// An entry born at `birth`, found at 20 s.
    fn made(birth: i64) -> Happening<'static> {
        Happening { path: "/opt/new", made: true, birth, changed: birth, latest: birth, own: Some(true) }
    }

    fn check(what: Happening<'_>, open: &[&Known], ended: &[&Known], want: (Grade, bool, &str)) {
        let all = |calls: &[&Known]| calls.iter().copied().cloned().collect();
        let calls = Remembered { open: all(open), ended: all(ended), more: false };
        let found = attribute(Model::Posix, &what, &calls, None, 20_000);
        let candidates: Vec<_> = found.attribution.candidates.iter().map(|c| &*c.call).collect();
        let got = (found.attribution.grade, found.between, &*candidates.join(" "));
        assert_eq!(got, want, "{what:?} {open:?} {ended:?}");
        assert_eq!(found.chosen.is_some(), want.0 <= Grade::Likely);
        assert_eq!(found.attribution.candidates.is_empty(), want.0 == Grade::Unattributed);
    }

    #[test]
    fn one_call() {
        let hidden = known("a", 10_000, None, "./a.out");
        let naming = known("a", 10_000, None, "mkdir /opt/new");
        let before = known("z", 1_000, Some(2_000), "make");
        check(made(11_000), &[&hidden], &[], (Grade::Certain, false, "a"));
        // Something that an earlier call left may have done it, unless the open one names it.
        check(made(11_000), &[&hidden], &[&before], (Grade::Likely, false, "a"));
        check(made(11_000), &[&naming], &[&before], (Grade::Certain, false, "a"));
        // It was moved there: its birth says nothing.
        let moved = Happening { birth: 5, changed: 11_000, ..made(11_000) };
        check(moved, &[&naming], &[], (Grade::Likely, false, "a"));
        // Gone: nobody knows when.
        let gone = Happening { made: false, birth: 0, changed: 0, ..made(11_000) };
        check(gone, &[&naming], &[], (Grade::Likely, false, "a"));
        let theirs = Happening { own: Some(false), ..made(11_000) };
        check(theirs, &[&hidden], &[], (Grade::Ambiguous, false, "a"));
        check(theirs, &[&naming], &[], (Grade::Likely, false, "a"));
        // An earlier call that named it made what is gone now, and may have left what makes it now.
        let maker = known("m", 1_000, Some(2_000), "touch /opt/new");
        let hidden = known("a", 10_000, None, "./a.out");
        check(gone, &[&hidden], &[&maker], (Grade::Likely, false, "a"));
        check(made(11_000), &[&naming], &[&maker], (Grade::Likely, false, "a"));
    }

    #[test]
    fn a_call_that_began_later_is_not_blamed() {
        let next = known("b", 15_000, None, "mkdir /opt/new");
        check(made(11_000), &[&next], &[], (Grade::Unattributed, true, ""));
        let last = known("a", 1_000, Some(10_000), "./a.out");
        check(made(11_000), &[&next], &[&last], (Grade::Likely, true, "a"));
        check(made(16_000), &[&next], &[&last], (Grade::Certain, false, "b"));
    }

    #[test]
    fn several_calls() {
        let a = known("a", 10_000, None, "./a.out");
        let b = known("b", 10_500, None, "python3 b.py");
        let n = known("n", 10_700, None, "mkdir -p /opt/new/x");
        check(made(11_000), &[&a, &b], &[], (Grade::Ambiguous, false, "a b"));
        // The one that names it, and still all that may have.
        check(made(11_000), &[&a, &b, &n], &[], (Grade::Likely, false, "n a b"));
        let mut cut = b.clone();
        cut.call.cut = true;
        check(made(11_000), &[&a, &cut, &n], &[], (Grade::Ambiguous, false, "a b n"));
        // One that ended, but nobody looked.
        let mut unseen = known("u", 9_000, Some(11_500), "x");
        unseen.looked = false;
        check(made(11_000), &[&a], &[&unseen], (Grade::Ambiguous, false, "a u"));
        check(made(12_000), &[&a], &[&unseen], (Grade::Likely, false, "a"));
    }

    /// A quick look leaves out what took the place of an old entry under its number; a later one finds it.
    #[test]
    fn what_was_born_before_the_last_look_is_not_the_next_calls() {
        let first = known("a", 1_000, Some(2_000), "./replace.sh");
        let next = known("b", 10_000, None, "rmdir /opt/other");
        let replaced = Happening { latest: 11_000, ..made(1_500) };
        check(replaced, &[&next], &[&first], (Grade::Likely, false, "a"));
        // Written to since: whose it is can't be told for sure.
        let touched = Happening { changed: 11_000, ..replaced };
        check(touched, &[&next], &[&first], (Grade::Ambiguous, false, "b a"));
    }

    #[test]
    fn what_outlives_its_call() {
        let child = known("c", 1_000, Some(2_000), "(sleep 9; ./a.out) &");
        let other = known("o", 3_000, Some(4_000), "make");
        check(made(11_000), &[], &[&other, &child], (Grade::Likely, true, "c o"));
        check(made(11_000), &[], &[&other], (Grade::Likely, true, "o"));
        let third = known("t", 3_000, Some(4_000), "cargo build");
        check(made(11_000), &[], &[&other, &third], (Grade::Ambiguous, true, "o t"));
        check(made(SOON_MS + 9_000), &[], &[&other], (Grade::Ambiguous, true, "o"));
        check(made(LINGER_MS + 9_000), &[], &[&other, &third], (Grade::Unattributed, true, ""));
        // Beside an open call it is a candidate too, and nothing is certain.
        let next = known("b", 10_000, None, "ls");
        check(made(11_000), &[&next], &[&child], (Grade::Ambiguous, false, "b c"));
    }

    #[test]
    fn unknown_calls_make_nothing_sure() {
        let calls = Remembered { open: vec![known("a", 10_000, None, "mkdir /opt/new")], ended: vec![], more: true };
        let found = attribute(Model::Posix, &made(11_000), &calls, None, 20_000);
        assert_eq!(found.attribution.grade, Grade::Ambiguous);
        assert!(found.attribution.evidence.contains(&Evidence::MoreCandidates));
    }
}
