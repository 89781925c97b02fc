"""The two printed boards: a strip under each file with its ten reeds, and the base that joins nine strips to the Pi.

Nine equal strips hang on one ribbon cable of twenty wires; a solder jumper tells each strip which column it is. The base
holds the shift registers of the serial variant. Everything that is a pin comes from pinmap.toml.
"""
from kicad import Board, Footprint, Part

PITCH = 38.0  # from rank to rank, as geometry.py chose it
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


def strip_parts():
    parts = [ribbon("J1", {wire: net for wire, net in ribbon_nets().items() if net != "GND"})]
    for column in range(FILES):
        nets = (f"COL{column}", "COLUMN")
        parts.append(two(f"JP{column}", "JUMPER", f"column {column}", "Jumper_Solder", ("A", "B"), nets))
    for row in range(RANKS):
        parts.append(two(f"S{row}", "REED", "KSK-1A66-2025", "Reed_Upright", ("A", "B"), ("COLUMN", f"P{row}")))
        parts.append(two(f"D{row}", "DIODE", "1N4148", "D_DO35", ("K", "A"), (f"P{row}", f"ROW{row}")))
    return parts


def strip_board(parts):
    """Rows run along the back, each at the height of its wire of the ribbon; what leaves them does so on the front."""
    by_ref = {part.ref: part for part in parts}
    board = Board("strip", 390, 36)
    top = 6.57
    pins = board.place(by_ref["J1"], RIBBON, 5, top)
    first, lane = 20.0, top + 4.5 * 2.54
    bus = top + 3.5 * 2.54
    for column in range(FILES):
        x, y = pins[COLUMN_WIRE[column]]
        pads = board.place(by_ref[f"JP{column}"], JUMPER, 12, y + 1.27)
        # Between two pins of the other row of the connector.
        board.track(f"COL{column}", "F.Cu", (x, y), (x + 1.27, y + 1.27), pads["1"])
        if column:
            board.track("COLUMN", "F.Cu", above, pads["2"])
        above = pads["2"]
    turn = (16.0, bus)
    board.track("COLUMN", "F.Cu", (13.6, bus), turn)
    board.via("COLUMN", turn)
    last = first + (RANKS - 1) * PITCH
    board.track("COLUMN", "B.Cu", turn, (last, bus))
    for row in range(RANKS):
        x = first + row * PITCH
        reed = board.place(by_ref[f"S{row}"], REED, x, lane)
        diode = board.place(by_ref[f"D{row}"], DIODE, x + 10.16, lane)
        board.track("COLUMN", "F.Cu", reed["1"], (x, bus))
        board.via("COLUMN", (x, bus))
        board.track(f"P{row}", "F.Cu", reed["2"], diode["1"])
        wire = pins[ROW_WIRE[row]]
        end = (diode["2"][0], wire[1])
        board.track(f"ROW{row}", "F.Cu", diode["2"], end)
        board.via(f"ROW{row}", end)
        board.track(f"ROW{row}", "B.Cu", wire, end)
        board.text(f"rank {row}", x - 1, 2)
    for x, y in ((20, 2.8), (20, 33.2), (386, 18)):
        board.hole(x - 3 if y < 30 and x < 30 else x, y, 3.2)
    return board


# The 40-pin header: physical pin of each GPIO, as the Pi's documentation has it.
PHYSICAL = dict(zip(range(28), (
    27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13,
)))
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)


def header(nets):
    """The Pi: it gives the 3.3 V and the ground."""
    kind = {"1": "power_out", "6": "power_out"}
    nets = {str(PHYSICAL[pin]): net for pin, net in nets.items()}
    nets |= {"1": "+3V3", "2": "+5V"} | {str(pin): "GND" for pin in GROUNDS}
    odd = [(str(pin), str(pin), kind.get(str(pin), "passive")) for pin in range(1, 41, 2)]
    even = [(str(pin), str(pin), kind.get(str(pin), "passive")) for pin in range(2, 41, 2)]
    return Part("J1", "PI_HEADER", "Raspberry Pi, 2x20", "luozi:Header_2x20", odd, even, nets)


def register_595(ref, nets):
    outputs = [("15", "QA"), *((str(at + 1), f"Q{'BCDEFGH'[at]}") for at in range(7)), ("9", "QH'")]
    left = [("14", "SER", "input"), ("11", "SRCLK", "input"), ("12", "RCLK", "input"), ("13", "/OE", "input"),
            ("10", "/SRCLR", "input"), ("16", "VCC", "power_in"), ("8", "GND", "power_in")]
    return Part(ref, "74HC595", "SN74HC595N", "luozi:DIP16", left, [(p, n, "output") for p, n in outputs], nets)


