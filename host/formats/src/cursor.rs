//! Reading binary files front to back without stepping outside.

/// A place in a byte slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn at(data: &'a [u8], at: usize) -> Cursor<'a> {
        Cursor { data, at }
    }

    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The next bytes, or nothing if so many are not there.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let bytes = self.data.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// What is left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let rest = self.data.get(self.at..).unwrap_or(&[]);
        self.at = self.data.len();
        rest
    }
}
