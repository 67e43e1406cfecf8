//! A metadata document, in the place of each document of each format: what is parsed can be written
//! again, and is read back the same.

use zarrc::format::{FORMATS, Reading};
use zarrc::metadata::{NodeMetadata, NodePath};

pub fn run(document: &[u8]) {
    let root = NodePath::root();
    let reading = Reading { data_type_fallback: true, ..Reading::default() };
    for entry in FORMATS {
        let format = (entry.new)(&reading);
        let names = format.documents(&root);
        for which in 0..names.len() {
            let _ = format.kind(which, document);
            let Ok(node) = format.parse(which, document) else { continue };
            let Ok(written) = format.emit(&root, &node) else { continue };
            let again = names.iter().enumerate().find_map(|(which, name)| {
                let (_, text) = written.iter().find(|(key, _)| key == name)?;
                Some(format.parse(which, text).expect("what was written is read"))
            });
            if let (NodeMetadata::Array(a), Some(NodeMetadata::Array(b))) = (&node, &again) {
                assert_eq!((&a.shape, &a.data_type), (&b.shape, &b.data_type));
            }
        }
        let _ = format.attributes_of(document);
        let _ = format.parse_consolidated(&root, document);
    }
}
