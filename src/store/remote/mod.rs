//! Stores across a network.

#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "mongodb")]
pub mod mongodb;
pub mod network;
#[cfg(any(feature = "azure", feature = "gcs", feature = "s3"))]
pub mod object;
#[cfg(feature = "redis")]
pub mod redis;
