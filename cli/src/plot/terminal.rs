//! Images in a terminal: by kitty's protocol, as sixels, or of half blocks.

use super::image::Image;
use crate::failure::Result;
use base64::Engine;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write;

/// How a terminal shows images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Terminal {
    /// By what the environment says of the terminal
    Auto,
    /// The protocol of kitty, Ghostty and WezTerm
    Kitty,
    /// Sixels, of xterm -ti vt340, foot, mlterm, Windows Terminal
    Sixel,
    /// Half blocks: two pixels a character, in colours or, with NO_COLOR, of letters
    Blocks,
}

impl Terminal {
    /// What the environment says, if it is to be asked.
    pub fn resolve(self) -> Self {
        if self != Terminal::Auto {
            return self;
        }
        let is = |name: &str, words: &[&str]| {
            let value = env::var(name).unwrap_or_default().to_ascii_lowercase();
            words.iter().any(|word| value.contains(word))
        };
        let kitty =
            is("TERM", &["kitty", "ghostty"]) || is("TERM_PROGRAM", &["ghostty", "wezterm"]);
        if kitty || env::var_os("KITTY_WINDOW_ID").is_some() {
            Terminal::Kitty
        } else if is("TERM", &["sixel", "foot", "mlterm", "yaft", "contour"]) {
            Terminal::Sixel
        } else {
            Terminal::Blocks
        }
    }

    /// The most columns and rows of pixels; those of blocks are without axes.
    pub fn room(self) -> (u64, u64) {
        let size = terminal_size::terminal_size();
        let (columns, rows) = size.map_or((80, 24), |(w, h)| (u64::from(w.0), u64::from(h.0)));
        match self {
            // a line for the limits, and one for the prompt
            Terminal::Blocks => (columns.max(1), rows.saturating_sub(2).max(1) * 2),
            // of a character, usually 10 x 20 pixels
            _ => ((columns * 10).clamp(120, 1200), (rows * 20).clamp(120, 800)),
        }
    }

    /// The image as what a terminal is sent.
    pub fn encode(self, image: &Image) -> Result<String> {
        Ok(match self {
            Terminal::Kitty => kitty(image)?,
            Terminal::Sixel => sixel(image),
            _ => blocks(image, Colours::wanted()),
        })
    }
}

/// A PNG in base64, in parts of 4096 characters.
fn kitty(image: &Image) -> Result<String> {
    let mut png = Vec::new();
    image.write_png(&mut png)?;
    let text = base64::engine::general_purpose::STANDARD.encode(png);
    let parts: Vec<&str> =
        text.as_bytes().chunks(4096).filter_map(|part| std::str::from_utf8(part).ok()).collect();
    let mut out = String::new();
    for (n, part) in parts.iter().enumerate() {
        let more = u8::from(n + 1 < parts.len());
        let first = if n == 0 { "a=T,f=100," } else { "" };
        let _ = write!(out, "\x1b_G{first}m={more};{part}\x1b\\");
    }
    out.push('\n');
    Ok(out)
}

/// Sixels: bands of six rows, each drawn once for each of its colours, of which there are at most
/// 256. Transparent pixels stay as they are.
fn sixel(image: &Image) -> String {
    let reduced = |[r, g, b, _]: [u8; 4], bits: u32| [r, g, b].map(|c| c >> bits << bits);
    let all = || (0..image.width * image.height).map(|n| n % image.width).zip(0..);
    let distinct = |bits| -> BTreeSet<[u8; 3]> {
        let opaque = all().map(|(x, n): (usize, usize)| image.pixel(x, n / image.width));
        opaque.filter(|pixel| pixel[3] > 0).map(|pixel| reduced(pixel, bits)).collect()
    };
    let (bits, colours) = (0..6)
        .map(|bits| (bits, distinct(bits)))
        .find(|(_, colours)| colours.len() <= 256)
        .unwrap_or_else(|| (6, distinct(6)));
    let palette: BTreeMap<[u8; 3], usize> =
        colours.into_iter().enumerate().map(|(n, colour)| (colour, n)).collect();
    let mut out = format!("\x1bP0;1q\"1;1;{};{}", image.width, image.height);
    for (colour, n) in &palette {
        let [r, g, b] = colour.map(|c| u32::from(c) * 100 / 255);
        let _ = write!(out, "#{n};2;{r};{g};{b}");
    }
    for top in (0..image.height).step_by(6) {
        let mut bands: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for y in top..(top + 6).min(image.height) {
            for x in 0..image.width {
                let pixel = image.pixel(x, y);
                if pixel[3] > 0 {
                    let colour = palette.get(&reduced(pixel, bits)).copied().unwrap_or(0);
                    let band = bands.entry(colour).or_insert_with(|| vec![0; image.width]);
                    band[x] |= 1 << (y - top);
                }
            }
        }
        for (colour, band) in bands {
            let _ = write!(out, "#{colour}");
            for run in band.chunk_by(|a, b| a == b) {
                let letter = char::from(63 + run[0]);
                match run.len() {
                    n @ 4.. => {
                        let _ = write!(out, "!{n}{letter}");
                    }
                    n => out.extend(std::iter::repeat_n(letter, n)),
                }
            }
            out.push('$');
        }
        out.push('-');
    }
    out.push_str("\x1b\\\n");
    out
}

/// The colours that a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colours {
    None,
    Cube,
    All,
}

impl Colours {
    fn wanted() -> Self {
        let value = |name| env::var(name).unwrap_or_default();
        if !value("NO_COLOR").is_empty() {
            return Colours::None;
        }
        match value("COLORTERM").as_str() {
            "truecolor" | "24bit" => Colours::All,
            _ => Colours::Cube,
        }
    }

    /// The sequence for a foreground (38) or a background (48).
    fn code(self, ground: u8, [r, g, b, _]: [u8; 4]) -> String {
        match self {
            Colours::All => format!("\x1b[{ground};2;{r};{g};{b}m"),
            _ => {
                let [r, g, b] = [r, g, b].map(|c| (u16::from(c) * 5 + 127) / 255);
                format!("\x1b[{ground};5;{}m", 16 + 36 * r + 6 * g + b)
            }
        }
    }
}

/// From nothing to much.
const RAMP: &[u8] = b".:-=+*#%@";

fn blocks(image: &Image, colours: Colours) -> String {
    let mut out = String::new();
    for top in (0..image.height).step_by(2) {
        for x in 0..image.width {
            let upper = image.pixel(x, top);
            let lower = if top + 1 < image.height { image.pixel(x, top + 1) } else { [0; 4] };
            if colours == Colours::None {
                let shown = if upper[3] > 0 { upper } else { lower };
                let bright: usize = shown[..3].iter().map(|&c| usize::from(c)).sum();
                let letter = RAMP[bright * (RAMP.len() - 1) / 765];
                out.push(if shown[3] > 0 { char::from(letter) } else { ' ' });
                continue;
            }
            match (upper[3] > 0, lower[3] > 0) {
                (true, true) => {
                    let _ = write!(out, "{}{}▀", colours.code(38, upper), colours.code(48, lower));
                }
                (true, false) => {
                    let _ = write!(out, "\x1b[0m{}▀", colours.code(38, upper));
                }
                (false, true) => {
                    let _ = write!(out, "\x1b[0m{}▄", colours.code(38, lower));
                }
                (false, false) => out.push_str("\x1b[0m "),
            }
        }
        out.push_str(if colours == Colours::None { "\n" } else { "\x1b[0m\n" });
    }
    out
}
