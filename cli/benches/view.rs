//! How long `zarrc view` takes from a key to a complete image, in Chromium: slices of 4096 x 4096
//! uint16 with noise, in 64 chunks of zstd, none of them seen before, then the first one again.
//!
//! ```sh
//! cargo bench --package zarrc-cli --bench view
//! ```
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
#[path = "../tests/common/browser.rs"]
mod browser;
#[path = "../tests/common/mod.rs"]
mod common;

use browser::Browser;
use common::{Scratch, Server};
use std::fs;

const SLICES: u32 = 8;
const EDGE: u32 = 4096;

/// A smooth image with noise, another for each slice.
fn slices() -> Vec<u8> {
    let mut random = 1u32;
    let mut bytes = Vec::new();
    for n in 0..SLICES * EDGE * EDGE {
        let (k, y, x) = (n / (EDGE * EDGE), n / EDGE % EDGE, n % EDGE);
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let smooth = (f64::from(x) / 97.0 + f64::from(k)).sin() * (f64::from(y) / 131.0).cos();
        let value = 1000.0 + 500.0 * smooth + f64::from(random >> 26);
        bytes.extend((value as u16).to_le_bytes());
    }
    bytes
}

fn main() {
    let Some(mut browser) = Browser::start("view-bench", 1200, 800) else { return };
    let scratch = Scratch::new("view-bench");
    fs::write(scratch.0.join("in.raw"), slices()).unwrap();
    let shape = format!("{SLICES},{EDGE},{EDGE}");
    let array = ["--shape", &shape, "--type", "uint16", "--chunks", "1,512,512"];
    scratch.ok(&[&["write", "a.zarr", "a", "in.raw"][..], &array].concat());
    let server = Server::start(&scratch, &["view", "--no-browser", "a.zarr", "a"]);
    browser.open(&server.url);
    let complete = "document.querySelector('.stage canvas')?.dataset.state === 'complete'";
    browser.wait(complete);
    // asked in the page, frame by frame: asking from here would take as long as a slice
    let turn = |key: &str, wanted: u32| {
        format!(
            "new Promise((done) => {{
               const begin = performance.now();
               const look = () => {{
                 const slider = document.querySelector('.slider input');
                 if (slider.value === '{wanted}' && {complete}) done(performance.now() - begin);
                 else requestAnimationFrame(look);
               }};
               const [target, bubbles] = [document.activeElement ?? document.body, true];
               target.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles }}));
               requestAnimationFrame(look);
             }})"
        )
    };
    for n in 1..SLICES {
        let ms = browser.value(&turn(".", n)).as_f64().unwrap();
        println!("slice {n}, seen for the first time: {ms:.0} ms");
    }
    for n in (0..SLICES - 1).rev() {
        let ms = browser.value(&turn(",", n)).as_f64().unwrap();
        println!("slice {n}, seen before: {ms:.0} ms");
    }
}
