//! Sign-ins that failed, so that passwords cannot be tried by the thousand.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Failures that are forgiven within the span.
const MOST: u32 = 8;
const SPAN: Duration = Duration::from_secs(60);
/// Sources that are remembered. When there are more, nobody new may try until some are forgotten: that many at once is
/// an attack.
const SOURCES: usize = 2_048;

/// Failures by source: an address, or an account's name.
#[derive(Debug, Default)]
pub(crate) struct Attempts(BTreeMap<String, (Instant, u32)>);

impl Attempts {
    /// Whether a source may try, at that moment.
    pub(crate) fn may_try(&mut self, source: &str, now: Instant) -> bool {
        self.0.retain(|_, (since, _)| now.saturating_duration_since(*since) < SPAN);
        match self.0.get(source) {
            Some((_, failures)) => *failures < MOST,
            None => self.0.len() < SOURCES,
        }
    }

    /// A source has tried and failed.
    pub(crate) fn failed(&mut self, source: String, now: Instant) {
        self.0.entry(source).or_insert((now, 0)).1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_some_failures_a_source_must_wait() {
        let (mut attempts, start) = (Attempts::default(), Instant::now());
        for _ in 0..MOST {
            assert!(attempts.may_try("a", start));
            attempts.failed("a".into(), start);
        }
        assert!(!attempts.may_try("a", start));
        assert!(attempts.may_try("b", start));
        assert!(attempts.may_try("a", start + SPAN));
    }

    #[test]
    fn too_many_sources_are_an_attack() {
        let (mut attempts, start) = (Attempts::default(), Instant::now());
        for source in 0..SOURCES {
            attempts.failed(source.to_string(), start);
        }
        assert!(!attempts.may_try("new", start));
        assert!(attempts.may_try("7", start));
        assert!(attempts.may_try("new", start + SPAN));
    }
}
