//! `mache book-slice`.

use crate::program::{Place, refusal};

#[track_caller]
fn slice(arguments: &str) -> crate::program::Answer {
    Place::new().run(["book-slice"].into_iter().chain(arguments.split(' ')))
}

#[test]
fn prints_the_number_alone() {
    let answer =
        slice("--openings 34700 --pairs 100 --shards 5 --shard 2 --seed 0 --batches 4 --batch 1");
    assert_eq!(
        (answer.code, &*answer.stdout, &*answer.stderr),
        (0, "701\n", "")
    );
}

#[test]
fn a_book_too_small_is_remarked_on() {
    let answer = slice("--openings 300 --pairs 100 --shards 5 --shard 1 --seed 99");
    assert_eq!((answer.code, &*answer.stdout), (0, "101\n"));
    insta::assert_snapshot!(answer.stderr, @"the book holds 300 openings and the run wants 500, so the shards repeat each other");
}

#[test]
fn refusals_name_what_was_wrong() {
    let numbers = "--openings 100 --pairs 2 --shards 2 --shard";
    insta::assert_snapshot!(refusal(&slice(&format!("{numbers} 2 --seed 7"))), @"1: error: shard 2 is not one of 2");
    insta::assert_snapshot!(refusal(&slice(&format!("{numbers} 0 --seed -1"))), @"1: error: the counts are all at least one and the seed is not negative");
    insta::assert_snapshot!(refusal(&slice(&format!("{numbers} 0 --seed 0x7"))), @"
    2: error: invalid value '0x7' for '--seed <N>': not a whole number: '0x7'

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refusal(&slice(&format!("{numbers} 0"))), @"
    2: error: the following required arguments were not provided:
      --seed <N>

    Usage: mache book-slice --openings <N> --pairs <N> --shards <N> --shard <I> --seed <N>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refusal(&slice(&format!("{numbers} 0 --seed 7 --batch 1"))), @"1: error: batch 1 is not one of 1");
    insta::assert_snapshot!(refusal(&slice("--openings 100 --pairs 2 --shards 2 --seed 7 --shar 0")), @"2: error: '--shar' could be --shards or --shard; write it out");
}

#[test]
fn help() {
    insta::assert_snapshot!(slice("--help").stdout, @"
    Say which opening of a book a shard starts at

    Prints the one-based number of the first opening, and nothing else. The seed picks where in the book
    the block of the whole test begins; inside it the slices of all batches and shards follow each
    other, so no two of them share an opening while the book has room.

    Usage: mache book-slice [OPTIONS] --openings <N> --pairs <N> --shards <N> --shard <I> --seed <N>

    Options:
          --openings <N>
              Openings the book holds

          --pairs <N>
              Pairs one shard of one batch plays, each from an opening of its own

          --shards <N>
              Shards in a batch

          --shard <I>
              Which shard, from 0

          --seed <N>
              Where the test begins in the book: any whole number from 0 up, of any size

          --batches <N>
              Batches in the whole test
              
              [default: 1]

          --batch <I>
              Which batch, from 0
              
              [default: 0]

      -h, --help
              Print help (see a summary with '-h')
    ");
}
