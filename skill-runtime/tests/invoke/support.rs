//! Decks, and hosts that write down what they were asked.

use std::sync::{Arc, Mutex};

use skilldeck_core::template::{Dialect, Positional};
use skilldeck_runtime::{
    Activation, Answer, ForkRequest, Host, HostError, Lineage, Memory, NoHost, Observer, Question,
    Registry, ShellOutput, ShellRequest, Source, SourceInfo, Tier,
};

/// A deck in memory: `(name, front matter and body)`, a body alone if it has no fence.
pub(crate) fn deck(skills: &[(&str, &str)]) -> Registry {
    deck_with(skills, NoHost)
}

pub(crate) fn deck_with(skills: &[(&str, &str)], host: impl Host + 'static) -> Registry {
    Registry::builder().source(source("mine", true, skills)).host(host).build().unwrap()
}

/// A deck of an untrusted source.
pub(crate) fn untrusted(skills: &[(&str, &str)]) -> Registry {
    Registry::builder().source(source("theirs", false, skills)).build().unwrap()
}

pub(crate) fn source(name: &str, trusted: bool, skills: &[(&str, &str)]) -> Source {
    let memory = Memory::default();
    for (name, text) in skills {
        memory.insert(*name, skill(text));
    }
    Source::memory(Arc::new(memory), info(name, trusted))
}

pub(crate) fn info(name: &str, trusted: bool) -> SourceInfo {
    let mut info = SourceInfo::new(name.to_owned(), Tier::USER);
    info.trusted = trusted;
    info.positional = Positional::Always;
    info.dialect = Dialect::Claude;
    info
}

/// Keys and body, `key: value | body`-wise: what stands before `---` are the keys.
pub(crate) fn skill(text: &str) -> String {
    match text.split_once("---\n") {
        Some((keys, body)) => format!("---\ndescription: For a test.\n{keys}---\n{body}"),
        None => format!("---\ndescription: For a test.\n---\n{text}"),
    }
}

/// One shell command as the host got it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) command: String,
    pub(crate) shell: Option<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) directory: Option<String>,
}

/// One prompt as the host got it.
#[derive(Clone, Debug)]
pub(crate) struct Forked {
    pub(crate) skill: String,
    pub(crate) prompt: String,
    pub(crate) session: Option<String>,
    pub(crate) depth: u32,
    pub(crate) lineage: Lineage,
}

/// A host that does everything, and writes it down.
#[derive(Clone)]
pub(crate) struct Recording {
    pub(crate) shell: Result<String, HostError>,
    pub(crate) answer: Answer,
    pub(crate) ran: Arc<Mutex<Vec<Ran>>>,
    pub(crate) forked: Arc<Mutex<Vec<Forked>>>,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
}

impl Default for Recording {
    fn default() -> Self {
        Self {
            shell: Ok("output\n".to_owned()),
            answer: Answer::Yes,
            ran: Arc::default(),
            forked: Arc::default(),
            asked: Arc::default(),
        }
    }
}

impl Host for Recording {
    fn shell(&self, request: &ShellRequest<'_>) -> Result<ShellOutput, HostError> {
        self.ran.lock().unwrap().push(Ran {
            command: request.command.to_owned(),
            shell: request.shell.map(str::to_owned),
            environment: request.environment.to_vec(),
            directory: request.directory.map(|path| path.display().to_string()),
        });
        self.shell.clone().map(|stdout| ShellOutput { stdout })
    }

    fn fork(&self, request: &ForkRequest<'_>) -> Result<String, HostError> {
        self.forked.lock().unwrap().push(Forked {
            skill: request.skill.word().to_owned(),
            prompt: request.prompt.to_owned(),
            session: request.session.map(str::to_owned),
            depth: request.depth,
            lineage: request.lineage.clone(),
        });
        Ok("the answer".to_owned())
    }

    fn confirm(&self, question: &Question<'_>) -> Answer {
        let words: Vec<&str> = question.skills.iter().map(|skill| skill.word()).collect();
        self.asked.lock().unwrap().push(format!("{}: {}", words.join(","), question.text));
        self.answer
    }
}

/// Keeps every event.
#[derive(Default)]
pub(crate) struct Events(Mutex<Vec<Activation>>);

impl Events {
    pub(crate) fn take(&self) -> Vec<Activation> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    /// `skill state error`, one a line.
    pub(crate) fn lines(&self) -> Vec<String> {
        lines(&self.take())
    }
}

impl Observer for Events {
    fn observe(&self, activation: &Activation) {
        self.0.lock().unwrap().push(activation.clone());
    }
}

pub(crate) fn lines(events: &[Activation]) -> Vec<String> {
    let line = |event: &Activation| {
        let error = event.error_type().map(|error| format!(" {error}")).unwrap_or_default();
        format!("{} {}{error}", event.skill(), event.state().as_str())
    };
    events.iter().map(line).collect()
}
