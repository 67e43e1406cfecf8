//! One suite that is run over every store, and what only directories can get wrong.
#![allow(clippy::unwrap_used)]

mod adapters;
mod arrays;
mod databases;
mod directories;
mod every_store;
mod helpers;
mod icechunk;
mod modes;
mod parquet;
mod processes;
mod references;
mod stores;
mod web;
mod zip;
