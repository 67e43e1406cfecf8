//! `zarrc view`: what its server answers, and the page in Chromium.
#![allow(clippy::unwrap_used)]

#[path = "common/browser.rs"]
mod browser;
mod common;

use browser::Browser;
use common::{Scratch, Server, data};
use serde_json::{Value, json};
use std::fs;

/// `t` is `arange(336).reshape(6, 7, 8) * 0.5 - 20`; `rgb[y, x]` is `[4y, 4x, 7]`; `large` has only
/// its first chunk; `cells` has two levels, the second all 9.
fn with_store(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.ok(&["write", "a.zarr", "t", &data("t.npy"), "--chunks", "4,3,5"]);
    scratch.ok(&["attrs", "set", "a.zarr", "t", "note", "<b>bold</b>"]);
    scratch.ok(&["attrs", "set", "a.zarr", "t", "units", "K"]);
    let rgb: Vec<u8> =
        (0..40u8).flat_map(|y| (0..60).flat_map(move |x| [4 * y, 4 * x, 7])).collect();
    let raw = |node: &str, bytes: &[u8], shape: &str, more: &[&str]| {
        fs::write(scratch.0.join("in.raw"), bytes).unwrap();
        let given = ["write", "a.zarr", node, "in.raw", "--shape", shape, "--type", "uint8"];
        scratch.ok(&[&given, more].concat());
    };
    raw("rgb", &rgb, "40,60,3", &[]);
    let large = ["--shape", "60000,60000", "--type", "uint8", "--chunks", "500,500"];
    scratch.ok(&[&["create", "a.zarr", "large"][..], &large].concat());
    fs::write(scratch.0.join("in.raw"), vec![200; 250_000]).unwrap();
    scratch.ok(&["write", "a.zarr", "large[:500, :500]", "in.raw"]);
    raw("cells/0", &vec![3; 1 << 20], "1024,1024", &["--chunks", "256,256"]);
    raw("cells/1", &vec![9; 1 << 16], "256,256", &["--chunks", "256,256"]);
    let scale = |s: f64| json!([{ "type": "scale", "scale": [s, s] }]);
    let multiscales = json!([{
        "axes": [{ "name": "y", "type": "space" }, { "name": "x", "type": "space" }],
        "datasets": [
            { "path": "0", "coordinateTransformations": scale(0.5) },
            { "path": "1", "coordinateTransformations": scale(2.0) },
        ],
    }]);
    scratch.ok(&["attrs", "set", "a.zarr", "cells", "multiscales", &multiscales.to_string()]);
    let broken = r#"[{"datasets": [{"path": "none"}, null]}]"#;
    scratch.ok(&["create", "a.zarr", "broken", "--group"]);
    scratch.ok(&["attrs", "set", "a.zarr", "broken", "multiscales", broken]);
    scratch.ok(&["write", "a.zarr", "map/v", &data("plain.npy"), "--dimensions", "lat,lon"]);
    fs::write(scratch.0.join("lat.csv"), "-10\n0\n10\n").unwrap();
    let lat = ["write", "a.zarr", "map/lat", "lat.csv", "--shape", "3", "--type", "float32"];
    scratch.ok(&lat);
    let names = data("struct.npy");
    scratch.ok(&["write", "a.zarr", "struct", &names]);
    scratch
}

fn view(scratch: &Scratch) -> Server {
    Server::start(scratch, &["view", "--no-browser", "a.zarr"])
}

