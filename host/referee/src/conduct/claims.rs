//! Offers, claims, the natural limit and repetition (articles 23 and 24).

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use sense::Uptime;
use xiangqi::Color;
use xiangqi::law::ending::{Winnable, winnable};
use xiangqi::law::natural_limit::RoundCount;

use super::Conduct;
use crate::claim::{Claim, ClaimKind, DutyState, Judged, OfferOutcome, VariationDuty};
use crate::command::{By, ClaimRuling, Refusal};
use crate::event::{Happening, IncidentKind};
use crate::foul::Offence;
use crate::result::{GameResult, Reason, Score};
use crate::time_control::SECOND_US;

impl Conduct {
    /// `side` says "draw". `after_move` is whether its move stands on the board and the clock is not pressed yet.
    pub fn say_draw(&mut self, now: Uptime, side: Color, after_move: bool) -> Result<(), Refusal> {
        //= 23.1
        if self.is_over() {
            return Err(Refusal::GameOver);
        }
        // The move after which he offers may be committed by now, or stand on the board only.
        let before = self.plies().saturating_sub(u32::from(self.position().turn() != side));
        let round = before / 2 + 1;
        let offer = self.offers.say(side, after_move, round, &self.edition);
        self.tell(now, Happening::Offer { side, offer });
        match offer {
            //= 4.2.2
            OfferOutcome::Accepted => self.agreed(now, Score::Draw, Reason::Agreement, By::from(side)),
            OfferOutcome::Foul => {
                self.foul(now, side, Offence::DrawOffers, By::Board, String::new());
            }
            _ => {}
        }
        Ok(())
    }

    /// `side` refuses the offer that stands, by word.
    pub(super) fn decline_draw(&mut self, now: Uptime, side: Color) -> Result<(), Refusal> {
        if !self.offers.decline(side) {
            return Err(Refusal::NoOffer);
        }
        self.tell(now, Happening::Offer { side, offer: OfferOutcome::Declined });
        Ok(())
    }

    /// `side` resigns.
    pub fn resign(&mut self, now: Uptime, side: Color) -> Result<(), Refusal> {
        //= 4.1.9
        //= 4.1(12)
        if self.is_over() {
            return Err(Refusal::GameOver);
        }
        self.agreed(now, Score::lost_by(side), Reason::Resignation, By::from(side));
        Ok(())
    }

    /// `side` claims; the clocks are stopped and the claim waits for the arbiter with what the board finds.
    pub(super) fn make_claim(&mut self, now: Uptime, side: Color, kind: ClaimKind) -> Result<(), Refusal> {
        //= 23.3
        if self.claim.is_some() {
            return Err(Refusal::ClaimWaits);
        }
        if let Some(clock) = &mut self.clock
            && let Ok(events) = clock.pause(now)
        {
            self.tell_clock(events);
        }
        let (holds, mut note) = self.examine(side, kind);
        let judged = self.judged().filter(|_| kind == ClaimKind::Repetition);
        if let Some(Judged { verdict, red, black, articles, .. }) = &judged {
            note += &format!("; {verdict}: Red {red}, Black {black} ({})", articles.join(", "));
        }
        let claim = Claim { side, claim: kind, holds, note, judged: judged.map(Box::new) };
        self.claim = Some(claim.clone());
        self.tell(now, Happening::Claim(claim));
        Ok(())
    }

    fn examine(&self, side: Color, kind: ClaimKind) -> (Option<bool>, String) {
        match kind {
            ClaimKind::NaturalLimit => {
                let count = self.stretch.count(side, &self.edition);
                (Some(count.holds()), count.to_string())
            }
            ClaimKind::Repetition => {
                let seen = self.occurrences();
                let note = format!(
                    "the position has occurred {seen} times, {} are needed",
                    self.edition.cycles_to_claim.saturating_add(1)
                );
                (Some(seen > self.edition.cycles_to_claim), note)
            }
            ClaimKind::Flag => match self.clock.as_ref().map(|clock| clock.flags()) {
                None => (Some(false), String::from("the game is played without a clock")),
                Some(flags) => match flags.first() {
                    //= 6.5
                    Some((at, first)) => {
                        (Some(*first == side.other()), format!("{first}'s flag fell first, at {at}"))
                    }
                    None => (Some(false), String::from("no flag has fallen")),
                },
            },
        }
    }

    /// What the rules make of the play that led here, as far back as it was played by the rules.
    fn judged(&self) -> Option<Judged> {
        let by_the_rules = |ply: &usize| {
            let (before, after) = (&self.history[*ply], &self.history[*ply + 1]);
            let mv = self.played[*ply];
            before.is_legal(mv) && before.play_unchecked(mv).board() == after.board()
        };
        let first = self.played.len() - (0..self.played.len()).rev().take_while(by_the_rules).count();
        Judged::of(&self.history[first], first as u32 + 1, &self.played[first..], &self.edition)
    }

