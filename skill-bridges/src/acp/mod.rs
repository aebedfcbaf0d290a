//! The Agent Client Protocol, version 1: skills as slash commands in editors.
//!
//! - [`Agent`] is an agent by itself: it announces the skills of a session's project, and answers a
//!   command with its rendered prompt.
//! - [`Proxy`] stands before any other agent, whose commands it adds the skills to, and whose prompts
//!   it renders.
//! - [`commands`], [`Announced`] and [`Prompt`] are for agents of others: what to announce, when to
//!   announce it again, and what a prompt asks for.
//!
//! The messages are those of the crate [`agent_client_protocol`], which is given along.
//!
//! ```
//! use std::sync::Arc;
//!
//! use agent_client_protocol::v1::schema::ContentBlock;
//! use skilldeck_bridges::acp::{Announced, Prompt, Sender, agent_client_protocol};
//! use skilldeck_runtime::{Memory, Registry, Source, SourceInfo, Tier};
//!
//! let mine = Arc::new(Memory::default());
//! mine.insert("greet", "---\ndescription: Greets.\narguments: [who]\n---\nGreet $who.\n");
//! let mut info = SourceInfo::new("mine", Tier::USER);
//! info.trusted = true;
//! let registry = Registry::builder().source(Source::memory(mine, info)).build()?;
//!
//! // What goes into `available_commands_update` once the session exists.
//! let mut announced = Announced::default();
//! let sender = Sender::new("session-1");
//! let commands = announced.update(&registry, &sender.caller()).expect("they are new");
//! assert_eq!(commands[0].name, "skill:greet");
//! // Nothing changed that an editor shows.
//! assert!(announced.update(&registry, &sender.caller()).is_none());
//!
//! // What the editor sends when a person types it.
//! let blocks = [ContentBlock::from("/skill:greet Ada")];
//! let prompt = Prompt::of(&blocks);
//! let outcome = registry.invoke(&sender.typed(prompt.line().expect("it has text")))?;
//! let rendered = prompt.with(outcome.text());
//! # assert_eq!(rendered.len(), 1);
//! # Ok::<(), skilldeck_runtime::Error>(())
//! ```

mod agent;
mod ask;
mod commands;
mod desk;
mod invoke;
mod prompt;
mod proxy;
mod session;
mod stdio;
mod turn;
mod words;

pub use agent::Agent;
pub use agent_client_protocol;
pub use commands::{Announced, commands};
pub use prompt::{Prompt, Sender};
pub use proxy::{Ended, Proxy};

/// The key of `agentCapabilities._meta` under which the commands are listed before there is a
/// session, in the form in which they are announced later.
pub const SKILLS: &str = "skilldeck.dev/skills";

/// The name of the protocol in requests, events and configuration.
const PROTOCOL: &str = "acp";
