//! The part of Jinja that reference files use: `{{u}}`, `{{f(c='x', n=i + 1)}}`, whole numbers and
//! strings with `+ - * // % ~` and parentheses.

use crate::error::{Error, Kind, Result};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

/// The deepest nesting of templates.
const DEPTH: usize = 16;
/// The longest text that a template may produce (bytes).
const LONGEST: usize = 64 << 10;

/// The remaining cost budget of a document's templates and generators: a few bytes of either can
/// produce any number of references, and nested templates any amount of work.
pub struct Budget(Cell<u64>);

impl Budget {
    /// A budget in proportion to a document of `length` bytes.
    pub fn new(length: usize) -> Self {
        Budget(Cell::new((64 << 20) + 16 * length as u64))
    }

    /// Charges for `bytes` of text, plus the work to produce it.
    ///
    /// [`Kind::LimitExceeded`]: the budget is used up.
    pub fn spend(&self, bytes: usize) -> Result<()> {
        let left = self.0.get().checked_sub(bytes as u64 + 32).ok_or_else(|| {
            Error::new(
                Kind::LimitExceeded,
                "the templates and generators of the references need too much memory: the limit is \
                 64 MiB plus 16 times the length of the document",
            )
        })?;
        self.0.set(left);
        Ok(())
    }
}

/// The value of a name in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(i64),
    Text(String),
}

impl Value {
    fn into_text(self) -> String {
        match self {
            Value::Number(n) => n.to_string(),
            Value::Text(text) => text,
        }
    }
}

/// The templates of a file by name, and the numbers bound by a generator.
pub struct Scope<'a> {
    pub templates: &'a HashMap<String, String>,
    pub names: &'a [(String, Value)],
    pub budget: &'a Budget,
}

impl Scope<'_> {
    /// `text` with the expressions in double braces substituted.
    pub fn render<'t>(&self, text: &'t str) -> Result<Cow<'t, str>> {
        self.render_at(text, 0)
    }

    fn render_at<'t>(&self, text: &'t str, depth: usize) -> Result<Cow<'t, str>> {
        if !text.contains("{{") {
            return Ok(Cow::Borrowed(text));
        }
        let wrong = |why: &str| Error::metadata(format!("template {text:?}: {why}"));
        if depth > DEPTH {
            return Err(wrong("the templates refer to each other in a cycle"));
        }
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once("{{") {
            let (inside, behind) =
                after.split_once("}}").ok_or_else(|| wrong("\"{{\" is never closed"))?;
            out.push_str(before);
            let mut parser = Parser { scope: self, text: inside, depth };
            let value = parser.sum()?;
            if !parser.text.trim().is_empty() {
                return Err(parser.wrong());
            }
            let value = value.into_text();
            self.budget.spend(value.len())?;
            out.push_str(&value);
            if out.len() > LONGEST {
                return Err(wrong("it produces a text that is too long"));
            }
            rest = behind;
        }
        out.push_str(rest);
        Ok(Cow::Owned(out))
    }

    fn named(&self, name: &str, given: &[(String, Value)], depth: usize) -> Result<Value> {
        if let Some((_, value)) = self.names.iter().find(|(known, _)| known == name) {
            let length = if let Value::Text(text) = value { text.len() } else { 0 };
            self.budget.spend(length)?;
            return Ok(value.clone());
        }
        let template = self.templates.get(name).ok_or_else(|| {
            Error::metadata(format!("a template uses {name:?}, which is undefined"))
        })?;
        // a template sees its arguments and the other templates
        let inner = Scope { templates: self.templates, names: given, budget: self.budget };
        Ok(Value::Text(inner.render_at(template, depth + 1)?.into_owned()))
    }
}

struct Parser<'s, 't> {
    scope: &'s Scope<'s>,
    /// The remaining input.
    text: &'t str,
    depth: usize,
}