    /// The arbiter rules on the claim that waits; `note` is his reason. The clocks stay stopped until he resumes.
    pub(super) fn rule_claim(
        &mut self,
        now: Uptime,
        name: &str,
        note: &str,
        ruling: ClaimRuling,
        within: Option<u32>,
    ) -> Result<(), Refusal> {
        if within.is_some_and(|moves| moves == 0 || !ruling.imposes_duty()) {
            return Err(Refusal::WrongRuling);
        }
        let claim = self.claim.clone().ok_or(Refusal::NoClaim)?;
        let by = By::Arbiter(String::from(name));
        let end = |conduct: &mut Conduct, score, reason| {
            let result = GameResult {
                note: String::from(note),
                ..GameResult::new(score, reason, conduct.numbering(), by.clone())
            };
            conduct.declare(now, result);
        };
        match (claim.claim, ruling) {
            (ClaimKind::NaturalLimit, ClaimRuling::Granted) => end(self, Score::Draw, Reason::NaturalLimit),
            //= 4.2.3
            //= 24.2
            (ClaimKind::Repetition, ClaimRuling::Granted) => end(self, Score::Draw, Reason::Repetition),
            (ClaimKind::Flag, ClaimRuling::Granted) => {
                end(self, Score::lost_by(claim.side.other()), Reason::Flag)
            }
            (ClaimKind::NaturalLimit, ClaimRuling::Denied) => self.deny_natural_limit(now, claim.side, by),
            (_, ClaimRuling::Denied) => {}
            //= 24.1
            //= 4.1(4)
            (ClaimKind::Repetition, ClaimRuling::RedLoses) => {
                end(self, Score::BlackWins, Reason::PerpetualCheck)
            }
            (ClaimKind::Repetition, ClaimRuling::BlackLoses) => {
                end(self, Score::RedWins, Reason::PerpetualCheck)
            }
            //= 24.3
            (ClaimKind::Repetition, ClaimRuling::RedMustVary) => self.impose_duty(now, Color::Red, within)?,
            (ClaimKind::Repetition, ClaimRuling::BlackMustVary) => {
                self.impose_duty(now, Color::Black, within)?
            }
            _ => return Err(Refusal::WrongRuling),
        }
        self.claim = None;
        Ok(())
    }

    /// A false claim of the natural limit: a foul, five minutes on the claimant's clock, and with 2010 the game at the
    /// second in one stretch.
    fn deny_natural_limit(&mut self, now: Uptime, side: Color, by: By) {
        //= 23.3
        //= 9.1.4
        //= 4.1(11)
        self.foul(now, side, Offence::FalseClaim, by, String::new());
        self.false_claims[side] += 1;
        let limit = self.edition.false_claims_to_lose;
        if limit > 0 && self.false_claims[side] >= limit {
            self.due(now, Score::lost_by(side), Reason::FalseClaims, String::new());
        }
        let cost_us = u64::from(self.edition.false_claim_seconds) * SECOND_US;
        if let Some(clock) = &mut self.clock
            && let Ok(events) = clock.charge(now, side, cost_us)
        {
            self.tell_clock(events);
        }
    }

    fn impose_duty(&mut self, now: Uptime, side: Color, within: Option<u32>) -> Result<(), Refusal> {
        let returns = self.edition.cycles_to_lose;
        let duty = VariationDuty::new(side, &self.history, returns, within).ok_or(Refusal::WrongRuling)?;
        self.duty = Some(duty);
        self.tell(now, Happening::Duty { side, duty: DutyState::Imposed, within });
        Ok(())
    }

    pub(super) fn lift_duty(&mut self, now: Uptime) {
        if let Some(duty) = self.duty.take() {
            let lifted = Happening::Duty { side: duty.side(), duty: DutyState::Lifted, within: None };
            self.tell(now, lifted);
        }
    }

    /// What the last ply means for a duty to vary.
    pub(super) fn keep_duty(&mut self, now: Uptime, mover: Color) {
        //= 24.3
        //= 4.1.7
        let position = *self.position();
        let Some((side, state)) =
            self.duty.as_mut().and_then(|duty| Some((duty.side(), duty.ply(mover, &position)?)))
        else {
            return;
        };
        self.duty = None;
        self.tell(now, Happening::Duty { side, duty: state, within: None });
        if state == DutyState::Broken {
            self.due(now, Score::lost_by(side), Reason::NotVaried, String::new());
        }
    }

    /// Says when a claim has become possible, or nobody can win any more.
    pub(super) fn watch_limits(&mut self, now: Uptime) {
        //= 4.2.4
        let counts = Color::ALL.map(|side| self.stretch.count(side, &self.edition));
        if !self.limit_said && counts.iter().any(RoundCount::holds) {
            self.limit_said = true;
            let note = counts
                .iter()
                .filter(|count| count.holds())
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; ");
            let side =
                if counts.iter().all(RoundCount::holds) { None } else { counts.iter().find(|c| c.holds()) };
            let article = Reason::NaturalLimit.article(self.numbering());
            self.report(now, IncidentKind::NaturalLimit, side.map(|count| count.claimant), article, note);
        }
        //= 4.2.1
        if winnable(self.position()) == Winnable::ByNeither {
            let note = String::from("no sequence of moves can end the game");
            self.due(now, Score::Draw, Reason::NoWinPossible, note);
        }
        //= 24
        //= 23.2
        let seen = self.occurrences();
        if seen == 1 {
            self.cycle_said = false;
        } else if seen > self.edition.cycles_to_claim && !self.cycle_said {
            self.cycle_said = true;
            let note = format!("the moves have gone round {} times", self.edition.cycles_to_claim);
            self.report(now, IncidentKind::Repetition, None, "24", note);
        }
    }

    /// How often the position that stands has stood, with the same side to move.
    fn occurrences(&self) -> u32 {
        let here = self.position();
        let same = |position: &&xiangqi::Position| {
            position.board() == here.board() && position.turn() == here.turn()
        };
        self.history.iter().rev().filter(same).count() as u32
    }
}
