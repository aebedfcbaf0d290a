//! A new skill is compiled in: the compiler tracks the files it has read, this the directory. It also
//! has Cargo show the warnings of skills, which a macro cannot.

fn main() {
    skilldeck_core::codegen::watch(&["skills"]);
}
