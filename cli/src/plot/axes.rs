//! An image with axes, their names and units, and a bar of its colours.

use super::colours::Map;
use super::image::Image;
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::iso_8859_1::FONT_7X13;
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::{Drawable, Point};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

/// An axis.
pub struct Axis {
    /// Its name, with its unit.
    pub name: String,
    /// What the first and the last pixel stand for.
    pub ends: (f64, f64),
}

/// What stands around an image.
pub struct Labels {
    pub title: String,
    pub rows: Axis,
    pub columns: Axis,
    /// The unit of the colours.
    pub unit: String,
    pub map: Map,
    /// The numbers of the first and the last colour.
    pub limits: (f64, f64),
}

/// The sides of small images become so long (pixels).
const SMALL: usize = 480;
const LEFT: usize = 76;
const TOP: usize = 40;
const FOOT: usize = 44;
const BAR: usize = 16;
const RIGHT: usize = 112;
const INK: [u8; 3] = [30, 30, 30];

/// Round numbers between two limits, at most about `count`.
fn ticks(ends: (f64, f64), count: f64) -> Vec<f64> {
    let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
    let rough = (high - low) / count.max(1.0);
    if !(rough > 0.0 && rough.is_finite()) {
        return if low.is_finite() { vec![low] } else { Vec::new() };
    }
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * unit).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil();
    let most = (count * 2.0) as usize + 2;
    (0..most).map(|n| (first + n as f64) * step).take_while(|at| *at <= high).collect()
}

/// A number in few characters.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e7).contains(&size) {
        return format!("{value:.3e}");
    }
    let digits = (5 - size.log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn write(on: &mut Image, text: &str, x: usize, y: usize, alignment: Alignment) {
    let style = MonoTextStyle::new(&FONT_7X13, Rgb888::new(INK[0], INK[1], INK[2]));
    let place = TextStyleBuilder::new().alignment(alignment).baseline(Baseline::Middle).build();
    let at = Point::new(x as i32, y as i32);
    // drawing on memory does not fail
    let _ = Text::with_text_style(text, at, style, place).draw(on);
}

/// A text that is cut to so many pixels.
fn cut(text: &str, pixels: usize) -> String {
    let most = pixels / 7;
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(3)).chain("...".chars()).collect(),
        false => text.to_owned(),
    }
}

/// The image on white, with all around it; small images are enlarged.
pub fn with_axes(image: &Image, labels: &Labels) -> Image {
    let factor = (SMALL / image.width.max(image.height).max(1)).max(1);
    let (width, height) = (image.width * factor, image.height * factor);
    let plot = height.max(80); // a low image leaves room for the bar
    let mut drawn = Image::filled(LEFT + width + RIGHT, TOP + plot + FOOT, [255; 4]);
    for y in 0..height {
        for x in 0..width {
            let [r, g, b, opaque] = image.pixel(x / factor, y / factor);
            if opaque > 0 {
                drawn.set(LEFT + x, TOP + y, [r, g, b]);
            }
        }
    }
    frame(&mut drawn, LEFT, TOP, width, height);
    // a pixel is as wide as what it stands for: ends are at the centres of the outer pixels
    let place = |ends: (f64, f64), at: f64, count: usize| {
        let part = if ends.1 == ends.0 { 0.0 } else { (at - ends.0) / (ends.1 - ends.0) };
        ((part * (count as f64 - 1.0) + 0.5) * factor as f64) as usize
    };
    for at in ticks(labels.columns.ends, width as f64 / 80.0) {
        let x = LEFT + place(labels.columns.ends, at, image.width);
        (0..5).for_each(|n| drawn.set(x, TOP + height + n, INK));
        write(&mut drawn, &number(at), x, TOP + height + 13, Alignment::Center);
    }
    for at in ticks(labels.rows.ends, height as f64 / 40.0) {
        let y = TOP + place(labels.rows.ends, at, image.height);
        (0..5).for_each(|n| drawn.set(LEFT - 1 - n, y, INK));
        write(&mut drawn, &number(at), LEFT - 8, y, Alignment::Right);
    }
    let all = LEFT + width + RIGHT - 8;
    write(&mut drawn, &cut(&labels.title, all), 4, 10, Alignment::Left);
    write(&mut drawn, &cut(&labels.rows.name, width + LEFT), 4, TOP - 12, Alignment::Left);
    let name = cut(&labels.columns.name, width + RIGHT);
    write(&mut drawn, &name, LEFT + width / 2, TOP + height + 31, Alignment::Center);
    bar(&mut drawn, labels, LEFT + width + 20, plot);
    drawn
}

/// The bar of colours, the most at the top.
fn bar(drawn: &mut Image, labels: &Labels, left: usize, height: usize) {
    for y in 0..height {
        let colour = labels.map.colour(1.0 - (y as f64 + 0.5) / height as f64);
        (0..BAR).for_each(|x| drawn.set(left + x, TOP + y, colour));
    }
    frame(drawn, left, TOP, BAR, height);
    let (low, high) = labels.limits;
    for at in ticks(labels.limits, height as f64 / 40.0) {
        let part = if high > low { (at - low) / (high - low) } else { 0.5 };
        let y = TOP + ((1.0 - part) * (height as f64 - 1.0)) as usize;
        (0..4).for_each(|n| drawn.set(left + BAR + n, y, INK));
        write(drawn, &number(at), left + BAR + 7, y, Alignment::Left);
    }
    write(drawn, &cut(&labels.unit, RIGHT - 20), left, TOP - 12, Alignment::Left);
}

/// A line around a rectangle.
fn frame(drawn: &mut Image, left: usize, top: usize, width: usize, height: usize) {
    for x in left - 1..=left + width {
        drawn.set(x, top - 1, INK);
        drawn.set(x, top + height, INK);
    }
    for y in top - 1..=top + height {
        drawn.set(left - 1, y, INK);
        drawn.set(left + width, y, INK);
    }
}
