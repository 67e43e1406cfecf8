//! Copies elements at listed positions: the selections by index lists, points and masks. `gather`
//! packs them, `scatter` unpacks them, in order: if a position is listed twice, the last value
//! stays.

use super::copy::{self, Bytes, Element, KEEP};
use super::swap::Swap;
use super::tile::Move;
use super::view::{View, ViewMut};
use super::walk::Loops;
use crate::error::{Error, Kind, Result};

/// Indices along each axis: a list, or `None` for all of them in order.
pub type Lists<'a> = [Option<&'a [u64]>];

/// Runs of elements along the last axis of a box, in the order of the selection.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    /// The extents of the box.
    pub shape: &'a [u64],
    /// The number, in C order of the box, of the first element of each run.
    pub starts: &'a [u64],
    /// The length of each run; empty: one element each.
    pub lengths: &'a [u64],
}

impl<'a> Runs<'a> {
    /// The runs: the first element, and how many.
    pub fn iter(self) -> impl Iterator<Item = (u64, u64)> + 'a {
        let lengths = self.lengths.iter().copied().chain(std::iter::repeat(1));
        self.starts.iter().copied().zip(lengths)
    }
}

/// Copies the elements of `src` at `lists` to `dst`, whose shape is the lengths of the lists.
///
/// `OutOfBounds` if an index lies outside of `src`, `Internal` if the shapes do not fit.
pub fn gather(src: &View<'_>, lists: &Lists<'_>, dst: &mut ViewMut<'_>) -> Result<()> {
    check(lists, src.shape(), dst.shape(), src.item(), dst.item())?;
    let shape: super::Extents = dst.shape().into();
    let to = dst.as_mut_ptr();
    let sides = ((src.as_ptr(), src.strides()), (to, dst.strides()));
    // SAFETY: every index was checked to lie in `src`; the views guarantee valid elements.
    unsafe { copy_listed(&shape, lists, true, sides, src.item()) };
    Ok(())
}

/// Copies `src` to the elements of `dst` at `lists`; the reverse of [`gather`].
///
/// `OutOfBounds` if an index lies outside of `dst`, `Internal` if the shapes do not fit.
pub fn scatter(src: &View<'_>, lists: &Lists<'_>, dst: &mut ViewMut<'_>) -> Result<()> {
    check(lists, dst.shape(), src.shape(), src.item(), dst.item())?;
    let to = dst.as_mut_ptr();
    let sides = ((src.as_ptr(), src.strides()), (to, dst.strides()));
    // SAFETY: every index was checked to lie in `dst`; the views guarantee valid elements.
    unsafe { copy_listed(src.shape(), lists, false, sides, src.item()) };
    Ok(())
}

/// Copies runs of `src` one after the other to `dst`, which has one axis.
///
/// `OutOfBounds` if a run leaves `src`, `Internal` if the length of `dst` is not that of the runs.
pub fn gather_runs(src: &View<'_>, runs: Runs<'_>, dst: &mut ViewMut<'_>) -> Result<()> {
    let walk =
        check_runs(runs, (src.shape(), src.strides()), dst.shape(), [src.item(), dst.item()])?;
    let plain = (dst.as_mut_ptr(), dst.strides().first().copied().unwrap_or(0));
    let listed = src.as_ptr().cast_mut();
    // SAFETY: the runs were checked to lie in `src`, which is only read, and to have the length of
    // `dst`.
    unsafe { for_width(src.item(), RunCopy::<true> { runs, walk, listed, plain }) };
    Ok(())
}

/// Copies `src`, which has one axis, to runs of `dst`; the reverse of [`gather_runs`].
///
/// `OutOfBounds` if a run leaves `dst`, `Internal` if the length of `src` is not that of the runs.
pub fn scatter_runs(src: &View<'_>, runs: Runs<'_>, dst: &mut ViewMut<'_>) -> Result<()> {
    let listed = dst.as_mut_ptr();
    let walk =
        check_runs(runs, (dst.shape(), dst.strides()), src.shape(), [src.item(), dst.item()])?;
    let plain = (src.as_ptr().cast_mut(), src.strides().first().copied().unwrap_or(0));
    // SAFETY: the runs were checked to lie in `dst` and to have the length of `src`, which is only
    // read.
    unsafe { for_width(src.item(), RunCopy::<false> { runs, walk, listed, plain }) };
    Ok(())
}

