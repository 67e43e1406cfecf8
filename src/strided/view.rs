//! [`View`] and [`ViewMut`]: n-dimensional windows on borrowed memory.
//!
//! A view is a pointer, a shape, strides in bytes and the size of an element. All functions are
//! safe except [`View::from_raw`], [`ViewMut::from_raw`] and [`ViewMut::slice_disjoint`], whose
//! callers must guarantee that the memory is valid.

use std::marker::PhantomData;

use super::layout::{Layout, Part};
use crate::error::{Error, Kind, Result};

/// Elements that may be read during `'a`.
#[derive(Clone, Debug)]
pub struct View<'a> {
    ptr: *const u8,
    layout: Layout,
    memory: PhantomData<&'a [u8]>,
}

/// Elements that may be read and written during `'a`, through this view only.
#[derive(Debug)]
pub struct ViewMut<'a> {
    ptr: *mut u8,
    layout: Layout,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: a view only reads, and nobody writes its elements during 'a.
unsafe impl Send for View<'_> {}
// SAFETY: as above.
unsafe impl Sync for View<'_> {}
// SAFETY: only the view accesses the memory during 'a, as with `&mut [u8]`.
unsafe impl Send for ViewMut<'_> {}
// SAFETY: a shared reference only reads; the caller of `slice_disjoint` guarantees the rest.
unsafe impl Sync for ViewMut<'_> {}

