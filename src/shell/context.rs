//! What a command is judged against.

use crate::world::World;

/// The language of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// bash, sh, zsh, dash.
    Bash,
    /// Windows PowerShell 5.1 and PowerShell 7.
    PowerShell,
    /// cmd.exe.
    Cmd,
}

/// What a command is judged against.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The folder that the command starts in: absolute, lexically normal.
    pub cwd: &'a str,
    /// Disk and environment, read only.
    pub world: &'a dyn World,
}