/// A loop over elements, compiled for each element width.
trait Kernel {
    /// # Safety
    /// See the kernel.
    unsafe fn run<M: Move>(self, m: M);
}

/// Runs a kernel with the fastest move for elements of `item` bytes.
///
/// # Safety
/// See the kernel.
unsafe fn for_width(item: usize, kernel: impl Kernel) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match item {
            0 => {}
            1 => kernel.run(Element::<u8, KEEP>::new()),
            2 => kernel.run(Element::<u16, KEEP>::new()),
            4 => kernel.run(Element::<u32, KEEP>::new()),
            8 => kernel.run(Element::<u64, KEEP>::new()),
            16 => kernel.run(Element::<u128, KEEP>::new()),
            _ => kernel.run(Bytes(item)),
        }
    }
}

/// How to compute the address of an element of a run.
#[derive(Clone, Copy)]
enum Walk<'a> {
    /// Elements in C order are this many bytes apart.
    Even(isize),
    /// By the index along each axis.
    Indexed { strides: &'a [isize], even: isize },
}

impl<'a> Walk<'a> {
    /// For runs of a box of `shape` in a view.
    fn new(shape: &[u64], (extents, strides): (&[usize], &'a [isize])) -> Self {
        let even = strides.last().copied().unwrap_or(0);
        let same = shape.iter().zip(extents).all(|(&a, &b)| a == b as u64);
        let mut expected = even;
        let is_even = (extents.iter().zip(strides).rev()).all(|(&extent, &stride)| {
            let as_expected = stride == expected || extent <= 1;
            expected = expected.wrapping_mul(extent as isize);
            as_expected
        });
        if same && is_even { Walk::Even(even) } else { Walk::Indexed { strides, even } }
    }
}

/// The index of an element of a box of `shape`, from the last axis to the first.
fn index(mut number: u64, shape: &[u64]) -> impl Iterator<Item = u64> {
    shape.iter().rev().map(move |&extent| {
        let along = number % extent;
        number /= extent;
        along
    })
}

/// Copies between runs and a line of elements: from the runs to the line if `GATHER`.
struct RunCopy<'a, const GATHER: bool> {
    runs: Runs<'a>,
    walk: Walk<'a>,
    /// The view that contains the runs.
    listed: *mut u8,
    /// The first element of the line, and the distance between elements (bytes).
    plain: (*mut u8, isize),
}

impl<const GATHER: bool> Kernel for RunCopy<'_, GATHER> {
    /// # Safety
    /// Every element of the runs and of the line is readable, and writable on the destination side.
    unsafe fn run<M: Move>(self, m: M) {
        let (mut plain, step) = self.plain;
        // SAFETY: guaranteed by the caller.
        let one = |listed: *mut u8, plain: *mut u8| unsafe {
            if GATHER { m.one(listed, plain) } else { m.one(plain, listed) }
        };
        match self.walk {
            Walk::Even(even) if self.runs.lengths.is_empty() => {
                for &start in self.runs.starts {
                    one(self.listed.wrapping_offset((start as isize).wrapping_mul(even)), plain);
                    plain = plain.wrapping_offset(step);
                }
            }
            walk => {
                for (start, length) in self.runs.iter() {
                    let (far, even) = match walk {
                        Walk::Even(even) => ((start as isize).wrapping_mul(even), even),
                        Walk::Indexed { strides, even } => {
                            let along = index(start, self.runs.shape).zip(strides.iter().rev());
                            let far = along.map(|(i, &by)| (i as isize).wrapping_mul(by));
                            (far.fold(0, isize::wrapping_add), even)
                        }
                    };
                    let mut listed = self.listed.wrapping_offset(far);
                    for _ in 0..length {
                        one(listed, plain);
                        listed = listed.wrapping_offset(even);
                        plain = plain.wrapping_offset(step);
                    }
                }
            }
        }
    }
}

/// The distance (bytes) of each index along an axis from the first, on both sides.
type Table = Vec<(isize, isize)>;

/// Copies one element at every combination of the tables.
struct TableCopy<'a> {
    tables: &'a [Table],
    src: *const u8,
    dst: *mut u8,
}

