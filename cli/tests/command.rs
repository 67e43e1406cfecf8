//! The program, driven as a user drives it. The files in data/ are NumPy's: `t.npy` is
//! `arange(336, dtype="<f4").reshape(6, 7, 8) * 0.5 - 20` with a NaN at `[0, 0, 1]` and an infinity
//! at `[5, 6, 7]`, `selected.npy` is `t[-1, ::3, 5:1:-2]`, `fortran.npy` and `plain.npy` are
//! `arange(12).reshape(3, 4)` as `>i2` in Fortran order and as `<i2`.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Scratch, data};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// A store with the array `t`, in chunks that do not divide it.
fn with_t(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let t = data("t.npy");
    scratch.ok(&["write", "a.zarr", "t", &t, "--chunks", "4,3,5", "--dimensions", "z,y,x"]);
    scratch
}

#[test]
fn numpy_files_come_back_byte_for_byte() {
    let scratch = with_t("numpy");
    for name in ["t", "struct", "times", "plain"] {
        let file = data(&format!("{name}.npy"));
        if name != "t" {
            scratch.ok(&["write", "a.zarr", name, &file]);
        }
        scratch.ok(&["cat", "--format", "npy", "-o", "out.npy", "a.zarr", name]);
        assert_eq!(scratch.bytes("out.npy"), fs::read(file).unwrap(), "{name}");
    }
    scratch.ok(&["write", "a.zarr", "f", &data("fortran.npy")]);
    scratch.ok(&["cat", "-f", "npy", "-o", "out.npy", "a.zarr", "f"]);
    assert_eq!(scratch.bytes("out.npy"), fs::read(data("plain.npy")).unwrap());
    // of another type, and into an array that is there
    scratch.ok(&["create", "a.zarr", "wide", "--shape", "3,4", "--type", "float64"]);
    scratch.ok(&["write", "a.zarr", "wide", &data("fortran.npy")]);
    assert_eq!(
        scratch.json(&["cat", "-f", "json", "a.zarr", "wide[1]"]),
        json!([4.0, 5.0, 6.0, 7.0])
    );
}

#[test]
fn selections_are_numpys() {
    let scratch = with_t("selections");
    scratch.ok(&["cat", "-f", "npy", "-o", "out.npy", "a.zarr", "t[-1, ::3, 5:1:-2]"]);
    assert_eq!(scratch.bytes("out.npy"), fs::read(data("selected.npy")).unwrap());
    let element = |z: i64, y: i64, x: i64| json!(((z * 56 + y * 8 + x) as f64) * 0.5 - 20.0);
    for (selection, expected) in [
        ("t[1, 2, 3]", element(1, 2, 3)),
        ("t[-2, ..., 0]", json!((0..7).map(|y| element(4, y, 0)).collect::<Vec<_>>())),
        ("t[1, 1, [7, -8, 7]]", json!([element(1, 1, 7), element(1, 1, 0), element(1, 1, 7)])),
        ("t[1, 6:100, -3:]", json!([[element(1, 6, 5), element(1, 6, 6), element(1, 6, 7)]])),
        ("t[1, 3:3]", json!([])),
        ("t[1:3, 0:0, :2]", json!([[], []])),
        ("t[2, None:None:-6, 0]", json!([element(2, 6, 0), element(2, 0, 0)])),
    ] {
        assert_eq!(
            scratch.json(&["cat", "-f", "json", "a.zarr", selection]),
            expected,
            "{selection}"
        );
    }
    // the path to the array is a store of its own
    assert_eq!(scratch.ok(&["cat", "a.zarr/t", "[1, 0, ::4]"]), "8.0\n10.0\n");
    for wrong in ["t[9]", "t[0,0,0,0]", "t[::0]", "t[x]", "t[0", "t[..., ...]", "t[,]"] {
        let error = scratch.trouble(&["cat", "a.zarr", wrong]);
        assert!(error.starts_with("zarrc: "), "{wrong}: {error}");
    }
}

