//! Reading real and odd files of games.

mod damage;
mod match_games;
mod odd_files;
