//! Numbers as colours.

/// The colours for numbers from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Map {
    /// From dark blue over green to yellow, close to Matplotlib's
    Viridis,
    /// From black to white
    Gray,
}

/// Nine points near those of Matplotlib's viridis, at eighths.
const VIRIDIS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 145, 140],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

impl Map {
    /// The colour at a position from 0 to 1.
    pub fn colour(self, at: f64) -> [u8; 3] {
        let at = at.clamp(0.0, 1.0);
        if self == Map::Gray {
            return [(at * 255.0).round() as u8; 3];
        }
        let scaled = at * (VIRIDIS.len() - 1) as f64;
        let below = (scaled as usize).min(VIRIDIS.len() - 2);
        let part = scaled - below as f64;
        let (low, high) = (VIRIDIS[below], VIRIDIS[below + 1]);
        let mix = |c: usize| f64::from(low[c]) * (1.0 - part) + f64::from(high[c]) * part;
        [0, 1, 2].map(|c| mix(c).round() as u8)
    }
}
