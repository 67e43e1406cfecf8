//! The dimension scales of a new HDF5 file. As in netCDF-4, a dimension belongs to a group and is
//! known in the groups below; an array of one dimension that bears its name is its coordinate.

use crate::error::Result;
use crate::hdf5::write::{Layout, NewFile};
use crate::hdf5::{new_type, session};
use crate::metadata::DataType;
use std::collections::{BTreeMap, BTreeSet};

/// An array, and what its dimensions are.
struct Named {
    path: String,
    shape: Vec<u64>,
    names: Vec<Option<String>>,
}

/// A dimension scale.
struct Scale {
    extent: u64,
    /// Whether it is an array itself; else it is only an extent.
    is_array: bool,
    users: Vec<(String, u32)>,
}

/// The names of the dimensions of all arrays of a file.
#[derive(Default)]
pub struct Dimensions {
    arrays: Vec<Named>,
    /// The groups of all of them, and the groups above those.
    groups: BTreeSet<String>,
}

/// The group that a path is in.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn join(group: &str, name: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{group}/{name}") }
}

impl Dimensions {
    /// Adds an array.
    pub fn add(&mut self, path: &str, shape: &[u64], names: &[Option<String>]) {
        let mut group = parent(path);
        while !group.is_empty() {
            self.groups.insert(group.to_owned());
            group = parent(group);
        }
        let (path, shape, names) = (path.to_owned(), shape.to_vec(), names.to_vec());
        self.arrays.push(Named { path, shape, names });
    }

    /// Makes the scales, and gives them to their arrays; what is lost of which array.
    pub fn write(&self, file: &NewFile, unlimited: &[String]) -> Result<Vec<(String, String)>> {
        let by_path: BTreeMap<&str, &Named> =
            self.arrays.iter().map(|array| (&*array.path, array)).collect();
        let mut scales: BTreeMap<String, Scale> = BTreeMap::new();
        let mut attached = Vec::new();
        let mut lost = Vec::new();
        for array in &self.arrays {
            let mut own = Vec::new();
            for (d, name) in array.names.iter().enumerate() {
                let Some(name) = name.as_deref().filter(|name| !name.is_empty()) else {
                    own.push(None);
                    continue;
                };
                let extent = array.shape[d];
                let scale = match name.contains(['/', '\0']) || name == "." {
                    true => None,
                    false => self.find(&by_path, &mut scales, &array.path, name, extent),
                };
                match &scale {
                    // a coordinate has no scale but itself
                    Some(path) if *path == array.path => {}
                    Some(path) => {
                        if let Some(scale) = scales.get_mut(path) {
                            scale.users.push((array.path.clone(), d as u32));
                        }
                    }
                    None => {
                        let what = format!(
                            "the name of dimension {d} is lost: {name:?} is something else in its \
                             group"
                        );
                        lost.push((array.path.clone(), what));
                    }
                }
                own.push(scale);
            }
            if own.iter().any(|scale| scale.as_ref().is_some_and(|path| *path != array.path)) {
                attached.push((&array.path, own));
            }
        }
        let s = session()?;
        for (path, scale) in &scales {
            let name = path.rsplit('/').next().unwrap_or(path);
            let title = match scale.is_array {
                true => name.to_owned(),
                false => {
                    let grows = unlimited.iter().any(|other| other == name);
                    let layout = Layout {
                        shape: &[scale.extent],
                        unlimited: &[grows],
                        chunk: grows.then_some(&[1024]),
                        deflate: None,
                        checksum: false,
                        fill: None,
                    };
                    let kind = new_type::of(&s, &DataType::Float32)?;
                    file.dataset(&s, path, &kind, &layout)?;
                    let extent = scale.extent;
                    format!("This is a netCDF dimension but not a netCDF variable. {extent:10}")
                }
            };
            file.make_scale(&s, path, &title, &scale.users)?;
        }
        for (path, own) in attached {
            file.attach(&s, path, &own)?;
        }
        Ok(lost)
    }

    /// The path of the scale of a dimension, known or new; `None`: something else has its name.
    fn find(
        &self,
        by_path: &BTreeMap<&str, &Named>,
        scales: &mut BTreeMap<String, Scale>,
        array: &str,
        name: &str,
        extent: u64,
    ) -> Option<String> {
        let mut group = parent(array);
        loop {
            let path = join(group, name);
            if scales.get(&path).is_some_and(|scale| scale.extent == extent) {
                return Some(path);
            }
            let coordinate = by_path.get(&*path).is_some_and(|a| {
                a.shape == [extent] && matches!(&a.names[..], [Some(own)] if own == name)
            });
            if coordinate {
                scales.insert(path.clone(), Scale { extent, is_array: true, users: Vec::new() });
                return Some(path);
            }
            if group.is_empty() {
                break;
            }
            group = parent(group);
        }
        let path = join(parent(array), name);
        let taken = scales.contains_key(&path)
            || by_path.contains_key(&*path)
            || self.groups.contains(&path);
        if taken {
            return None;
        }
        scales.insert(path.clone(), Scale { extent, is_array: false, users: Vec::new() });
        Some(path)
    }
}
