//! From two views of one shape to the fewest loops that visit every pair of elements.

use smallvec::SmallVec;

/// One loop: its count, and the step of each side (bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub n: usize,
    pub src: isize,
    pub dst: isize,
}

impl Axis {
    /// A loop that runs once.
    pub const ONCE: Axis = Axis { n: 1, src: 0, dst: 0 };
}

pub(super) type Axes = SmallVec<[Axis; 6]>;

/// The loops of a kernel, outermost first, and the first element of both sides. At least one
/// element.
#[derive(Debug)]
pub(super) struct Loops {
    pub src: *const u8,
    pub dst: *mut u8,
    pub axes: Axes,
}

impl Loops {
    /// The loops over `shape`; `None`: there are no elements.
    ///
    /// Drops axes of extent 1, reverses axes with a negative destination stride, sorts the others
    /// by the destination's strides (writes cost more than reads), and merges axes that are
    /// contiguous on both sides.
    pub fn new(
        shape: &[usize],
        (mut src, src_strides): (*const u8, &[isize]),
        (mut dst, dst_strides): (*mut u8, &[isize]),
    ) -> Option<Self> {
        let mut axes = Axes::new();
        for ((&n, &s), &d) in shape.iter().zip(src_strides).zip(dst_strides) {
            let mut axis = Axis { n, src: s, dst: d };
            match n {
                0 => return None,
                1 => continue,
                _ if d < 0 || (d == 0 && s < 0) => {
                    let last = (n - 1) as isize;
                    src = src.wrapping_offset(s.wrapping_mul(last));
                    dst = dst.wrapping_offset(d.wrapping_mul(last));
                    axis = Axis { n, src: s.wrapping_neg(), dst: d.wrapping_neg() };
                }
                _ => {}
            }
            axes.push(axis);
            // Insertion from the end: the axes are few and mostly in order.
            let key = |a: Axis| (a.dst, a.src.unsigned_abs());
            let mut at = axes.len() - 1;
            while at > 0 && key(axes[at - 1]) < key(axes[at]) {
                axes.swap(at - 1, at);
                at -= 1;
            }
        }
        axes.dedup_by(|inner, outer| {
            let n = inner.n as isize;
            let continues =
                outer.dst == inner.dst.wrapping_mul(n) && outer.src == inner.src.wrapping_mul(n);
            if continues {
                *outer = Axis { n: outer.n * inner.n, ..*inner };
            }
            continues
        });
        Some(Loops { src, dst, axes })
    }
}

/// Calls `visit` with both pointers at every turn of the loops; `false`: `visit` returned false,
/// which ended the walk.
pub(super) fn walk(
    axes: &[Axis],
    mut src: *const u8,
    mut dst: *mut u8,
    visit: &mut impl FnMut(*const u8, *mut u8) -> bool,
) -> bool {
    let Some((axis, inner)) = axes.split_first() else { return visit(src, dst) };
    for _ in 0..axis.n {
        if !walk(inner, src, dst, visit) {
            return false;
        }
        // After the last element the pointer may point anywhere, but nothing is read.
        src = src.wrapping_offset(axis.src);
        dst = dst.wrapping_offset(axis.dst);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(shape: &[usize], src: &[isize], dst: &[isize]) -> Option<Loops> {
        Loops::new(shape, (std::ptr::null(), src), (std::ptr::null_mut(), dst))
    }

    #[test]
    fn contiguous_boxes_are_one_loop() {
        let strides = [48, 16, 16, 4];
        let all = loops(&[2, 3, 1, 4], &strides, &strides).map(|l| l.axes.to_vec());
        assert_eq!(all, Some(vec![Axis { n: 24, src: 4, dst: 4 }]));
    }

    #[test]
    fn empty_and_single() {
        assert!(loops(&[3, 0], &[0, 4], &[0, 4]).is_none());
        assert_eq!(loops(&[], &[], &[]).map(|l| l.axes.len()), Some(0));
        assert_eq!(loops(&[1, 1], &[9, 9], &[-9, 9]).map(|l| l.axes.len()), Some(0));
    }

    #[test]
    fn destination_order_and_direction() {
        // Fortran order into C order, with the destination's rows in reverse.
        let Some(l) = loops(&[3, 5], &[4, 12], &[-20, 4]) else { panic!("not empty") };
        assert_eq!(
            l.axes.as_slice(),
            [Axis { n: 3, src: -4, dst: 20 }, Axis { n: 5, src: 12, dst: 4 }]
        );
        assert_eq!(l.src as isize, 8);
        assert_eq!(l.dst as isize, -40);
    }

    #[test]
    fn a_part_of_a_box_keeps_its_rows() {
        let Some(l) = loops(&[2, 3, 4], &[48, 16, 4], &[400, 40, 4]) else { panic!("not empty") };
        assert_eq!(l.axes.len(), 3);
        let mut seen = 0;
        assert!(!walk(&l.axes, l.src, l.dst, &mut |_, _| {
            seen += 1;
            seen < 5
        }));
        assert_eq!(seen, 5);
    }
}
