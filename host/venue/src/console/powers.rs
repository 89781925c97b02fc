//! Who may order what: articles 18.1 to 18.3 give each its powers.
//!
//! | role | may order |
//! |---|---|
//! | 裁判员 | what a game at a table needs: clock, fouls, warnings (18.1), rulings on moves and claims, results, signatures |
//! | 裁判长 | the same, and: takes a game from a player (18.2), corrects a result, reopens a game, enters a forfeit |
//! | 主办 | forfeits, which an expulsion (18.3) leads to; nothing else of a game |

use referee::{Command, Reason};

use super::Role;

/// Why somebody may not order something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotAllowed {
    /// Only the chief arbiter may do that (18.2).
    ChiefOnly,
    /// Organisers leave the game to the arbiters (16.1).
    NotOrganisers,
    /// What is to be undone is not known, so whose power it was is not either.
    NotAtHand,
}

/// Whether somebody may order something of a game, which has a result or not.
///
/// # Errors
///
/// Why not.
pub(crate) fn may_order(role: Role, command: &Command, over: bool) -> Result<(), NotAllowed> {
    let forfeits = matches!(command, Command::Declare { ending: Reason::Forfeit, .. });
    let of_chief = match command {
        Command::Declare { ending: Reason::Conduct | Reason::Forfeit, .. } | Command::Reopen => true,
        Command::Declare { .. } => over,
        _ => false,
    };
    match role {
        Role::ChiefArbiter => Ok(()),
        Role::TableArbiter if of_chief => Err(NotAllowed::ChiefOnly),
        Role::TableArbiter => Ok(()),
        Role::Organiser if forfeits => Ok(()),
        Role::Organiser => Err(NotAllowed::NotOrganisers),
    }
}

/// Whether somebody may undo an order, which is known or not. What one may not order one may not undo.
///
/// # Errors
///
/// Why not.
pub(crate) fn may_undo(role: Role, undone: Option<&Command>) -> Result<(), NotAllowed> {
    match (role, undone) {
        (Role::ChiefArbiter, _) => Ok(()),
        (_, Some(undone)) => may_order(role, undone, false),
        (_, None) => Err(NotAllowed::NotAtHand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::Score;
    use xiangqi::Color;

    fn check(command: &Command, over: bool, expected: [bool; 3]) {
        let roles = [Role::TableArbiter, Role::ChiefArbiter, Role::Organiser];
        assert_eq!(roles.map(|role| may_order(role, command, over).is_ok()), expected, "{command:?}, {over}");
    }

    #[test]
    fn each_has_its_powers() {
        let declare = |ending| Command::Declare { score: Score::RedWins, ending };
        check(&Command::Warn { side: Color::Red }, false, [true, true, false]);
        check(&Command::Pause, false, [true, true, false]);
        check(&declare(Reason::Flag), false, [true, true, false]);
        check(&declare(Reason::Flag), true, [false, true, false]);
        check(&Command::Reopen, true, [false, true, false]);
        check(&declare(Reason::Conduct), false, [false, true, false]);
        check(&declare(Reason::Forfeit), false, [false, true, true]);
    }

    #[test]
    fn what_one_may_not_order_one_may_not_undo() {
        let conduct = Command::Declare { score: Score::RedWins, ending: Reason::Conduct };
        for (role, undone, may) in [
            (Role::TableArbiter, Some(&Command::Pause), true),
            (Role::TableArbiter, Some(&conduct), false),
            (Role::TableArbiter, None, false),
            (Role::ChiefArbiter, None, true),
            (Role::Organiser, Some(&Command::Pause), false),
        ] {
            assert_eq!(may_undo(role, undone).is_ok(), may, "{role:?} {undone:?}");
        }
    }
}
