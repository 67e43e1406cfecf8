//! The rules of ARCHITECTURE.md that a look at the text can hold: where `unsafe` is, which state is
//! global, that exports are guarded.

use super::layering::files_below;
use super::root;
use std::collections::BTreeMap;
use std::fs;

/// Files that allow `unsafe`; those of src/capi/ and src/strided/ beside them.
const UNSAFE: &[&str] = &[
    "call.rs",                        // hands out disjoint parts of one memory
    "codec/blosc/raw.rs",             // bindings of C libraries
    "codec/blosc/shuffle/aarch64.rs", // vector instructions
    "codec/blosc/shuffle/lanes.rs",
    "codec/blosc/shuffle/x86.rs",
    "codec/checksum/mod.rs", // bindings of C libraries
    "codec/deflate.rs",
    "codec/lz4.rs",
    "codec/lzma.rs",
    "codec/zfp/library.rs",
    "exec/cpu.rs",
    "exec/memory.rs",
    "exec/pool.rs",
    "exec/scratch.rs",
    "fork.rs",           // handlers of pthread_atfork
    "hdf5/attribute.rs", // bindings of a C library
    "hdf5/dataset.rs",
    "hdf5/element.rs",
    "hdf5/handle.rs",
    "hdf5/library.rs",
    "hdf5/new_type.rs",
    "hdf5/write.rs",
    "store/local/filesystem/state.rs", // a system call that rustix lacks
    "store/local/lmdb.rs",             // a map of a file
    "system/unix.rs",                  // calls of the system
    "system/windows/mod.rs",
];

/// Files with state that is shared by the whole process, beside what is fixed once it is made, and
/// what is a thread's own.
const GLOBAL: &[&str] = &[
    "array/mod.rs",                    // counts arrays, to tell one from another
    "cache/moment.rs",                 // when this process last changed a value
    "codec/user.rs",                   // the codecs that the program has registered
    "exec/blocking.rs",                // threads that wait for files
    "exec/buffer_pool.rs",             // the memory that is kept between chunks
    "exec/pool.rs",                    // the pool
    "exec/scratch.rs",                 // the largest block so far
    "fork.rs",                         // what a fork waits for
    "hdf5/library.rs",                 // libhdf5, and who calls it
    "metadata/registered.rs",          // the names of registered codecs
    "operations/hdf5.rs",              // counts its files
    "store/adapters/simplecache.rs",   // counts its files
    "store/exclusive.rs",              // counts the locks of this process
    "store/local/filesystem/write.rs", // counts temporary files
    "store/local/lmdb.rs",             // which databases are open: once in a process
    "store/local/memory.rs",           // memory stores by name
    "store/remote/network/mod.rs",     // the runtime of stores across a network
];

/// The text of each file of src/, its tests left out, by its path there.
fn sources() -> BTreeMap<String, String> {
    let src = root().join("src");
    let mut files = Vec::new();
    files_below(&src, &mut files);
    let name = |file: &std::path::PathBuf| {
        file.strip_prefix(&src).expect("in src").to_string_lossy().into_owned()
    };
    files
        .iter()
        .filter(|file| !file.ends_with("tests.rs"))
        .map(|file| {
            let text = fs::read_to_string(file).expect("text");
            let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
            (name(file), text[..end].to_owned())
        })
        .collect()
}

/// Compares what was found with what is listed, each sorted.
fn same(what: &str, found: Vec<&String>, listed: &[&str]) {
    let new: Vec<_> = found.iter().filter(|file| !listed.contains(&file.as_str())).collect();
    let gone: Vec<_> = listed.iter().filter(|file| !found.iter().any(|f| f == *file)).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "{what}: not in the list of {}: {new:?}; listed without any: {gone:?}",
        file!()
    );
}

#[test]
fn unsafe_is_where_the_list_says() {
    let sources = sources();
    let found = sources.iter().filter(|(file, text)| {
        let apart = file.starts_with("capi/") || file.starts_with("strided/");
        !apart && text.contains("allow(unsafe_code)")
    });
    same("unsafe", found.map(|(file, _)| file).collect(), UNSAFE);
}

#[test]
fn global_state_is_where_the_list_says() {
    let sources = sources();
    let changes = |text: &str| {
        let mut apart = false;
        text.lines().any(|line| {
            let line = line.trim_start();
            apart = line.starts_with("thread_local!") || (apart && !line.starts_with('}'));
            let declared = line.strip_prefix("pub ").unwrap_or(line).starts_with("static ");
            let kinds = ["Atomic", "Lock<", "Mutex<", "RwLock<", "Own<", "PerProcess<", "Closed "];
            let shared = line.split_once(':').is_some_and(|(_, of)| {
                let of = of.split('=').next().unwrap_or_default();
                !of.contains("LazyLock<")
                    && !of.contains("OnceLock<")
                    && kinds.iter().any(|kind| of.contains(kind))
            });
            declared && shared && !apart
        })
    };
    let found = sources.iter().filter(|(_, text)| changes(text));
    same("global state", found.map(|(file, _)| file).collect(), GLOBAL);
}

/// The bodies of the functions of a file, by name.
fn functions(text: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    for (at, _) in text.match_indices("fn ") {
        let head = &text[at + 3..];
        let name = head.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        let end = head.find("\n}\n").unwrap_or(head.len());
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            found.entry(name).or_insert(&head[..end]);
        }
    }
    found
}

#[test]
fn every_export_that_can_fail_is_guarded() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for (file, text) in sources().iter().filter(|(file, _)| file.starts_with("capi/")) {
        let functions = functions(text);
        let guards = |body: &str| body.contains("guard(") || body.contains("guard_value(");
        for (name, body) in functions.iter().filter(|(name, _)| name.starts_with("zarrc_")) {
            let signature = body.split('{').next().unwrap_or_default();
            if !signature.contains("-> zarrc_status") {
                continue;
            }
            seen += 1;
            // itself, or by what the exports of the file share
            let shared = functions
                .iter()
                .any(|(other, inner)| guards(inner) && body.contains(&format!("{other}(")));
            if !guards(body) && !shared {
                wrong.push(format!("{file}: {name}"));
            }
        }
    }
    assert!(seen > 100, "{seen} exports return a status");
    assert!(wrong.is_empty(), "outside of capi::guard: {wrong:#?}");
}
