//! Fills elements with one element, and checks whether all elements equal one.

use std::mem::MaybeUninit;

use super::copy::run;
use super::swap::Swap;
use super::view::{View, ViewMut};
use super::walk::{Axis, Loops, walk};
use crate::error::{Error, Kind, Result};

/// The most bytes of a pattern of repeated elements on the stack.
const PATTERN: usize = 1024;

/// Writes `element` to every element of `dst`.
///
/// `Internal` if the length of `element` is not the element size.
pub fn fill(dst: &mut ViewMut<'_>, element: &[u8]) -> Result<()> {
    let item = dst.item();
    same_item("fill", element, item)?;
    let Some(&first) = element.first() else { return Ok(()) };
    let still = super::Strides::from_elem(0, dst.rank());
    let to = dst.as_mut_ptr();
    let loops = Loops::new(dst.shape(), (element.as_ptr(), &still), (to, dst.strides()));
    let Some(mut loops) = loops else { return Ok(()) };

    let lie_together = loops.axes.last().filter(|axis| axis.dst == item as isize);
    let Some(&Axis { n, .. }) = lie_together else {
        // SAFETY: the loops visit the view's elements; the source stays at the one element.
        unsafe { run(&mut loops, item, &Swap::None) };
        return Ok(());
    };
    loops.axes.pop();
    let len = n * item;
    if element.iter().all(|&byte| byte == first) {
        walk(&loops.axes, loops.src, loops.dst, &mut |_, dst| {
            // SAFETY: n contiguous elements lie at each turn of the loops.
            unsafe { dst.write_bytes(first, len) };
            true
        });
        return Ok(());
    }
    // Copy the pattern repeatedly: it is long enough for copies at full memory speed.
    let mut room = MaybeUninit::<[u8; PATTERN]>::uninit();
    let times = (PATTERN / item).min(n);
    let pattern = if times < 2 {
        element
    } else {
        let start = room.as_mut_ptr().cast::<u8>();
        // SAFETY: `times` elements fit the pattern buffer and are all written before they are read.
        unsafe {
            for i in 0..times {
                std::ptr::copy_nonoverlapping(element.as_ptr(), start.add(i * item), item);
            }
            std::slice::from_raw_parts(start, times * item)
        }
    };
    walk(&loops.axes, loops.src, loops.dst, &mut |_, dst| {
        let mut at = 0;
        while at < len {
            let part = pattern.len().min(len - at);
            // SAFETY: n contiguous elements lie at each turn of the loops, separate from the
            // pattern.
            unsafe { std::ptr::copy_nonoverlapping(pattern.as_ptr(), dst.add(at), part) };
            at += part;
        }
        true
    });
    Ok(())
}

/// Whether every element of `src` equals `element` bit by bit (so 0.0 is not -0.0, and a NaN equals
/// itself). True for no elements.
///
/// `Internal` if the length of `element` is not the element size.
pub fn all_equal(src: &View<'_>, element: &[u8]) -> Result<bool> {
    let item = src.item();
    same_item("compare", element, item)?;
    if let Some(one) = src.as_repeated() {
        return Ok(one == element);
    }
    // The walk needs two sides, so pass the source twice; it is only read.
    let side = (src.as_ptr(), src.strides());
    let loops = Loops::new(src.shape(), side, (side.0.cast_mut(), side.1));
    let Some(mut loops) = loops.filter(|_| item != 0) else { return Ok(true) };
    let inner = loops.axes.pop().unwrap_or(Axis { n: 1, src: item as isize, dst: item as isize });
    let is_element = |src: *const u8| {
        // SAFETY: the loops visit only elements of the view.
        unsafe { std::slice::from_raw_parts(src, item) == element }
    };
    Ok(walk(&loops.axes, loops.src, loops.dst, &mut |src, _| {
        if inner.src != item as isize {
            return (0..inner.n as isize).all(|i| is_element(src.wrapping_offset(i * inner.src)));
        }
        if !is_element(src) {
            return false;
        }
        // The first element is equal; so are the others if each equals the one before it.
        // SAFETY: n contiguous elements lie at each turn of the loops.
        let row = unsafe { std::slice::from_raw_parts(src, inner.n * item) };
        row[item..] == row[..row.len() - item]
    }))
}

