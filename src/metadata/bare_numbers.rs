//! Python's bare `NaN`, `Infinity` and `-Infinity`, which are no JSON but stand in documents.
//!
//! A parser sees strings of those names instead, spelt with an escape (`"\u004eaN"`) that nobody
//! writes: so a text that goes back into a document gets its bare words back, and every other
//! reader of the document finds what its writer put there.

use std::borrow::Cow;

/// Each word and how it is marked.
const WORDS: [(&str, &str); 3] = [
    ("NaN", r#""\u004eaN""#),
    ("Infinity", r#""\u0049nfinity""#),
    ("-Infinity", r#""-\u0049nfinity""#),
];

/// Puts quotes around the three words where they stand outside strings.
pub fn quote_bare_numbers(text: &str) -> Cow<'_, str> {
    replace_bare(text, |word| ["\"", WORDS[word].0, "\""].concat())
}

/// The same, marked as having been bare.
pub fn marked(text: &str) -> Cow<'_, str> {
    replace_bare(text, |word| WORDS[word].1.to_owned())
}

/// Strings of those names for what is marked.
pub fn quoted(text: &str) -> Cow<'_, str> {
    replace_marks(text, |word| ["\"", word, "\""].concat())
}

/// Bare words for what is marked.
pub fn bare(text: &str) -> Cow<'_, str> {
    replace_marks(text, str::to_owned)
}

fn replace_bare(text: &str, by: impl Fn(usize) -> String) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut copied, mut at, mut in_string) = (0, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'N' | b'I' | b'-' if !in_string => {
                let word = WORDS.iter().position(|(w, _)| bytes[at..].starts_with(w.as_bytes()));
                if let Some(word) = word {
                    // All three are ASCII, so both ends are ends of characters.
                    out.push_str(&text[copied..at]);
                    out.push_str(&by(word));
                    at += WORDS[word].0.len();
                    copied = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

fn replace_marks(text: &str, by: impl Fn(&str) -> String) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for (word, mark) in WORDS {
        if !out.contains(mark) {
            continue;
        }
        let mut replaced = String::with_capacity(out.len());
        let mut rest = &*out;
        while let Some(at) = rest.find(mark) {
            let (before, after) = (&rest[..at], &rest[at + mark.len()..]);
            replaced.push_str(before);
            // the name of a member was never bare
            match after.trim_start().starts_with(':') {
                true => replaced.push_str(mark),
                false => replaced.push_str(&by(word)),
            }
            rest = after;
        }
        replaced.push_str(rest);
        out = Cow::Owned(replaced);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_they_were() {
        let text =
            r#"{"a": NaN, "b": [-Infinity, Infinity, "NaN"], "c\" NaN": "NaN \" -Infinity"}"#;
        let inner = marked(text);
        assert!(serde_json::from_str::<serde_json::Value>(&inner).is_ok(), "{inner}");
        assert_eq!(bare(&inner), text);
        assert_eq!(quoted(&inner), quote_bare_numbers(text));
        let name = r#"{"\u004eaN" : 1}"#;
        assert_eq!(bare(name), name);
        assert!(matches!(bare(text), Cow::Borrowed(_)));
    }
}
