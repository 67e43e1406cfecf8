//! What a disk holds after a crash. The changes of a process to a directory are recorded by strace;
//! an image is what a disk may hold after some of them. A change of a name is on disk for certain
//! once its directory was flushed (fsync), data of a file once the file was.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The system calls that change files, and those that flush them.
const CALLS: &str = "openat,creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,\
    fallocate,copy_file_range,fsync,fdatasync,sync_file_range,rename,renameat,renameat2,link,\
    linkat,symlink,symlinkat,unlink,unlinkat,rmdir,mkdir,mkdirat";

type File = usize;

#[derive(Clone, Debug)]
pub enum Change {
    Directory(String),
    /// A name for a file.
    Name(String, File),
    /// A name from one place to another.
    Moved(String, String, File),
    Gone(String),
    Data(File, u64, Vec<u8>),
    Length(File, u64),
    Flushed(File),
    DirectoryFlushed(String),
}

/// The names and files of a directory. `None`: a directory.
pub type Image = BTreeMap<String, Option<Vec<u8>>>;

/// What happens to data that was not flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unflushed {
    Kept,
    Lost,
    Half,
    Zeros,
}

pub struct Recording {
    before: BTreeMap<String, Option<File>>,
    /// The contents of files before the first change; those made later are empty.
    contents: Vec<Vec<u8>>,
    pub changes: Vec<Change>,
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The bytes of `\x61\x62`, and text as it is.
fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        out.push(u8::from_str_radix(&rest[at + 2..at + 4], 16).unwrap());
        rest = &rest[at + 4..];
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn text(escaped: &str) -> String {
    String::from_utf8(unescape(escaped)).unwrap()
}

/// The strings of a call, in quotes.
fn strings(call: &str) -> Vec<&str> {
    call.split('"').skip(1).step_by(2).collect()
}

/// The paths of a call's descriptors, in angle brackets.
fn descriptors(call: &str) -> Vec<String> {
    let quoted: String = call.split('"').step_by(2).collect();
    let parts = quoted.split('<').skip(1);
    parts.map(|part| text(part.split('>').next().unwrap())).collect()
}

/// All below a directory.
pub fn read(directory: &Path) -> Image {
    let mut image = Image::new();
    let mut next = vec![String::new()];
    while let Some(path) = next.pop() {
        for entry in std::fs::read_dir(directory.join(&path)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let below = if path.is_empty() { name } else { format!("{path}/{name}") };
            let is_directory = entry.file_type().unwrap().is_dir();
            image.insert(
                below.clone(),
                (!is_directory).then(|| std::fs::read(directory.join(&below)).unwrap()),
            );
            if is_directory {
                next.push(below);
            }
        }
    }
    image
}

/// Makes a directory with one image a directory with another.
pub fn change(directory: &Path, from: &Image, to: &Image) {
    // deepest first
    for (path, content) in from.iter().rev() {
        match content {
            _ if to.get(path).is_some_and(|new| new.is_none() == content.is_none()) => {}
            None => std::fs::remove_dir(directory.join(path)).unwrap(),
            Some(_) => std::fs::remove_file(directory.join(path)).unwrap(),
        }
    }
    for (path, content) in to.iter().filter(|(path, content)| from.get(*path) != Some(content)) {
        match content {
            None => std::fs::create_dir(directory.join(path)).unwrap(),
            Some(bytes) => std::fs::write(directory.join(path), bytes).unwrap(),
        }
    }
}

impl Recording {
    /// Runs a command under strace and records what it changes below `directory`.
    pub fn of(directory: &Path, command: &Command, log: &Path) -> Self {
        let mut recording =
            Recording { before: BTreeMap::new(), contents: Vec::new(), changes: Vec::new() };
        for (path, content) in read(directory) {
            let file = content.map(|bytes| {
                recording.contents.push(bytes);
                recording.contents.len() - 1
            });
            recording.before.insert(path, file);
        }
        let mut strace = Command::new("strace");
        strace.args(["-f", "-y", "-xx", "-s", "100000000", "-e", &format!("trace={CALLS}"), "-o"]);
        strace.arg(log).arg(command.get_program()).args(command.get_args());
        strace.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let status = strace.stdout(std::process::Stdio::null()).status();
        assert!(status.expect("strace must be installed").success(), "the recorded process failed");
        let root = std::fs::canonicalize(directory).unwrap();
        let mut names = recording.before.clone();
        for line in std::fs::read_to_string(log).unwrap().lines() {
            recording.add(root.to_str().unwrap(), line, &mut names);
        }
        recording
    }

