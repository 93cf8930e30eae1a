//! What was played: games, pairs, how they ended, clocks, shards and the pool of all.
