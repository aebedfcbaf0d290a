//! The arguments of the command line, and their help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use skilldeck::format::Layout;

/// Agent skills, compiled in and live.
#[derive(Debug, Parser)]
#[command(
    name = "skilldeck",
    version,
    about = "Agent skills (SKILL.md) as commands: the bundled ones, the user's and the project's",
    after_help = "Exit codes: 0 done, 1 the answer is no (unknown, refused, failed), 2 usage.",
    subcommand_help_heading = "Commands"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command takes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Deck and output")]
pub(crate) struct Global {
    /// Add a directory of skills above the default ones (repeatable; the first wins); one that is
    /// named `commands` holds command files
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) root: Vec<PathBuf>,
    /// Leave out the project's and the user's directories
    #[arg(long, global = true)]
    pub(crate) no_default_roots: bool,
    /// Leave out the skills compiled into this binary
    #[arg(long, global = true)]
    pub(crate) no_bundled: bool,
    /// Trust the workspace and every --root: their skills are offered to the model, and may run
    /// shell commands where those are allowed
    #[arg(long, global = true)]
    pub(crate) trust: bool,
    /// Read this file in the place of the user's own skilldeck.yml
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Whether there are skill commands at all, whatever the files of configuration say
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        global = true
    )]
    pub(crate) enable_skill_commands: Option<bool>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", global = true)]
    pub(crate) color: Color,
    /// Print no diagnostics
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print every diagnostic of the deck
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the deck: command, scope and description of every skill
    List(ListArgs),
    /// Print one skill as it was loaded
    Show(ShowArgs),
    /// Invoke a skill and print the rendered prompt
    Run(RunArgs),
    /// Say what is wrong with skills: files, directories, or the whole deck
    Check(CheckArgs),
    /// Print what depends on what, and what lies over what
    Graph(GraphArgs),
    /// Print a line for every change of the deck until it is interrupted
    #[command(after_help = "\
Directories that do not exist yet are waited for. With --json the first line is
{\"ready\": true, \"generation\": N, \"skills\": N}, and each change is an object on a line of its own:
generation, diagnostics, and the names that were added, removed, metadata_changed, body_changed, or
became stale, recovered, unavailable, available. A slow reader may get several changes as one.")]
    Watch,
    /// Print where skills are looked for, what was found, and how changes are noticed
    Roots,
    /// Offer the deck to editors and agents over a protocol
    #[cfg(feature = "acp")]
    Serve(ServeArgs),
    /// Hold the bundled skills against the directory they were compiled from
    Verify(VerifyArgs),
    /// Write a new skill that passes `check --strict`
    New(NewArgs),
    /// Copy a skill into a directory of skills
    Add(AddArgs),
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Add what cannot be used or is hidden from menus
    #[arg(long)]
    pub(crate) all: bool,
    /// Print the listing that this reader gets
    #[arg(long = "for", value_enum, value_name = "READER", conflicts_with = "all")]
    pub(crate) audience: Option<Reader>,
    /// Shorten descriptions so that the listing has this many characters; names are always kept
    #[arg(long, value_name = "N", requires = "audience")]
    pub(crate) budget: Option<usize>,
}

/// Who reads a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reader {
    /// The model
    Model,
    /// A person
    User,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A command word, or the path of a SKILL.md, of its directory, or of a command file
    #[arg(value_name = "NAME|PATH")]
    pub(crate) target: OsString,
    /// Print what it lies over, and why it won
    #[arg(long)]
    pub(crate) why: bool,
}

/// Arguments of `run`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  skilldeck run '/skill:commit fix the parser'
  skilldeck run commit fix the parser
  echo '/skill:explain src/lib.rs' | skilldeck run -

One argument is the line verbatim. Several are joined, each quoted where it needs it. Words behind
`--` are never options.

Without --allow-shell, or `shell: {default: allow}` in the user's skilldeck.yml, a shell command in
a skill is not run, and a notice stands in its place. With it, commands of trusted sources run with
the rights of this process, two minutes at most; a signal that ends this process ends them too.
Skills of the project are trusted only with --trust.")]
pub(crate) struct RunArgs {
    /// The line: `/skill:name arguments`, `name arguments`, or `-` to read it from stdin
    #[arg(
        value_name = "LINE",
        required_unless_present = "stdin_json",
        num_args = 1..
    )]
    pub(crate) line: Vec<OsString>,
    /// The shape of the prompt
    #[arg(long = "as", value_enum, default_value = "user", value_name = "SHAPE")]
    pub(crate) shape: ShapeArg,
    /// Who starts it
    #[arg(long, value_enum, default_value = "user", value_name = "WHO")]
    pub(crate) initiator: Reader,
    /// The agent it is started as
    #[arg(long, value_name = "NAME")]
    pub(crate) as_agent: Option<String>,
    /// The session it belongs to
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Read one JSON request a line from stdin, print one JSON outcome a line
    #[arg(long, conflicts_with = "line")]
    pub(crate) stdin_json: bool,
    /// Read directory skills in this dialect
    #[arg(long, value_enum, value_name = "DIALECT")]
    pub(crate) dialect: Option<DialectArg>,
    /// When `$1` is a placeholder in directory skills
    #[arg(long, value_enum, value_name = "RULE")]
    pub(crate) positional: Option<PositionalArg>,
    /// Run the shell commands in the skill and in what it depends on, if their sources are trusted
    #[arg(long)]
    pub(crate) allow_shell: bool,
    /// Confirm what asks for confirmation
    #[arg(long)]
    pub(crate) yes: bool,
}

