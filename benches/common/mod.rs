//! Data that both benchmarks measure on: made the same way each time.

use criterion::Criterion;
use std::time::Duration;

/// splitmix64
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    #[allow(dead_code)] // each benchmark uses its part
    /// Normal, nearly: the sum of four uniform numbers of 16 bits.
    pub fn noise(&mut self) -> f64 {
        let bits = self.bits();
        let sum: u64 = (0..4).map(|i| (bits >> (16 * i)) & 0xFFFF).sum();
        (sum as f64 / 65536.0 - 2.0) * 3f64.sqrt()
    }
}

/// Any bytes.
#[allow(dead_code)]
pub fn random_bytes(len: usize) -> Vec<u8> {
    let mut random = Random(1);
    (0..len).map(|_| random.bits() as u8).collect()
}

/// Short measurements: all of `cargo bench` is a few minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(150))
        .measurement_time(Duration::from_millis(500))
        .sample_size(10)
        .configure_from_args()
}
