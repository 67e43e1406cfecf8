//! Stores whose values lie in other stores: references to byte ranges, and snapshots of Icechunk.

mod elsewhere;
#[cfg(feature = "icechunk")]
pub mod icechunk;
#[cfg(feature = "reference")]
pub mod reference;