fn same_item(doing: &str, element: &[u8], item: usize) -> Result<()> {
    if element.len() == item {
        return Ok(());
    }
    let len = element.len();
    Err(Error::new(
        Kind::Internal,
        format!("{doing}: an element of {len} bytes, the view's have {item}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Memory, Random, most, rounds};
    use super::*;

    #[test]
    fn an_element_in_many_places_is_compared_once() -> Result<()> {
        let element = [1u8, 2, 3, 4];
        let many = View::strided(&element, &[1 << 20, 1 << 20], &[0, 0], 4)?;
        assert!(all_equal(&many, &element)?);
        assert!(!all_equal(&many, &[1, 2, 3, 5])?);
        let few = View::strided(&element, &[2, 3], &[0, 0], 4)?;
        let mut bytes = [0; 24];
        let mut dst = ViewMut::contiguous(&mut bytes, &[2, 3], 4)?;
        crate::strided::copy_swapped(&few, &mut dst, &Swap::Words { width: 2 })?;
        assert_eq!(bytes, [[2, 1, 4, 3]; 6].concat()[..]);
        Ok(())
    }

    #[test]
    fn fills_like_one_by_one() {
        let mut random = Random(5);
        for round in rounds(3000) {
            let shape = random.shape(most(round));
            let item = random.pick(&[0, 1, 2, 3, 4, 8, 12, 16, 17, 500, 1024, 1025]);
            let item = if shape.iter().product::<usize>() > 600 { item.min(17) } else { item };
            let mut element = random.bytes(item);
            if random.below(3) == 0 {
                element.fill(random.next() as u8);
            }
            let mut dst = Memory::random(&mut random, &shape, item);
            let mut expected = dst.bytes.clone();
            let places = dst.places();
            for &to in &places {
                expected[to..to + item].copy_from_slice(&element);
            }
            assert!(fill(&mut dst.view_mut(), &element).is_ok());
            assert!(dst.bytes == expected, "{shape:?} x {item} bytes, strides {:?}", dst.strides);

            // All equal; then one flipped bit must be noticed.
            assert_eq!(all_equal(&dst.view(), &element).ok(), Some(true));
            if !places.is_empty() && item > 0 {
                let at = random.pick(&places) + random.below(item);
                dst.bytes[at] ^= 1 << random.below(8);
                assert_eq!(all_equal(&dst.view(), &element).ok(), Some(false), "{shape:?} {item}");
            }
        }
    }

    #[test]
    fn equal_bit_by_bit() -> Result<()> {
        let zeros = [0.0f64; 9].map(f64::to_ne_bytes).concat();
        let view = View::contiguous(&zeros, &[3, 3], 8)?;
        assert!(all_equal(&view, &0.0f64.to_ne_bytes())?);
        assert!(!all_equal(&view, &(-0.0f64).to_ne_bytes())?);
        let nans = [f64::NAN; 9].map(f64::to_ne_bytes).concat();
        assert!(all_equal(&View::contiguous(&nans, &[9], 8)?, &f64::NAN.to_ne_bytes())?);
        assert!(all_equal(&View::contiguous(&[], &[0, 9], 8)?, &[7; 8])?);
        Ok(())
    }

    #[test]
    fn refuses_an_element_of_another_size() -> Result<()> {
        let mut bytes = [0; 8];
        let kind = |e: Error| e.kind();
        let mut view = ViewMut::contiguous(&mut bytes, &[2], 4)?;
        assert_eq!(fill(&mut view, &[0; 3]).map_err(kind), Err(Kind::Internal));
        assert_eq!(all_equal(&view.as_view(), &[0; 5]).map_err(kind), Err(Kind::Internal));
        Ok(())
    }
}
