//! Any store: values separated by a byte 0xFF, each after its key and a NUL. It is opened, listed,
//! read, checked, repaired and checked again; the second check finds nothing that can be repaired.

use super::{check, memory, nodes, visit};
use zarrc::metadata::NodePath;
use zarrc::operations::{repair, verify};
use zarrc::progress::Progress;

const KINDS: &str = "chunk,consolidated,index,interrupted,outside,unknown";

pub fn run(input: &[u8]) {
    let mut values = Vec::new();
    for part in input.split(|&byte| byte == 0xFF).take(32) {
        let Some(at) = part.iter().position(|&byte| byte == 0) else { continue };
        if let Ok(key) = std::str::from_utf8(&part[..at]) {
            values.push((key, &part[at + 1..]));
        }
    }
    let store = memory(&values);
    visit(&store);
    let (nodes, root, silent) = (nodes(&store), NodePath::root(), Progress::silent());
    if check(verify(&nodes, &root, &silent)).is_some() {
        let _ = check(repair(&nodes, &root, KINDS, false, &silent));
        let _ = check(nodes.consolidate(&root));
        visit(&store);
    }
}
