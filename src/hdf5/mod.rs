//! HDF5 files by way of libhdf5, which is loaded when the first one is opened: [`library`] is its
//! table of functions and the lock around them, [`handle`] its objects, [`element`] its types
//! beside ours, [`attribute`] its attributes as JSON, [`dataset`] how a dataset is stored;
//! [`mod@write`] makes new files, [`new_type`] the types of their datasets. What a store or an
//! operation makes of these is theirs.
//!
//! libhdf5 trusts its files more than anything else here does: a file made to harm can crash it.

pub mod attribute;
mod dataset;
mod element;
pub mod handle;
mod library;
pub mod new_type;
pub mod write;

pub use dataset::{Filter, Part, Storage};
pub use element::Element;
pub use handle::{File, Id, Target};
pub use library::{Session, session};