#[test]
fn elements_are_written_as_text() {
    let scratch = Scratch::new("text");
    scratch.ok(&["write", "a.zarr", "s", &data("struct.npy")]);
    assert_eq!(scratch.ok(&["cat", "a.zarr", "s"]), "(1, 2.5, ab)\n(-3, 4.0, c)\n");
    assert_eq!(scratch.ok(&["cat", "-f", "csv", "a.zarr", "s"]), "n,x,s\n1,2.5,ab\n-3,4.0,c\n");
    let list = scratch.json(&["cat", "-f", "json", "a.zarr", "s"]);
    assert_eq!(list, json!([{"n": 1, "x": 2.5, "s": "ab"}, {"n": -3, "x": 4.0, "s": "c"}]));
    scratch.ok(&["write", "a.zarr", "times", &data("times.npy")]);
    assert_eq!(
        scratch.ok(&["cat", "a.zarr", "times"]),
        "2000-02-29T12:34:56.789\nNaT\n1969-12-31T23:59:59.999\n0001-01-01T00:00:00.000\n"
    );
    scratch.ok(&["create", "a.zarr", "words", "--shape", "3", "--type", "string"]);
    scratch
        .feed("a\n\"b, \"\"c\"\"\"\nlast\n", &["write", "a.zarr", "words", "-", "--from", "csv"]);
    assert_eq!(
        scratch.json(&["cat", "-f", "json", "a.zarr", "words"]),
        json!(["a", "b, \"c\"", "last"])
    );
    assert_eq!(scratch.ok(&["cat", "-f", "csv", "a.zarr", "words"]), "a\n\"b, \"\"c\"\"\"\nlast\n");
    scratch.trouble(&["write", "new.zarr", "x", "nothing.npy"]);
    assert!(!scratch.0.join("new.zarr").exists(), "an empty store stays");
    let csv = ["write", "a.zarr", "n", "-", "--from", "csv", "--shape", "2,3", "--type", "float32"];
    scratch.feed("1,nan,-inf\n0.1,1e30,-0\n", &csv);
    assert_eq!(scratch.ok(&["cat", "a.zarr", "n"]), "1.0 nan -inf\n0.1 1e30 -0.0\n");
}

#[test]
fn raw_bytes_go_in_and_out() {
    let scratch = Scratch::new("raw");
    let bytes: Vec<u8> = (0..=255).collect();
    fs::write(scratch.0.join("in.raw"), &bytes).unwrap();
    let write = ["write", "a.zarr", "", "in.raw", "--shape", "16,16", "--type", "uint8"];
    scratch.ok(&write);
    scratch.ok(&["cat", "-f", "raw", "-o", "out.raw", "a.zarr"]);
    assert_eq!(scratch.bytes("out.raw"), bytes);
    fs::write(scratch.0.join("in.raw"), &bytes[1..]).unwrap();
    assert!(scratch.trouble(&["write", "a.zarr", "", "in.raw"]).contains("ends before"));
    assert!(scratch.trouble(&["write", "a.zarr", "[0]", "in.raw"]).contains("more than"));
}

