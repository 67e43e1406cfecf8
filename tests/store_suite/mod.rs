//! One suite that is run over every store, and what only directories can get wrong.

mod adapters;
mod arrays;
#[cfg(unix)]
mod directories;
mod every_store;
mod hdf5;
mod helpers;
mod icechunk;
mod modes;
mod mongodb;
mod parquet;
mod processes;
mod redis;
mod references;
mod sqlite;
mod stores;
mod transactions;
mod web;
mod zip;
