//! Reserved words.

use super::cursor::Parser;
use super::word::is_meta;

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Bang,
    Case,
    Coproc,
    Do,
    Done,
    Elif,
    Else,
    Esac,
    Fi,
    For,
    Function,
    If,
    In,
    LeftBrace,
    RightBrace,
    Select,
    Test,
    TestEnd,
    Then,
    Time,
    Until,
    While,
}

impl Keyword {
    fn from_bytes(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"!" => Self::Bang,
            b"case" => Self::Case,
            b"coproc" => Self::Coproc,
            b"do" => Self::Do,
            b"done" => Self::Done,
            b"elif" => Self::Elif,
            b"else" => Self::Else,
            b"esac" => Self::Esac,
            b"fi" => Self::Fi,
            b"for" => Self::For,
            b"function" => Self::Function,
            b"if" => Self::If,
            b"in" => Self::In,
            b"{" => Self::LeftBrace,
            b"}" => Self::RightBrace,
            b"select" => Self::Select,
            b"[[" => Self::Test,
            b"]]" => Self::TestEnd,
            b"then" => Self::Then,
            b"time" => Self::Time,
            b"until" => Self::Until,
            b"while" => Self::While,
            _ => return None,
        })
    }

    /// Ends the list before it.
    pub(super) fn closes(self) -> bool {
        matches!(
            self,
            Self::Do | Self::Done | Self::Elif | Self::Else | Self::Esac | Self::Fi | Self::RightBrace | Self::Then
        )
    }
}

/// The longest reserved word, `function`.
const LONGEST: usize = 8;

impl Parser<'_> {
    /// The reserved word here and the position after it.
    pub(super) fn keyword(&mut self) -> Option<(Keyword, usize)> {
        let mut word = [0u8; LONGEST];
        let mut length = 0;
        let mut at = self.ahead(self.pos);
        while let Some(b) = self.byte(at)
            && !is_meta(b)
        {
            // Quotes make it an ordinary word: none of these is in a reserved one.
            *word.get_mut(length)? = b;
            length += 1;
            at = self.ahead(at + 1);
        }
        Some((Keyword::from_bytes(word.get(..length)?)?, at))
    }

    /// Takes `keyword` if it is here.
    pub(super) fn take_keyword(&mut self, keyword: Keyword) -> bool {
        if !self.reserved_ok {
            return false;
        }
        match self.keyword() {
            Some((found, end)) if found == keyword => {
                self.pos = end;
                true
            }
            _ => false,
        }
    }
}
