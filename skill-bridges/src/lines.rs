//! A stream of bytes to lines of bounded length.

use std::io::{self, BufRead, BufReader, Read};

/// The most bytes of a line that are kept together.
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// Reads lines.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    most: usize,
}

/// A line, with the line end where it has one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// The beginning of one that is too long; [`Lines::rest`] has what follows.
    Beginning(Vec<u8>),
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self::of_at_most(reader, MOST_BYTES)
    }

    pub(crate) fn of_at_most(reader: R, most: usize) -> Self {
        Self { reader: BufReader::with_capacity(64 << 10, reader), most }
    }

    /// The next line; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let ended = self.pieces(self.most, |piece| {
            line.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(match (ended, line.is_empty()) {
            (false, _) => Some(Line::Beginning(line)),
            (true, true) => None,
            (true, false) => Some(Line::Whole(line)),
        })
    }

    /// Gives what follows the beginning of a long line, in pieces.
    pub(crate) fn rest(&mut self, take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        self.pieces(usize::MAX, take).map(|_| ())
    }

    /// Gives the next bytes up to a line end or the end, but not more than `most`. Whether it came
    /// that far.
    fn pieces(
        &mut self,
        most: usize,
        mut take: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<bool> {
        let mut left = most;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(true);
            }
            let end = buffer.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
            let length = end.unwrap_or(buffer.len()).min(left);
            take(&buffer[..length])?;
            self.reader.consume(length);
            left -= length;
            if end == Some(length) {
                return Ok(true);
            }
            if left == 0 {
                return Ok(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines};

    fn read(text: &str, most: usize) -> Vec<(Line, String)> {
        let mut lines = Lines::of_at_most(text.as_bytes(), most);
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("a text can be read") {
            let mut rest = String::new();
            if matches!(line, Line::Beginning(_)) {
                let take = |piece: &[u8]| {
                    rest.push_str(str::from_utf8(piece).expect("it is ASCII"));
                    Ok(())
                };
                lines.rest(take).expect("a text can be read");
            }
            all.push((line, rest));
        }
        all
    }

    #[test]
    fn lines_are_kept_as_they_are() {
        let whole = |text: &str| (Line::Whole(text.into()), String::new());
        assert_eq!(read("", 8), []);
        assert_eq!(
            read("a\nbc\r\n\nd", 8),
            [whole("a\n"), whole("bc\r\n"), whole("\n"), whole("d")]
        );
    }

    #[test]
    fn of_a_long_line_nothing_is_lost() {
        let whole = |text: &str| (Line::Whole(text.into()), String::new());
        let long = |text: &str, rest: &str| (Line::Beginning(text.into()), rest.to_owned());
        assert_eq!(read("abcdef\ng\n", 4), [long("abcd", "ef\n"), whole("g\n")]);
        assert_eq!(read("abcdef", 4), [long("abcd", "ef")]);
        assert_eq!(read("abc\ng", 4), [whole("abc\n"), whole("g")]);
        assert_eq!(read("abcd\ng", 4), [long("abcd", "\n"), whole("g")]);
        assert_eq!(read("abcd", 4), [long("abcd", "")]);
    }
}
