//! Reports and time to looks, and each look to what is watched after it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use super::armed::Armed;
use super::backend::{Refusal, Start};
use super::coalesce::{Coalescer, look_at};
use super::inbox::{Inbox, Mail};
use super::mount::Mounts;
use super::notice::Notice;
use super::plan::Plan;
use super::status::{Attention, WatchedRoot, Watching};
use super::{WatchOptions, Watched};
use crate::catalog::{Look, Territory};

/// How often in a row new watches may call for a look that calls for new watches. A directory that
/// is filled takes one round for each level; what goes on for longer waits for quiet.
const MAX_ROUNDS: usize = 16;

/// Keeps something current. All of it happens on the thread that calls it.
pub(super) struct Lookout {
    watched: Weak<dyn Watched>,
    inbox: Arc<Inbox>,
    options: WatchOptions,
    start: Start,
    /// Why there is no backend.
    unable: Option<Refusal>,
    territories: Vec<Arc<Territory>>,
    plan: Plan,
    /// Whether the plan may be another one though the territories are the same.
    replan: bool,
    armed: Armed,
    coalescer: Coalescer,
    next_sweep: Instant,
    next_poll: Option<Instant>,
    status: Arc<Mutex<Watching>>,
}

impl Lookout {
    /// Begins to watch. What happened since the last look is still to be looked at.
    pub(super) fn begin(
        watched: &Arc<dyn Watched>,
        inbox: Arc<Inbox>,
        options: WatchOptions,
        start: Start,
    ) -> Self {
        let now = Instant::now();
        let options = options.clamped();
        let mut lookout = Self {
            watched: Arc::downgrade(watched),
            inbox,
            start,
            unable: None,
            territories: watched.territories(),
            plan: Plan::default(),
            replan: true,
            armed: Armed::default(),
            coalescer: Coalescer::new(options.quiet, options.delay),
            next_sweep: now + options.sweep,
            next_poll: None,
            status: Arc::default(),
            options,
        };
        lookout.start_backend();
        lookout.plan = Plan::of(&lookout.territories);
        lookout.armed.settle(lookout.plan.directories());
        lookout.report(now);
        lookout.coalescer.everything(now);
        lookout
    }

    /// How changes are noticed at any time.
    pub(super) fn status(&self) -> &Arc<Mutex<Watching>> {
        &self.status
    }

    /// Keeps it current until told to stop, or until it is gone.
    pub(super) fn run(mut self) {
        loop {
            let mail = self.inbox.take(self.next());
            let Some(watched) = self.watched.upgrade().filter(|_| !mail.stopped) else { return };
            // A panic leaves the lists of what to look at and to watch too short at worst; the next
            // poll looks at everything and makes them anew.
            let turn = catch_unwind(AssertUnwindSafe(|| self.turn(&*watched, mail)));
            if turn.is_err() {
                self.lock_status().faults += 1;
                self.replan = true;
                self.armed.lost();
                self.next_poll = Some(Instant::now() + self.options.poll);
            }
        }
    }

    /// When there is something to do even if nothing is reported.
    pub(super) fn next(&self) -> Instant {
        let others = [self.coalescer.due(), self.next_poll];
        others.into_iter().flatten().fold(self.next_sweep, Instant::min)
    }

    /// Acts on what was reported and on the time.
    pub(super) fn turn(&mut self, watched: &dyn Watched, mail: Mail) {
        let now = Instant::now();
        self.take_in(mail, now);
        if now >= self.next_sweep {
            self.next_sweep = now + self.options.sweep;
            self.armed.check();
            self.replan = true;
            self.coalescer.everything(now);
        }
        if self.next_poll.is_some_and(|due| now >= due) {
            self.next_poll = Some(now + self.options.poll);
            if !self.armed.has_backend() {
                self.start_backend();
            }
            self.armed.retry();
            self.replan = true;
            self.coalescer.everything(now);
        }
        if let Some(look) = self.coalescer.take(now) {
            watched.look(&look);
        }
        self.follow(watched);
    }

