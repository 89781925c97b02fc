"""The parts of both printed boards: their footprints, and how a part is tied to nets.

Nine equal strips hang on one ribbon cable of twenty wires, whose numbering is here because both ends must agree on it.
"""
from kicad import Board, Footprint, Part

RANKS, FILES = 10, 9

# The ribbon: even wires are rows, odd wires are columns, wire 19 is ground.
ROW_WIRE = {row: str(2 * row + 2) for row in range(RANKS)}
COLUMN_WIRE = {column: str(2 * column + 1) for column in range(FILES)}
GROUND_WIRE = "19"

REED = Footprint(
    "Reed_Upright",
    [("1", 0, 0, (1.6, 1.6), 0.9, "circle"), ("2", 5.08, 0, (1.6, 1.6), 0.9, "circle")],
    (-1.3, -2, 6.4, 2),
)
DIODE = Footprint(
    "D_DO35",
    [("1", 0, 0, (1.6, 1.6), 0.8, "rect"), ("2", 7.62, 0, (1.6, 1.6), 0.8, "circle")],
    (-1.2, -1.3, 8.9, 1.3),
)
JUMPER = Footprint(
    "Jumper_Solder",
    [("1", 0, 0, (1.0, 1.2), None, "rect"), ("2", 1.6, 0, (1.0, 1.2), None, "rect")],
    (-0.8, -0.9, 2.4, 0.9),
)
RIBBON = Footprint(
    "IDC_2x10",
    [
        (str(2 * at + side + 1), 2.54 * side, 2.54 * at, (1.7, 1.7), 1.0, "rect" if at == side == 0 else "circle")
        for at in range(10)
        for side in range(2)
    ],
    (-3, -4.4, 5.6, 27.3),
)


def ribbon_nets():
    nets = {wire: f"ROW{row}" for row, wire in ROW_WIRE.items()}
    nets |= {wire: f"COL{column}" for column, wire in COLUMN_WIRE.items()}
    return nets | {GROUND_WIRE: "GND"}


def ribbon(ref, nets):
    odd = [(str(pin), str(pin), "passive") for pin in range(1, 21, 2)]
    even = [(str(pin), str(pin), "passive") for pin in range(2, 21, 2)]
    return Part(ref, "RIBBON", "ribbon, 20 wires", "luozi:IDC_2x10", odd, even, nets)


def two(ref, kind, value, footprint, names, nets):
    first, second = names
    pins = dict(zip("12", nets))
    return Part(ref, kind, value, f"luozi:{footprint}", [("1", first, "passive")], [("2", second, "passive")], pins)