    fn add(&mut self, root: &str, line: &str, names: &mut BTreeMap<String, Option<File>>) {
        let Some((call, result)) = line.rsplit_once(" = ") else {
            // the threads of this process do not change files at once
            let ours = line.contains("unfinished")
                && descriptors(line).iter().any(|d| d.starts_with(root));
            assert!(!ours, "an interrupted call: {line}");
            return;
        };
        let Some((name, _)) = call.split_once('(') else { return };
        let name = name.rsplit(' ').next().unwrap();
        if result.starts_with('-') || result.starts_with('?') {
            return;
        }
        let (held, said) = (descriptors(call), strings(call));
        let inside = |path: &str| {
            let below = path.strip_prefix(root)?;
            Some(below.strip_prefix('/').unwrap_or(below).to_owned())
        };
        // a path of the call, relative to the descriptor before it
        let at = |n: usize| {
            let path = text(said.get(n)?);
            let full =
                if path.starts_with('/') { path } else { format!("{}/{path}", held.get(n)?) };
            inside(&full)
        };
        let number = |n: usize| {
            let arguments = call.rsplit_once(')').map_or(call, |(call, _)| call);
            let last: Vec<&str> = arguments.rsplit(", ").collect();
            last[n].trim().parse::<u64>().unwrap()
        };
        match name {
            "openat" if call.contains("O_CREAT") || call.contains("O_TRUNC") => {
                let Some(path) = at(0) else { return };
                if names.contains_key(&path) {
                    assert!(!call.contains("O_TRUNC"), "{line}");
                    return;
                }
                self.contents.push(Vec::new());
                let file = self.contents.len() - 1;
                names.insert(path.clone(), Some(file));
                self.changes.push(Change::Name(path, file));
            }
            "openat" => {}
            "mkdir" | "mkdirat" => {
                let Some(path) = at(0) else { return };
                names.insert(path.clone(), None);
                self.changes.push(Change::Directory(path));
            }
            "unlink" | "unlinkat" | "rmdir" => {
                let Some(path) = at(0) else { return };
                names.remove(&path);
                self.changes.push(Change::Gone(path));
            }
            "linkat" => {
                let (Some(from), Some(to)) = (at(0), at(1)) else { return };
                let file = names[&from].expect("directories have no links");
                names.insert(to.clone(), Some(file));
                self.changes.push(Change::Name(to, file));
            }
            "rename" | "renameat" | "renameat2" => {
                let (Some(from), Some(to)) = (at(0), at(1)) else { return };
                let file = names.remove(&from).unwrap().expect("directories are not renamed");
                names.insert(to.clone(), Some(file));
                self.changes.push(Change::Moved(from, to, file));
            }
            _ => {
                let Some(path) = held.first().and_then(|path| inside(path)) else { return };
                let Some(found) = names.get(&path).copied().or(path.is_empty().then_some(None))
                else {
                    panic!("no such file: {line}");
                };
                let data = || said.iter().flat_map(|part| unescape(part)).collect::<Vec<u8>>();
                let change = match (name, found) {
                    ("fsync" | "fdatasync", None) => Change::DirectoryFlushed(path),
                    ("fsync" | "fdatasync", Some(file)) => Change::Flushed(file),
                    ("write" | "writev", Some(file)) => {
                        let end = self.length(file);
                        Change::Data(file, end, data())
                    }
                    ("pwrite64" | "pwritev", Some(file)) => Change::Data(file, number(0), data()),
                    ("ftruncate", Some(file)) => Change::Length(file, number(0)),
                    _ => panic!("not expected: {line}"),
                };
                self.changes.push(change);
            }
        }
    }

    /// The same where the data of all files was written just before, and not flushed.
    pub fn of_unflushed_files(mut self) -> Self {
        let data = self.contents.iter_mut().map(std::mem::take).enumerate();
        let written: Vec<_> = data.map(|(file, data)| Change::Data(file, 0, data)).collect();
        self.changes.splice(0..0, written);
        self
    }

    /// The length of a file after all changes so far.
    fn length(&self, file: File) -> u64 {
        self.changes.iter().fold(self.contents[file].len() as u64, |len, change| match change {
            Change::Data(other, at, data) if *other == file => len.max(at + data.len() as u64),
            Change::Length(other, to) if *other == file => *to,
            _ => len,
        })
    }

