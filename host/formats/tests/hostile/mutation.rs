//! Damaging files the same way every time.

/// A small generator, so that a failure can be repeated anywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

/// A few changes anywhere: bytes, bits, holes, repeated and foreign pieces, cuts, and the lengths that readers trust.
pub fn mutate(data: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut data = data.to_vec();
    for _ in 0..1 + random.next(6) {
        if data.is_empty() {
            break;
        }
        let at = random.next(data.len());
        let length = random.next(40).min(data.len() - at);
        match random.next(8) {
            0 => data[at] = random.next(256) as u8,
            1 => data[at] ^= 1 << random.next(8),
            2 => data.truncate(at),
            3 => drop(data.drain(at..at + length)),
            4 => {
                let piece = data[at..at + length].to_vec();
                let to = random.next(data.len());
                data.splice(to..to, piece);
            }
            5 => data[at..at + length].fill([0, 0xff, b'(', b'{', b'[', b'9'][random.next(6)]),
            6 => {
                let from = random.next(other.len());
                let piece = other[from..].iter().take(random.next(400)).copied();
                data.splice(at..at + length, piece);
            }
            // Lengths and counts are what readers trust.
            _ => data[at..at + length.min(4)].fill([0xff, 0x7f, 0x00][random.next(3)]),
        }
    }
    data
}
