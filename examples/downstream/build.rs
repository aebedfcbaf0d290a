//! A new skill is compiled in: the compiler tracks the files it has read, this line the directory.

fn main() {
    println!("cargo::rerun-if-changed=skills");
}