    /// Whether a change among the first `count` is on disk for certain.
    fn is_flushed(&self, n: usize, count: usize) -> bool {
        let names = |path: &String| {
            let above = parent(path).to_owned();
            self.changes[n..count]
                .iter()
                .any(|c| matches!(c, Change::DirectoryFlushed(d) if *d == above))
        };
        let data = |file: File| {
            self.changes[n..count].iter().any(|c| matches!(c, Change::Flushed(f) if *f == file))
        };
        match &self.changes[n] {
            Change::Directory(path) | Change::Name(path, _) | Change::Gone(path) => names(path),
            Change::Moved(_, to, _) => names(to),
            Change::Data(file, ..) | Change::Length(file, _) => data(*file),
            Change::Flushed(_) | Change::DirectoryFlushed(_) => true,
        }
    }

    /// The image after the first `count` changes without those of names in `lost`; `data` becomes of
    /// data that was not flushed.
    pub fn image(&self, count: usize, lost: &[usize], data: Unflushed) -> Image {
        let mut names = self.before.clone();
        let mut contents = self.contents.clone();
        for n in (0..count).filter(|n| !lost.contains(n)) {
            match &self.changes[n] {
                Change::Directory(path) => drop(names.insert(path.clone(), None)),
                Change::Name(path, file) => drop(names.insert(path.clone(), Some(*file))),
                Change::Gone(path) => drop(names.remove(path)),
                Change::Moved(from, to, file) => {
                    names.remove(from);
                    names.insert(to.clone(), Some(*file));
                }
                Change::Data(file, at, bytes) => {
                    let mut bytes = bytes.clone();
                    if data != Unflushed::Kept && !self.is_flushed(n, count) {
                        match data {
                            Unflushed::Lost => continue,
                            Unflushed::Half => bytes.truncate(bytes.len() / 2),
                            _ => bytes.fill(0),
                        }
                    }
                    let (at, content) = (*at as usize, &mut contents[*file]);
                    content.resize(content.len().max(at + bytes.len()), 0);
                    content[at..at + bytes.len()].copy_from_slice(&bytes);
                }
                Change::Length(file, to) => {
                    if data != Unflushed::Lost || self.is_flushed(n, count) {
                        contents[*file].resize(*to as usize, 0);
                    }
                }
                Change::Flushed(_) | Change::DirectoryFlushed(_) => {}
            }
        }
        let is_there = |path: &String| {
            let mut above = parent(path);
            while !above.is_empty() {
                if names.get(above) != Some(&None) {
                    return false;
                }
                above = parent(above);
            }
            true
        };
        let reachable = names.iter().filter(|(path, _)| is_there(path));
        reachable.map(|(path, file)| (path.clone(), file.map(|f| contents[f].clone()))).collect()
    }

    /// What a disk may hold if the machine fails after the first `count` changes.
    pub fn after_power_failure(&self, count: usize) -> Vec<Image> {
        let names: Vec<usize> = (0..count)
            .filter(|&n| !matches!(self.changes[n], Change::Data(..) | Change::Length(..)))
            .filter(|&n| !self.is_flushed(n, count))
            .collect();
        let mut losses: Vec<Vec<usize>> = Vec::new();
        if names.len() <= 6 {
            let chosen =
                |set: u32| names.iter().enumerate().filter(move |(i, _)| set >> i & 1 == 1);
            losses
                .extend((0..1u32 << names.len()).map(|set| chosen(set).map(|(_, &n)| n).collect()));
        } else {
            // none, all, each alone, all but each, and all after each
            losses.extend([Vec::new(), names.clone()]);
            for (i, &n) in names.iter().enumerate() {
                losses.push(vec![n]);
                losses.push(names.iter().copied().filter(|&other| other != n).collect());
                losses.push(names[i..].to_vec());
            }
        }
        let data = [Unflushed::Kept, Unflushed::Lost, Unflushed::Half, Unflushed::Zeros];
        let all = losses.iter().flat_map(|lost| data.map(|data| self.image(count, lost, data)));
        let mut images: Vec<Image> = Vec::new();
        for image in all {
            if !images.contains(&image) {
                images.push(image);
            }
        }
        images
    }

    /// What a disk holds if the process is killed after the first `count` changes: also in the
    /// middle of the next write.
    pub fn after_kill(&self, count: usize) -> Vec<Image> {
        let mut images = vec![self.image(count, &[], Unflushed::Kept)];
        if let Some(Change::Data(file, at, data)) = self.changes.get(count) {
            let torn = Change::Data(*file, *at, data[..data.len() / 2].to_vec());
            let mut changes = self.changes[..count].to_vec();
            changes.push(torn);
            let (before, contents) = (self.before.clone(), self.contents.clone());
            images.push(Recording { before, contents, changes }.image(
                count + 1,
                &[],
                Unflushed::Kept,
            ));
        }
        images
    }
}
