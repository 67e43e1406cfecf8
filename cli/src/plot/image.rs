//! An image of RGBA pixels, and its PNG.

use crate::failure::{Failure, Result};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::prelude::{DrawTarget, OriginDimensions, Pixel, Size};
use std::convert::Infallible;
use std::io::Write;

/// An image.
pub struct Image {
    pub width: usize,
    pub height: usize,
    /// Rows from the top, four bytes a pixel.
    pub pixels: Vec<u8>,
}

impl Image {
    /// An image of one colour.
    pub fn filled(width: usize, height: usize, colour: [u8; 4]) -> Self {
        Image { width, height, pixels: colour.repeat(width * height) }
    }

    /// The pixel of a column and a row.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        let at = (y * self.width + x) * 4;
        let pixel = &self.pixels[at..at + 4];
        [pixel[0], pixel[1], pixel[2], pixel[3]]
    }

    /// Sets a pixel, if it is inside.
    pub fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        if x < self.width && y < self.height {
            let at = (y * self.width + x) * 4;
            self.pixels[at..at + 3].copy_from_slice(&colour);
            self.pixels[at + 3] = 255;
        }
    }

    /// Writes it as a PNG.
    pub fn write_png(&self, to: impl Write) -> Result<()> {
        let failed = |e: png::EncodingError| match e {
            png::EncodingError::IoError(e) => Failure::from(e),
            other => Failure::usage(format!("the image: {other}")),
        };
        let mut encoder = png::Encoder::new(to, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&self.pixels).map_err(failed)?;
        writer.finish().map_err(failed)
    }
}

impl OriginDimensions for Image {
    fn size(&self) -> Size {
        Size::new(self.width as u32, self.height as u32)
    }
}

impl DrawTarget for Image {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Rgb888>>,
    {
        for Pixel(at, colour) in pixels {
            if let (Ok(x), Ok(y)) = (usize::try_from(at.x), usize::try_from(at.y)) {
                self.set(x, y, [colour.r(), colour.g(), colour.b()]);
            }
        }
        Ok(())
    }
}