#[test]
fn stats_are_numpys() {
    let scratch = with_t("stats");
    // numpy.mean, .std and .histogram of t[1:5]
    let stats = scratch.json(&["stats", "--json", "a.zarr", "t[1:5]", "--histogram", "4"]);
    assert_eq!(stats["elements"], 224);
    assert_eq!((&stats["min"], &stats["max"]), (&json!(8.0), &json!(119.5)));
    assert_eq!(stats["mean"], 63.75);
    assert!((stats["std"].as_f64().unwrap() - 32.33129289094391).abs() < 1e-10, "{stats}");
    assert_eq!(stats["histogram"]["counts"], json!([56, 56, 56, 56]));
    let all = scratch.json(&["stats", "--json", "a.zarr", "t"]);
    assert_eq!((&all["nan"], &all["infinite"], &all["fill"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!((&all["mean"], &all["min"]), (&Value::Null, &json!(-20.0)));
    let csv = ["write", "a.zarr", "i", "-", "--from", "csv", "--shape", "3", "--type", "int64"];
    scratch.feed("9223372036854775807\n9223372036854775806\n-9223372036854775808\n", &csv);
    let wide = scratch.json(&["stats", "--json", "a.zarr", "i"]);
    assert_eq!(wide["max"], json!(i64::MAX));
    assert_eq!(wide["min"], json!(i64::MIN));
    scratch.ok(&["write", "a.zarr", "s", &data("struct.npy")]);
    assert!(scratch.trouble(&["stats", "a.zarr", "s"]).contains("real numbers"));
}

#[test]
fn images_have_the_colours_of_the_numbers() {
    let scratch = with_t("plot");
    let pixels = |arguments: &[&str]| {
        scratch.ok(&[&["plot", "a.zarr", "-o", "out.png"][..], arguments].concat());
        let file = std::io::Cursor::new(scratch.bytes("out.png"));
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        (frame.width, frame.height, pixels)
    };
    // rows of 8 numbers: -20, NaN, -19 ... 7.5
    let (width, height, gray) = pixels(&["t[0]", "--map", "gray"]);
    assert_eq!((width, height), (8, 7));
    assert_eq!(gray[..4], [0, 0, 0, 255]);
    assert_eq!(gray[4..8], [0, 0, 0, 0]);
    assert_eq!(gray[gray.len() - 4..], [255, 255, 255, 255]);
    // both ends and the middle of viridis
    let bounds = ["--min", "-20", "--max", "-16"];
    let (.., colours) = pixels(&[&["t[0]"][..], &bounds].concat());
    assert_eq!(colours[..4], [68, 1, 84, 255]);
    assert_eq!(colours[16..20], [33, 145, 140, 255]);
    assert_eq!(colours[32..36], [253, 231, 37, 255]);
    let (width, height, _) = pixels(&["t[0]", "--size", "3"]);
    assert_eq!((width, height), (3, 3));
    assert!(scratch.trouble(&["plot", "a.zarr", "t", "-o", "x.png"]).contains("two dimensions"));
}

#[test]
fn info_and_listings_tell_what_is_there() {
    let scratch = with_t("info");
    scratch.ok(&["create", "a.zarr", "g/empty", "--group", "--attributes", "{\"a\": [1, 2]}"]);
    let info = scratch.json(&["info", "--json", "a.zarr", "t"]);
    assert_eq!(info["shape"], json!([6, 7, 8]));
    assert_eq!(info["chunk_shape"], json!([4, 3, 5]));
    assert_eq!((&info["data_type"], &info["chunks"]), (&json!("float32"), &json!(12)));
    assert_eq!(info["dimension_names"], json!(["z", "y", "x"]));
    assert_eq!(scratch.ok(&["ls", "-r", "a.zarr"]), "g/\ng/empty/\nt\n");
    assert_eq!(
        scratch.json(&["ls", "--json", "a.zarr"]),
        json!([{"path": "g", "kind": "group"},
               {"path": "t", "kind": "array", "shape": [6, 7, 8], "data_type": "float32"}])
    );
    assert!(scratch.ok(&["tree", "a.zarr"]).contains("└── t (6, 7, 8) float32"));
    assert_eq!(
        scratch.json(&["tree", "--json", "a.zarr"])["children"]["g"]["children"]["empty"]["kind"],
        "group"
    );
    let cdl = scratch.ok(&["dump", "-H", "a.zarr"]);
    assert!(cdl.contains("float32 t(z=6, y=7, x=8) ;") && cdl.contains(":a = [1,2] ;"), "{cdl}");
    let dump = scratch.json(&["dump", "--json", "a.zarr"]);
    assert_eq!(dump["children"]["t"]["data"][1][0][0], 8.0);
    assert_eq!(dump["children"]["g"]["children"]["empty"]["attributes"], json!({"a": [1, 2]}));
    assert_eq!(scratch.json(&["du", "--json", "a.zarr"])["bytes"], 6 * 7 * 8 * 4);
    let formats = scratch.json(&["formats", "--json"]);
    assert!(formats["codecs"].as_array().unwrap().contains(&json!("zstd")));
    assert!(scratch.trouble(&["info", "nothing.zarr"]).contains("there is no store"));
}

#[test]
fn attributes_are_set_and_deleted() {
    let scratch = with_t("attributes");
    scratch.ok(&["attrs", "set", "a.zarr", "t", "units", "m s-1"]);
    scratch.ok(&["attrs", "set", "a.zarr", "t", "big", "123456789012345678901234567890"]);
    scratch.ok(&["attrs", "set", "a.zarr", "/", "list", "[1, {\"a\": null}]"]);
    assert_eq!(scratch.ok(&["attrs", "get", "a.zarr", "t", "units"]), "\"m s-1\"\n");
    let big = scratch.ok(&["attrs", "get", "a.zarr", "t", "big"]);
    assert_eq!(big, "123456789012345678901234567890\n");
    assert_eq!(scratch.json(&["attrs", "get", "a.zarr"]), json!({"list": [1, {"a": null}]}));
    scratch.ok(&["attrs", "delete", "a.zarr", "t", "big"]);
    assert_eq!(scratch.json(&["attrs", "get", "a.zarr", "t"]), json!({"units": "m s-1"}));
    assert!(scratch.trouble(&["attrs", "delete", "a.zarr", "t", "big"]).contains("no attribute"));
}

#[test]
fn what_is_appended_stands_behind() {
    let scratch = Scratch::new("append");
    scratch.ok(&["write", "a.zarr", "n", &data("plain.npy"), "--chunks", "2,3"]);
    scratch.ok(&["append", "a.zarr", "n", &data("fortran.npy")]);
    scratch.feed("90,91,92,93\n94,95,96,97\n", &["append", "a.zarr", "n", "-", "--from", "csv"]);
    let column = scratch.json(&["cat", "-f", "json", "a.zarr", "n[:, 1]"]);
    assert_eq!(column, json!([1, 5, 9, 1, 5, 9, 91, 95]));
    for other in ["t", "times"] {
        let file = data(&format!("{other}.npy"));
        assert!(scratch.trouble(&["append", "a.zarr", "n", &file]).contains("dimensions"));
    }
    assert_eq!(scratch.json(&["info", "--json", "a.zarr", "n"])["shape"], json!([8, 4]));
}

#[test]
fn copies_and_conversions_are_the_same() {
    let scratch = with_t("copies");
    scratch.ok(&["write", "a.zarr", "g/s", &data("struct.npy")]);
    scratch.ok(&["attrs", "set", "a.zarr", "g", "a", "1"]);
    scratch.ok(&["copy", "a.zarr", "b.zarr"]);
    assert_eq!(scratch.ok(&["diff", "a.zarr", "b.zarr"]), "");
    assert!(scratch.trouble(&["copy", "a.zarr", "b.zarr"]).contains("b.zarr"));
    scratch.ok(&["copy", "a.zarr", "b.zarr", "--skip"]);
    scratch.ok(&["copy", "--link", "a.zarr", "links.zarr"]);
    assert_eq!(scratch.ok(&["diff", "a.zarr", "links.zarr"]), "");
    assert!(scratch.trouble(&["copy", "--link", "a.zarr", "memory:"]).contains("hard links"));
    scratch.ok(&["convert", "a.zarr", "v2.zarr", "--to", "v2"]);
    assert!(scratch.0.join("v2.zarr/t/.zarray").exists());
    scratch.ok(&["diff", "a.zarr", "v2.zarr"]);
    let layout = ["--chunks", "3,7,8", "--codec", "gzip:{\"level\": 1}"];
    scratch.ok(&[&["rechunk", "a.zarr", "r.zarr", "--node", "t"][..], &layout].concat());
    assert_eq!(scratch.json(&["info", "--json", "r.zarr", "t"])["chunks"], 2);
    scratch.ok(&["diff", "a.zarr", "r.zarr", "--node", "t"]);
    scratch.ok(&["rechunk", "a.zarr", "a.zarr", "--node", "t", "--target-node", "u"]);
    let digest = |node: &str| scratch.ok(&["digest", "a.zarr", node])[..64].to_owned();
    // hashlib.sha256(t.tobytes())
    assert_eq!(digest("t"), "119b35310cbc99570f71f60c7997068629814352fbe466d73659d2d5450db465");
    assert_eq!(digest("t"), digest("u"));
    scratch.ok(&["mv", "b.zarr", "g/s", "moved"]);
    let found = scratch.code(1, &["diff", "--json", "a.zarr", "v2.zarr", "--target-node", "g"]);
    assert!(found.contains("\"kind\""));
    scratch.trouble(&["rm", "b.zarr", ""]);
    scratch.ok(&["rm", "b.zarr", "g"]);
    assert_eq!(scratch.ok(&["ls", "b.zarr"]), "moved\nt\n");
    scratch.ok(&["consolidate", "b.zarr"]);
    assert!(String::from_utf8(scratch.bytes("b.zarr/zarr.json")).unwrap().contains("consolidated"));
}

#[test]
fn differences_are_found_within_tolerance() {
    let scratch = with_t("differences");
    scratch.ok(&["copy", "a.zarr", "b.zarr"]);
    scratch.feed("8.25\n", &["write", "b.zarr", "t[1, 0, 0]", "-", "--from", "csv"]);
    let found: Value =
        serde_json::from_str(&scratch.code(1, &["diff", "--json", "a.zarr", "b.zarr"])).unwrap();
    assert_eq!(found[0]["index"], json!([1, 0, 0]));
    assert_eq!((&found[0]["a"], &found[0]["b"]), (&json!(8.0), &json!(8.25)));
    assert_eq!(found[0]["differing"], 1);
    scratch.ok(&["diff", "a.zarr", "b.zarr", "--atol", "0.25"]);
    scratch.ok(&["diff", "a.zarr", "b.zarr", "--rtol", "0.04"]);
    scratch.code(1, &["diff", "a.zarr", "b.zarr", "--atol", "0.2"]);
    scratch.ok(&["attrs", "set", "b.zarr", "t", "a", "1"]);
    scratch.code(1, &["diff", "a.zarr", "b.zarr", "--atol", "1"]);
    scratch.ok(&["diff", "a.zarr", "b.zarr", "--atol", "1", "--no-attributes"]);
    scratch.trouble(&["diff", "a.zarr", "nothing.zarr"]);
}

#[test]
fn damage_is_found_and_repaired() {
    let scratch = with_t("damage");
    assert!(scratch.ok(&["verify", "a.zarr"]).ends_with("sound\n"));
    fs::write(scratch.0.join("a.zarr/t/c/0/0/0"), b"damaged").unwrap();
    fs::write(scratch.0.join("a.zarr/t/c/9"), b"").unwrap();
    let report: Value =
        serde_json::from_str(&scratch.code(1, &["verify", "--json", "a.zarr"])).unwrap();
    let kinds: Vec<&str> = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["chunk", "unknown"]);
    assert!(scratch.trouble(&["cat", "a.zarr", "t", "-o", "out.txt"]).contains("c/0/0/0"));
    assert!(!scratch.0.join("out.txt").exists(), "half a file stays");
    let left = scratch.code(1, &["repair", "a.zarr", "--kinds", "unknown"]);
    assert!(left.contains("left: chunk: t/c/0/0/0"), "{left}");
    scratch.ok(&["repair", "a.zarr", "--kinds", "chunk"]);
    scratch.ok(&["verify", "a.zarr"]);
    assert_eq!(scratch.ok(&["cat", "a.zarr", "t[0, 0, :2]"]), "0.0\n0.0\n");
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_whole_chunks() {
    let scratch = Scratch::new("interrupt");
    // three pieces of 32 MiB
    let write = ["write", "a.zarr", "", "-", "--from", "raw", "--shape", "96,1048576"];
    let layout = ["--type", "uint8", "--chunks", "8,1048576"];
    let mut child = scratch
        .command(&[&write[..], &layout].concat())
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let piece = vec![1; 32 << 20];
    input.write_all(&piece).unwrap();
    // this much of the next one only fits the pipe once the first is being written
    input.write_all(&piece[..1 << 20]).unwrap();
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    std::thread::sleep(std::time::Duration::from_millis(200));
    let _ = input.write_all(&piece[1 << 20..]);
    let _ = input.write_all(&piece);
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(scratch.ok(&["verify", "a.zarr"]).ends_with("sound\n"));
    assert!(!scratch.json(&["info", "--json", "a.zarr"])["chunks_stored"].is_null());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let scratch = Scratch::new("pipe");
    scratch.ok(&["create", "a.zarr", "", "--shape", "3000000", "--type", "int32"]);
    let mut child = scratch
        .command(&["cat", "a.zarr"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}

#[test]
fn shells_and_man_know_the_verbs() {
    let scratch = Scratch::new("shells");
    for shell in ["bash", "zsh", "fish"] {
        assert!(scratch.ok(&["completions", shell]).contains("rechunk"), "{shell}");
    }
    assert!(scratch.ok(&["man"]).starts_with(".ie"));
    assert!(scratch.ok(&["man", "cat"]).contains("npy"));
    assert!(scratch.trouble(&["info", "x", "-O", "thread=1"]).contains("threads"));
}

/// docs/command.md is what the program says of itself. `ZARRC_DOCS=write cargo test -p zarrc-cli`
/// rewrites it.
#[test]
fn command_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/command.md");
    let text = document();
    if env::var("ZARRC_DOCS").as_deref() == Ok("write") {
        fs::write(&path, &text).unwrap();
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|there| there == text),
        "docs/command.md is stale: run ZARRC_DOCS=write cargo test -p zarrc-cli"
    );
}

fn document() -> String {
    let scratch = Scratch::new("document");
    let help = |verb: &[&str]| {
        let help = scratch.ok(&[verb, &["--help"]].concat());
        help.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>()
    };
    let all = help(&[]);
    let mut text = String::from(
        "# The command zarrc\n\nWritten from the program's help by \
         `ZARRC_DOCS=write cargo test -p zarrc-cli`.\n\n",
    );
    write!(text, "```text\n{all}```\n").unwrap();
    let verbs = all.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let name = |line: &str| {
        let verb = line.strip_prefix("  ")?;
        (!verb.starts_with(' ')).then(|| verb.split(' ').next().unwrap().to_owned())
    };
    for verb in verbs.lines().filter_map(name) {
        write!(text, "\n## {verb}\n\n```text\n{}```\n", help(&[&verb])).unwrap();
        let below: &[&str] = if verb == "attrs" { &["get", "set", "delete"] } else { &[] };
        for below in below {
            write!(text, "\n### {verb} {below}\n\n```text\n{}```\n", help(&[&verb, below]))
                .unwrap();
        }
    }
    text
}