#[test]
fn numbers_are_the_arrays() {
    let scratch = with_store("view-numbers");
    let server = view(&scratch);
    let token = server.url.split('/').nth(3).unwrap().to_owned();
    let ask = |name: &str| server.ask(&format!("GET /{token}/api/{name}"));
    let (status, head, body) = ask("data?path=t&sel=1,0:7:2,%3A%3A3");
    assert_eq!(status, 200, "{head}");
    assert!(head.contains("x-zarrc-type: f4") && head.contains("x-zarrc-shape: 4,3"), "{head}");
    let expected: Vec<u8> = [0, 2, 4, 6]
        .iter()
        .flat_map(|y| [0, 3, 6].map(|x| (56 + y * 8 + x) as f32 * 0.5 - 20.0))
        .flat_map(f32::to_le_bytes)
        .collect();
    assert_eq!(body, expected);
    let json = |name: &str| -> Value { serde_json::from_slice(&ask(name).2).unwrap() };
    let text = json("text?path=t&sel=0,0,0:3");
    assert_eq!(text, json!({ "shape": [3], "texts": ["-20.0", "nan", "-19.0"] }));
    let chunks = json("chunks?path=large&rows=0&columns=1&at=0,0");
    assert_eq!((&chunks["shape"], &chunks["steps"]), (&json!([60, 60]), &json!([2, 2])));
    let stored = fs::metadata(scratch.0.join("a.zarr/large/c/0/0")).unwrap().len();
    let sizes = chunks["sizes"].as_array().unwrap();
    assert_eq!(sizes[0], stored);
    assert!(sizes[1..].iter().all(|size| *size == -1));
    let totals = json("totals?path=large");
    assert_eq!((&totals["chunks"], &totals["chunks_stored"]), (&json!(14400), &json!(1)));
    let (status, _, _) = ask("data?path=large&sel=:,:");
    assert_eq!(status, 400); // too much for one answer
    for refused in [
        "data?path=struct&sel=:",
        "data?path=t&sel=9",
        "data?path=t",
        "chunks?path=t",
        "chunks?path=t&rows=7&columns=&at=0,0,0",
        "data?path=../t&sel=0",
    ] {
        let (status, _, body) = ask(refused);
        assert_eq!(status, 400, "{refused}: {}", String::from_utf8_lossy(&body));
    }
    assert_eq!(ask("data?path=none&sel=0").0, 404);
}

#[test]
fn nothing_is_answered_without_the_token() {
    let scratch = with_store("view-token");
    let server = view(&scratch);
    let token = server.url.split('/').nth(3).unwrap();
    assert_eq!(token.len(), 32);
    for path in ["/", "/app.js", "/api/node?path=", &format!("/{}/", &token[1..])] {
        assert_eq!(server.ask(&format!("GET {path}")).0, 404, "{path}");
    }
    let (status, head, _) = server.ask(&format!("GET /{token}/"));
    assert_eq!(status, 200);
    for header in ["content-security-policy: default-src 'none'", "referrer-policy: no-referrer"] {
        assert!(head.contains(header), "{head}");
    }
    assert!(!head.contains("access-control"), "{head}");
    assert_eq!(server.ask(&format!("GET /{token}/\nHost: example.org")).0, 421);
    assert!(scratch.trouble(&["view", "--no-browser", "none.zarr"]).contains("none.zarr"));
    let other = view(&scratch);
    assert_ne!(other.url.split('/').nth(3).unwrap(), token);
}

const COMPLETE: &str = "document.querySelector('.stage canvas')?.dataset.state === 'complete'";

/// Shows a node, once its image is complete.
fn show(browser: &mut Browser, path: &str) {
    browser.value("document.querySelector('.stage')?.remove()");
    browser.value(&format!("location.hash = 'path={}'", path.replace('/', "%2F")));
    browser.wait(&format!("document.title.startsWith('/{path} ') && {COMPLETE}"));
}

/// The pixel of an element of an image that is as wide or as high as its place.
fn place_of(browser: &mut Browser, shape: [f64; 2], element: [f64; 2]) -> (f64, f64) {
    let edges = browser.value(
        "(({left, top, width, height}) => [left, top, width, height])\
         (document.querySelector('.stage canvas').getBoundingClientRect())",
    );
    let [left, top, width, height] = [0, 1, 2, 3].map(|n| edges[n].as_f64().unwrap());
    let scale = (width / shape[1]).min(height / shape[0]);
    let x = left + (width - shape[1] * scale) / 2.0 + (element[1] + 0.5) * scale;
    let y = top + (height - shape[0] * scale) / 2.0 + (element[0] + 0.5) * scale;
    (x, y)
}

