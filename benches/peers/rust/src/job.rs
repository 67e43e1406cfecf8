//! The job that the driver gives to a runner (key=value arguments), and the line of JSON that it
//! gets back. The C runners share job.h, the Python ones job.py; run.py tells what the keys mean.

use std::collections::HashMap;
use std::time::Instant;

pub struct Box_ {
    pub start: Vec<u64>,
    pub count: Vec<u64>,
}

pub struct Job {
    arguments: HashMap<String, String>,
    pub shape: Vec<u64>,
    pub chunk: Vec<u64>,
    pub inner: Vec<u64>,
    pub item: usize,
    pub threads: usize,
    pub n: u64,
    times: Vec<f64>,
    base: i64,
    peak: i64,
}

impl Job {
    pub fn from_args() -> Job {
        let arguments: HashMap<String, String> = std::env::args()
            .filter_map(|a| a.split_once('=').map(|(k, v)| (k.to_string(), v.to_string())))
            .collect();
        let mut job = Job {
            arguments,
            shape: vec![],
            chunk: vec![],
            inner: vec![],
            item: 0,
            threads: 0,
            n: 0,
            times: vec![],
            base: 0,
            peak: 0,
        };
        (job.shape, job.chunk, job.inner) = (job.dims("shape"), job.dims("chunk"), job.dims("inner"));
        (job.item, job.threads, job.n) = (job.number("itemsize") as usize, job.number("threads") as usize, job.number("n"));
        job
    }

    pub fn text(&self, key: &str) -> &str {
        self.arguments.get(key).map_or("", String::as_str)
    }

    pub fn number(&self, key: &str) -> u64 {
        self.text(key).parse().unwrap_or(0)
    }

    fn dims(&self, key: &str) -> Vec<u64> {
        self.text(key).split(',').filter_map(|n| n.parse().ok()).collect()
    }

    /// The boxes to be read or written, in that order.
    pub fn boxes(&self) -> Vec<Box_> {
        let bytes = std::fs::read(self.text("boxes")).expect("boxes");
        let numbers: Vec<u64> =
            bytes.as_chunks().0.iter().map(|&b| u64::from_le_bytes(b)).collect();
        let rank = self.shape.len();
        numbers
            .chunks(2 * rank)
            .map(|b| Box_ { start: b[..rank].to_vec(), count: b[rank..].to_vec() })
            .collect()
    }

    pub fn bytes(&self, count: &[u64]) -> usize {
        product(count) as usize * self.item
    }

    /// A buffer for the largest box, in memory already.
    pub fn buffer(&self, boxes: &[Box_]) -> Vec<u8> {
        vec![1; boxes.iter().map(|b| self.bytes(&b.count)).max().unwrap_or(0)]
    }

    /// Everything that memory is compared with has been allocated.
    pub fn begin(&mut self) {
        drop(std::fs::write("/proc/self/clear_refs", "5")); // the maximum starts anew
        self.base = status("VmRSS:");
    }

    pub fn timed<T>(&mut self, f: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = f();
        self.times.push(begun.elapsed().as_secs_f64());
        self.peak = status("VmHWM:");
        result
    }

    pub fn reps(&self) -> u64 {
        self.number("reps").max(1)
    }

    /// The place for one repetition of a write: empty, but for the first of a change of what exists.
    pub fn place(&self, rep: u64) -> String {
        let parent = format!("{}/r{rep}", self.text("out"));
        if rep > 0 {
            drop(std::fs::remove_dir_all(format!("{}/r{}", self.text("out"), rep - 1)));
        }
        std::fs::create_dir_all(&parent).expect("a directory to write to");
        parent
    }

    pub fn report(&self, sum: u64) {
        println!("{{\"times\":{:?},\"sum\":{sum},\"base_kib\":{},\"peak_kib\":{}}}", self.times, self.base, self.peak);
    }
}

pub fn unsupported(why: &str) -> ! {
    println!("{{\"unsupported\":\"{why}\"}}");
    std::process::exit(0)
}

pub fn product(v: &[u64]) -> u64 {
    v.iter().product()
}

pub fn byte_sum(bytes: &[u8]) -> u64 {
    bytes.chunks(4096).map(|c| u64::from(c.iter().map(|&b| u32::from(b)).sum::<u32>())).sum()
}

/// KiB. (The maximum of getrusage would include what the driver had before exec.)
fn status(what: &str) -> i64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix(what));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
