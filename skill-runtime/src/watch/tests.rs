//! The thread and its backend, without and with a file system.
