//! Any store, converted into each format: the values are as those of the target `hierarchy`. What was
//! converted is read; elements of the first array are those of the source.

use super::{check, memory, nodes, visit};
use zarrc::array::MemoryType;
use zarrc::format::{FORMATS, NodeKind};
use zarrc::hierarchy::ArrayNode;
use zarrc::metadata::NodePath;
use zarrc::operations::{Accept, Conversion};
use zarrc::progress::Progress;
use zarrc::selection::Region;
use zarrc::strided::ViewMut;

pub fn run(input: &[u8]) {
    let values: Vec<(&str, &[u8])> = input
        .split(|&byte| byte == 0xFF)
        .take(32)
        .filter_map(|part| {
            let at = part.iter().position(|&byte| byte == 0)?;
            Some((std::str::from_utf8(&part[..at]).ok()?, &part[at + 1..]))
        })
        .collect();
    let (root, silent) = (NodePath::root(), Progress::silent());
    for format in FORMATS {
        let (from, target) = (nodes(&memory(&values)), memory(&[]));
        let to = nodes(&target);
        let accept = Accept { losses: true, leftovers: true };
        let Some(plan) = check(Conversion::plan(&from, &root, &to, &root, format.id, accept))
        else {
            continue;
        };
        if check(plan.run(&silent)).is_none() {
            continue;
        }
        visit(&target);
        let Some(Some(NodeKind::Array)) = check(from.kind_at(&root)) else { continue };
        let Some(old) = check(from.open_array(&root)) else { continue };
        let new = to.open_array(&root).expect("what was converted opens");
        if old.array.metadata().data_type == new.array.metadata().data_type
            && let Some(elements) = elements(&old)
        {
            assert_eq!(Some(elements), self::elements(&new), "{:?}", format.id);
        }
    }
}

/// Some elements of fixed size.
fn elements(array: &ArrayNode) -> Option<Vec<u8>> {
    let (shape, data_type) = (array.array.shape(), &array.array.metadata().data_type);
    if data_type.is_variable() || shape.len() > 6 {
        return None;
    }
    let count: Vec<u64> = shape.iter().map(|&n| n.min(4)).collect();
    let region = check(Region::new(&shape, &vec![0; shape.len()], &count, None))?;
    let counts: Vec<usize> = count.iter().map(|&n| n as usize).collect();
    let size = counts.iter().product::<usize>() * data_type.size();
    if size > 1 << 20 {
        return None;
    }
    let mut out = vec![0; size];
    let dst = check(ViewMut::contiguous(&mut out, &counts, data_type.size()))?;
    check(array.array.read(&region, MemoryType::Native, dst)).map(|()| out)
}
