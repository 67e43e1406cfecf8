//! N-dimensional views over raw memory.

/// Which bytes of an element to reverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swap {
    /// None.
    None,
    /// The element is made of words of this width, each reversed.
    Words {
        /// Bytes of a word.
        width: usize,
    },
    /// Some parts of the element.
    Runs(std::sync::Arc<[Run]>),
}

/// Words within an element whose bytes are reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where the first begins, in bytes.
    pub offset: usize,
    /// Bytes of a word.
    pub width: usize,
    /// How many words follow each other.
    pub count: usize,
}
