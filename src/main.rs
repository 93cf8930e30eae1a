//! The `mache` program.
fn main() {}
