//! Short fingerprints of texts, to tell the same game from another. Not for adversaries.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND: u64 = 0xD6E8_FEB8_6659_FD93;

/// A set of fingerprints.
pub(super) type Digests = HashSet<u64, BuildHasherDefault<AsItIs>>;
/// A map from fingerprints.
pub(super) type ByDigest<T> = HashMap<u64, T, BuildHasherDefault<AsItIs>>;

/// The text's fingerprint: sixteen bytes at a time, each step a full product folded in half. Four chains of
/// steps run side by side, since one alone would wait for its own products.
pub(super) fn digest(text: &[u8]) -> u64 {
    let (rows, rest) = text.as_chunks::<64>();
    let seed = fold(text.len() as u64 ^ FIRST, SECOND);
    let mut chains = [0, 1, 2, 3].map(|chain| seed ^ chain);
    for row in rows {
        let (blocks, _) = row.as_chunks::<16>();
        for (chain, block) in chains.iter_mut().zip(blocks) {
            *chain = step(*chain, block);
        }
    }
    let [one, two, three, four] = chains;
    let mut state =
        fold(one ^ SECOND, two ^ FIRST) ^ fold(three ^ SECOND, four ^ FIRST).rotate_left(17);
    let (blocks, rest) = rest.as_chunks::<16>();
    for block in blocks {
        state = step(state, block);
    }
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    fold(step(state, &last), FIRST)
}

#[inline]
fn step(state: u64, block: &[u8; 16]) -> u64 {
    let (low, high) = block.split_at(8);
    let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("eight of sixteen bytes"));
    fold(
        word(low) ^ state ^ FIRST,
        word(high) ^ state.rotate_left(32) ^ SECOND,
    )
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Hashes a fingerprint to itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = digest(bytes);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_and_the_length_count() {
        let text: Vec<u8> = (0..200).collect();
        let mut seen = Digests::default();
        for length in 0..text.len() {
            assert!(seen.insert(digest(&text[..length])), "length {length}");
        }
        for at in 0..text.len() {
            let mut other = text.clone();
            other[at] ^= 1;
            assert!(seen.insert(digest(&other)), "byte {at}");
        }
        assert!(seen.insert(digest(&[0; 16])) && seen.insert(digest(&[0; 17])));
    }
}
