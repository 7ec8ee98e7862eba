//! `ConfigChange`: settings that would switch the guard off are kept out of the running session.

use super::run::{answer, complain};
use super::{place, record};
use crate::harness::claude::disarms;
use crate::harness::{Answer, Payload};
use crate::home::Home;
use crate::ledger::Journal;
use crate::ledger::journal::{Entry, Kind};
use crate::path::Model;
use crate::session::{Scratch, SessionId};
use crate::world::RealWorld;

/// Answers before anything is noted; no setting of ours is asked, since the fence holds whatever they say.
pub(crate) fn run(payload: &Payload<'_>) {
    let world = RealWorld::default();
    let home = Home::from_env();
    let cwd = payload.cwd().filter(|dir| Model::native().is_absolute(dir)).unwrap_or_default();
    // Without a HOME the client's own word, else the cwd, says where the project is.
    let project = match &home {
        Some(home) => place::project_of(
            payload.client(),
            &world,
            &Scratch::new(home, None, SessionId::new(payload.session())),
            cwd,
        ),
        None => cwd.to_owned(),
    };
    let (source, file) = (payload.source().unwrap_or_default(), payload.file_path());
    let Some(why) = disarms(&world, &project, source, file) else { return };
    let named = file.unwrap_or(source);
    let reason = format!(
        "workspace-guard: the change of {named} is kept out of this session: {why}. Other sessions will have it; \
         to guard them, put it back: wsguard install claude-code"
    );
    answer(&Answer::Block { reason: reason.clone() });
    if let Some(home) = &home {
        let entry = Entry {
            harness: payload.client().name(),
            path: file,
            code: "registration_kept",
            text: &reason,
            ..Entry::new(Kind::Notice, payload.session())
        };
        record::note(Journal::at(home).append(&entry));
    } else {
        complain(&reason);
    }
}
