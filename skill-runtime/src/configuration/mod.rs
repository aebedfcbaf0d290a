//! `skilldeck.yml` of the user and of the project, and the flags of a command line, to one policy,
//! one order of tiers and the sources they name.

mod file;
mod narrow;
mod parse;
mod place;
mod rules;
mod sources;
mod trust;
mod values;

use std::path::{Path, PathBuf};

use skilldeck_core::diagnostic::Diagnostic;

use self::file::{Bodies, Rate, Section, ShellDefault, ShellFailure};
use self::parse::Parsed;
use self::sources::Owner;
use self::trust::Trust;
use crate::error::Error;
use crate::policy::{OnFailure, Policy, Rules, ShellLimits};
use crate::registry::Builder;
use crate::source::{Environment, Precedence, Source, Tier, default_roots_in};

/// The name of the file.
const FILE: &str = "skilldeck.yml";

/// The settings of the user and of a project.
///
/// The user's file is `$XDG_CONFIG_HOME/skilldeck/skilldeck.yml` (or below `~/.config`), or the one
/// that a command line names. The project's is `skilldeck.yml` in its directory, and can only narrow
/// what the user's allows: what would widen is a [diagnostic](Self::diagnostics) that names file and
/// line, and has no effect. Flags stand above both.
///
/// ```
/// use skilldeck_runtime::{Configuration, Environment};
///
/// let project = tempfile::tempdir()?;
/// let text = "skills: { shell: { default: allow, timeout: 10s } }\n";
/// std::fs::write(project.path().join("skilldeck.yml"), text)?;
///
/// let configuration = Configuration::load(project.path(), &Environment::default(), None)?;
/// // The time is narrower than the usual two minutes; the rest would widen.
/// let [refused] = configuration.diagnostics() else { panic!("one setting is refused") };
/// assert_eq!((refused.line, refused.code.id()), (1, "widening-setting"));
/// assert!(!configuration.policy().shell());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Files and flags are put together here and not by a library. `confique`, `conflate` and `merge`
// bring a second `syn`, `figment` had no release since May 2024, `config` takes names of skills for
// paths (`a.b`), and all of them lose the line of a key or let the later layer win, where here the
// narrower one does. What is left to overlay is three flags.
#[derive(Debug)]
pub struct Configuration {
    user: Option<Parsed>,
    project: Option<Parsed>,
    user_rules: Rules,
    project_rules: Rules,
    trust: Trust,
    sources: Vec<Source>,
    project_directory: PathBuf,
    environment: Environment,
    flags: Flags,
    diagnostics: Vec<Diagnostic>,
}

/// What a command line says itself.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    commands: Option<bool>,
    shell: bool,
}

impl Configuration {
    /// Reads the files for a project directory. `user` is a file that stands for the user's own; it
    /// has to exist, the others need not.
    ///
    /// # Errors
    /// When a file cannot be read or understood: the message has its path, line and column. A
    /// misspelt restriction restricts nothing, so an unknown key is such an error too.
    pub fn load(
        project: &Path,
        environment: &Environment,
        user: Option<&Path>,
    ) -> Result<Self, Error> {
        let directory = project;
        let project = directory.join(FILE);
        let own = user_file(environment);
        let loaded = match (user, &own) {
            (Some(given), _) => {
                let missing = || {
                    let message = format!("{}: the file does not exist", given.display());
                    Error::new(crate::error::ErrorKind::Configuration, message)
                };
                Some(Parsed::load(given)?.ok_or_else(missing)?)
            }
            (None, Some(own)) => Parsed::load(own)?,
            (None, None) => None,
        };
        // One file is not two: in a directory that is both, what is the user's stays so.
        let is_users = loaded.as_ref().is_some_and(|user| is_same(&user.path, &project));
        let project = if is_users { None } else { Parsed::load(&project)? };
        Self::of(loaded, project, directory, environment)
    }

    fn of(
        user: Option<Parsed>,
        project: Option<Parsed>,
        directory: &Path,
        environment: &Environment,
    ) -> Result<Self, Error> {
        for parsed in [&user, &project].into_iter().flatten() {
            hold_supported(parsed)?;
        }
        let layer = |parsed: &Option<Parsed>| match parsed {
            Some(parsed) => rules::rules(parsed),
            None => Ok(Rules::new()),
        };
        let trusted = user.as_ref().and_then(|user| user.section.trust.as_deref());
        let trust = Trust::of(trusted.unwrap_or_default(), environment);
        let configuration = Self {
            trust,
            sources: Vec::new(),
            project_directory: directory.to_owned(),
            environment: environment.clone(),
            user_rules: layer(&user)?,
            project_rules: layer(&project)?,
            diagnostics: Vec::new(),
            flags: Flags::default(),
            user,
            project,
        };
        configuration.look()
    }

