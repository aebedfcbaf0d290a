//! A directory of skills to the same without those that cannot be compiled in: for each that is
//! left out a line with the reason. The directory is a copy; its files are removed.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use skilldeck_core::codegen::{Directory, Options, load};

fn main() -> ExitCode {
    for path in std::env::args().skip(1) {
        if let Err(error) = sift(&path) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn sift(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A skill that is left out can be missing for another one.
    loop {
        let Err(faults) = load(&[Directory::new(package, path)?], &Options::default()) else {
            return Ok(());
        };
        for fault in faults {
            let shown = fault.to_string();
            println!("left out: {}", shown.lines().next().unwrap_or_default());
            fs::remove_file(package.join(fault.path()))?;
        }
    }
}
