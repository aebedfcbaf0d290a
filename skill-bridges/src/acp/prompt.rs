//! The blocks of a prompt to the line that may be a command, and back.

use std::path::{Path, PathBuf};

use agent_client_protocol::v1::schema::{ContentBlock, TextContent};
use skilldeck_runtime::{Caller, Initiator, Request, Shape};

use super::PROTOCOL;

/// The blocks of a prompt. The first one that is text may be a command; the others are kept.
#[derive(Clone, Copy, Debug)]
pub struct Prompt<'a> {
    blocks: &'a [ContentBlock],
    text: Option<(usize, &'a TextContent)>,
}

impl<'a> Prompt<'a> {
    /// The prompt of these blocks.
    #[must_use]
    pub fn of(blocks: &'a [ContentBlock]) -> Self {
        let text = |(place, block): (usize, &'a ContentBlock)| match block {
            ContentBlock::Text(text) => Some((place, text)),
            _ => None,
        };
        Self { blocks, text: blocks.iter().enumerate().find_map(text) }
    }

    /// The line that may be a command: the first text.
    #[must_use]
    pub fn line(self) -> Option<&'a str> {
        self.text.map(|(_, text)| &*text.text)
    }

    /// The blocks with this text in the place of the line. It comes first where there was none.
    #[must_use]
    pub fn with(self, text: &str) -> Vec<ContentBlock> {
        let mut blocks = self.blocks.to_vec();
        match self.text {
            Some((place, old)) => {
                let mut new = old.clone();
                text.clone_into(&mut new.text);
                blocks[place] = ContentBlock::Text(new);
            }
            None => blocks.insert(0, ContentBlock::from(text)),
        }
        blocks
    }

    /// The blocks that are kept beside the line.
    pub(super) fn others(self) -> impl Iterator<Item = &'a ContentBlock> {
        let text = self.text.map(|(place, _)| place);
        let others = self.blocks.iter().enumerate().filter(move |(place, _)| Some(*place) != text);
        others.map(|(_, block)| block)
    }
}

/// Who sends the prompts of a session: what all its requests have in common.
#[derive(Clone, Debug)]
pub struct Sender {
    session: String,
    agent: Option<String>,
    directory: Option<PathBuf>,
}

impl Sender {
    /// Whoever sends the prompts of this session.
    #[must_use]
    pub fn new(session: impl Into<String>) -> Self {
        Self { session: session.into(), agent: None, directory: None }
    }

    /// The agent it happens in, for skills that only some agents may use.
    #[must_use]
    pub fn agent(mut self, agent: impl Into<String>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// The working directory of the session, which is its project's too.
    #[must_use]
    pub fn directory(mut self, directory: &Path) -> Self {
        self.directory = Some(directory.to_owned());
        self
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Who starts what is typed in the session.
    #[must_use]
    pub fn caller(&self) -> Caller<'_> {
        Caller {
            initiator: Initiator::User,
            agent: self.agent.as_deref(),
            protocol: Some(PROTOCOL),
        }
    }

    /// The request of a line that a person typed. The answer is a new turn for the agent.
    #[must_use]
    pub fn typed(&self, line: &str) -> Request {
        let mut request =
            Request::line(line).protocol(PROTOCOL).session(&*self.session).shape(Shape::User);
        if let Some(agent) = &self.agent {
            request = request.agent(&**agent);
        }
        if let Some(directory) = &self.directory {
            request = request.directory(directory);
        }
        request
    }
}
