//! The codecs.
