//! [`View`] and [`ViewMut`]: n-dimensional windows on memory of someone else.
//!
//! A view is a pointer, a shape, strides in bytes and the size of an element. Everything but
//! [`View::from_raw`], [`ViewMut::from_raw`] and [`ViewMut::slice_disjoint`] is safe to call:
//! those three are where the caller vouches for the memory.

use std::marker::PhantomData;

use super::layout::{Layout, Part};
use crate::error::{Error, Result};

/// Elements that may be read during `'a`.
#[derive(Clone, Debug)]
pub struct View<'a> {
    ptr: *const u8,
    layout: Layout,
    memory: PhantomData<&'a [u8]>,
}

/// Elements that may be read and written during `'a`, and by nobody else.
#[derive(Debug)]
pub struct ViewMut<'a> {
    ptr: *mut u8,
    layout: Layout,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: a view only reads, and what it reads is not written during 'a.
unsafe impl Send for View<'_> {}
// SAFETY: as above.
unsafe impl Sync for View<'_> {}
// SAFETY: the memory is the view's alone during 'a, as with `&mut [u8]`.
unsafe impl Send for ViewMut<'_> {}
// SAFETY: a shared reference gives reads only; `slice_disjoint` is the caller's promise.
unsafe impl Sync for ViewMut<'_> {}

fn fit(shape: &[usize], item: usize, len: usize) -> Result<Layout> {
    let (layout, bytes) = Layout::contiguous(shape, item)?;
    if bytes == len {
        return Ok(layout);
    }
    Err(Error::invalid(format!(
        "a box of {shape:?} elements of {item} bytes takes {bytes} bytes, the memory has {len}"
    )))
}

fn raw(null: bool, shape: &[usize], strides: &[isize], item: usize) -> Result<Layout> {
    let layout = Layout::strided(shape, strides, item)?;
    if null && !layout.is_void() {
        return Err(Error::invalid(format!("no memory (NULL) for a box of {shape:?} elements")));
    }
    Ok(layout)
}

impl<'a> View<'a> {
    /// The whole of `bytes` as a box of `shape`, C order, elements of `item` bytes.
    ///
    /// `InvalidArgument` where the length is another, `LimitExceeded` where it can't be counted.
    pub fn contiguous(bytes: &'a [u8], shape: &[usize], item: usize) -> Result<Self> {
        let layout = fit(shape, item, bytes.len())?;
        Ok(View { ptr: bytes.as_ptr(), layout, memory: PhantomData })
    }

    /// Elements at `ptr` plus any sum of index times stride (bytes; may be negative or 0).
    ///
    /// `InvalidArgument` for a rank of `strides` that differs, strides that leave the address
    /// space, or NULL where there is something to read; `LimitExceeded` for too large a box.
    ///
    /// # Safety
    /// Each of those elements is readable during `'a`, and nobody writes it meanwhile.
    pub unsafe fn from_raw(
        ptr: *const u8,
        shape: &[usize],
        strides: &[isize],
        item: usize,
    ) -> Result<Self> {
        let layout = raw(ptr.is_null(), shape, strides, item)?;
        Ok(View { ptr, layout, memory: PhantomData })
    }

    fn part(&self, (offset, layout): Part) -> Self {
        View { ptr: self.ptr.wrapping_offset(offset), layout, memory: PhantomData }
    }

    /// The box of `shape` from `start`. `OutOfBounds` where it leaves the view.
    pub fn slice(&self, start: &[usize], shape: &[usize]) -> Result<Self> {
        Ok(self.part(self.layout.slice(start, shape)?))
    }

    /// Along each axis `count` elements from `start`, `step` apart (may be negative, or 0 to
    /// repeat one). `OutOfBounds` where it leaves the view.
    pub fn step(&self, start: &[usize], step: &[isize], count: &[usize]) -> Result<Self> {
        Ok(self.part(self.layout.step(start, step, count)?))
    }

    /// The element `at` of `axis`, which is dropped. `OutOfBounds` where it leaves the view.
    pub fn index(&self, axis: usize, at: usize) -> Result<Self> {
        Ok(self.part(self.layout.index(axis, at)?))
    }

    /// A new axis of extent 1 before `axis`. `InvalidArgument` past the end.
    pub fn insert_axis(&self, axis: usize) -> Result<Self> {
        Ok(self.part(self.layout.insert(axis)?))
    }

    /// Axis `i` of the result is axis `axes[i]` of this. `InvalidArgument` for no permutation.
    pub fn permute(&self, axes: &[usize]) -> Result<Self> {
        Ok(self.part(self.layout.permute(axes)?))
    }

