//! Bytes to the text of their SHA-256.

use sha2::{Digest, Sha256};

/// SHA-256 as 64 lower-case hex digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
