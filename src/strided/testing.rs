//! For the tests of this module: memory with boxes of any layout in it, and the position of every
//! element computed one by one.

use super::{Extents, Strides, View, ViewMut};

/// The number of rounds: far fewer under an interpreter (`cargo miri test`).
pub fn rounds(n: usize) -> std::ops::Range<usize> {
    0..if cfg!(miri) { n.div_ceil(100) } else { n }
}

/// The most elements: in some rounds enough for several tiles and blocks.
pub fn most(round: usize) -> usize {
    match round % 50 {
        _ if cfg!(miri) => 150,
        7 => 40_000,
        _ => 600,
    }
}

/// splitmix64: the same numbers in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next() as u8).collect()
    }

    /// Rank 0 to 8, up to about `most` elements, sometimes none.
    pub fn shape(&mut self, most: usize) -> Extents {
        let mut room = most;
        let mut shape = Extents::new();
        for _ in 0..self.below(9) {
            let n = self.pick(&[1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 65, 130, 300]);
            let n = n.min(room.max(1));
            room /= n;
            shape.push(n);
        }
        let rank = shape.len();
        for i in (1..rank).rev() {
            let j = self.below(i + 1);
            shape.swap(i, j);
        }
        if rank > 0 && self.below(16) == 0 {
            let axis = self.below(rank);
            shape[axis] = 0;
        }
        shape
    }
}

/// A box within larger memory.
pub struct Memory {
    pub bytes: Vec<u8>,
    pub first: usize,
    pub shape: Extents,
    pub strides: Strides,
    pub item: usize,
}

impl Memory {
    /// Axes in any order and direction, with gaps, no two elements on the same bytes.
    pub fn random(random: &mut Random, shape: &[usize], item: usize) -> Self {
        let rank = shape.len();
        let mut axes: Vec<usize> = (0..rank).collect();
        if random.below(2) == 0 {
            for i in (1..rank).rev() {
                let j = random.below(i + 1);
                axes.swap(i, j);
            }
        }
        let gaps = random.below(3) == 0;
        let flips = random.below(3) == 0;
        let mut strides = Strides::from_elem(0, rank);
        let mut first = random.below(9);
        let mut next = item;
        for &axis in axes.iter().rev() {
            if gaps && random.below(3) == 0 {
                next += random.pick(&[1, 3, item, 2 * item]);
            }
            strides[axis] = next as isize;
            if flips && random.below(2) == 0 {
                strides[axis] = -(next as isize);
                first += next * shape[axis].saturating_sub(1);
            }
            next *= shape[axis].max(1);
        }
        let bytes = random.bytes(first + next + 64);
        Memory { bytes, first, shape: shape.into(), strides, item }
    }

    pub fn view(&self) -> View<'_> {
        let first = self.bytes.as_ptr().wrapping_add(self.first);
        // SAFETY: `random` makes the memory as large as the box requires.
        unsafe { View::from_raw(first, &self.shape, &self.strides, self.item) }
            .unwrap_or_else(|e| panic!("{e}"))
    }

    pub fn view_mut(&mut self) -> ViewMut<'_> {
        let first = self.bytes.as_mut_ptr().wrapping_add(self.first);
        // SAFETY: as above.
        unsafe { ViewMut::from_raw(first, &self.shape, &self.strides, self.item) }
            .unwrap_or_else(|e| panic!("{e}"))
    }

    /// The offset of each element, in C order.
    pub fn places(&self) -> Vec<usize> {
        let count: usize = self.shape.iter().product();
        let place = |mut n: usize| {
            let mut at = self.first as isize;
            for (&extent, &stride) in self.shape.iter().zip(&self.strides).rev() {
                at += (n % extent) as isize * stride;
                n /= extent;
            }
            at as usize
        };
        (0..count).map(place).collect()
    }
}