    /// The axes in the opposite order: C order seen as Fortran order.
    pub fn reversed_axes(&self) -> Self {
        self.part((0, self.layout.reversed()))
    }

    /// `item` bytes from `offset` of each element: a field of a struct, a part of a complex.
    /// `OutOfBounds` where that leaves the element.
    pub fn field(&self, offset: usize, item: usize) -> Result<Self> {
        Ok(self.part(self.layout.field(offset, item)?))
    }

    /// Each element as a new last axis of `count` equal parts. `InvalidArgument` where the
    /// element's size is no multiple of it.
    pub fn parts(&self, count: usize) -> Result<Self> {
        Ok(self.part(self.layout.parts(count)?))
    }

    /// The bytes, where the elements lie one after the other in C order.
    pub fn as_contiguous(&self) -> Option<&'a [u8]> {
        if self.layout.is_void() {
            return Some(&[]);
        }
        let len = self.layout.len() * self.layout.item;
        // SAFETY: contiguous, so exactly these bytes are the elements, readable during 'a.
        self.layout.is_contiguous().then(|| unsafe { std::slice::from_raw_parts(self.ptr, len) })
    }

    /// The element of index 0.
    pub fn as_ptr(&self) -> *const u8 {
        self.ptr
    }
}

impl<'a> ViewMut<'a> {
    /// The whole of `bytes` as a box of `shape`, C order, elements of `item` bytes.
    ///
    /// `InvalidArgument` where the length is another, `LimitExceeded` where it can't be counted.
    pub fn contiguous(bytes: &'a mut [u8], shape: &[usize], item: usize) -> Result<Self> {
        let layout = fit(shape, item, bytes.len())?;
        Ok(ViewMut { ptr: bytes.as_mut_ptr(), layout, memory: PhantomData })
    }

    /// Elements at `ptr` plus any sum of index times stride (bytes; may be negative).
    ///
    /// `InvalidArgument` for a rank of `strides` that differs, strides that leave the address
    /// space, or NULL where there is something to write; `LimitExceeded` for too large a box.
    /// Strides that put two elements on the same bytes are not refused: the last one written
    /// stays, and which one that is isn't said.
    ///
    /// # Safety
    /// Each of those elements is readable and writable during `'a`, and nobody else uses it
    /// meanwhile.
    pub unsafe fn from_raw(
        ptr: *mut u8,
        shape: &[usize],
        strides: &[isize],
        item: usize,
    ) -> Result<Self> {
        let layout = raw(ptr.is_null(), shape, strides, item)?;
        Ok(ViewMut { ptr, layout, memory: PhantomData })
    }

