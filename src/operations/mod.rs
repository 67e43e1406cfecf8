//! What is done with more than one node at a time: conversion between formats.

mod convert;

pub use convert::{Accept, Conversion};
