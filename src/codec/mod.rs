//! Codecs: how the bytes of a chunk are laid out and compressed.

pub mod blosc;
