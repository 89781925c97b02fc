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
    /// Whether all these sources may try at that moment. The try counts as failed until it is [forgiven](Self::forgive):
    /// of many that come at once no more must pass than one after another.
    pub(crate) fn begin(&mut self, sources: &[String], now: Instant) -> bool {
        self.0.retain(|_, (since, _)| now.saturating_duration_since(*since) < SPAN);
        let exhausted = |source| self.0.get(source).is_some_and(|(_, failures)| *failures >= MOST);
        let new = sources.iter().filter(|source| !self.0.contains_key(*source)).count();
        if sources.iter().any(exhausted) || self.0.len() + new > SOURCES {
            return false;
        }
        for source in sources {
            self.0.entry(source.clone()).or_insert((now, 0)).1 += 1;
        }
        true
    }

    /// The try of these sources was right after all.
    pub(crate) fn forgive(&mut self, sources: &[String]) {
        for source in sources {
            if let Some((_, failures)) = self.0.get_mut(source) {
                *failures = failures.saturating_sub(1);
                if *failures == 0 {
                    self.0.remove(source);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_as(attempts: &mut Attempts, source: &str, now: Instant) -> bool {
        attempts.begin(&[source.to_owned()], now)
    }

    #[test]
    fn after_some_failures_a_source_must_wait() {
        let (mut attempts, start) = (Attempts::default(), Instant::now());
        for _ in 0..MOST {
            assert!(try_as(&mut attempts, "a", start));
        }
        assert!(!try_as(&mut attempts, "a", start));
        assert!(try_as(&mut attempts, "b", start));
        assert!(try_as(&mut attempts, "a", start + SPAN));
    }

    #[test]
    fn one_exhausted_source_of_two_suffices() {
        let (mut attempts, start) = (Attempts::default(), Instant::now());
        for _ in 0..MOST {
            assert!(try_as(&mut attempts, "a", start));
        }
        assert!(!attempts.begin(&["b".into(), "a".into()], start));
    }

    #[test]
    fn what_was_right_does_not_count() {
        let (mut attempts, start) = (Attempts::default(), Instant::now());
        for _ in 0..2 * MOST {
            assert!(try_as(&mut attempts, "a", start));
            attempts.forgive(&["a".to_owned()]);
        }
        for _ in 0..MOST {
            assert!(try_as(&mut attempts, "a", start));
        }
        assert!(!try_as(&mut attempts, "a", start));
    }

    #[test]
    fn too_many_sources_are_an_attack() {
        let (mut attempts, start) = (Attempts::default(), Instant::now());
        for source in 0..SOURCES {
            assert!(try_as(&mut attempts, &source.to_string(), start));
        }
        assert!(!try_as(&mut attempts, "new", start));
        assert!(try_as(&mut attempts, "7", start));
        assert!(try_as(&mut attempts, "new", start + SPAN));
    }
}