impl<'t> Parser<'_, 't> {
    #[cold]
    fn wrong(&self) -> Error {
        Error::unsupported(format!(
            "a template has {:?}: expected names, calls f(a=1), numbers, strings and + - * // % ~",
            self.text.chars().take(40).collect::<String>()
        ))
    }

    fn take(&mut self, sign: &str) -> bool {
        let rest = self.text.trim_start().strip_prefix(sign);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    fn sum(&mut self) -> Result<Value> {
        let mut left = self.product()?;
        loop {
            left = if self.take("+") {
                let right = self.product()?;
                self.add(left, right)?
            } else if self.take("-") {
                let right = self.product()?;
                self.numbers(left, right, i64::checked_sub)?
            } else if self.take("~") {
                let (left, right) = (left.into_text(), self.product()?.into_text());
                self.join(left, &right)?
            } else {
                return Ok(left);
            };
        }
    }

    fn product(&mut self) -> Result<Value> {
        let mut left = self.one()?;
        loop {
            left = if self.take("//") {
                let right = self.one()?;
                self.numbers(left, right, |a, b| {
                    let (whole, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
                    Some(if rest != 0 && (rest < 0) != (b < 0) { whole - 1 } else { whole })
                })?
            } else if self.take("*") {
                let right = self.one()?;
                self.numbers(left, right, i64::checked_mul)?
            } else if self.take("%") {
                let right = self.one()?;
                self.numbers(left, right, |a, b| {
                    let rest = a.checked_rem(b)?;
                    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
                })?
            } else {
                return Ok(left);
            };
        }
    }

    fn add(&self, left: Value, right: Value) -> Result<Value> {
        match (left, right) {
            (Value::Text(left), Value::Text(right)) => self.join(left, &right),
            (left, right) => self.numbers(left, right, i64::checked_add),
        }
    }

    fn join(&self, left: String, right: &str) -> Result<Value> {
        if left.len().saturating_add(right.len()) > LONGEST {
            return Err(Error::metadata("a template produces a text that is too long"));
        }
        self.scope.budget.spend(left.len() + right.len())?;
        Ok(Value::Text(left + right))
    }

    fn numbers(
        &self,
        left: Value,
        right: Value,
        of: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<Value> {
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => of(left, right)
                .map(Value::Number)
                .ok_or_else(|| Error::metadata("a template produces a number out of range")),
            _ => Err(self.wrong()),
        }
    }

    fn word(&mut self) -> Option<&'t str> {
        let text = self.text.trim_start();
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        self.text = if end == 0 { self.text } else { &text[end..] };
        (end > 0).then(|| &text[..end])
    }

    fn one(&mut self) -> Result<Value> {
        if self.depth > DEPTH {
            return Err(self.wrong());
        }
        if self.take("(") {
            self.depth += 1;
            let value = self.sum()?;
            self.depth -= 1;
            return if self.take(")") { Ok(value) } else { Err(self.wrong()) };
        }
        for quote in ["'", "\""] {
            if self.take(quote) {
                let (text, rest) = self.text.split_once(quote).ok_or_else(|| self.wrong())?;
                self.text = rest;
                self.scope.budget.spend(text.len())?;
                return Ok(Value::Text(text.to_owned()));
            }
        }
        let minus = self.take("-");
        let word = self.word().ok_or_else(|| self.wrong())?;
        if let Ok(number) = word.parse::<i64>() {
            return Ok(Value::Number(if minus { -number } else { number }));
        }
        if minus || word.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.wrong());
        }
        let mut given = Vec::new();
        if self.take("(") {
            while !self.take(")") {
                let name = self.word().ok_or_else(|| self.wrong())?.to_owned();
                if !self.take("=") {
                    return Err(self.wrong());
                }
                self.depth += 1;
                given.push((name, self.sum()?));
                self.depth -= 1;
                self.take(",");
            }
        }
        self.scope.named(word, &given, self.depth)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_rendered_as_jinja_does() {
        let templates = [("u", "s3://bucket/x"), ("f", "{{c}}.bin"), ("g", "{{u}}/{{f(c=n)}}")];
        let templates = templates.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let names = [("i".to_owned(), Value::Number(7)), ("s".to_owned(), Value::Text("x".into()))];
        let budget = Budget::new(0);
        let scope = Scope { templates: &templates, names: &names, budget: &budget };
        for (text, expected) in [
            ("plain", "plain"),
            ("{{u}}/a", "s3://bucket/x/a"),
            ("{{ f(c='series') }}", "series.bin"),
            ("{{f(c=\"a\" ~ i)}}", "a7.bin"),
            ("{{g(n=i)}}", "s3://bucket/x/7.bin"),
            ("{{i * 8}}", "56"),
            ("{{(i + 1) * 2 - 3}}|{{i // 2}}|{{i % 4}}|{{-i // 2 + 0}}", ""),
            ("{{'a' + s}}{{-3 // 2}}{{-3 % 2}}", "ax-21"),
        ] {
            match scope.render(text) {
                Ok(found) => assert_eq!(found, expected, "{text}"),
                Err(e) => assert!(expected.is_empty(), "{text}: {e}"),
            }
        }
        assert_eq!(scope.render("{{(i + 1) * 2 - 3}}|{{i // 2}}|{{i % 4}}").unwrap(), "13|3|3");
    }

    #[test]
    fn broken_and_endless_ones_are_refused() {
        let mut templates: HashMap<String, String> =
            [("a".to_owned(), "{{b()}}".to_owned()), ("b".to_owned(), "{{a()}}".to_owned())].into();
        let long = "x".repeat(1000);
        templates.insert("t0".into(), long);
        for n in 1..12 {
            templates.insert(format!("t{n}"), format!("{{{{t{}}}}}", n - 1).repeat(10));
        }
        // each is empty, and each uses the next ten times
        templates.insert("e0".into(), String::new());
        for n in 1..14 {
            templates.insert(format!("e{n}"), format!("{{{{e{}}}}}", n - 1).repeat(10));
        }
        let budget = Budget::new(0);
        let scope = Scope { templates: &templates, names: &[], budget: &budget };
        let deep = format!("{{{{{}1}}}}", "(".repeat(100_000));
        for text in [
            "{{",
            "{{}}",
            "{{a}}",
            "{{x}}",
            "{{1 +}}",
            "{{1 // 0}}",
            "{{'a}}",
            "{{a(}}",
            "{{a(1)}}",
            "{{1 2}}",
            "{{9223372036854775807 + 1}}",
            "{{t11}}",
            "{{x|upper}}",
            "{{e13}}",
            &deep,
        ] {
            assert!(scope.render(text).is_err(), "{text}");
        }
    }
}
