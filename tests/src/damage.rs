//! Messages as somebody would send them who wants to bring a reader down: JSON of the right kind with something wrong in it.

use serde_json::{Map, Value, json};

use crate::Dice;

/// How many bytes the longest text has that is put in.
const LONG: usize = 5_000;

/// Puts some things wrong in a value: a number at its bounds, another type, a key that is gone, a list that is long.
pub fn damage(value: &mut Value, dice: &mut Dice) {
    for _ in 0..1 + dice.below(3) {
        let place = dice.below(places(value));
        damage_at(value, &mut { place }, dice);
    }
}

/// How many places a value has: itself, and those of everything in it.
fn places(value: &Value) -> usize {
    1 + match value {
        Value::Array(all) => all.iter().map(places).sum(),
        Value::Object(all) => all.values().map(places).sum(),
        _ => 0,
    }
}

/// Damages the place after so many others.
fn damage_at(value: &mut Value, place: &mut usize, dice: &mut Dice) {
    if *place == 0 {
        *place = usize::MAX;
        return worsen(value, dice);
    }
    *place -= 1;
    let mut within = |inner: &mut Value| {
        if *place != usize::MAX {
            damage_at(inner, place, dice);
        }
    };
    match value {
        Value::Array(all) => all.iter_mut().for_each(&mut within),
        Value::Object(all) => all.values_mut().for_each(&mut within),
        _ => {}
    }
}

fn worsen(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(all) if dice.once_in(2) => change_keys(all, dice),
        Value::Array(all) if !all.is_empty() && dice.once_in(2) => match dice.below(3) {
            0 => drop(all.remove(dice.below(all.len()))),
            1 => all.extend(vec![all[dice.below(all.len())].clone(); 300]),
            _ => all.reverse(),
        },
        Value::Number(number) if !dice.once_in(4) => {
            let near = number.as_u64().unwrap_or(0);
            let numbers = [
                0,
                1,
                near.wrapping_add(1),
                near.wrapping_sub(1),
                u64::from(u32::MAX),
                1 << 53,
                i64::MAX as u64,
                u64::MAX,
            ];
            *value = numbers[dice.below(numbers.len())].into();
        }
        Value::String(text) if !dice.once_in(4) => match dice.below(5) {
            0 => text.clear(),
            1 => *text = "落".repeat(LONG / 3),
            2 => text.insert(0, '\0'),
            3 => drop(text.pop()),
            _ => text.push_str("/../+/#"),
        },
        _ => *value = anything(dice),
    }
}

fn change_keys(all: &mut Map<String, Value>, dice: &mut Dice) {
    let keys: Vec<String> = all.keys().cloned().collect();
    let Some(key) = keys.get(dice.below(keys.len())) else { return };
    match dice.below(3) {
        0 => drop(all.remove(key)),
        // Two values change places.
        1 => {
            let other = &keys[dice.below(keys.len())];
            let (a, b) = (all[key].clone(), all[other].clone());
            (all[key], all[other]) = (b, a);
        }
        _ => drop(all.insert("kind".to_owned(), anything(dice))),
    }
}

fn anything(dice: &mut Dice) -> Value {
    let kinds = [
        "moved",
        "resolved",
        "put_back",
        "taken_back",
        "result",
        "due_lifted",
        "foul_withdrawn",
        "order",
        "game",
        "left_out",
    ];
    match dice.below(9) {
        0 => Value::Null,
        1 => true.into(),
        2 => (-1).into(),
        3 => json!(1.5),
        4 => u64::MAX.into(),
        5 => json!([]),
        6 => json!({}),
        7 => (0..200).fold(Value::Null, |inner, _| json!([inner])),
        _ => kinds[dice.below(kinds.len())].into(),
    }
}
