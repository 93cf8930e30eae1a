//! JSON text as the documents of format 1 write it: two-space indent, ASCII only, numbers as the shortest
//! text that reads back to the same double.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter};

/// The version of the documents: fields are added at their ends, none is removed or changes meaning.
pub(crate) const FORMAT: u32 = 1;

/// Which program wrote a document.
#[derive(Serialize)]
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
    command: &'static str,
}

impl Tool {
    /// This program, running this command (its name with underscores).
    pub(crate) const fn new(command: &'static str) -> Self {
        Self {
            name: "mache",
            version: env!("CARGO_PKG_VERSION"),
            command,
        }
    }
}

/// The double nearest to the value's decimal text with so many places.
pub(crate) fn to_places(value: f64, places: usize) -> f64 {
    let text = format!("{value:.places$}");
    text.parse().expect("a number's text reads back")
}

/// The document's text, with a line feed at its end. Its numbers have to be finite: JSON has no word for others.
pub(crate) fn text(document: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, Ascii::default());
    document
        .serialize(&mut writer)
        .expect("keys are text and memory takes all bytes");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("everything outside ASCII was escaped")
}

/// Lays out as [`PrettyFormatter`] does, and writes text and numbers in its own way.
#[derive(Default)]
struct Ascii(PrettyFormatter<'static>);

impl Formatter for Ascii {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(number(value).as_bytes())
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut units = [0; 2];
        for character in fragment.chars() {
            match character {
                ' '..='~' => writer.write_all(&[character as u8])?,
                _ => {
                    for unit in character.encode_utf16(&mut units) {
                        write!(writer, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        self.0.write_char_escape(writer, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// A finite double: plain between 0.0001 and 10¹⁶, in exponent form outside, integral ones with `.0`.
fn number(value: f64) -> String {
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific
        .split_once('e')
        .expect("a finite number has an exponent in this form");
    let exponent: i32 = exponent.parse().expect("what follows the e is an integer");
    if value == 0.0 || (-4..16).contains(&exponent) {
        return format!("{value:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn numbers_keep_their_form() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1200.0, "1200.0"),
            (0.1, "0.1"),
            (0.000_1, "0.0001"),
            (0.000_012_5, "1.25e-05"),
            (1e-9, "1e-09"),
            (1e15, "1000000000000000.0"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (-2.944_438_979_166_440_3, "-2.9444389791664403"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn text_is_ascii_and_indented_by_two() {
        let document = BTreeMap::from([
            ("a", serde_json::json!([1, 2.0, null])),
            ("b", serde_json::json!({"": [], "\u{1}\t\"\\": {}})),
            ("é", serde_json::json!("±😀\u{7f}/")),
        ]);
        insta::assert_snapshot!(text(&document), @r#"
        {
          "a": [
            1,
            2.0,
            null
          ],
          "b": {
            "": [],
            "\u0001\t\"\\": {}
          },
          "\u00e9": "\u00b1\ud83d\ude00\u007f/"
        }
        "#);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(value in proptest::num::f64::NORMAL, name in ".*") {
            let document = BTreeMap::from([(name, value)]);
            let text = text(&document);
            prop_assert!(text.is_ascii());
            let back: BTreeMap<String, f64> = serde_json::from_str(&text).expect("it is JSON");
            prop_assert_eq!(back.keys().collect::<Vec<_>>(), document.keys().collect::<Vec<_>>());
            let close = back.values().zip(document.values()).all(|(a, b)| (a - b).abs() <= b.abs() * 1e-15);
            prop_assert!(close);
        }
    }
}
