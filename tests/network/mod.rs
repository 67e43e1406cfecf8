//! Stores across a network, against servers of this machine that misbehave as they are told.
#![cfg(feature = "http")]

mod faults;
mod http;
#[cfg(feature = "s3")]
mod operations;
mod requests;
#[cfg(feature = "s3")]
pub mod s3;
pub mod server;
mod tls;
mod trust;
mod words;
