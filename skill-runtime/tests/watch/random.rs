//! Whatever happens, in the end a watched registry has what a new one finds.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use skilldeck_runtime::{Builder, Registry, Source};

use crate::support::{Watch, eventually, save, source, text};
use crate::tree::{Tree, everything};

/// How many times something happens, and is waited for.
const ROUNDS: usize = 60;
/// To look for more: the numbers to begin with, as `from..to`.
const SEEDS: &str = "SKILLDECK_TEST_SEEDS";

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// A path of few names, so that different steps meet.
    fn path(&mut self, base: &Path) -> PathBuf {
        let length = 1 + self.below(4);
        (0..length).fold(base.to_path_buf(), |path, _| path.join(["a", "b", "c"][self.below(3)]))
    }

    /// Something that may happen; where it cannot, nothing does.
    fn step(&mut self, base: &Path, at: usize) -> String {
        let (path, other) = (self.path(base), self.path(base));
        match self.below(12) {
            0..=3 => {
                if fs::create_dir_all(&path).is_ok() && !path.join("SKILL.md").is_dir() {
                    save(path.join("SKILL.md"), text(&format!("version {at}\n")));
                }
                format!("save {path:?}")
            }
            4 => format!("remove all {path:?}: {:?}", fs::remove_dir_all(&path)),
            5 => format!("remove {path:?}: {:?}", fs::remove_file(&path)),
            6 => format!("remove skill {path:?}: {:?}", fs::remove_file(path.join("SKILL.md"))),
            7 | 8 => format!("rename {path:?} {other:?}: {:?}", fs::rename(&path, &other)),
            9 => format!("link {path:?} at {other:?}: {:?}", symlink(&path, &other)),
            10 => {
                let file = path.join("SKILL.md");
                let done = symlink(other.join("SKILL.md"), &file);
                format!("link the skill of {other:?} at {file:?}: {done:?}")
            }
            _ => format!("make {path:?}: {:?}", fs::create_dir_all(&path)),
        }
    }
}

fn sources(base: &Path) -> Vec<Source> {
    let roots = ["a", "b/c", "c/a/b"].map(|root| source(root, base.join(root)));
    let untrusted = source("untrusted", base.join("b")).with_info(|info| info.trusted = false);
    roots.into_iter().chain([untrusted]).collect()
}

fn check(seed: u64) {
    let tree = Tree::new();
    let base = tree.root();
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let watch = Watch::over(sources(base));
    let mut done = Vec::new();
    for round in 0..ROUNDS {
        for step in 0..1 + numbers.below(6) {
            done.push(numbers.step(base, round * 10 + step));
        }
        let builder = sources(base).into_iter().fold(Registry::builder(), Builder::source);
        let expected = everything(&builder.build().unwrap().snapshot());
        eventually(&format!("seed {seed}, round {round}: {done:#?}\n{expected}"), || {
            everything(&watch.registry.snapshot()) == expected
        });
    }
}

#[test]
fn it_ends_as_a_new_one_begins() {
    let seeds = env::var(SEEDS).unwrap_or_else(|_| "1..4".to_owned());
    let (from, to) = seeds.split_once("..").unwrap();
    (from.parse().unwrap()..to.parse().unwrap()).for_each(check);
}
