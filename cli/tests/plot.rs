//! `zarrc plot` with axes and in terminals, and `zarrc bench`. `t[0]` has 7 rows of 8 numbers from
//! -20 in steps of 0.5, with a NaN at `[0, 1]`; its last number is 7.5.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Scratch, data};
use std::collections::BTreeMap;

fn with_t(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let t = data("t.npy");
    scratch.ok(&["write", "a.zarr", "t", &t, "--chunks", "4,3,5", "--dimensions", "z,y,x"]);
    scratch.ok(&["attrs", "set", "a.zarr", "t", "units", "K"]);
    scratch
}

/// What a terminal is sent, whose environment is this.
fn sent(scratch: &Scratch, environment: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut command = scratch.command(&[&["plot", "a.zarr", "t[0]"][..], arguments].concat());
    for name in ["TERM", "TERM_PROGRAM", "KITTY_WINDOW_ID", "COLORTERM", "NO_COLOR"] {
        command.env_remove(name);
    }
    let output = command.envs(environment.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Width, height and RGBA of a PNG.
fn decoded(bytes: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    (frame.width as usize, frame.height as usize, pixels)
}

fn with_axes(scratch: &Scratch) -> (usize, usize, Vec<u8>) {
    scratch.ok(&["plot", "a.zarr", "t[0]", "--axes", "-o", "axes.png"]);
    decoded(&scratch.bytes("axes.png"))
}

#[test]
fn blocks_have_the_colours_of_two_rows() {
    let scratch = with_t("plot-blocks");
    let text = sent(&scratch, &[("COLORTERM", "truecolor")], &[]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    // -20 above -16, which is 4 / 27.5 of viridis; then NaN above -15.5
    assert!(lines[0].starts_with("\x1b[38;2;68;1;84m\x1b[48;2;69;50;125m▀\x1b[0m\x1b[38;2;"));
    assert_eq!(lines[0].matches('▀').count(), 7);
    assert_eq!(lines[0].matches('▄').count(), 1);
    assert_eq!(lines[4], "/t: -20 to 7.5 K");
    assert!(sent(&scratch, &[("TERM", "xterm")], &[]).starts_with("\x1b[38;5;"));
    let plain = sent(&scratch, &[("NO_COLOR", "1")], &["--map", "gray"]);
    assert!(plain.is_ascii() && !plain.contains('\x1b'), "{plain}");
    assert!(plain.starts_with('.') && plain.lines().nth(3).unwrap().ends_with('@'), "{plain}");
}

#[test]
fn kitty_gets_the_png() {
    let scratch = with_t("plot-kitty");
    let text = sent(&scratch, &[("TERM", "xterm-kitty")], &[]);
    let mut encoded = String::new();
    for (n, part) in text.trim_end().split_terminator("\x1b\\").enumerate() {
        let (head, body) = part.strip_prefix("\x1b_G").unwrap().split_once(';').unwrap();
        assert_eq!(head.starts_with("a=T,f=100,"), n == 0, "{head}");
        assert!(body.len() <= 4096);
        encoded.push_str(body);
    }
    assert!(text.contains("m=0;"));
    use base64::Engine;
    let png = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
    assert_eq!(decoded(&png), with_axes(&scratch));
}

/// Draws sixels: colours in percent, by column and row.
fn drawn(text: &str) -> BTreeMap<(usize, usize), [u32; 3]> {
    let body = text.strip_prefix("\x1bP0;1q").unwrap().trim_end().strip_suffix("\x1b\\").unwrap();
    let bytes = body.as_bytes();
    let (mut at, mut x, mut top, mut colour) = (0, 0, 0, 0);
    let mut palette = BTreeMap::new();
    let mut pixels = BTreeMap::new();
    let numbers = |at: &mut usize| {
        let start = *at;
        while *at < bytes.len() && (bytes[*at].is_ascii_digit() || bytes[*at] == b';') {
            *at += 1;
        }
        body[start..*at].split(';').map(|n| n.parse::<u32>().unwrap()).collect::<Vec<_>>()
    };
    while at < bytes.len() {
        at += 1;
        let mut count = 1;
        let letter = match bytes[at - 1] {
            b'"' => {
                numbers(&mut at);
                continue;
            }
            b'#' => {
                let given = numbers(&mut at);
                colour = given[0];
                if let [_, 2, r, g, b] = given[..] {
                    palette.insert(colour, [r, g, b]);
                }
                continue;
            }
            b'$' => {
                x = 0;
                continue;
            }
            b'-' => {
                (x, top) = (0, top + 6);
                continue;
            }
            b'!' => {
                count = numbers(&mut at)[0];
                at += 1;
                bytes[at - 1]
            }
            letter => letter,
        };
        for _ in 0..count {
            for bit in (0..6).filter(|bit| (letter - 63) >> bit & 1 == 1) {
                pixels.insert((x, top + bit), palette[&colour]);
            }
            x += 1;
        }
    }
    pixels
}

#[test]
fn sixels_draw_the_image() {
    let scratch = with_t("plot-sixel");
    let sixels = drawn(&sent(&scratch, &[], &["--terminal", "sixel"]));
    let (width, height, pixels) = with_axes(&scratch);
    assert_eq!(sixels.len(), width * height);
    for ((x, y), percent) in sixels {
        let pixel = &pixels[(y * width + x) * 4..][..3];
        for (p, &c) in percent.iter().zip(pixel) {
            // a level in 100, of a colour whose last bits may be cut
            assert!((p * 255 / 100).abs_diff(c.into()) <= 8, "({x}, {y}): {percent:?}, {pixel:?}");
        }
    }
}

#[test]
fn axes_stand_around_the_image() {
    let scratch = with_t("plot-axes");
    let (width, height, pixels) = with_axes(&scratch);
    // 60 pixels an element; around it 76 and 112, 40 and 44
    assert_eq!((width, height), (76 + 480 + 112, 40 + 420 + 44));
    let pixel = |x: usize, y: usize| &pixels[(y * width + x) * 4..][..4];
    assert_eq!(pixel(76, 40), [68, 1, 84, 255]);
    assert_eq!(pixel(76 + 479, 40 + 419), [253, 231, 37, 255]);
    assert_eq!(pixel(76 + 90, 40 + 30), [255; 4]); // NaN
    // the bar of colours, the most at the top
    assert_eq!(pixel(76 + 480 + 25, 40 + 1)[..3], [251, 231, 37]);
    assert_eq!(pixel(76 + 480 + 25, 40 + 418)[..3], [68, 2, 85]);
    // a line at the left, and a tick below the first column
    assert_eq!(pixel(75, 200), [30, 30, 30, 255]);
    assert_eq!(pixel(76 + 30, 40 + 420 + 3), [30, 30, 30, 255]);
}

#[test]
fn bench_counts_what_it_reads() {
    let scratch = with_t("bench");
    let report = scratch.json(&["bench", "--json", "--box", "2,2,2", "a.zarr", "t"]);
    let [all, chunks, boxes] = [0, 1, 2].map(|n| &report["measured"][n]);
    assert_eq!((&all["bytes"], &all["complete"]), (&1344.into(), &true.into()));
    assert_eq!(chunks["reads"], 1000);
    assert_eq!((&boxes["reads"], &boxes["bytes"]), (&1000.into(), &32_000.into()));
    assert!(chunks["requests_per_read"].as_f64().unwrap() > 0.0, "{chunks}");
    assert!(chunks["mb_per_s"].as_f64().unwrap() > 0.0);
    let table = scratch.ok(&["bench", "a.zarr", "t[0]"]);
    assert!(table.contains("boxes") && table.contains("requests/read"), "{table}");
    assert!(scratch.trouble(&["bench", "a.zarr", "t", "--box", "1,2"]).contains("--box"));
}