    fn take_in(&mut self, mail: Mail, now: Instant) {
        if mail.lost {
            self.armed.lost();
            self.replan = true;
            self.coalescer.lost(now);
        }
        for notice in mail.notices {
            let (paths, leads_elsewhere) = self.plan.meaning(&notice);
            self.replan |= leads_elsewhere;
            match &notice {
                Notice::Replaced(path) => self.replan |= self.armed.replaced(path),
                Notice::Changed(path) => self.replan |= self.armed.changed(path),
                Notice::Lost => {}
            }
            for path in paths {
                self.coalescer.add(path, now);
            }
        }
    }

    /// Watches what the last look found, and looks at what is watched only now: it may have changed
    /// before it was, and the file of a new directory is mostly there before its watch is.
    fn follow(&mut self, watched: &dyn Watched) {
        for round in 1..=MAX_ROUNDS {
            let territories = watched.territories();
            let same = territories.len() == self.territories.len()
                && territories.iter().zip(&self.territories).all(|(a, b)| Arc::ptr_eq(a, b));
            if same && !self.replan || self.inbox.is_stopped() {
                return;
            }
            let plan = Plan::of(&territories);
            let settled = self.armed.settle(plan.directories());
            let unseen = plan.unseen(&self.plan, &settled.new);
            (self.plan, self.territories) = (plan, territories);
            self.replan = settled.is_outdated;
            self.report(Instant::now());
            if settled.lost {
                self.replan = true;
                watched.look(&Look::Everything);
            } else if unseen.is_empty() {
                // What is not there any more is in the territories no longer, or soon.
            } else if round < MAX_ROUNDS {
                self.replan = true;
                watched.look(&look_at(unseen));
            } else {
                self.replan = true;
                let now = Instant::now();
                unseen.into_iter().for_each(|path| self.coalescer.add(path, now));
            }
        }
    }

    fn start_backend(&mut self) {
        if self.options.force_polling {
            return;
        }
        let backend = (self.start)(&self.inbox);
        self.unable = backend.as_ref().err().cloned();
        self.armed.set_backend(backend.ok());
    }

    /// Says how each root is watched, and polls if any of them is not.
    fn report(&mut self, now: Instant) {
        let mounts = Mounts::now();
        let roots: Vec<WatchedRoot> = self
            .territories
            .iter()
            .enumerate()
            .map(|(source, territory)| {
                let attention = match self.obstacle(source, territory, &mounts) {
                    Some(reason) => Attention::Polled { reason },
                    None => Attention::Watched,
                };
                WatchedRoot { root: territory.root.clone(), attention }
            })
            .collect();
        let polls = roots.iter().any(|root| root.attention != Attention::Watched);
        self.next_poll = match self.next_poll {
            _ if !polls => None,
            None => Some(now + self.options.poll),
            due => due,
        };
        self.lock_status().roots = roots;
    }

    /// Why a source cannot be watched.
    pub(super) fn obstacle(
        &self,
        source: usize,
        territory: &Territory,
        mounts: &Mounts,
    ) -> Option<String> {
        if self.options.force_polling {
            return Some("polling was asked for".to_owned());
        }
        if let Some(refusal) = &self.unable {
            return Some(format!("changes are not reported: {refusal}"));
        }
        if !territory.root.is_absolute() {
            return Some("the working directory of its relative path is gone".to_owned());
        }
        let refused = self.armed.refused().find(|(directory, refusal)| {
            self.plan.sources(directory, **refusal == Refusal::Denied).contains(&source)
        });
        if let Some((directory, refusal)) = refused {
            return Some(format!("`{}` is not watched: {refusal}", directory.display()));
        }
        let mut ends = self.plan.ends.get(source)?.iter();
        ends.find_map(|end| {
            let kind = mounts.shared(end)?;
            Some(format!("others may change `{}` unseen, it lies on `{kind}`", end.display()))
        })
    }

    fn lock_status(&self) -> MutexGuard<'_, Watching> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