#[test]
fn the_page_shows_what_is_stored() {
    let Some(mut browser) = Browser::start("view-page", 1200, 800) else { return };
    let scratch = with_store("view-page");
    let server = view(&scratch);
    browser.open(&server.url);
    browser.wait("document.querySelectorAll('[role=treeitem]').length === 8");

    // the number under the pointer, then of a click, then of the next slice
    show(&mut browser, "t");
    let (x, y) = place_of(&mut browser, [7.0, 8.0], [5.0, 6.0]);
    browser.mouse("mouseMoved", x, y);
    let status = "document.querySelector('.status').textContent";
    assert_eq!(browser.value(status), "[5, 6]: 3");
    browser.mouse("mousePressed", x, y);
    browser.mouse("mouseReleased", x, y);
    browser.wait("document.body.innerText.includes('[0, 5, 6] = 3.0 K')");
    browser.wait("document.body.innerText.includes('along dim 2')");
    browser.key(".");
    browser.wait(&format!("document.querySelector('.slider input').value === '1' && {COMPLETE}"));
    browser.mouse("mouseMoved", x + 1.0, y);
    assert_eq!(browser.value(status), "[5, 6]: 31");
    // the last row at the top
    let flip = "[...document.querySelectorAll('button')].find((one) => one.innerText === 'Flip')";
    browser.value(&format!("{flip}.click()"));
    browser.wait(COMPLETE);
    let (x, y) = place_of(&mut browser, [7.0, 8.0], [1.0, 6.0]);
    browser.mouse("mouseMoved", x, y);
    assert_eq!(browser.value(status), "[5, 6]: 31");
    browser.key(" ");
    browser.wait("document.querySelector('.slider input').value === '3'");
    browser.key(" ");
    // markup of an attribute is text
    assert_eq!(browser.value("document.querySelector('main b')"), Value::Null);
    assert_eq!(browser.value("document.body.innerText.includes('<b>bold</b>')"), true);

    // as it is where rows are latitudes that rise
    show(&mut browser, "map/v");
    browser.wait(&format!("{flip}.getAttribute('aria-pressed') === 'true'"));

    // colours are the array's
    show(&mut browser, "rgb");
    let (x, y) = place_of(&mut browser, [40.0, 60.0], [30.0, 10.0]);
    let pixel = browser.value(&format!(
        "((canvas) => {{ const box = canvas.getBoundingClientRect(); return [...canvas.getContext\
         ('2d').getImageData({x} - box.left, {y} - box.top, 1, 1).data]; }})\
         (document.querySelector('.stage canvas'))"
    ));
    assert_eq!(pixel, json!([120, 40, 7, 255]));

    // the level is that of the resolution
    browser.resize(700, 300);
    show(&mut browser, "cells");
    browser.wait("document.body.innerText.includes('level 1 of 2')");
    browser.key("1");
    browser.wait(&format!("document.body.innerText.includes('level 0 of 2') && {COMPLETE}"));

    // of a large array, only what is in sight is fetched
    browser.resize(1200, 800);
    browser.value("performance.clearResourceTimings()");
    show(&mut browser, "large");
    browser.key("1");
    browser.wait(COMPLETE);
    let asked = browser.value(
        "performance.getEntriesByType('resource').map((one) => decodeURIComponent(one.name))\
         .filter((name) => name.includes('api/data')).length",
    );
    assert!((1..60).contains(&asked.as_u64().unwrap()), "{asked} requests");

    // as text, on a phone, in the dark
    browser.resize(390, 800);
    browser.key("t");
    browser.value("location.hash = 'path=struct'");
    browser.wait("document.querySelector('.texts')?.innerText.length > 3");
    let wide = browser.value("document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= 390, "{wide} pixels");
    assert!(browser.console.is_empty(), "{:?}", browser.console);

    // what a store says wrongly is said
    browser.value("location.hash = 'path=broken'");
    browser.wait("document.querySelector('.error')?.innerText.includes('multiscales')");
}