fn fit(shape: &[usize], item: usize, len: usize) -> Result<Layout> {
    let (layout, bytes) = Layout::contiguous(shape, item)?;
    if bytes == len {
        return Ok(layout);
    }
    Err(Error::invalid(format!(
        "a box of {shape:?} elements of {item} bytes needs {bytes} bytes, the memory has {len}"
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
    /// `InvalidArgument` if the length differs, `LimitExceeded` if it overflows.
    pub fn contiguous(bytes: &'a [u8], shape: &[usize], item: usize) -> Result<Self> {
        let layout = fit(shape, item, bytes.len())?;
        Ok(View { ptr: bytes.as_ptr(), layout, memory: PhantomData })
    }

    /// Elements of `bytes`: the first at the start, the others by strides (bytes, not negative).
    /// `OutOfBounds` if an element leaves `bytes`.
    pub fn strided(
        bytes: &'a [u8],
        shape: &[usize],
        strides: &[isize],
        item: usize,
    ) -> Result<Self> {
        let layout = Layout::strided(shape, strides, item)?;
        let last = shape.iter().zip(strides).try_fold(0usize, |at, (&n, &stride)| {
            at.checked_add(n.saturating_sub(1).checked_mul(usize::try_from(stride).ok()?)?)
        });
        let end = last.and_then(|at| at.checked_add(item));
        if layout.is_void() || end.is_some_and(|end| end <= bytes.len()) {
            return Ok(View { ptr: bytes.as_ptr(), layout, memory: PhantomData });
        }
        Err(Error::new(
            Kind::OutOfBounds,
            format!("a box of {shape:?} elements leaves its {} bytes", bytes.len()),
        ))
    }

    /// Elements at `ptr` plus any sum of index times stride (bytes; may be negative or 0).
    ///
    /// `InvalidArgument` if the rank of `strides` differs, strides leave the address space, or
    /// `ptr` is NULL although there are elements; `LimitExceeded` if the box is too large.
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

    /// The box of `shape` from `start`. `OutOfBounds` if it leaves the view.
    pub fn slice(&self, start: &[usize], shape: &[usize]) -> Result<Self> {
        Ok(self.part(self.layout.slice(start, shape)?))
    }

    /// Along each axis `count` elements from `start`, `step` apart (may be negative, or 0 to repeat
    /// one). `OutOfBounds` if it leaves the view.
    pub fn step(&self, start: &[usize], step: &[isize], count: &[usize]) -> Result<Self> {
        Ok(self.part(self.layout.step(start, step, count)?))
    }

    /// The element `at` of `axis`, which is dropped. `OutOfBounds` if it leaves the view.
    pub fn index(&self, axis: usize, at: usize) -> Result<Self> {
        Ok(self.part(self.layout.index(axis, at)?))
    }

    /// Inserts an axis of extent 1 before `axis`. `InvalidArgument` past the end.
    pub fn insert_axis(&self, axis: usize) -> Result<Self> {
        Ok(self.part(self.layout.insert(axis)?))
    }

    /// Axis `i` of the result is axis `axes[i]` of this. `InvalidArgument` if `axes` is no
    /// permutation.
    pub fn permute(&self, axes: &[usize]) -> Result<Self> {
        Ok(self.part(self.layout.permute(axes)?))
    }

    /// The axes in the opposite order: C order seen as Fortran order.
    pub fn reversed_axes(&self) -> Self {
        self.part((0, self.layout.reversed()))
    }

    /// `item` bytes from `offset` of each element: a field of a struct, a part of a complex number.
    /// `OutOfBounds` if they leave the element.
    pub fn field(&self, offset: usize, item: usize) -> Result<Self> {
        Ok(self.part(self.layout.field(offset, item)?))
    }

    /// Each element as a new last axis of `count` equal parts. `InvalidArgument` if the element's
    /// size is not a multiple of `count`.
    pub fn parts(&self, count: usize) -> Result<Self> {
        Ok(self.part(self.layout.parts(count)?))
    }

    /// The bytes, if the elements are contiguous in C order.
    pub fn as_contiguous(&self) -> Option<&'a [u8]> {
        if self.layout.is_void() {
            return Some(&[]);
        }
        let len = self.layout.len() * self.layout.item;
        // SAFETY: contiguous, so exactly these bytes are the elements, readable during 'a.
        self.layout.is_contiguous().then(|| unsafe { std::slice::from_raw_parts(self.ptr, len) })
    }

    /// The one element, if all indices share its bytes; `None`: they do not, or there are no bytes.
    pub fn as_repeated(&self) -> Option<&'a [u8]> {
        let still = |(&n, &stride): (&usize, &isize)| stride == 0 || n == 1;
        let repeated = !self.layout.is_void() && self.shape().iter().zip(self.strides()).all(still);
        // SAFETY: there is an element, so its bytes are readable during 'a.
        repeated.then(|| unsafe { std::slice::from_raw_parts(self.ptr, self.layout.item) })
    }

    /// The element of index 0.
    pub fn as_ptr(&self) -> *const u8 {
        self.ptr
    }
}

impl<'a> ViewMut<'a> {
    /// The whole of `bytes` as a box of `shape`, C order, elements of `item` bytes.
    ///
    /// `InvalidArgument` if the length differs, `LimitExceeded` if it overflows.
    pub fn contiguous(bytes: &'a mut [u8], shape: &[usize], item: usize) -> Result<Self> {
        let layout = fit(shape, item, bytes.len())?;
        Ok(ViewMut { ptr: bytes.as_mut_ptr(), layout, memory: PhantomData })
    }

    /// Elements at `ptr` plus any sum of index times stride (bytes; may be negative).
    ///
    /// `InvalidArgument` if the rank of `strides` differs, strides leave the address space, or
    /// `ptr` is NULL although there are elements; `LimitExceeded` if the box is too large. Strides
    /// may map two elements to the same bytes; then one of the values written stays, but it is
    /// unspecified which.
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

    /// The same elements for a shorter lifetime.
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

    /// Like [`View::slice`].
    pub fn slice(&mut self, start: &[usize], shape: &[usize]) -> Result<ViewMut<'_>> {
        let part = self.layout.slice(start, shape)?;
        Ok(self.part(part))
    }

    /// Like [`View::slice`], for all of `'a` and without borrowing this view, so that several
    /// threads may each write a box of it.
    ///
    /// # Safety
    /// While it lives, no element of the box is used through this view or another such box.
    pub unsafe fn slice_disjoint(&self, start: &[usize], shape: &[usize]) -> Result<ViewMut<'a>> {
        let (offset, layout) = self.layout.slice(start, shape)?;
        Ok(ViewMut { ptr: self.ptr.wrapping_offset(offset), layout, memory: PhantomData })
    }

    /// Like [`View::step`].
    pub fn step(
        &mut self,
        start: &[usize],
        step: &[isize],
        count: &[usize],
    ) -> Result<ViewMut<'_>> {
        let part = self.layout.step(start, step, count)?;
        Ok(self.part(part))
    }

    /// Like [`View::index`].
    pub fn index(&mut self, axis: usize, at: usize) -> Result<ViewMut<'_>> {
        let part = self.layout.index(axis, at)?;
        Ok(self.part(part))
    }

    /// Like [`View::insert_axis`].
    pub fn insert_axis(&mut self, axis: usize) -> Result<ViewMut<'_>> {
        let part = self.layout.insert(axis)?;
        Ok(self.part(part))
    }

    /// Like [`View::permute`].
    pub fn permute(&mut self, axes: &[usize]) -> Result<ViewMut<'_>> {
        let part = self.layout.permute(axes)?;
        Ok(self.part(part))
    }

    /// Like [`View::reversed_axes`].
    pub fn reversed_axes(&mut self) -> ViewMut<'_> {
        let part = (0, self.layout.reversed());
        self.part(part)
    }

    /// Like [`View::field`].
    pub fn field(&mut self, offset: usize, item: usize) -> Result<ViewMut<'_>> {
        let part = self.layout.field(offset, item)?;
        Ok(self.part(part))
    }

    /// Like [`View::parts`].
    pub fn parts(&mut self, count: usize) -> Result<ViewMut<'_>> {
        let part = self.layout.parts(count)?;
        Ok(self.part(part))
    }

    /// Like [`View::slice`], but consumes this view.
    pub fn into_slice(self, start: &[usize], shape: &[usize]) -> Result<Self> {
        let part = self.layout.slice(start, shape)?;
        Ok(self.into_part(part))
    }

    /// Like [`View::step`], but consumes this view.
    pub fn into_step(self, start: &[usize], step: &[isize], count: &[usize]) -> Result<Self> {
        let part = self.layout.step(start, step, count)?;
        Ok(self.into_part(part))
    }

    /// Like [`View::index`], but consumes this view.
    pub fn into_index(self, axis: usize, at: usize) -> Result<Self> {
        let part = self.layout.index(axis, at)?;
        Ok(self.into_part(part))
    }

    /// Like [`View::insert_axis`], but consumes this view.
    pub fn into_inserted_axis(self, axis: usize) -> Result<Self> {
        let part = self.layout.insert(axis)?;
        Ok(self.into_part(part))
    }

    /// Like [`View::permute`], but consumes this view.
    pub fn into_permuted(self, axes: &[usize]) -> Result<Self> {
        let part = self.layout.permute(axes)?;
        Ok(self.into_part(part))
    }

    /// Like [`View::field`], but consumes this view.
    pub fn into_field(self, offset: usize, item: usize) -> Result<Self> {
        let part = self.layout.field(offset, item)?;
        Ok(self.into_part(part))
    }

    /// The bytes, if the elements are contiguous in C order.
    pub fn as_contiguous(&self) -> Option<&[u8]> {
        self.contiguous_len().map(|len| match len {
            0 => &[][..],
            // SAFETY: contiguous, so exactly these bytes are the elements; nobody writes them while
            // this view is borrowed.
            len => unsafe { std::slice::from_raw_parts(self.ptr, len) },
        })
    }

    /// The bytes, if the elements are contiguous in C order.
    pub fn as_contiguous_mut(&mut self) -> Option<&mut [u8]> {
        // SAFETY: for no longer than this view is borrowed.
        unsafe { self.contiguous_bytes() }
    }

    /// Like [`ViewMut::as_contiguous_mut`], but consumes this view.
    pub fn into_contiguous_mut(self) -> Option<&'a mut [u8]> {
        // SAFETY: only this view may access its elements during 'a, and it ends here.
        unsafe { self.contiguous_bytes() }
    }

    /// SAFETY: during `'b`, nothing else accesses the elements.
    unsafe fn contiguous_bytes<'b>(&self) -> Option<&'b mut [u8]> {
        self.contiguous_len().map(|len| match len {
            0 => &mut [][..],
            // SAFETY: contiguous, so exactly these bytes are the elements.
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

/// The properties of both views.
macro_rules! questions {
    ($view:ident) => {
        impl $view<'_> {
            /// Extents, slowest axis first, in elements.
            pub fn shape(&self) -> &[usize] {
                &self.layout.shape
            }

            /// The distance between neighbours along each axis (bytes).
            pub fn strides(&self) -> &[isize] {
                &self.layout.strides
            }

            /// Number of axes.
            pub fn rank(&self) -> usize {
                self.layout.shape.len()
            }

            /// Size of an element (bytes).
            pub fn item(&self) -> usize {
                self.layout.item
            }

            /// The number of elements.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use crate::strided::copy;

    /// The elements of a view of bytes, in C order.
    fn bytes(view: &View<'_>) -> Result<Vec<u8>> {
        let mut out = vec![0; view.len() * view.item()];
        copy(view, &mut ViewMut::contiguous(&mut out, view.shape(), view.item())?)?;
        Ok(out)
    }

    fn kind<T>(done: Result<T>) -> Option<Kind> {
        done.err().map(|e| e.kind())
    }

    const NUMBERS: [u8; 24] =
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23];

    #[test]
    fn parts_of_a_box() -> Result<()> {
        let view = View::contiguous(&NUMBERS, &[2, 3, 4], 1)?;
        assert_eq!((view.shape(), view.strides()), (&[2, 3, 4][..], &[12, 4, 1][..]));
        assert_eq!(bytes(&view.slice(&[1, 0, 2], &[1, 3, 2])?)?, [14, 15, 18, 19, 22, 23]);
        assert_eq!(bytes(&view.step(&[1, 2, 3], &[1, -2, -3], &[1, 2, 2])?)?, [23, 20, 15, 12]);
        assert_eq!(bytes(&view.step(&[0, 0, 1], &[1, 1, 0], &[1, 1, 3])?)?, [1, 1, 1]);
        assert_eq!(bytes(&view.index(1, 2)?)?, [8, 9, 10, 11, 20, 21, 22, 23]);
        assert_eq!(view.insert_axis(3)?.shape(), [2, 3, 4, 1]);
        let turned = view.permute(&[2, 0, 1])?;
        assert_eq!(turned.shape(), [4, 2, 3]);
        assert_eq!(bytes(&turned)?[..6], [0, 4, 8, 12, 16, 20]);
        assert_eq!(bytes(&view.reversed_axes())?[..6], [0, 12, 4, 16, 8, 20]);
        Ok(())
    }

    #[test]
    fn parts_of_elements() -> Result<()> {
        let view = View::contiguous(&NUMBERS, &[2, 2], 6)?;
        assert_eq!(bytes(&view.field(1, 2)?)?, [1, 2, 7, 8, 13, 14, 19, 20]);
        assert_eq!(view.parts(3)?.shape(), [2, 2, 3]);
        assert_eq!(view.parts(3)?.item(), 2);
        assert_eq!(bytes(&view.parts(3)?)?, NUMBERS);
        assert_eq!(kind(view.field(5, 2)), Some(Kind::OutOfBounds));
        assert_eq!(kind(view.field(usize::MAX, 2)), Some(Kind::OutOfBounds));
        assert_eq!(kind(view.parts(4)), Some(Kind::InvalidArgument));
        assert_eq!(kind(view.parts(0)), Some(Kind::InvalidArgument));
        Ok(())
    }

    #[test]
    fn writing_through_parts() -> Result<()> {
        let mut memory = [0u8; 24];
        let mut view = ViewMut::contiguous(&mut memory, &[2, 3, 4], 1)?;
        let source = [1, 2, 3, 4];
        copy(&View::contiguous(&source, &[2, 2], 1)?, &mut {
            let part = view.reborrow().into_index(0, 1)?.into_permuted(&[1, 0])?;
            part.into_step(&[3, 0], &[-1, 2], &[2, 2])?
        })?;
        copy(
            &View::contiguous(&[9], &[], 1)?,
            &mut view
                .slice(&[0, 1, 1], &[1, 1, 1])?
                .into_index(0, 0)?
                .into_index(0, 0)?
                .into_index(0, 0)?,
        )?;
        assert_eq!(memory[..12], [0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0]);
        assert_eq!(memory[12..], [0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 4, 2]);
        Ok(())
    }

    #[test]
    fn threads_write_a_box_each() -> Result<()> {
        let mut memory = vec![0u8; 64 * 64];
        let view = ViewMut::contiguous(&mut memory, &[64, 64], 1)?;
        std::thread::scope(|scope| {
            for n in 0..4u8 {
                let (row, column) = (usize::from(n / 2) * 32, usize::from(n % 2) * 32);
                // SAFETY: the four quarters share no element.
                let quarter = unsafe { view.slice_disjoint(&[row, column], &[32, 32]) };
                scope.spawn(move || {
                    let filled = quarter.and_then(|mut q| crate::strided::fill(&mut q, &[n]));
                    assert!(filled.is_ok());
                });
            }
        });
        drop(view);
        for (at, &byte) in memory.iter().enumerate() {
            assert_eq!(usize::from(byte), at / 64 / 32 * 2 + at % 64 / 32);
        }
        Ok(())
    }

    #[test]
    fn contiguous_or_not() -> Result<()> {
        let view = View::contiguous(&NUMBERS, &[2, 3, 4], 1)?;
        assert_eq!(view.as_contiguous(), Some(&NUMBERS[..]));
        assert_eq!(view.slice(&[1, 0, 0], &[1, 3, 4])?.as_contiguous(), Some(&NUMBERS[12..]));
        assert_eq!(view.slice(&[1, 1, 2], &[1, 1, 2])?.as_contiguous(), Some(&[18, 19][..]));
        assert_eq!(view.slice(&[0, 1, 0], &[1, 2, 4])?.as_contiguous(), Some(&NUMBERS[4..12]));
        assert_eq!(view.slice(&[0, 1, 0], &[2, 2, 4])?.as_contiguous(), None);
        assert_eq!(view.slice(&[0, 0, 0], &[1, 3, 3])?.as_contiguous(), None);
        assert_eq!(view.slice(&[2, 3, 4], &[0, 0, 0])?.as_contiguous(), Some(&[][..]));
        assert_eq!(view.slice(&[0, 0, 3], &[2, 3, 1])?.permute(&[2, 0, 1])?.as_contiguous(), None);
        assert_eq!(view.reversed_axes().as_contiguous(), None);
        assert_eq!(view.field(0, 0)?.as_contiguous(), Some(&[][..]));
        let mut memory = NUMBERS;
        let mut view = ViewMut::contiguous(&mut memory, &[2, 12], 1)?;
        assert_eq!(view.index(0, 1)?.as_contiguous_mut().map(|b| b[0]), Some(12));
        assert!(view.index(1, 0)?.as_contiguous_mut().is_none());
        assert_eq!(view.as_contiguous().map(<[u8]>::len), Some(24));
        Ok(())
    }

    #[test]
    fn rank_zero_is_one_element() -> Result<()> {
        let view = View::contiguous(&NUMBERS[..4], &[], 4)?;
        assert_eq!((view.len(), view.rank(), view.is_empty()), (1, 0, false));
        assert_eq!(bytes(&view.slice(&[], &[])?.permute(&[])?.reversed_axes())?, [0, 1, 2, 3]);
        assert_eq!(kind(View::contiguous(&[], &[], 4)), Some(Kind::InvalidArgument));
        Ok(())
    }

    #[test]
    fn what_leaves_the_view() -> Result<()> {
        let view = View::contiguous(&NUMBERS, &[4, 6], 1)?;
        let out = Some(Kind::OutOfBounds);
        let wrong = Some(Kind::InvalidArgument);
        assert_eq!(kind(view.slice(&[2, 0], &[3, 6])), out);
        assert_eq!(kind(view.slice(&[5, 0], &[0, 6])), out);
        assert_eq!(kind(view.slice(&[usize::MAX, 0], &[2, 6])), out);
        assert_eq!(kind(view.slice(&[0], &[1, 1])), wrong);
        assert_eq!(kind(view.slice(&[0, 0], &[1, 1, 1])), wrong);
        assert_eq!(kind(view.step(&[0, 5], &[1, -2], &[1, 3])), None);
        assert_eq!(kind(view.step(&[0, 5], &[1, -2], &[1, 4])), out);
        assert_eq!(kind(view.step(&[0, 0], &[2, 1], &[3, 1])), out);
        assert_eq!(kind(view.step(&[0, 6], &[1, 0], &[1, 1])), out);
        assert_eq!(kind(view.step(&[0, 6], &[1, -1], &[1, 2])), out);
        assert_eq!(kind(view.step(&[0, 0], &[1, isize::MIN], &[1, 3])), out);
        assert_eq!(kind(view.step(&[0, 0], &[1, isize::MAX], &[1, usize::MAX])), out);
        assert_eq!(kind(view.step(&[0, 0], &[0, 0], &[usize::MAX, 2])), Some(Kind::LimitExceeded));
        assert_eq!(kind(view.index(1, 6)), out);
        assert_eq!(kind(view.index(2, 0)), wrong);
        assert_eq!(kind(view.insert_axis(3)), wrong);
        for axes in [&[0][..], &[0, 0], &[0, 2], &[1, 0, 2]] {
            assert_eq!(kind(view.permute(axes)), wrong, "{axes:?}");
        }
        Ok(())
    }

    #[test]
    fn memory_that_cannot_be() {
        let limit = Some(Kind::LimitExceeded);
        let wrong = Some(Kind::InvalidArgument);
        let big = 1usize << 40;
        assert_eq!(kind(View::contiguous(&[], &[big, big], 8)), limit);
        assert_eq!(kind(View::contiguous(&[], &[big, big, 0], 8)), None);
        assert_eq!(kind(View::contiguous(&[], &[usize::MAX], 1)), limit);
        assert_eq!(kind(View::contiguous(&NUMBERS, &[5, 5], 1)), wrong);
        let raw = |ptr: *const u8, shape: &[usize], strides: &[isize], item| {
            // SAFETY: never read.
            kind(unsafe { View::from_raw(ptr, shape, strides, item) })
        };
        let some = NUMBERS.as_ptr();
        assert_eq!(raw(some, &[2, 2], &[1], 1), wrong);
        assert_eq!(raw(some, &[2, 2], &[isize::MIN, 1], 1), wrong);
        assert_eq!(raw(some, &[3, 2], &[isize::MAX, 1], 1), wrong);
        assert_eq!(raw(some, &[big, big], &[0, 0], 1), limit);
        assert_eq!(raw(std::ptr::null(), &[2, 2], &[2, 1], 1), wrong);
        assert_eq!(raw(std::ptr::null(), &[2, 0], &[2, 1], 1), None);
        assert_eq!(raw(some, &[0, 2], &[isize::MIN, isize::MAX], 1), None);
    }
}
