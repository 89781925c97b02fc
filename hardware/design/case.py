"""The case, 1:1 in millimetres: every panel as it is cut, on one sheet. Red sits below; the panel is at Red's right hand.

The surface lies on the walls; below it are strips and ribbon, below the panel the base board, the Pi and the displays.
"""
from drawings import PLY, Drawing

PANEL = 80.0  # width of the strip beside the surface that carries displays, buttons and lamps
HEIGHT = 46.0  # of the walls: the strips hang 19 mm below the surface; ribbon, base board and Pi need the rest
GAP = 12.0  # between panels on the sheet

# Holes by what goes through them, in millimetres.
CLOCK_BUTTON, BUTTON, LAMP, SOUND, SCREW, CABLE = 30.0, 12.0, 5.0, 3.0, 3.2, 14.0
WINDOW = (61.0, 15.0)  # eight digits of 9.2 mm in two blocks of four


def hole(d, x, y, diameter, says=""):
    d.circle(x, y, diameter / 2, "cut")
    if says:
        d.words(x + diameter / 2 + 2, y + 2, says)


def panel(d, x, y, height):
    """Top of the panel: each player's half reads from his own side, so the halves are the same turned round."""
    d.box(x, y, PANEL, height, "cut")
    d.words(x + 3, y + height / 2 + 20, "panel, 4 mm")
    middle = (x + PANEL / 2, y + height / 2)
    for side, sign in (("red", 1), ("black", -1)):
        def at(across, from_edge):
            """Across the panel from its middle, and from this player's edge, seen by this player."""
            return middle[0] + sign * across, middle[1] + sign * (height / 2 - from_edge)

        hole(d, *at(0, 30), CLOCK_BUTTON)
        hole(d, *at(26, 30), LAMP)
        for across, word in ((-24, "adjust"), (0, "draw"), (24, "resign")):
            hole(d, *at(across, 72), BUTTON)
            d.words(at(across, 0)[0] - 8, at(0, 86)[1] + 2, word)
        window = at(0, 112)
        d.box(window[0] - WINDOW[0] / 2, window[1] - WINDOW[1] / 2, *WINDOW, "cut")
        d.words(middle[0] - 34, at(0, 52)[1] + 2, f"{side}: clock button, lamp")
    hole(d, middle[0], middle[1], BUTTON, "arbiter")
    hole(d, middle[0] - 22, middle[1], LAMP)
    for across in (-4, 0, 4):
        hole(d, middle[0] + across, middle[1] - 20, SOUND)
    d.words(middle[0] + 9, middle[1] - 18, "buzzer")


def screws(d, x, y, width, height):
    for dx in (PLY / 2, width / 2, width - PLY / 2):
        for dy in (PLY / 2, height - PLY / 2):
            hole(d, x + dx, y + dy, SCREW)


def case(surface_width, surface_height):
    width, depth = surface_width + PANEL, surface_height
    inner = depth - 2 * PLY
    sheet = Drawing(width + PANEL + 3 * GAP, depth + 4 * HEIGHT + 6 * GAP)
    x = y = GAP
    sheet.box(x, y, width, depth, "cut")
    screws(sheet, x, y, width, depth)
    sheet.words(x + 20, y + 20, f"floor, plywood {PLY:.0f} mm, {width:.0f} x {depth:.0f}; screws 3 x 30 mm into the walls")
    # The Pi stands below the panel, its supply towards the right wall; the base beside it, at Red's end of the ribbon.
    for name, left, top, dx, dy in (("Raspberry Pi", surface_width + 10, 60, 49, 58), ("base", surface_width - 150, depth - 110, 119.38, 78.74)):
        for right in (0, 1):
            for low in (0, 1):
                sheet.circle(x + left + right * dx, y + top + low * dy, SCREW / 2, "below")
        sheet.words(x + left + 3, y + top + dy / 2, name)
    panel(sheet, x + width + GAP, y, depth)
    walls = [("front and back wall", width, 0), ("front and back wall", width, 0),
             ("left wall", inner, 0), ("right wall, hole for the supply's cable", inner, CABLE)]
    for at, (name, length, cable) in enumerate(walls):
        top = y + depth + GAP + at * (HEIGHT + GAP)
        sheet.box(x, top, length, HEIGHT, "cut")
        sheet.words(x + 20, top + 12, f"{name}, plywood {PLY:.0f} mm, {length:.0f} x {HEIGHT:.0f}")
        if cable:
            hole(sheet, x + 90, top + HEIGHT / 2, cable)
    return sheet