    /// Looks up the sources, and says what is refused.
    fn look(mut self) -> Result<Self, Error> {
        let widening = |project: &Parsed| narrow::widening(self.user.as_ref(), project);
        let mut diagnostics = self.project.as_ref().map(widening).unwrap_or_default();
        let mut sources = Vec::new();
        for (parsed, owner) in [(&self.user, Owner::User), (&self.project, Owner::Project)] {
            let Some(parsed) = parsed else { continue };
            let found = sources::sources(parsed, owner, &self.environment, &self.trust)?;
            sources.extend(found.sources);
            diagnostics.extend(found.diagnostics);
        }
        (self.sources, self.diagnostics) = (sources, diagnostics);
        Ok(self)
    }

    /// A flag that trusts the project directory, as an entry of the user's `trust` does.
    ///
    /// # Errors
    /// As [`load`](Self::load), since sources are looked up anew.
    pub fn trust_project(mut self) -> Result<Self, Error> {
        self.trust.add(&self.project_directory);
        self.look()
    }

    /// A flag in the place of `enable_skill_commands` in either file.
    #[must_use]
    pub fn enable_skill_commands(mut self, enabled: bool) -> Self {
        self.flags.commands = Some(enabled);
        self
    }

    /// A flag that allows the shell commands of trusted skills, whatever the files say.
    #[must_use]
    pub fn allow_shell(mut self) -> Self {
        self.flags.shell = true;
        self
    }

    /// The files that were found: the user's, then the project's.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.user, &self.project].into_iter().flatten().map(|parsed| &*parsed.path)
    }

    /// What of the project's file is not allowed, and therefore has no effect.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The policy of both files and the flags.
    #[must_use]
    pub fn policy(&self) -> Policy {
        let mut layers = [self.user_rules.clone(), self.project_rules.clone()];
        if let Some(enabled) = self.flags.commands {
            layers = layers.map(|layer| layer.commands(enabled));
        }
        let [user, project] = layers;
        let mut policy = Policy::new()
            .rules(user)
            .rules(project)
            .native_commands(self.said(|it| it.native_commands.clone()).flatten().map(|it| it.0));
        if let Some(prefix) = self.said(|it| it.prefix.clone()).next() {
            policy = policy.prefix(prefix.0);
        }
        self.limited(self.shell(policy))
    }

    /// The sources that the files name: the user's, then the project's.
    ///
    /// What a pattern matches is looked up when the files are read, so a directory that appears
    /// later is found by the next reading of the files. Those of a project lie within it, are not
    /// trusted by its own word, and claim no tier of others.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The default roots around the project, each with the trust that the user's file gives it.
    #[must_use]
    pub fn default_roots(&self) -> Vec<Source> {
        let roots = default_roots_in(&self.project_directory, &self.environment);
        roots.into_iter().map(|source| self.with_trust(source)).collect()
    }

    /// A source of the project with the trust that the user's file gives it, by its name or by the path of
    /// the workspace it lies in.
    #[must_use]
    pub fn with_trust(&self, source: Source) -> Source {
        let is_project = source.info().tier == Tier::PROJECT;
        let covers = source.root().is_some_and(|root| self.trust.covers(root));
        let is_trusted = is_project && (covers || self.trust.names(&source.info().name));
        source.with_info(|info| info.trusted |= is_trusted)
    }

    /// The order of the tiers, which is the user's alone.
    #[must_use]
    pub fn precedence(&self) -> Precedence {
        let user = self.user.as_ref().and_then(|user| user.section.precedence.as_ref());
        user.map(|order| order.0.clone()).unwrap_or_default()
    }

    /// What the files say of one setting, the user's first.
    fn said<T>(&self, of: impl Fn(&Section) -> Option<T>) -> impl Iterator<Item = T> {
        let files = [&self.user, &self.project].into_iter().flatten();
        files.filter_map(move |parsed| of(&parsed.section))
    }

    fn shell(&self, policy: Policy) -> Policy {
        let user = self.user.as_ref().and_then(|user| user.section.shell).unwrap_or_default();
        let project = self.project.as_ref().and_then(|it| it.section.shell).unwrap_or_default();
        let is_allowed = user.default == Some(ShellDefault::Allow)
            && project.default != Some(ShellDefault::Deny);
        let timeout = user.timeout.map_or(ShellLimits::DEFAULT.timeout, |time| time.0);
        let timeout = project.timeout.map_or(timeout, |time| time.0.min(timeout));
        let output = user.max_output.map_or(ShellLimits::DEFAULT.max_output, |size| size.0);
        let output = project.max_output.map_or(output, |size| size.0.min(output));
        let tolerates = user.on_failure == Some(ShellFailure::Empty)
            && project.on_failure != Some(ShellFailure::Error);
        policy
            .allow_shell(self.flags.shell || is_allowed)
            .shell_timeout(timeout)
            .shell_max_output(output)
            .on_shell_failure(if tolerates { OnFailure::Empty } else { OnFailure::Error })
    }

    /// The narrower of the limits that the files set.
    fn rate(&self) -> Option<Rate> {
        let mut said = self.said(|it| it.rate_limit);
        let first = said.next()?;
        Some(said.next().filter(|second| second.is_within(&first)).unwrap_or(first))
    }

    #[cfg(feature = "rate-limit")]
    fn limited(&self, policy: Policy) -> Policy {
        let limit = |rate: Rate| crate::policy::RateLimit::new(rate.burst, rate.per.0);
        match self.rate().and_then(limit) {
            Some(limit) => policy.rate_limit(limit),
            None => policy,
        }
    }

    #[cfg(not(feature = "rate-limit"))]
    fn limited(&self, policy: Policy) -> Policy {
        debug_assert!(self.rate().is_none(), "a limit that cannot be kept is an error");
        policy
    }
}

