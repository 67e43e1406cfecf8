//! How far a verb is, on a terminal; and Ctrl-C, which ends it between two chunks.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use zarrc::error::Result;
use zarrc::progress::Progress;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static QUIET: AtomicBool = AtomicBool::new(false);

/// No bars from now on.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// From now on the first Ctrl-C ends a verb once the chunks under way are written, the second at
/// once. A chunk is written whole or not at all in either case.
pub fn end_on_ctrl_c() {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(crate::failure::INTERRUPTED.into());
        }
    });
}

/// Calls `work` with a progress that draws a bar, if standard error is a terminal.
pub fn shown<T, E>(
    verb: &'static str,
    work: impl FnOnce(&Progress<'_>) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let form = "{msg} {bar:40} {percent:>3} %  {elapsed} gone, {eta} left";
    drawn(verb, 10_000, form, work)
}

/// The same for work on so many bytes, with their rate.
pub fn shown_bytes<T, E>(
    verb: &'static str,
    bytes: u64,
    work: impl FnOnce(&Progress<'_>) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let form = "{msg} {bar:30} {percent:>3} %  {bytes_per_sec}, {eta} left";
    drawn(verb, bytes, form, work)
}

fn drawn<T, E>(
    verb: &'static str,
    length: u64,
    form: &str,
    work: impl FnOnce(&Progress<'_>) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let bar = match QUIET.load(Ordering::Relaxed) {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(length),
    };
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar.set_message(verb);
    let drawn = std::sync::OnceLock::new();
    let report = |done: f64, _: &str| {
        // nothing flickers where all is done at once
        drawn.get_or_init(|| bar.enable_steady_tick(Duration::from_millis(250)));
        bar.set_position((done * length as f64) as u64);
        !INTERRUPTED.load(Ordering::Relaxed)
    };
    let result = work(&Progress::new(&report));
    bar.finish_and_clear();
    result
}

/// Fails once Ctrl-C was pressed.
pub fn report(progress: &Progress<'_>, done: f64) -> Result<()> {
    progress.report(done, String::new)
}
