//! Sense.
#![no_std]
