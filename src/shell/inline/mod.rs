//! Inline scripts in other languages -> the paths that they write.
