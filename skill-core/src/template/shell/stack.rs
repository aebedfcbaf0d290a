//! The frames that stand open, as answers to what the shell makes of the next byte.

use super::frame::{Commands, Frame, Kind};
use super::script::Quoting;

/// The constructs that stand open, innermost last. The first is the script and never closes.
#[derive(Debug)]
pub(super) struct Stack {
    frames: Vec<Frame>,
    /// The frame that the next backtick closes.
    backtick: Option<usize>,
    /// The frames that are heredocs, so that the innermost is found without a search.
    heredocs: Vec<OpenHeredoc>,
}

/// A heredoc that the shell expands, while its lines are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenHeredoc {
    depth: usize,
    /// One behind its last line.
    pub(super) end: usize,
    /// Where reading goes on.
    pub(super) resume: usize,
}

impl Stack {
    pub(super) fn new() -> Self {
        let script = Frame { kind: Kind::Commands(Commands::new(false)), code: false };
        Self { frames: vec![script], backtick: None, heredocs: Vec::new() }
    }

    pub(super) fn innermost(&mut self) -> Option<&mut Kind> {
        self.frames.last_mut().map(|frame| &mut frame.kind)
    }

    /// The innermost frame, if it is a list of commands.
    pub(super) fn commands(&mut self) -> Option<&mut Commands> {
        match self.innermost() {
            Some(Kind::Commands(commands)) => Some(commands),
            _ => None,
        }
    }

    /// The commands whose word is being read, in double quotes or not.
    pub(super) fn word(&mut self) -> Option<&mut Commands> {
        let quoted = matches!(self.frames.last(), Some(Frame { kind: Kind::Double, .. }));
        let depth = self.frames.len().checked_sub(1 + usize::from(quoted))?;
        match &mut self.frames.get_mut(depth)?.kind {
            Kind::Commands(commands) => Some(commands),
            _ => None,
        }
    }

    pub(super) fn open(&mut self, kind: Kind) {
        let code = match kind {
            // Bash evaluates subscripts in arithmetic, and commands in these.
            Kind::Arithmetic { .. } | Kind::Subscript { .. } => true,
            // Whether quoted text is code may depend on what of it was read.
            Kind::Double => self.frames.last().is_some_and(|frame| frame.code),
            _ => self.is_code(),
        };
        self.frames.push(Frame { kind, code });
    }

    /// Opens what is code in itself.
    pub(super) fn open_code(&mut self, kind: Kind) {
        self.frames.push(Frame { kind, code: true });
    }

    /// What seemed to be arithmetic is a list of commands.
    pub(super) fn reopen(&mut self, commands: Commands) {
        self.frames.pop();
        self.open(Kind::Commands(commands));
    }

    pub(super) fn open_backtick(&mut self, uses: usize) {
        self.backtick = Some(self.frames.len());
        self.open(Kind::Commands(Commands::new(false).starting_at(uses)));
    }

    pub(super) fn open_heredoc(&mut self, end: usize, resume: usize, code: bool) {
        self.heredocs.push(OpenHeredoc { depth: self.frames.len(), end, resume });
        self.frames.push(Frame { kind: Kind::Heredoc, code });
    }

    /// Closes the innermost frame.
    pub(super) fn close(&mut self) {
        self.close_from(self.frames.len() - 1);
    }

    /// Closes the backtick that stands open, if one does, and what was left open in it.
    pub(super) fn close_backtick(&mut self) -> bool {
        let open = self.backtick;
        open.into_iter().for_each(|depth| self.close_from(depth));
        open.is_some()
    }

    /// Closes the innermost heredoc and what was left open in it.
    pub(super) fn close_heredoc(&mut self) {
        if let Some(heredoc) = self.heredocs.last() {
            self.close_from(heredoc.depth);
        }
    }

    fn close_from(&mut self, depth: usize) {
        let mut pending = Vec::new();
        for frame in self.frames.drain(depth.max(1)..) {
            if let Kind::Commands(commands) = frame.kind {
                pending.extend(commands.pending);
            }
        }
        let depth = self.frames.len();
        self.backtick = self.backtick.filter(|open| *open < depth);
        while self.heredocs.last().is_some_and(|heredoc| heredoc.depth >= depth) {
            self.heredocs.pop();
        }
        // `$(cat <<END)`: its lines follow all the same.
        if !pending.is_empty() {
            let below = self.frames.iter_mut().rev().find_map(|frame| match &mut frame.kind {
                Kind::Commands(commands) => Some(commands),
                _ => None,
            });
            below.into_iter().for_each(|commands| commands.pending.append(&mut pending));
        }
    }

    pub(super) const fn in_backtick(&self) -> bool {
        self.backtick.is_some()
    }

    pub(super) fn heredoc(&self) -> Option<OpenHeredoc> {
        self.heredocs.last().copied()
    }

    /// Whether what is read here is code for a further shell.
    pub(super) fn is_code(&self) -> bool {
        self.frames.last().is_some_and(|frame| {
            frame.code
                || matches!(&frame.kind, Kind::Commands(commands) if commands.simple.is_code())
                || matches!(frame.kind, Kind::Double) && self.is_quoted_code()
        })
    }

    /// Whether the word around the innermost quotes is code.
    fn is_quoted_code(&self) -> bool {
        let below = self.frames.iter().rev().nth(1).map(|frame| &frame.kind);
        matches!(below, Some(Kind::Commands(commands)) if commands.simple.is_code())
    }

    /// Whether `'` and `$'` start a string here.
    pub(super) fn has_single_quotes(&self) -> bool {
        match self.frames.last().map(|frame| &frame.kind) {
            Some(Kind::Commands(_)) => true,
            Some(Kind::Brace { quoted, .. }) => !quoted,
            _ => false,
        }
    }

    /// What the shell does to a placeholder here.
    pub(super) fn quoting(&self) -> Quoting {
        let whole = match self.frames.last().map(|frame| &frame.kind) {
            Some(Kind::Commands(commands)) => commands.test || commands.simple.keeps_whole(),
            Some(Kind::Brace { quoted, .. }) => *quoted,
            Some(Kind::Arithmetic { .. } | Kind::Subscript { .. }) | None => false,
            Some(Kind::Double | Kind::Heredoc) => true,
        };
        if whole { Quoting::Whole } else { Quoting::Unquoted }
    }
}