/// The shape of a rendered prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShapeArg {
    /// A new turn of a person
    User,
    /// The result of a model's tool call
    Tool,
    /// The body alone
    Plain,
}

/// A dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectArg {
    /// Claude Code's rules
    Claude,
    /// OpenCode's rules
    Opencode,
}

/// A positional rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PositionalArg {
    /// Only in skills that declare arguments
    Declared,
    /// In every skill
    Always,
}

/// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    /// Files, skill directories or roots; the whole deck if there is none
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Fail on warnings too
    #[arg(long)]
    pub(crate) strict: bool,
    /// Apply the Agent Skills specification as its reference validator does
    #[arg(long)]
    pub(crate) spec: bool,
    /// Mend what is mechanical, then check; without PATH only skills of the project
    #[arg(long)]
    pub(crate) fix: bool,
    /// Print as a diff what --fix would change, and change and check nothing
    #[arg(long, requires = "fix", conflicts_with_all = ["format", "strict", "spec"])]
    pub(crate) dry_run: bool,
    /// Check again after every change until it is interrupted; as JSON one array a line
    #[arg(long, conflicts_with = "fix")]
    pub(crate) watch: bool,
    /// The form of the findings
    #[arg(long, value_enum, default_value = "human", value_name = "FORM")]
    pub(crate) format: CheckFormat,
    /// How the files are laid out; by default a directory named `commands` holds commands
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) layout: Option<LayoutArg>,
    /// Print what a code means
    #[arg(long, value_name = "CODE", conflicts_with_all = ["paths", "strict", "spec", "fix", "watch"])]
    pub(crate) explain: Option<String>,
}

/// The form of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Pages with the lines in question
    Human,
    /// An array of objects
    Json,
    /// A SARIF 2.1.0 log for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

/// How files are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArg {
    /// `<name>/SKILL.md`
    Skills,
    /// `<name>.md`
    Commands,
}

impl From<LayoutArg> for Layout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Skills => Self::Skills,
            LayoutArg::Commands => Self::Commands,
        }
    }
}

/// Arguments of `new`.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The name: lower-case letters, digits and single hyphens
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// The root it is written to [default: the first --root, or .agents/skills]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// What it does and when to use it
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
}

/// Arguments of `add`.
#[derive(Debug, Args)]
#[command(after_help = "\
The skill is checked first: errors refuse it. Hidden files, `node_modules`, `target` and links that
lead out of the skill's directory are not copied. Two commands that write to one directory at a time
wait for each other.")]
pub(crate) struct AddArgs {
    /// The directory of a skill, a SKILL.md, or a command file
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    /// The root it is copied to; one that is named `commands` holds command files [default: the
    /// first --root, or .agents/skills]
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// Copy it to the user's .agents/skills
    #[arg(long, conflicts_with = "to")]
    pub(crate) user: bool,
    /// Replace a skill of this name
    #[arg(long)]
    pub(crate) force: bool,
    /// Check it and say where it would go, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Arguments of `serve`.
#[cfg(feature = "acp")]
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The protocol
    #[command(subcommand)]
    pub(crate) face: Face,
}

/// A protocol to serve.
#[cfg(feature = "acp")]
#[derive(Debug, Subcommand)]
pub(crate) enum Face {
    /// The Agent Client Protocol on standard input and output
    #[command(after_help = "\
Examples:
  skilldeck serve acp                     a preview: a command is answered with its prompt
  skilldeck serve acp -- opencode acp     live skills for an agent that editors know already

Before an agent, its commands and the skills of each session's directory are announced together, and
a skill that is typed reaches the agent as its prompt. All else is passed on as it is. Where both
have a name it is the agent's. The agent ends with this process.

Skills of the directory are announced as untrusted unless --trust or the configuration says
otherwise: they work as text, and run no shell command.")]
    Acp(AcpArgs),
}

/// Arguments of `serve acp`.
#[cfg(feature = "acp")]
#[derive(Debug, Args)]
pub(crate) struct AcpArgs {
    /// The command of an agent to stand before, behind `--`
    #[arg(last = true, value_name = "AGENT")]
    pub(crate) agent: Vec<OsString>,
    /// The agent it is, for skills that only some may use
    #[arg(long, value_name = "NAME")]
    pub(crate) as_agent: Option<String>,
    /// Run the shell commands in skills of trusted sources
    #[arg(long)]
    pub(crate) allow_shell: bool,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Where the directory lies [default: skills]
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

/// Arguments of `graph`.
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// The form of the graph
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: GraphFormat,
}

/// The form of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// A tree of text
    Text,
    /// Graphviz' language
    Dot,
    /// Mermaid's language
    Mermaid,
}
