//! N-dimensional views over raw memory.
