//! One file per command, shared argument groups, exit codes.
