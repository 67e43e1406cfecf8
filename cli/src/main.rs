//! zarrc at a terminal. Each verb is a function of the module that its line below names.

mod arguments;
mod bench;
mod cat;
mod change;
mod diff;
mod failure;
mod input;
mod layout;
mod look;
mod npy;
mod output;
mod pieces;
mod place;
mod plot;
mod progress;
mod selection;
mod serve;
mod stats;
mod value;
mod view;
mod web;
mod whole;

use arguments::{At, Attrs, Command, Two, Verb};
use clap::{CommandFactory, Parser};
use failure::{DONE, Failure, Outcome};
use place::Place;
use std::process::ExitCode;
use zarrc::metadata::NodePath;
use zarrc::operations::{Accept, CopyOptions};
use zarrc::store::{Mode, Options};

fn main() -> ExitCode {
    let command = Command::parse();
    if command.quiet {
        progress::be_quiet();
    }
    let outcome = place::options(&command.options).and_then(|o| run(command.verb, &o));
    let code = outcome.unwrap_or_else(|failure| {
        if !matches!(failure, Failure::Pipe) {
            eprintln!("zarrc: {failure}");
        }
        failure.code()
    });
    ExitCode::from(code)
}

fn run(verb: Verb, options: &Options) -> Outcome {
    let open = |url: &str, node: &str, mode| Place::open(url, node, mode, options);
    let read = |at: &At| open(&at.url, &at.node, Mode::Read);
    // for a verb that changes a store, Ctrl-C waits for the current chunk
    let change = |url: &str, node: &str, mode| {
        progress::end_on_ctrl_c();
        open(url, node, mode)
    };
    match verb {
        Verb::Info { at, json } => look::info(&read(&at)?.whole()?, json.json),
        Verb::Ls { at, recursive, long, json } => {
            look::ls(&read(&at)?.whole()?, recursive, long, json.json)
        }
        Verb::Tree { at, json } => look::tree(&read(&at)?.whole()?, json.json),
        Verb::Dump { at, header, json } => look::dump(&read(&at)?.whole()?, header, json.json),
        Verb::Cat { at, format, output } => cat::cat(&read(&at)?, format, output.as_deref()),
        Verb::Stats { at, histogram, skip_fill, json } => {
            let wanted = stats::Wanted { bins: histogram as usize, skip_fill };
            stats::stats(&read(&at)?, &wanted, json.json)
        }
        Verb::Plot { at, output, map, min, max, size, axes, terminal } => {
            let look = plot::Look { map, least: min, most: max, size, axes, terminal };
            plot::plot(&read(&at)?, &look, output.as_deref())
        }
        Verb::Attrs(Attrs::Get { url, node, name }) => {
            change::attrs_get(&open(&url, &node, Mode::Read)?.whole()?, name.as_deref())
        }
        Verb::Attrs(Attrs::Set { url, node, name, value }) => {
            change::attrs_set(&change(&url, &node, Mode::ReadWrite)?.whole()?, &name, &value)
        }
        Verb::Attrs(Attrs::Delete { url, node, name }) => {
            change::attrs_delete(&change(&url, &node, Mode::ReadWrite)?.whole()?, &name)
        }
        Verb::Create { at, group, shape, data_type, layout, attributes, replace } => {
            let new = change::Created {
                group,
                shape: shape.as_deref(),
                data_type: data_type.as_deref(),
                layout: &layout,
                attributes: attributes.as_deref(),
                replace,
            };
            change::create(&change(&at.url, &at.node, Mode::Append)?.whole()?, &new)
        }
        Verb::Write { url, node, file, from, shape, data_type, layout } => {
            let new = change::Shaped {
                shape: shape.as_deref(),
                data_type: data_type.as_deref(),
                layout: &layout,
            };
            // opened before a store is created for it
            let file = input::file(&file, from)?;
            change::write(&change(&url, &node, Mode::Append)?, file, &new)
        }
        Verb::Append { url, node, file, from, axis } => {
            let file = input::file(&file, from)?;
            change::append(&change(&url, &node, Mode::ReadWrite)?.whole()?, file, axis)
        }
        Verb::Copy { two, skip, replace, link, dry_run, json } => {
            let if_exists = whole::if_exists(skip, replace)?;
            let how = CopyOptions { if_exists, exclude: Vec::new(), dry_run, link };
            let mode = if dry_run { Mode::Read } else { Mode::Append };
            let (from, to) = both(&two, mode, options)?;
            whole::copy(&from, &to, &how, json.json)
        }
        Verb::Mv { url, node, to } => {
            let to = NodePath::parse(to.trim_matches('/'))?;
            change::mv(&change(&url, &node, Mode::ReadWrite)?.whole()?, &to)
        }
        Verb::Rm { url, node, recursive } => {
            change::rm(&change(&url, &node, Mode::ReadWrite)?.whole()?, recursive)
        }
        Verb::Convert { two, to, accept_losses, keep_old, dry_run } => {
            let accept = Accept { losses: accept_losses, leftovers: keep_old };
            let file = two.target.strip_prefix("hdf5:").or(two.target.strip_prefix("netcdf:"));
            if let Some(file) = file {
                progress::end_on_ctrl_c();
                let source = Place::open(&two.source, &two.node, Mode::Read, options)?.whole()?;
                return whole::export(&source, file, accept_losses);
            }
            let to = to.ok_or_else(|| failure::Failure::usage("--to is missing"))?;
            let (source, target) = both(&two, Mode::Append, options)?;
            whole::convert(&source, &target, to, accept, dry_run)
        }
        Verb::References { url, node, file_url } => {
            let place = Place::open(&url, &node, Mode::Read, options)?.whole()?;
            whole::references(&place, file_url.as_deref())
        }
        Verb::Rechunk { two, layout, memory } => {
            let (from, to) = both(&two, Mode::Append, options)?;
            whole::rechunk(&from, &to, &layout, memory.saturating_mul(1 << 20))
        }
        Verb::Consolidate { at } => {
            whole::consolidate(&change(&at.url, &at.node, Mode::ReadWrite)?.whole()?)
        }
        Verb::Verify { at, json } => whole::verify(&read(&at)?.whole()?, json.json),
        Verb::Repair { at, kinds, dry_run, json } => {
            let mode = if dry_run { Mode::Read } else { Mode::ReadWrite };
            let place = change(&at.url, &at.node, mode)?.whole()?;
            whole::repair(&place, &kinds, dry_run, json.json)
        }
        Verb::Diff { two, atol, rtol, no_attributes, any_type, json } => {
            let (a, b) = both(&two, Mode::Read, options)?;
            let tolerance = diff::Tolerance {
                absolute: atol,
                relative: rtol,
                attributes: !no_attributes,
                types: !any_type,
            };
            diff::diff(&a, &b, &tolerance, json.json)
        }
        Verb::Digest { at, algorithm, stored, json } => {
            whole::digest(&read(&at)?.whole()?, &algorithm, stored, json.json)
        }
        Verb::Du { at, json } => look::du(&read(&at)?.whole()?, json.json),
        Verb::Bench { at, seconds, extents, seed, json } => {
            let wanted = bench::Wanted {
                url: &at.url,
                node: &at.node,
                options,
                limit: std::time::Duration::from_secs(seconds),
                extents: extents.as_deref(),
                seed,
            };
            bench::bench(&wanted, json.json)
        }
        Verb::Serve { url, listen, cors } => serve::serve(&url, options, listen, cors.as_deref()),
        Verb::View { url, node, listen, no_browser } => {
            view::view(&url, &node, options, listen, !no_browser)
        }
        Verb::Formats { json } => look::formats(json.json),
        Verb::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Command::command(), "zarrc", &mut text);
            output::print(&String::from_utf8_lossy(&text))?;
            Ok(DONE)
        }
        Verb::Man { verb } => man(verb.as_deref()),
    }
}

/// The two stores of a verb; one store where both URLs are the same.
fn both(two: &Two, mode: Mode, options: &Options) -> failure::Result<(Place, Place)> {
    if mode != Mode::Read {
        progress::end_on_ctrl_c();
    }
    let target_node = two.target_node.as_deref().unwrap_or(&two.node);
    if two.source == two.target {
        let mode = if mode == Mode::Append { Mode::ReadWrite } else { mode };
        let from = Place::open(&two.source, &two.node, mode, options)?.whole()?;
        let to = from.at(NodePath::parse(target_node.trim_matches('/'))?);
        return Ok((from, to));
    }
    // the source must exist before the target is created
    let from = Place::open(&two.source, &two.node, Mode::Read, options)?.whole()?;
    let to = Place::open(&two.target, target_node, mode, options)?.whole()?;
    Ok((from, to))
}

/// `zarrc man`
fn man(verb: Option<&str>) -> Outcome {
    let mut command = Command::command();
    command.build();
    // attrs-get is a verb of a verb
    for word in verb.into_iter().flat_map(|verb| verb.split('-')) {
        let found = command.find_subcommand(word).cloned();
        command = found.ok_or_else(|| Failure::usage(format!("there is no verb {word:?}")))?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(DONE)
}