    /// The same elements for a shorter while.
    pub fn reborrow(&mut self) -> ViewMut<'_> {
        ViewMut { ptr: self.ptr, layout: self.layout.clone(), memory: PhantomData }
    }

    /// The same elements, for reading.
    pub fn as_view(&self) -> View<'_> {
        View { ptr: self.ptr, layout: self.layout.clone(), memory: PhantomData }
    }

    fn part(&mut self, part: Part) -> ViewMut<'_> {
        ViewMut { ptr: self.ptr.wrapping_offset(part.0), layout: part.1, memory: PhantomData }
    }

    fn into_part(self, part: Part) -> Self {
        ViewMut { ptr: self.ptr.wrapping_offset(part.0), layout: part.1, memory: PhantomData }
    }

    /// As [`View::slice`].
    pub fn slice(&mut self, start: &[usize], shape: &[usize]) -> Result<ViewMut<'_>> {
        let part = self.layout.slice(start, shape)?;
        Ok(self.part(part))
    }

    /// As [`View::slice`], for all of `'a` and without holding this view, so that several threads
    /// may each write a box of it.
    ///
    /// # Safety
    /// While it lives, no element of the box is used through this view or another such box.
    pub unsafe fn slice_disjoint(&self, start: &[usize], shape: &[usize]) -> Result<ViewMut<'a>> {
        let (offset, layout) = self.layout.slice(start, shape)?;
        Ok(ViewMut { ptr: self.ptr.wrapping_offset(offset), layout, memory: PhantomData })
    }

    /// As [`View::step`].
    pub fn step(
        &mut self,
        start: &[usize],
        step: &[isize],
        count: &[usize],
    ) -> Result<ViewMut<'_>> {
        let part = self.layout.step(start, step, count)?;
        Ok(self.part(part))
    }

    /// As [`View::index`].
    pub fn index(&mut self, axis: usize, at: usize) -> Result<ViewMut<'_>> {
        let part = self.layout.index(axis, at)?;
        Ok(self.part(part))
    }

    /// As [`View::insert_axis`].
    pub fn insert_axis(&mut self, axis: usize) -> Result<ViewMut<'_>> {
        let part = self.layout.insert(axis)?;
        Ok(self.part(part))
    }

    /// As [`View::permute`].
    pub fn permute(&mut self, axes: &[usize]) -> Result<ViewMut<'_>> {
        let part = self.layout.permute(axes)?;
        Ok(self.part(part))
    }

    /// As [`View::reversed_axes`].
    pub fn reversed_axes(&mut self) -> ViewMut<'_> {
        let part = (0, self.layout.reversed());
        self.part(part)
    }

    /// As [`View::field`].
    pub fn field(&mut self, offset: usize, item: usize) -> Result<ViewMut<'_>> {
        let part = self.layout.field(offset, item)?;
        Ok(self.part(part))
    }

    /// As [`View::parts`].
    pub fn parts(&mut self, count: usize) -> Result<ViewMut<'_>> {
        let part = self.layout.parts(count)?;
        Ok(self.part(part))
    }

    /// As [`View::slice`], in place of this view.
    pub fn into_slice(self, start: &[usize], shape: &[usize]) -> Result<Self> {
        let part = self.layout.slice(start, shape)?;
        Ok(self.into_part(part))
    }

    /// As [`View::step`], in place of this view.
    pub fn into_step(self, start: &[usize], step: &[isize], count: &[usize]) -> Result<Self> {
        let part = self.layout.step(start, step, count)?;
        Ok(self.into_part(part))
    }

    /// As [`View::index`], in place of this view.
    pub fn into_index(self, axis: usize, at: usize) -> Result<Self> {
        let part = self.layout.index(axis, at)?;
        Ok(self.into_part(part))
    }

    /// As [`View::insert_axis`], in place of this view.
    pub fn into_inserted_axis(self, axis: usize) -> Result<Self> {
        let part = self.layout.insert(axis)?;
        Ok(self.into_part(part))
    }

    /// As [`View::permute`], in place of this view.
    pub fn into_permuted(self, axes: &[usize]) -> Result<Self> {
        let part = self.layout.permute(axes)?;
        Ok(self.into_part(part))
    }

    /// As [`View::field`], in place of this view.
    pub fn into_field(self, offset: usize, item: usize) -> Result<Self> {
        let part = self.layout.field(offset, item)?;
        Ok(self.into_part(part))
    }

    /// The bytes, where the elements lie one after the other in C order.
    pub fn as_contiguous(&self) -> Option<&[u8]> {
        self.contiguous_len().map(|len| match len {
            0 => &[][..],
            // SAFETY: contiguous, so exactly these bytes are the elements; nobody writes them
            // while this view is borrowed.
            len => unsafe { std::slice::from_raw_parts(self.ptr, len) },
        })
    }

    /// The bytes, where the elements lie one after the other in C order.
    pub fn as_contiguous_mut(&mut self) -> Option<&mut [u8]> {
        self.reborrow().into_contiguous_mut()
    }

    /// As [`ViewMut::as_contiguous_mut`], in place of this view.
    pub fn into_contiguous_mut(self) -> Option<&'a mut [u8]> {
        self.contiguous_len().map(|len| match len {
            0 => &mut [][..],
            // SAFETY: contiguous, so exactly these bytes are the elements, this view's alone
            // during 'a, and the view ends here.
            len => unsafe { std::slice::from_raw_parts_mut(self.ptr, len) },
        })
    }

    fn contiguous_len(&self) -> Option<usize> {
        if self.layout.is_void() {
            return Some(0);
        }
        self.layout.is_contiguous().then(|| self.layout.len() * self.layout.item)
    }

    /// The element of index 0.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.ptr
    }
}

/// What both views can be asked.
macro_rules! questions {
    ($view:ident) => {
        impl $view<'_> {
            /// Extents, slowest axis first, in elements.
            pub fn shape(&self) -> &[usize] {
                &self.layout.shape
            }

            /// From one element to the next along each axis, in bytes.
            pub fn strides(&self) -> &[isize] {
                &self.layout.strides
            }

            /// Number of axes.
            pub fn rank(&self) -> usize {
                self.layout.shape.len()
            }

            /// Bytes of an element.
            pub fn item(&self) -> usize {
                self.layout.item
            }

            /// Elements.
            pub fn len(&self) -> usize {
                self.layout.len()
            }

            /// Whether there are no elements.
            pub fn is_empty(&self) -> bool {
                self.layout.shape.contains(&0)
            }
        }
    };
}
questions!(View);
questions!(ViewMut);
