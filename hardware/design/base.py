"""The base of the serial variant: the shift registers between nine strips, the panel and the Pi.

Every pin of the Pi comes from pinmap.toml.
"""
from kicad import Board, Footprint, Part
from parts import FILES, RIBBON, ribbon, ribbon_nets, two
from routing import Router

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


def rows(*columns):
    """Pads of 1.6 mm at multiples of 2.54 mm: pin, column, row; the first is square."""
    return [(pin, 2.54 * x, 2.54 * y, (1.6, 1.6), 0.9, "circle" if at else "rect") for at, (pin, x, y) in enumerate(columns)]


def line(count):
    return Footprint(f"Header_1x{count}", rows(*((str(at + 1), at, 0) for at in range(count))), (-1.8, -1.8, 2.54 * count - 0.7, 1.8))


PI = Footprint(
    "Header_2x20",
    rows(*((str(2 * at + side + 1), at, -side) for at in range(20) for side in range(2))),
    (-1.8, -4.4, 50.1, 1.8),
)
DIP16 = Footprint(
    "DIP16",
    rows(*((str(at + 1), 0, at) for at in range(8)), *((str(16 - at), 3, at) for at in range(8))),
    (-1.1, -1.6, 8.7, 19.4),
)
RESISTOR = Footprint("R_Axial", rows(("1", 0, 0), ("2", 4, 0)), (-1.1, -1.3, 11.3, 1.3))
CAPACITOR = Footprint("C_Disc", rows(("1", 0, 0), ("2", 2, 0)), (-1.1, -1.5, 6.2, 1.5))
TRANSISTOR = Footprint("TO92", rows(("1", 0, 0), ("2", 1, 0), ("3", 2, 0)), (-1.1, -2.2, 6.2, 2.2))


def places(parts):
    """Where each part lies: footprint, column and row in steps of 2.54 mm."""
    out = {"J1": (PI, 12, 4), "J2": (RIBBON, 45, 9), "R20": (RESISTOR, 38, 27), "Q1": (TRANSISTOR, 44, 27)}
    for at in range(4):
        out[f"U{at + 1}"] = (DIP16, 5 + 8 * at, 9)
        out[f"C{at + 1}"] = (CAPACITOR, 5.5 + 8 * at, 18)
    for column in range(FILES):
        out[f"R{column + 1}"] = (RESISTOR, 37, 8 + 1.5 * column)
    lamps = [part.ref for part in parts if part.kind == "RESISTOR" and 11 <= int(part.ref[1:]) < 20]
    out |= {ref: (RESISTOR, 24, 22 + 1.5 * at) for at, ref in enumerate(lamps)}
    x = 4
    for part in parts:
        if part.kind.startswith("CONN_"):
            count = len(part.left)
            out[part.ref] = (line(count), x, 31)
            x += count + 4
    return out


def base_board(parts):
    """Connectors at the edges, registers between them, and tracks that the router finds."""
    board, pads = Board("base", 2.54 * 50, 2.54 * 34), []
    at = places(parts)
    for part in parts:
        footprint, column, row = at[part.ref]
        for pin, (x, y) in board.place(part, footprint, 2.54 * column, 2.54 * row).items():
            size = next(size for name, _, _, size, *_ in footprint.pads if name == pin)
            pads.append((part.nets.get(pin) or part.free_net(pin), x, y, max(size)))
        board.text(f"{part.ref} {part.value}", 2.54 * column + footprint.box[0], 2.54 * row + footprint.box[1] - 0.9)
    # Screws, with room for their heads.
    screws = [(2.54 * x, 2.54 * y) for x in (1.5, 48.5) for y in (1.5, 32.5)]
    for x, y in screws:
        board.hole(x, y, 3.2)
    walls = [(x, y, 3.5) for x, y in screws]
    Router(board.width, board.height, pads, walls).draw(board)
    return board
