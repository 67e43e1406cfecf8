//! `zarrc plot`: two dimensions of an array as a PNG, or in the terminal.

mod axes;
mod colours;
mod image;
mod terminal;

pub use colours::Map;
pub use terminal::Terminal;

use crate::failure::{DONE, Failure, Outcome, Result};
use crate::look;
use crate::output::{Output, print};
use crate::pieces::{Elements, size};
use crate::place::Place;
use crate::progress;
use crate::selection::Selected;
use crate::value;
use axes::{Axis, Labels};
use image::Image;
use std::path::Path;
use zarrc::array::Array;
use zarrc::hierarchy::ArrayNode;
use zarrc::progress::Progress;

/// How numbers become an image.
pub struct Look {
    /// The colours.
    pub map: Map,
    /// The number of the first colour; by default the least.
    pub least: Option<f64>,
    /// The number of the last colour; by default the most.
    pub most: Option<f64>,
    /// The most pixels along either side; larger arrays draw every n-th element.
    pub size: u64,
    /// Whether a file has axes.
    pub axes: bool,
    /// How a terminal shows it.
    pub terminal: Terminal,
}

/// `zarrc plot`
pub fn plot(place: &Place, look: &Look, file: Option<&Path>) -> Outcome {
    let array = place.array()?;
    let all = place.selected(&array)?;
    let shape = all.shape();
    if shape.len() != 2 || shape.contains(&0) {
        return Err(Failure::usage(format!(
            "an image has two dimensions and is not empty, what is selected has shape {shape:?}"
        )));
    }
    let terminal = look.terminal.resolve();
    let (width, height) = match file {
        Some(_) => (look.size, look.size),
        None => {
            let (width, height) = terminal.room();
            (width.min(look.size), height.min(look.size))
        }
    };
    let mut steps = [shape[0].div_ceil(height.max(1)), shape[1].div_ceil(width.max(1))];
    if file.is_none() {
        steps = [steps[0].max(steps[1]); 2]; // pixels are square there
    }
    let thinned = all.thin(&steps);
    let numbers = read(&array.array, &thinned)?;
    let finite = || numbers.iter().copied().filter(|x| x.is_finite());
    let low = look.least.unwrap_or_else(|| finite().fold(f64::INFINITY, f64::min));
    let high = look.most.unwrap_or_else(|| finite().fold(f64::NEG_INFINITY, f64::max));
    let image = colour(&numbers, &thinned, look.map, (low, high));
    let labels = || labels(place, &array, &thinned, look.map, (low, high));
    if let Some(file) = file {
        let mut output = Output::to(Some(file))?;
        match look.axes {
            true => axes::with_axes(&image, &labels()?).write_png(&mut output)?,
            false => image.write_png(&mut output)?,
        }
        output.finish()?;
        return Ok(DONE);
    }
    let labels = labels()?;
    if terminal == Terminal::Blocks {
        let limits = [low, high].map(axes::number);
        let text = terminal.encode(&image)?;
        let Labels { title, unit, .. } = labels;
        print(&format!("{text}{title}: {} to {} {unit}", limits[0], limits[1]))?;
    } else {
        print(&terminal.encode(&axes::with_axes(&image, &labels))?)?;
    }
    Ok(DONE)
}

/// The numbers that are drawn.
fn read(array: &Array, selected: &Selected) -> Result<Vec<f64>> {
    let data_type = &array.metadata().data_type;
    let refused = || {
        let name = data_type.name();
        Failure::usage(format!("images are of real numbers, the elements are {name}"))
    };
    value::real(data_type).ok_or_else(refused)?;
    let read = progress::shown_bytes("reading", size(array, selected), |progress| {
        Elements::read(array, selected, progress)
    })?;
    let Elements::Fixed(bytes, _) = &read else { return Err(refused()) };
    let mut numbers = Vec::new();
    value::to_f64s(data_type, bytes, &mut numbers)?.ok_or_else(refused)?;
    Ok(numbers)
}

/// Numbers as pixels; NaN is transparent.
fn colour(numbers: &[f64], selected: &Selected, map: Map, (low, high): (f64, f64)) -> Image {
    let mut pixels = Vec::with_capacity(numbers.len() * 4);
    for &number in numbers {
        if number.is_nan() {
            pixels.extend([0; 4]);
            continue;
        }
        let at = if high > low { (number - low) / (high - low) } else { 0.5 };
        pixels.extend(map.colour(at));
        pixels.push(255);
    }
    let shape = selected.shape();
    Image { width: shape[1] as usize, height: shape[0] as usize, pixels }
}

/// What stands around the image: names, units, and the coordinates of the dimensions.
fn labels(
    place: &Place,
    array: &ArrayNode,
    selected: &Selected,
    map: Map,
    limits: (f64, f64),
) -> Result<Labels> {
    let attributes = look::attributes(array.attributes())?;
    let text = |name: &str| attributes[name].as_str().unwrap_or_default().to_owned();
    let path = format!("/{}", array.array.path().as_str());
    let title = match text("long_name") {
        name if name.is_empty() => path,
        name => format!("{path}: {name}"),
    };
    let names = look::dimension_names(array)?.unwrap_or_default();
    let axis = |n: usize| {
        let d = selected.kept()[n];
        let last = selected.shape()[n] - 1;
        let ends = [0, last].map(|at| selected.element(n, at));
        let name = names.get(d).cloned().flatten();
        let known = name.as_deref().and_then(|name| coordinates(place, array, d, name, ends));
        known.unwrap_or_else(|| Axis {
            name: name.unwrap_or_else(|| format!("dimension {d}")),
            ends: (ends[0] as f64, ends[1] as f64),
        })
    };
    Ok(Labels { title, rows: axis(0), columns: axis(1), unit: text("units"), map, limits })
}

/// The axis of a dimension that has coordinates at equal distances: an array of its name and extent
/// in the same group.
fn coordinates(
    place: &Place,
    array: &ArrayNode,
    d: usize,
    name: &str,
    ends: [u64; 2],
) -> Option<Axis> {
    let parent = array.array.path().as_str().rsplit_once('/').map_or("", |(above, _)| above);
    let path = zarrc::metadata::NodePath::parse(parent).ok()?.join(name).ok()?;
    let found = place.at(path).array().ok()?;
    if found.array.shape() != [array.array.shape()[d]] {
        return None;
    }
    let data_type = &found.array.metadata().data_type;
    value::real(data_type)?;
    let middle = ends[0].midpoint(ends[1]);
    let mut numbers = Vec::new();
    let at = format!("[{}, {middle}, {}]", ends[0], ends[1]);
    let selected = Selected::parse(&at, &found.array.shape()).ok()?;
    let read = Elements::read(&found.array, &selected, &Progress::new(&|_, _| true)).ok()?;
    let Elements::Fixed(bytes, _) = &read else { return None };
    value::to_f64s(data_type, bytes, &mut numbers).ok()??;
    let &[first, between, last] = &numbers[..] else { return None };
    // a scale is linear; other coordinates stay indices
    let part = (middle as f64 - ends[0] as f64) / (ends[1] as f64 - ends[0] as f64);
    let expected = first + (last - first) * part;
    let linear = (between - expected).abs() <= (last - first).abs() * 0.01;
    if first == last || !linear {
        return None;
    }
    let unit = look::attributes(found.attributes()).ok()?;
    let unit = unit["units"].as_str().map(|unit| format!(" ({unit})")).unwrap_or_default();
    Some(Axis { name: format!("{name}{unit}"), ends: (first, last) })
}
