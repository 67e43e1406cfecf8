//! `zarrc plot`: two dimensions of an array as a PNG.

use crate::failure::{DONE, Failure, Outcome, Result};
use crate::output::Output;
use crate::pieces::Elements;
use crate::place::Place;
use crate::progress;
use crate::value;
use std::path::Path;

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
    fn colour(self, at: f64) -> [u8; 3] {
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

/// How numbers become colours.
pub struct Look {
    /// The colours.
    pub map: Map,
    /// The number of the first colour; by default the least.
    pub least: Option<f64>,
    /// The number of the last colour; by default the most.
    pub most: Option<f64>,
    /// The most pixels along either side; larger arrays draw every n-th element.
    pub size: u64,
}

/// `zarrc plot`
pub fn plot(place: &Place, look: &Look, file: &Path) -> Outcome {
    let array = place.array()?;
    let all = place.selected(&array)?;
    let shape = all.shape();
    if shape.len() != 2 || shape.contains(&0) {
        return Err(Failure::usage(format!(
            "an image has two dimensions and is not empty, what is selected has shape {shape:?}"
        )));
    }
    let every = |extent: u64| extent.div_ceil(look.size.max(1));
    let thinned = all.thin(&[every(shape[0]), every(shape[1])]);
    let data_type = &array.array.metadata().data_type;
    let read =
        progress::shown("reading", |progress| Elements::read(&array.array, &thinned, progress))?;
    let mut numbers = Vec::new();
    let real = match &read {
        Elements::Fixed(bytes, _) => value::to_f64s(data_type, bytes, &mut numbers)?,
        Elements::Variable(_) => None,
    };
    if real.is_none() {
        let name = data_type.name();
        return Err(Failure::usage(format!("images are of real numbers, the elements are {name}")));
    }
    let finite = || numbers.iter().copied().filter(|x| x.is_finite());
    let low = look.least.unwrap_or_else(|| finite().fold(f64::INFINITY, f64::min));
    let high = look.most.unwrap_or_else(|| finite().fold(f64::NEG_INFINITY, f64::max));
    let mut pixels = Vec::with_capacity(numbers.len() * 4);
    for &number in &numbers {
        // NaN is transparent
        if number.is_nan() {
            pixels.extend([0; 4]);
            continue;
        }
        let at = if high > low { (number - low) / (high - low) } else { 0.5 };
        pixels.extend(look.map.colour(at));
        pixels.push(255);
    }
    let extents = thinned.shape();
    let mut output = Output::to(Some(file))?;
    write(&pixels, extents[1] as u32, extents[0] as u32, &mut output)?;
    output.finish()?;
    Ok(DONE)
}

fn write(pixels: &[u8], width: u32, height: u32, output: &mut Output) -> Result<()> {
    let failed = |e: png::EncodingError| match e {
        png::EncodingError::IoError(e) => Failure::from(e),
        other => Failure::usage(format!("the image: {other}")),
    };
    let mut encoder = png::Encoder::new(output, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(pixels).map_err(failed)?;
    writer.finish().map_err(failed)
}
