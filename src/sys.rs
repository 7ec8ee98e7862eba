//! System calls that the standard library does not offer. The only module with `unsafe`.
