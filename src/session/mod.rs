//! Sessions: ids, scratch, owner file, temp redirect, prompt snippet.
