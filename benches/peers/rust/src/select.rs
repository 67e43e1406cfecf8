//! The floor of selections: each touched unit (a chunk, or an inner chunk of a shard) is read and
//! decoded once; the elements go from there to their places.

use super::*;

/// What run.py writes for a selection; c/job.h explains the numbers.
pub enum Picked {
    /// Coordinates of points, of a mask those of its elements.
    Points(Vec<u64>),
    /// The indices along each dimension; every combination is selected.
    Product([Vec<u64>; 3]),
    /// A byte for each element.
    Mask(Vec<u8>),
}

impl Picked {
    pub fn load(job: &Job) -> (Picked, usize) {
        let bytes = std::fs::read(job.text("boxes")).expect("a selection");
        let word =
            |i: usize| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes"));
        let words = |from: usize, n: usize| (from..from + n).map(word).collect::<Vec<_>>();
        let (kind, count) = (word(0), word(1) as usize);
        let picked = match kind {
            0 => Picked::Points(words(2, 3 * count)),
            1 => {
                let n = word(3) as usize;
                let m = word(4 + n) as usize;
                Picked::Product([vec![word(2)], words(4, n), words(5 + n, m)])
            }
            2 => Picked::Mask(bytes[16..].to_vec()),
            _ => {
                let all = |d: usize| (0..job.shape[d]).collect();
                let planes = (0..job.shape[0]).step_by(word(2) as usize).collect();
                Picked::Product([planes, all(1), all(2)])
            }
        };
        (picked, count)
    }
}

/// The indices along one dimension by unit: its number, then (index within it, place).
type Along = Vec<(u64, Vec<(u64, usize)>)>;

fn along(indices: &[u64], extent: u64) -> Along {
    let mut units: HashMap<u64, Vec<(u64, usize)>> = HashMap::new();
    for (place, &index) in indices.iter().enumerate() {
        units.entry(index / extent).or_default().push((index % extent, place));
    }
    let mut units: Along = units.into_iter().collect();
    units.sort_unstable_by_key(|(unit, _)| *unit);
    units
}

impl Floor {
    /// Elements of type `T`, which is as large as those of the array.
    pub fn select<T: Copy>(&self, picked: &Picked, out: &mut [T]) {
        assert!(self.item == size_of::<T>() && !self.transposed);
        match picked {
            Picked::Points(points) => self.select_points(points, out),
            Picked::Product(indices) => self.select_product(indices, out),
            Picked::Mask(mask) => {
                let [_, y, x] = self.shape;
                let mut points = Vec::with_capacity(3 * out.len());
                for n in memchr::memchr_iter(1, mask) {
                    let n = n as u64;
                    points.extend([n / (y * x), n / x % y, n % x]);
                }
                self.select_points(&points, out)
            }
        }
    }

    /// Sorts the points by unit, counting.
    fn select_points<T: Copy>(&self, points: &[u64], out: &mut [T]) {
        let unit = self.inner.map(u64::trailing_zeros);
        assert!(self.inner.iter().all(|n| n.is_power_of_two()));
        let grid = each(|d| self.shape[d].div_ceil(self.inner[d]));
        let of = |p: &[u64]| {
            ((p[0] >> unit[0]) * grid[1] + (p[1] >> unit[1])) * grid[2] + (p[2] >> unit[2])
        };
        let within = |p: &[u64]| {
            let low = |d: usize| p[d] & (self.inner[d] - 1);
            ((((low(0) << unit[1]) + low(1)) << unit[2]) + low(2)) as u32
        };
        let mut ends = vec![0u32; product(&grid) as usize + 1];
        points.as_chunks::<3>().0.iter().for_each(|p| ends[of(p) as usize + 1] += 1);
        (1..ends.len()).for_each(|i| ends[i] += ends[i - 1]);
        let mut next = ends.clone();
        let mut sorted = vec![(0u32, 0u32); points.len() / 3];
        for (place, p) in points.as_chunks::<3>().0.iter().enumerate() {
            let slot = &mut next[of(p) as usize];
            sorted[*slot as usize] = (within(p), place as u32);
            *slot += 1;
        }
        for i in 0..product(&grid) {
            let here = &sorted[ends[i as usize] as usize..ends[i as usize + 1] as usize];
            if !here.is_empty() {
                self.decoded(&at(&grid, i), None, |elements: &[T]| {
                    here.iter().for_each(|&(n, place)| out[place as usize] = elements[n as usize]);
                });
            }
        }
    }

    fn select_product<T: Copy>(&self, indices: &[Vec<u64>; 3], out: &mut [T]) {
        let [zs, ys, xs] = [0, 1, 2].map(|d| along(&indices[d], self.inner[d]));
        let (rows, row) = (indices[1].len(), indices[2].len());
        let [_, high, wide] = self.inner.map(|n| n as usize);
        for (i, z) in &zs {
            for (j, y) in &ys {
                for (k, x) in &xs {
                    let dense = x.len() == wide && x.iter().is_sorted();
                    let only = (z.len() == 1).then_some(z[0].0);
                    self.decoded(&[*i, *j, *k], only, |elements: &[T]| {
                        for &(z, to_z) in z {
                            for &(y, to_y) in y {
                                let from =
                                    &elements[(z as usize * high + y as usize) * wide..][..wide];
                                let to = &mut out[(to_z * rows + to_y) * row..][..row];
                                if dense {
                                    to[x[0].1..][..wide].copy_from_slice(from);
                                } else {
                                    x.iter().for_each(|&(x, place)| to[place] = from[x as usize]);
                                }
                            }
                        }
                    });
                }
            }
        }
    }

    /// Calls `use_` with the elements of a unit; with `only`, those of one of its planes are right.
    fn decoded<T: Copy>(&self, unit: &Three, only: Option<u64>, use_: impl FnOnce(&[T])) {
        let size = product(&self.inner) as usize * self.item;
        let plane = size / self.inner[0] as usize;
        let (offset, len) = only.map_or((0, size), |z| (z as usize * plane, plane));
        SCRATCH.with_borrow_mut(|s| {
            let Scratch { encoded, decoded, dctx, inflate, shards, .. } = s;
            encoded.resize(encoded.len().max(size + size / 8 + 4096), 0);
            decoded.resize(decoded.len().max(size), 0);
            if self.codec == Codec::None {
                self.fetch(unit, shards, offset as u64, &mut decoded[offset..offset + len]);
            } else {
                let got = self.fetch(unit, shards, 0, &mut encoded[..]);
                let (from, item) = (&encoded[..got], self.item);
                match self.codec {
                    Codec::BloscLz4(_) if len < size => unsafe {
                        let to = decoded[offset..offset + len].as_mut_ptr();
                        let n = blosc_getitem(
                            from.as_ptr(),
                            (offset / item) as i32,
                            (len / item) as i32,
                            to,
                        );
                        assert_eq!(n as usize, len);
                    },
                    _ => Scratch::decode(self.codec, dctx, inflate, from, &mut decoded[..size]),
                }
            }
            // a Vec of bytes this large begins at a multiple of 16
            let (before, elements, _) = unsafe { decoded[..size].align_to::<T>() };
            assert!(before.is_empty());
            use_(elements)
        })
    }
}
