"""The strip: the ten reeds of one file, with a diode each. A solder jumper tells it which column it is."""
from kicad import Board
from parts import COLUMN_WIRE, DIODE, FILES, JUMPER, RANKS, REED, RIBBON, ROW_WIRE, ribbon, ribbon_nets, two

PITCH = 38.0  # from rank to rank, as geometry.py chose it


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