def register_165(ref, nets):
    inputs = [(pin, name, "input") for pin, name in zip(("11", "12", "13", "14", "3", "4", "5", "6"), "ABCDEFGH")]
    left = [*inputs, ("10", "SER", "input")]
    right = [("2", "CLK", "input"), ("15", "CLK_INH", "input"), ("1", "SH/LD", "input"), ("9", "QH", "output"),
             ("7", "/QH", "output"), ("16", "VCC", "power_in"), ("8", "GND", "power_in")]
    return Part(ref, "74HC165", "SN74HC165N", "luozi:DIP16", left, right, nets)


def connector(ref, value, nets):
    pins = [(str(at + 1), str(at + 1), "passive") for at in range(len(nets))]
    numbered = {str(at + 1): net for at, net in enumerate(nets)}
    return Part(ref, f"CONN_{len(nets)}", value, f"luozi:Header_1x{len(nets)}", pins, [], numbered)


def base_parts(pinmap):
    """The base board of the serial variant."""
    serial, panel = pinmap["serial"], pinmap["serial"]["panel"]
    select = {"SPI0.0": 8, "SPI0.1": 7}
    pins = {10: "MOSI", 9: "MISO", 11: "SCLK", select[serial["spi"]]: "LATCH", serial["load"]: "LOAD",
            select[panel["display_spi"]]: "DISPLAY_CS"}
    pins |= {pin: name.upper() for name, pin in panel.items() if name != "display_spi"}
    power = {"16": "+3V3", "8": "GND"}
    # Bit r of the word drives row r: the last bit shifted in stays in QA of the first register.
    outputs = ("15", "1", "2", "3", "4", "5", "6", "7")
    clock = {"11": "SCLK", "12": "LATCH", "13": "GND", "10": "+3V3"} | power
    low = {pin: f"ROW{row}" for row, pin in enumerate(outputs)}
    high = {outputs[row - 8]: f"ROW{row}" for row in (8, 9)}
    parts = [
        header(pins),
        register_595("U1", {"14": "MOSI", "9": "CASCADE"} | low | clock),
        register_595("U2", {"14": "CASCADE"} | high | clock),
    ]
    # The register at MISO comes first, with bits 15 to 8; unused inputs are tied to ground.
    inputs = ("11", "12", "13", "14", "3", "4", "5", "6")
    common = {"2": "SCLK", "15": "GND", "1": "LOAD"} | power
    near = {pin: "GND" for pin in inputs} | {inputs[0]: "COL8"}
    far = {pin: f"COL{column}" for column, pin in enumerate(inputs)}
    parts += [
        register_165("U3", near | common | {"10": "CHAIN", "9": "MISO"}),
        register_165("U4", far | common | {"10": "GND", "9": "CHAIN"}),
        ribbon("J2", ribbon_nets()),
    ]
    for column in range(FILES):
        parts.append(two(f"R{column + 1}", "RESISTOR", "10k", "R_Axial", ("1", "2"), (f"COL{column}", "GND")))
    for chip in range(4):
        parts.append(two(f"C{chip + 1}", "CAPACITOR", "100n", "C_Disc", ("1", "2"), ("+3V3", "GND")))
    parts.append(connector("J3", "displays", ["+5V", "GND", "MOSI", "DISPLAY_CS", "SCLK"]))
    buttons = [name for name in panel if name.split("_")[0] in ("press", "adjust", "draw", "resign", "arbiter")]
    parts.append(connector("J4", "buttons", [*(name.upper() for name in buttons), "GND"]))
    # Each lamp draws 3 mA through its resistor, the buzzer is switched by a transistor.
    lamps = [name for name in panel if name.startswith("lamp") or name == "status_led"]
    for at, name in enumerate(lamps):
        parts.append(two(f"R{at + 11}", "RESISTOR", "470", "R_Axial", ("1", "2"), (name.upper(), f"{name.upper()}_A")))
    parts.append(connector("J5", "lamps", [*(f"{name.upper()}_A" for name in lamps), "GND"]))
    transistor = [("1", "C", "passive"), ("2", "B", "passive")], [("3", "E", "passive")]
    parts.append(two("R20", "RESISTOR", "1k", "R_Axial", ("1", "2"), ("BUZZER", "BUZZER_B")))
    parts.append(Part("Q1", "NPN", "BC337", "luozi:TO92", *transistor, {"1": "BUZZER_C", "2": "BUZZER_B", "3": "GND"}))
    parts.append(connector("J6", "buzzer", ["+5V", "BUZZER_C"]))
    return parts
