//! N-dimensional views over raw memory, and the only kernels that move elements: copy, byte swap,
//! fill, compare, convert. A pointer from outside becomes a [`View`] or a [`ViewMut`] once, at the
//! boundary; from then on shapes and strides are checked where they change, never where elements move.
//!
//! Every kernel works alike: `walk` brings the axes into the order of the destination's memory and
//! merges what lies together, then a plane or a row of elements at a time goes through a loop that
//! is made for its width.
//!
//! - `layout`, `view`: shape and strides; the views.
//! - `walk`: from two views to the fewest loops.
//! - `copy`, `tile`, `swap`: elements from one layout into another, bytes reversed or not.
//! - `gather`: elements at listed places, together and back.
//! - `fill`: one element into many places, and whether many places hold one.
//! - `number`, `half`, `small`, `cast`, `convert`: from one number type into another, checked.
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

/// From one element to the next along each axis, in bytes. On the stack up to rank 6.
pub type Strides = SmallVec<[isize; 6]>;