impl Builder {
    /// Sets the policy and the order of a configuration, and adds the sources it names and the
    /// default roots around its project.
    ///
    /// ```
    /// use skilldeck_runtime::{Configuration, Environment, Registry, Request};
    ///
    /// # let project = tempfile::tempdir()?;
    /// # std::fs::create_dir_all(project.path().join("team/greet"))?;
    /// # let text = "---\ndescription: Greets.\n---\nHello.\n";
    /// # std::fs::write(project.path().join("team/greet/SKILL.md"), text)?;
    /// let text = "\
    /// skills:
    ///   sources:
    ///     - { name: team, roots: [team], namespace: apply, prefix: team- }
    /// ";
    /// std::fs::write(project.path().join("skilldeck.yml"), text)?;
    /// let configuration = Configuration::load(project.path(), &Environment::default(), None)?;
    /// let registry = Registry::builder().configuration(&configuration).build()?;
    /// assert!(registry.invoke(&Request::line("/team-greet")).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn configuration(self, configuration: &Configuration) -> Self {
        let sources = configuration.sources.iter().cloned().chain(configuration.default_roots());
        let builder = self.policy(configuration.policy()).precedence(configuration.precedence());
        sources.fold(builder, Self::source)
    }
}

impl Rate {
    /// Whether this one never lets more through than the other.
    fn is_within(&self, other: &Self) -> bool {
        let (own, others) = (u128::from(self.burst.get()), u128::from(other.burst.get()));
        let times = |time: std::time::Duration, by: u128| time.as_nanos().saturating_mul(by);
        self.burst <= other.burst && times(other.per.0, own) <= times(self.per.0, others)
    }
}

/// What is understood and cannot be kept is refused: whoever wrote it counts on it.
fn hold_supported(parsed: &Parsed) -> Result<(), Error> {
    let section = &parsed.section;
    let fault = |path: &[&str], why: &str| {
        Err(parsed.error(&place::keys(&[&["skills"], path].concat()), why))
    };
    if section.bodies == Some(Bodies::Reread) {
        return fault(&["bodies"], "`bodies: reread` is not supported yet; write `keep`");
    }
    let telemetry = section.telemetry.as_ref();
    if telemetry.is_some_and(|it| it.sqlite.is_some()) {
        return fault(&["telemetry", "sqlite"], "`sqlite` is not supported yet; write `null`");
    }
    if telemetry.is_some_and(|it| it.prometheus == Some(true)) {
        let why = "`prometheus` is not supported yet; write `false`";
        return fault(&["telemetry", "prometheus"], why);
    }
    if let Some(rate) = section.rate_limit {
        if cfg!(not(feature = "rate-limit")) {
            let why = "this program was built without limits to the rate; remove `rate_limit`";
            return fault(&["rate_limit"], why);
        }
        if rate.per.0.as_nanos() < u128::from(rate.burst.get()) {
            return fault(&["rate_limit"], "`per` is too short for so many invocations");
        }
    }
    Ok(())
}

/// Where the user's file lies.
fn user_file(environment: &Environment) -> Option<PathBuf> {
    let own = || environment.home.as_ref().map(|home| home.join(".config"));
    Some(environment.config_home.clone().or_else(own)?.join("skilldeck").join(FILE))
}

/// Whether two paths lead to one file.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || (crate::source::canonical(a) == crate::source::canonical(b))
}

#[cfg(test)]
mod tests;
