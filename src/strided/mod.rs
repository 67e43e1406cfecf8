//! N-dimensional views over raw memory, and the only kernels that move elements: copy, byte swap,
//! fill, compare, convert. A foreign pointer becomes a [`View`] or a [`ViewMut`] once, at the API
//! boundary. After that, shapes and strides are checked when they change, never while elements
//! move.
//!
//! Every kernel works alike: `walk` sorts the axes into the order of the destination's memory and
//! merges contiguous ones; then a loop compiled for the element width moves a plane or a row at a
//! time.
//!
//! - `layout`, `view`: shape and strides; the views.
//! - `walk`: from two views to the fewest loops.
//! - `copy`, `tile`, `swap`: elements from one layout into another, with or without byte swap.
//! - `gather`: packs and unpacks elements at listed positions.
//! - `fill`: fills with one element, and checks whether all elements equal one.
//! - `number`, `half`, `small`, `cast`, `convert`: checked conversion between number types.
#![allow(unsafe_code)]

mod cast;
mod convert;
mod copy;
mod fill;
mod gather;
mod half;
mod layout;
mod number;
mod small;
mod swap;
mod tile;
mod view;
mod walk;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod testing;

use smallvec::SmallVec;

pub use convert::{convert, convertible, fits_row};
pub use copy::{copy, copy_swapped};
pub use fill::{all_equal, fill};
pub use gather::{Lists, Runs, gather, gather_runs, scatter, scatter_runs};
pub use number::Number;
pub use small::{SmallFloat, SmallInt};
pub use swap::{Run, Swap, swap_in_place};
pub use view::{View, ViewMut};

/// Extents of a box, slowest axis first, in elements. On the stack up to rank 6.
pub type Extents = SmallVec<[usize; 6]>;

/// The distance between neighbours along each axis (bytes). On the stack up to rank 6.
pub type Strides = SmallVec<[isize; 6]>;
