//! What each operation on nodes asks of an S3 store: nothing twice where noted, and no more than so
//! many requests.

use super::s3::{answer, s3};
use super::server::{Files, Server};
use super::words::*;
use crate::common::path;
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::Kind;
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArraySpec, Hierarchy};
use zarrc::metadata::DataType;
use zarrc::selection::Region;
use zarrc::store::Mode;
use zarrc::strided::{View, ViewMut};

/// Every request since the last look, with its query, as a line each.
fn requests(server: &Server) -> Vec<String> {
    let line = |request: &super::server::Request| match request.query.contains("list-type") {
        true => format!("LIST {}", request.query),
        false => request.line(),
    };
    server.asked().iter().map(line).collect()
}

/// Refuses a request that is made twice, unless something was written in between.
fn only_once(what: &str, requests: &[String], most: usize) {
    println!("{what}: {requests:?}");
    let mut seen: Vec<&String> = Vec::new();
    for request in requests {
        if request.starts_with("PUT") || request.starts_with("DELETE") {
            seen.clear();
        }
        assert!(!seen.contains(&request), "{what} asks twice: {requests:?}");
        seen.push(request);
    }
    assert!(requests.len() <= most, "{what}: {requests:?}");
}

#[test]
fn no_operation_asks_twice() {
    for format in [FormatId::V2, FormatId::V3] {
        let files = Files::default();
        let there = files.clone();
        let server = Server::new(move |request| answer(&there, request));
        let check = |what: &str, most: usize| {
            only_once(&format!("{format:?}: {what}"), &requests(&server), most)
        };
        let at_most = |what: &str, most: usize| {
            let requests = requests(&server);
            assert!(requests.len() <= most, "{format:?}: {what}: {requests:?}");
        };
        let opened = |mode: Mode| {
            let store = s3(&server, mode, &[]).unwrap();
            Arc::new(Hierarchy::new(store, &options(&[])))
        };
        let nodes = opened(Mode::Create);
        check("creating a store", 1);
        let mut spec = ArraySpec::new(DataType::UInt8, vec![8]);
        spec.chunk_shape = Some(vec![4]);
        spec.format = Some(format);
        // the opening has just found the store empty: nothing is looked for
        opened(Mode::Create).create_array(&path(""), &spec).unwrap();
        check("creating the only array", 2);
        let array: Vec<_> = files.paths().into_iter().map(|p| (files.take(&p), p)).collect();
        opened(Mode::Create).create_array(&path("g/a"), &spec).unwrap();
        // before the next change of each group: has it consolidated metadata by now?
        check("creating an array and its groups", 7);
        files.paths().iter().for_each(|path| drop(files.take(path)));
        if format == FormatId::V3 {
            // not even where another process is quicker
            let nodes = opened(Mode::Create);
            array.iter().for_each(|(file, path)| files.put(path, &file.as_ref().unwrap().0));
            let refused = nodes.create_array(&path("g/a"), &spec).err().unwrap();
            assert_eq!(refused.kind(), Kind::InvalidArgument, "{refused}");
            files.paths().iter().for_each(|path| drop(files.take(path)));
            requests(&server);
        }
        let array = nodes.create_array(&path("g/a"), &spec).unwrap();
        check("creating an array below a group", CREATE);
        nodes.create_array(&path("g/b"), &spec).unwrap();
        check("creating another", CREATE);
        let write = |start: u64, values: &[u8]| {
            let count = [values.len() as u64];
            let region = Region::new(&[8], &[start], &count, None).unwrap();
            let src = View::contiguous(values, &[values.len()], 1).unwrap();
            array.array.write(&region, MemoryType::Native, &src).unwrap();
        };
        write(0, &[1; 8]);
        check("writing two chunks", 2);
        write(1, &[2; 2]);
        check("writing a part of a chunk", 2);
        array.attributes().write(&mut |a| a.set("x", "1")).unwrap();
        check("setting an attribute", 6);
        array.append(0, &[4], &|_, _| Ok(())).map(drop).unwrap_or(());
        check("appending", 10);
        read_once(format, &server, &|| opened(Mode::Read), &s3_only);
        let there = files.clone();
        let web = Server::new(move |request| match there.page(&request.path) {
            Some(page) if request.path.ends_with('/') => page,
            _ => there.answer(request),
        });
        let over_http = || {
            let store = super::words::opened(&format!("{}/bucket/x/", web.url()), &[]).unwrap();
            Arc::new(Hierarchy::new(store, &options(&[])))
        };
        read_once(format, &web, &over_http, &http_only);
        opened(Mode::ReadWrite).delete(&path("g/b")).unwrap();
        at_most("deleting an array", 16);
    }
}

/// Opens, reads and lists with as few requests as there can be. `listing`: the request that lists a
/// directory.
fn read_once(
    format: FormatId,
    server: &Server,
    opened: &dyn Fn() -> Arc<Hierarchy>,
    listing: &dyn Fn(&str) -> String,
) {
    let check = |what: &str, most: usize| {
        only_once(&format!("{format:?}: {what}"), &requests(server), most);
    };
    let nodes = opened();
    check("opening a store", 0);
    let array = nodes.open_array(&path("g/a")).unwrap();
    let is_v3 = format == FormatId::V3;
    check("opening an array", if is_v3 { 1 } else { 6 });
    let mut bytes = [0; 8];
    let dst = ViewMut::contiguous(&mut bytes, &[8], 1).unwrap();
    array.array.read(&Region::whole(&[8]), MemoryType::Native, dst).unwrap();
    assert_eq!(bytes, [1, 2, 2, 1, 1, 1, 1, 1]);
    check("reading two chunks", 2);
    let group = opened().open_group(&path("g")).unwrap();
    check("opening a group", if is_v3 { 1 } else { 6 });
    assert_eq!(group.list(false).unwrap().len(), 2);
    let mut asked = requests(server);
    println!("{format:?}: listing a group: {asked:?}");
    asked.sort();
    let mut expected: Vec<String> = match is_v3 {
        // the root's document tells the format and has consolidated metadata
        true => ["", "g/a/", "g/b/"].map(|n| format!("GET /bucket/x/{n}zarr.json")).into(),
        false => Vec::new(),
    };
    expected.push(listing("g/"));
    expected.sort();
    assert!(!is_v3 || asked == expected, "{asked:?}");
    assert!(asked.len() <= 8, "{asked:?}");
}

fn s3_only(prefix: &str) -> String {
    format!("LIST delimiter=%2F&list-type=2&prefix=x%2F{}", prefix.replace('/', "%2F"))
}

fn http_only(prefix: &str) -> String {
    format!("GET /bucket/x/{prefix}")
}

/// Is something there already (a listing and documents), and the documents that are written.
const CREATE: usize = 10;
