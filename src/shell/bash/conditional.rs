//! `[[ … ]]`.

use super::ast::{Part, Word};
use super::cursor::{Parser, R, Stop};
use super::word::{WordMode, bare_text, is_meta};

impl Parser<'_> {
    /// The operands and operators up to `]]`, standing behind `[[`. Brackets only nest, so they are counted.
    pub(super) fn test(&mut self) -> R<Vec<Word>> {
        let mut words = Vec::new();
        let mut brackets = 0usize;
        loop {
            self.skip_newlines()?;
            if self.peek() == Some(b'(') {
                brackets += 1;
                words.push(self.operator(1));
                continue;
            }
            if self.peek() == Some(b'!') && self.after(self.pos).is_none_or(is_meta) {
                words.push(self.operator(1));
                continue;
            }
            self.term(&mut words)?;
            loop {
                self.skip_newlines()?;
                if self.peek() != Some(b')') || brackets == 0 {
                    break;
                }
                brackets -= 1;
                words.push(self.operator(1));
            }
            match self.peek() {
                Some(b @ (b'&' | b'|')) if self.after(self.pos) == Some(b) => words.push(self.operator(2)),
                Some(b']') if brackets == 0 => {
                    let end = self.test_word(WordMode::Plain)?;
                    self.reserved_ok = true;
                    return if is(&end, "]]") { Ok(words) } else { Err(Stop::Syntax) };
                }
                _ => return Err(Stop::Syntax),
            }
        }
    }

    /// `-f x`, `a == b` or `a`.
    fn term(&mut self, words: &mut Vec<Word>) -> R<()> {
        let first = self.test_word(WordMode::Plain)?;
        if is(&first, "]]") {
            return Err(Stop::Syntax);
        }
        let unary = is_unary(&first);
        words.push(first);
        self.skip_blanks();
        if unary {
            words.push(self.test_word(WordMode::Plain)?);
            return Ok(());
        }
        if let Some(b'<' | b'>') = self.peek()
            && self.after(self.pos) != Some(b'(')
        {
            words.push(self.operator(1));
            self.skip_blanks();
            words.push(self.test_word(WordMode::Plain)?);
            return Ok(());
        }
        let start = self.pos;
        if matches!(self.peek(), None | Some(b'&' | b'|' | b')' | b'(' | b';' | b'\n')) {
            // A newline may not follow a lone word.
            return if self.peek() == Some(b'\n') { Err(Stop::Syntax) } else { Ok(()) };
        }
        let operator = self.test_word(WordMode::Plain)?;
        if is(&operator, "]]") {
            self.pos = start;
            return Ok(());
        }
        let mode = if is(&operator, "=~") { WordMode::Regex } else { WordMode::Plain };
        if !is_binary(&operator) {
            return Err(Stop::Syntax);
        }
        words.push(operator);
        self.skip_blanks();
        words.push(self.test_word(mode)?);
        Ok(())
    }

    /// A word that isn't empty.
    fn test_word(&mut self, mode: WordMode) -> R<Word> {
        let start = self.pos;
        let word = self.word(mode)?;
        if self.pos == start { Err(Stop::Syntax) } else { Ok(word) }
    }

    /// `length` bytes here (escaped newlines left out) as a word.
    fn operator(&mut self, length: usize) -> Word {
        let start = self.pos;
        let mut text = String::new();
        for _ in 0..length {
            if let Some(b) = self.peek() {
                text.push(char::from(b));
                self.pos += 1;
            }
        }
        Word { parts: vec![Part::Bare(text)], span: self.span(start) }
    }
}

fn is(word: &Word, text: &str) -> bool {
    bare_text(word) == Some(text)
}

fn is_unary(word: &Word) -> bool {
    let Some([b'-', letter]) = bare_text(word).map(str::as_bytes) else { return false };
    b"abcdefghknoprstuvwxzGLNORS".contains(letter)
}

fn is_binary(word: &Word) -> bool {
    matches!(
        bare_text(word).unwrap_or_default(),
        "=" | "==" | "!=" | "=~" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef"
    )
}
