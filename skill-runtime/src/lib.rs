//! From sources to one immutable snapshot, from a command line to a rendered prompt.
//!
//! The modules stand in the order of the data's way: a [`Source`] lists skills, the catalog loads
//! and overlays them, a [`Snapshot`] is what readers see, a command line finds its skill in it,
//! policy decides, and invocation renders. Everything is synchronous, and everything that touches
//! the outside world goes through [`Host`].

mod caller;
mod cancel;
mod error;
mod host;
mod lineage;
mod source;

mod catalog;
mod snapshot;

mod watch;

mod registry;

mod command;
mod policy;

mod listing;

#[cfg(feature = "config")]
mod configuration;

mod invocation;

#[cfg(feature = "process")]
mod process;

mod telemetry;

pub use caller::{Caller, Initiator};
pub use cancel::CancelToken;
pub use command::{Line, Syntax, Typed, parse_line};
#[cfg(feature = "config")]
pub use configuration::Configuration;
pub use error::{Error, ErrorKind};
pub use host::{Answer, ForkRequest, Host, HostError, NoHost, Question, ShellOutput, ShellRequest};
pub use invocation::{Asked, ModelTool, Outcome, Parts, Request, Shape};
pub use lineage::Lineage;
pub use listing::{Announcer, Audience, Listing};
#[cfg(feature = "rate-limit")]
pub use policy::RateLimit;
pub use policy::{
    Decision, Grant, NoShell, OnFailure, Policy, Reason, Rules, ShellRule, SkillRules, Verdict,
};
#[cfg(all(feature = "process", unix))]
pub use process::Companion;
#[cfg(feature = "process")]
pub use process::{ProcessHost, Subprocess};
pub use registry::{Builder, Registry};
pub use snapshot::{
    Change, Changes, Entry, Instruction, Lookup, NoChange, Shadow, Snapshot, SourceStatus, State,
    Subscription,
};
pub use source::{
    Environment, Memory, Namespace, Precedence, Rank, Source, SourceInfo, Tier, default_roots,
    default_roots_in,
};
pub use telemetry::{
    Activation, ActivationId, ActivationState, ArgumentsHash, HashKey, Observer, StaleContext,
};
#[cfg(feature = "watch")]
pub use watch::WatchOptions;
pub use watch::{Attention, WatchedRoot, Watching};