impl Kernel for TableCopy<'_> {
    /// # Safety
    /// Every element that the tables reach is readable, and writable in `dst`.
    unsafe fn run<M: Move>(self, m: M) {
        walk_tables(self.tables, self.src, self.dst, &mut |from, to| {
            // SAFETY: guaranteed by the caller.
            unsafe { m.one(from, to) }
        });
    }
}

#[inline(always)]
fn walk_tables(
    tables: &[Table],
    src: *const u8,
    dst: *mut u8,
    visit: &mut impl FnMut(*const u8, *mut u8),
) {
    match tables {
        [] => visit(src, dst),
        [last] => last
            .iter()
            .for_each(|&(from, to)| visit(src.wrapping_offset(from), dst.wrapping_offset(to))),
        [first, rest @ ..] => {
            for &(from, to) in first {
                walk_outer(rest, src.wrapping_offset(from), dst.wrapping_offset(to), visit);
            }
        }
    }
}

/// [`walk_tables`] for its recursion, which cannot be inlined.
fn walk_outer(
    tables: &[Table],
    src: *const u8,
    dst: *mut u8,
    visit: &mut impl FnMut(*const u8, *mut u8),
) {
    walk_tables(tables, src, dst, visit);
}

/// The first element and the strides of the source and of the destination.
type Sides<'a> = ((*const u8, &'a [isize]), (*mut u8, &'a [isize]));

/// Copies every element of `shape`: at the listed indices on one side, in order on the other.
///
/// # Safety
/// Every element that this reaches is readable, and writable in the destination.
unsafe fn copy_listed(
    shape: &[usize],
    lists: &Lists<'_>,
    gather: bool,
    ((src, src_strides), (dst, dst_strides)): Sides<'_>,
    item: usize,
) {
    if item == 0 || shape.contains(&0) {
        return;
    }
    // the axes after the last listed one are copied as a box
    let outer = lists.iter().rposition(Option::is_some).map_or(0, |d| d + 1);
    let table = |d: usize| -> Table {
        let (from, to) = (src_strides[d], dst_strides[d]);
        let at = |i: usize, stride: isize| (i as isize).wrapping_mul(stride);
        match lists[d] {
            None => (0..shape[d]).map(|k| (at(k, from), at(k, to))).collect(),
            Some(list) => {
                let places = list.iter().enumerate();
                match gather {
                    true => places.map(|(k, &i)| (at(i as usize, from), at(k, to))).collect(),
                    false => places.map(|(k, &i)| (at(k, from), at(i as usize, to))).collect(),
                }
            }
        }
    };
    let tables: Vec<Table> = (0..outer).map(table).collect();
    let inner =
        Loops::new(&shape[outer..], (src, &src_strides[outer..]), (dst, &dst_strides[outer..]));
    let Some(inner) = inner else { return };
    if inner.axes.is_empty() {
        // SAFETY: guaranteed by the caller.
        return unsafe { for_width(item, TableCopy { tables: &tables, src, dst }) };
    }
    walk_tables(&tables, inner.src, inner.dst, &mut |src, dst| {
        let mut loops = Loops { src, dst, axes: inner.axes.clone() };
        // SAFETY: guaranteed by the caller, for the box at this turn.
        unsafe { copy::run(&mut loops, item, &Swap::None) };
    });
}

fn mismatch(what: &str) -> Error {
    Error::new(Kind::Internal, format!("gather: {what} do not match"))
}

#[cold]
fn outside(index: u64, extent: impl std::fmt::Debug) -> Error {
    Error::new(
        Kind::OutOfBounds,
        format!("element {index} is out of bounds: the extents are {extent:?}"),
    )
}

fn check(
    lists: &Lists<'_>,
    listed: &[usize],
    plain: &[usize],
    item: usize,
    other_item: usize,
) -> Result<()> {
    if item != other_item || lists.len() != listed.len() || plain.len() != listed.len() {
        return Err(mismatch("views"));
    }
    for ((list, &extent), &n) in lists.iter().zip(listed).zip(plain) {
        if list.map_or(extent, <[u64]>::len) != n {
            return Err(mismatch("shapes"));
        }
        if let Some(&index) = list.unwrap_or_default().iter().find(|&&i| i >= extent as u64) {
            return Err(outside(index, extent));
        }
    }
    Ok(())
}

/// How to compute the addresses of elements of runs, after checking that they lie in the view.
fn check_runs<'a>(
    runs: Runs<'_>,
    listed: (&[usize], &'a [isize]),
    plain: &[usize],
    items: [usize; 2],
) -> Result<Walk<'a>> {
    let (extents, lengths) = (listed.0, runs.lengths.len());
    if items[0] != items[1]
        || runs.shape.len() != extents.len()
        || plain.len() != 1
        || (lengths != 0 && lengths != runs.starts.len())
    {
        return Err(mismatch("views"));
    }
    let all = match lengths {
        0 => runs.starts.len() as u64,
        _ => runs.lengths.iter().fold(0, |all: u64, &length| all.saturating_add(length)),
    };
    if all != plain[0] as u64 {
        return Err(mismatch("lengths"));
    }
    let walk = Walk::new(runs.shape, listed);
    if let Walk::Even(_) = walk {
        let elements = extents.iter().product::<usize>() as u64;
        let inside = |(start, length): (u64, u64)| {
            start.checked_add(length).is_some_and(|end| end <= elements)
        };
        let fine = match lengths {
            0 => runs.starts.iter().fold(true, |fine, &start| fine & (start < elements)),
            _ => runs.iter().all(inside),
        };
        let worst = || runs.starts.iter().copied().max().unwrap_or(0);
        return if fine { Ok(walk) } else { Err(outside(worst(), extents)) };
    }
    for (start, length) in runs.iter() {
        if runs.shape.contains(&0) {
            return Err(outside(start, extents));
        }
        let mut more = length;
        for (i, &extent) in index(start, runs.shape).zip(extents.iter().rev()) {
            if i.checked_add(more).is_none_or(|end| end > extent as u64) {
                return Err(outside(start, extents));
            }
            more = 1;
        }
        let elements = runs.shape.iter().fold(1u64, |n, &extent| n.saturating_mul(extent));
        // without axes there is exactly one element
        if start >= elements || (extents.is_empty() && length > 1) {
            return Err(outside(start, extents));
        }
    }
    Ok(walk)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Memory, Random, rounds};
    use super::*;

    #[test]
    fn lists_like_one_by_one() {
        let mut random = Random(7);
        for _ in rounds(500) {
            let rank = random.below(4);
            let shape: Vec<usize> = (0..rank).map(|_| 1 + random.below(6)).collect();
            let item = random.pick(&[1, 2, 3, 4, 8, 16, 24]);
            let lists: Vec<Option<Vec<u64>>> = shape
                .iter()
                .map(|&n| {
                    let many = random.below(7);
                    (random.below(3) > 0)
                        .then(|| (0..many).map(|_| random.below(n) as u64).collect())
                })
                .collect();
            let dense: Vec<usize> = (lists.iter().zip(&shape))
                .map(|(list, &n)| list.as_ref().map_or(n, Vec::len))
                .collect();
            let borrowed: Vec<Option<&[u64]>> = lists.iter().map(Option::as_deref).collect();
            let big = Memory::random(&mut random, &shape, item);
            let mut small = Memory::random(&mut random, &dense, item);
            // the position in the large box of each element of the small one, in C order
            let place = |mut n: usize, memory: &Memory| -> usize {
                let mut at = 0;
                for d in (0..rank).rev() {
                    let k = n % dense[d];
                    n /= dense[d];
                    at += lists[d].as_ref().map_or(k, |l| l[k] as usize)
                        * shape[d + 1..].iter().product::<usize>();
                }
                memory.places()[at]
            };
            let mut expected = small.bytes.clone();
            for (n, to) in small.places().into_iter().enumerate() {
                let from = place(n, &big);
                expected[to..to + item].copy_from_slice(&big.bytes[from..from + item]);
            }
            gather(&big.view(), &borrowed, &mut small.view_mut()).expect("fits");
            assert!(small.bytes == expected, "{shape:?} {lists:?}");
            let small = Memory::random(&mut random, &dense, item);
            let mut big = big;
            let mut expected = big.bytes.clone();
            for (n, from) in small.places().into_iter().enumerate() {
                let to = place(n, &big);
                expected[to..to + item].copy_from_slice(&small.bytes[from..from + item]);
            }
            scatter(&small.view(), &borrowed, &mut big.view_mut()).expect("fits");
            assert!(big.bytes == expected, "scatter {shape:?} {lists:?}");
        }
    }

    #[test]
    fn runs_are_copied_in_order_and_never_outside() {
        let from: Vec<u8> = (0..24).collect();
        let view = View::contiguous(&from, &[4, 6], 1).expect("fits");
        let runs = Runs { shape: &[4, 6], starts: &[8, 5, 8], lengths: &[3, 1, 1] };
        let mut line = [0; 5];
        let mut dst = ViewMut::contiguous(&mut line, &[5], 1).expect("fits");
        gather_runs(&view, runs, &mut dst).expect("inside");
        assert_eq!(line, [8, 9, 10, 5, 8]);
        let mut all = [0; 24];
        let mut dst = ViewMut::contiguous(&mut all, &[4, 6], 1).expect("fits");
        let line = [1, 2, 3, 4, 9];
        let src = View::contiguous(&line, &[5], 1).expect("fits");
        scatter_runs(&src, runs, &mut dst).expect("inside");
        assert_eq!((all[8], all[9], all[10], all[5]), (9, 2, 3, 4), "the last stays");
        // in the box itself, and in a larger one with the view as a corner
        let bad: [(&[u64], u64, u64); 6] = [
            (&[4, 6], 22, 3),
            (&[4, 6], 24, 1),
            (&[4, 6], u64::MAX, 2),
            (&[5, 7], 5, 2),
            (&[5, 7], 28, 1),
            (&[5, 7], u64::MAX - 1, 1),
        ];
        for (shape, start, length) in bad {
            let runs = Runs { shape, starts: &[start], lengths: &[length] };
            let mut line = [0; 3];
            let n = length as usize;
            let mut dst = ViewMut::contiguous(&mut line[..n], &[n], 1).expect("fits");
            let e = gather_runs(&view, runs, &mut dst).expect_err("outside");
            assert_eq!(e.kind(), Kind::OutOfBounds, "{shape:?} {start} {length}");
        }
    }

    #[test]
    fn runs_of_any_view_like_one_by_one() {
        let mut random = Random(9);
        for _ in rounds(500) {
            let rank = random.below(4);
            let shape: Vec<usize> = (0..rank).map(|_| 1 + random.below(6)).collect();
            let item = random.pick(&[1, 2, 3, 4, 8, 16, 24]);
            // in a box as large as the view, or larger
            let wide: Vec<u64> =
                shape.iter().map(|&n| (n + random.below(2) * random.below(3)) as u64).collect();
            let (mut starts, mut lengths, mut all) = (Vec::new(), Vec::new(), Vec::new());
            let one_each = random.below(2) == 0;
            for _ in 0..random.below(9) {
                let at: Vec<usize> = shape.iter().map(|&n| random.below(n)).collect();
                let room = shape.last().map_or(1, |n| n - at[rank - 1]);
                let length = if one_each { 1 } else { 1 + random.below(room) };
                starts.push(at.iter().zip(&wide).fold(0, |n, (&i, extent)| n * extent + i as u64));
                lengths.push(length as u64);
                let first = at.iter().zip(&shape).fold(0, |n, (i, extent)| n * extent + i);
                all.extend(first..first + length);
            }
            if one_each {
                lengths.clear();
            }
            let runs = Runs { shape: &wide, starts: &starts, lengths: &lengths };
            let mut big = Memory::random(&mut random, &shape, item);
            let mut line = Memory::random(&mut random, &[all.len()], item);
            let mut expected = line.bytes.clone();
            for (&n, to) in all.iter().zip(line.places()) {
                let from = big.places()[n];
                expected[to..to + item].copy_from_slice(&big.bytes[from..from + item]);
            }
            gather_runs(&big.view(), runs, &mut line.view_mut()).expect("inside");
            assert!(line.bytes == expected, "{shape:?} {wide:?} {starts:?} {lengths:?}");
            let line = Memory::random(&mut random, &[all.len()], item);
            let mut expected = big.bytes.clone();
            for (&n, from) in all.iter().zip(line.places()) {
                let to = big.places()[n];
                expected[to..to + item].copy_from_slice(&line.bytes[from..from + item]);
            }
            scatter_runs(&line.view(), runs, &mut big.view_mut()).expect("inside");
            assert!(big.bytes == expected, "scatter {shape:?} {wide:?} {starts:?} {lengths:?}");
        }
    }
}
