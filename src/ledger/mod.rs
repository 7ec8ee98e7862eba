//! The store: journal, grants, audit.
