//! A picture, decoded within limits.

use std::fmt;
use std::io::Cursor;

use image::{ImageReader, Limits, RgbImage};

/// Wider or higher pictures are refused: a camera of 64 megapixels has 9,248.
const SIDE: u32 = 10_000;
/// Decoding may take so much memory: 64 megapixels in three colours and the decoder's own.
const MEMORY: u64 = 512 << 20;

/// A picture, decoded.
pub struct Photo(RgbImage);

/// Why a picture cannot be read.
#[derive(Debug)]
pub struct PhotoError(String);

impl fmt::Display for PhotoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PhotoError {}

impl Photo {
    /// Decodes a JPEG or PNG; which of them it is shows its content.
    pub fn decode(bytes: &[u8]) -> Result<Photo, PhotoError> {
        let mut reader = ImageReader::new(Cursor::new(bytes))
            .with_guessed_format()
            .map_err(|e| PhotoError(e.to_string()))?;
        if reader.format().is_none() {
            return Err(PhotoError("expected a JPEG or PNG picture".to_owned()));
        }
        let mut limits = Limits::default();
        limits.max_image_width = Some(SIDE);
        limits.max_image_height = Some(SIDE);
        limits.max_alloc = Some(MEMORY);
        reader.limits(limits);
        let decoded = reader.decode().map_err(|e| PhotoError(e.to_string()))?;
        Ok(Photo(decoded.into_rgb8()))
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.0.dimensions()
    }

    /// Red, green and blue at a place between pixels, each 0 to 1; outside the picture its border goes on.
    pub(crate) fn color(&self, [u, v]: [f64; 2]) -> [f32; 3] {
        let (width, height) = self.size();
        let clamp = |value: f64, size: u32| value.clamp(0.0, f64::from(size - 1));
        let (u, v) = (clamp(u, width), clamp(v, height));
        let (left, top) = (u.floor() as u32, v.floor() as u32);
        let (right, bottom) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
        let (across, down) = ((u.fract()) as f32, (v.fract()) as f32);
        let at = |x: u32, y: u32| self.0.get_pixel(x, y).0.map(|channel| f32::from(channel) / 255.0);
        let (a, b, c, d) = (at(left, top), at(right, top), at(left, bottom), at(right, bottom));
        std::array::from_fn(|channel| {
            let upper = a[channel] + (b[channel] - a[channel]) * across;
            let lower = c[channel] + (d[channel] - c[channel]) * across;
            upper + (lower - upper) * down
        })
    }
}
