"""Writes KiCad 9 files: a schematic of boxes whose pins carry global labels, and a board of footprints, tracks and vias.

Everything is determined by what is handed in, unique ids included, so that files can be written again and compared.
"""
import json
import uuid

SPACE = uuid.UUID("6c756f7a-6900-4000-8000-000000000000")


def uid(*what):
    return str(uuid.uuid5(SPACE, "/".join(map(str, what))))


def number(value):
    return f"{value:.4f}".rstrip("0").rstrip(".") if value else "0"


def quoted(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


FONT = "(effects (font (size 1.27 1.27)))"
HIDDEN = "(effects (font (size 1.27 1.27)) (hide yes))"


class Part:
    """A component: its symbol is a box with pins on two sides, in the order given."""

    def __init__(self, ref, kind, value, footprint, left, right, nets):
        self.ref, self.kind, self.value, self.footprint = ref, kind, value, footprint
        self.left, self.right = left, right  # (number, name, electrical type)
        self.nets = nets  # pin number -> net, None for a pin that stays free

    def pins(self):
        """Each pin with its place in the symbol, y upwards, and the way it faces."""
        for side, pins in ((-1, self.left), (1, self.right)):
            for at, (pin, name, kind) in enumerate(pins):
                yield pin, name, kind, side * 12.7, -2.54 * at, 0 if side < 0 else 180

    def free_net(self, pin):
        """The name that KiCad gives to the net of a pin that stays free."""
        name = next(name for number, name, *_ in self.pins() if number == pin)
        name = name.replace("/", "{slash}")
        return f"unconnected-({self.ref}-{name}-Pad{pin})" if name != pin else f"unconnected-({self.ref}-Pad{pin})"

    def height(self):
        return 2.54 * max(len(self.left), len(self.right))

    def symbol(self):
        pins = "".join(
            f"\n        (pin {kind} line (at {number(x)} {number(y)} {angle}) (length 2.54)"
            f" (name {quoted(name)} {FONT}) (number {quoted(pin)} {FONT}))"
            for pin, name, kind, x, y, angle in self.pins()
        )
        return f"""
    (symbol "luozi:{self.kind}" (pin_names (offset 0.5)) (exclude_from_sim no) (in_bom yes) (on_board yes)
      (property "Reference" "U" (at 0 3.81 0) {FONT})
      (property "Value" "{self.kind}" (at 0 {number(-self.height())} 0) {FONT})
      (property "Footprint" "" (at 0 0 0) {HIDDEN})
      (property "Datasheet" "" (at 0 0 0) {HIDDEN})
      (symbol "{self.kind}_0_1" (rectangle (start -10.16 2.54) (end 10.16 {number(-self.height())})
        (stroke (width 0.254) (type default)) (fill (type background))))
      (symbol "{self.kind}_1_1"{pins}))"""


def schematic(project, title, parts, columns=6):
    """The schematic of a project."""
    root = uid(project, "root")
    symbols = {part.kind: part.symbol() for part in parts}
    out = []
    x, y, tallest, at = 38.1, 38.1, 0.0, 0
    for part in parts:
        if at == columns:
            x, y, tallest, at = 38.1, y + tallest + 12.7, 0.0, 0
        own = uid(project, part.ref)
        pins = "".join(f' (pin {quoted(pin)} (uuid "{uid(own, pin)}"))' for pin, *_ in part.pins())
        out.append(f"""
  (symbol (lib_id "luozi:{part.kind}") (at {number(x)} {number(y)} 0) (unit 1)
    (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no) (uuid "{own}")
    (property "Reference" {quoted(part.ref)} (at {number(x)} {number(y - 3.81)} 0) {FONT})
    (property "Value" {quoted(part.value)} (at {number(x)} {number(y + part.height())} 0) {FONT})
    (property "Footprint" {quoted(part.footprint)} (at {number(x)} {number(y)} 0) {HIDDEN})
    (property "Datasheet" "" (at {number(x)} {number(y)} 0) {HIDDEN})
   {pins}
    (instances (project "{project}" (path "/{root}" (reference {quoted(part.ref)}) (unit 1)))))""")
        for pin, _, _, px, py, _ in part.pins():
            place = f"{number(x + px)} {number(y - py)}"
            net = part.nets.get(pin)
            if net is None:
                out.append(f'\n  (no_connect (at {place}) (uuid "{uid(own, pin, "nc")}"))')
                continue
            angle, justify = (180, "right") if px < 0 else (0, "left")
            out.append(
                f"\n  (global_label {quoted(net)} (shape passive) (at {place} {angle})"
                f" (effects (font (size 1.27 1.27)) (justify {justify}))"
                f' (uuid "{uid(own, pin, net)}")'
                f' (property "Intersheetrefs" "${{INTERSHEET_REFS}}" (at 0 0 0) {HIDDEN}))'
            )
        tallest = max(tallest, part.height())
        x, at = x + 63.5, at + 1
    return f"""(kicad_sch (version 20250114) (generator "luozi") (generator_version "9.0") (uuid "{root}") (paper "A0")
  (title_block (title {quoted(title)}) (company "luozi"))
  (lib_symbols{"".join(symbols.values())})
{"".join(out)}
  (sheet_instances (path "/" (page "1")))
  (embedded_fonts no))
"""


class Footprint:
    """Pads of a component: number, place, size, drill (None for a pad on the surface), shape."""

    def __init__(self, name, pads, box):
        self.name, self.pads, self.box = name, pads, box  # box: the courtyard, x0 y0 x1 y1


class Board:
    """A printed board: two layers, and as many tracks as it takes."""

    def __init__(self, project, width, height):
        self.project, self.width, self.height = project, width, height
        self.nets, self.items = {"": 0}, []

    def net(self, name):
        index = self.nets.setdefault(name, len(self.nets))
        return f'(net {index} {quoted(name)})'

    def id(self):
        return uid(self.project, "board", len(self.items))

    def place(self, part, footprint, x, y):
        """Places a part and returns where its pads are."""
        own = uid(self.project, part.ref)
        x0, y0, x1, y1 = footprint.box
        pads, places = [], {}
        for pin, px, py, size, drill, shape in footprint.pads:
            net = part.nets.get(pin)
            net = f" {self.net(net or part.free_net(pin))}"
            kind = f"thru_hole {shape}" if drill else f"smd {shape}"
            layers = f'(drill {number(drill)}) (layers "*.Cu" "*.Mask")' if drill else '(layers "F.Cu" "F.Mask")'
            pads.append(
                f"\n    (pad {quoted(pin)} {kind} (at {number(px)} {number(py)})"
                f' (size {number(size[0])} {number(size[1])}) {layers}{net} (uuid "{uid(own, "pad", pin)}"))'
            )
            places[pin] = (x + px, y + py)
        through = any(drill for *_, drill, _ in footprint.pads)
        font = "(effects (font (size 1 1) (thickness 0.15)))"
        self.items.append(f"""
  (footprint "{part.footprint}" (layer "F.Cu") (uuid "{uid(own, "footprint")}") (at {number(x)} {number(y)})
    (property "Reference" {quoted(part.ref)} (at 0 {number(y0 - 1)} 0) (layer "F.Fab") (uuid "{uid(own, "r")}") {font})
    (property "Value" {quoted(part.value)} (at 0 {number(y1 + 1)} 0) (layer "F.Fab") (uuid "{uid(own, "v")}") {font})
    (path "/{own}") (sheetname "/") (sheetfile "{self.project}.kicad_sch")
    (attr {"through_hole" if through else "smd"})
    (fp_rect (start {number(x0)} {number(y0)}) (end {number(x1)} {number(y1)})
      (stroke (width 0.05) (type solid)) (fill no) (layer "F.CrtYd") (uuid "{uid(own, "yard")}")){"".join(pads)})""")
        return places

    def hole(self, x, y, diameter):
        """A hole for a screw."""
        own = self.id()
        size = number(diameter)
        self.items.append(f"""
  (footprint "luozi:Hole" (layer "F.Cu") (uuid "{own}") (at {number(x)} {number(y)})
    (property "Reference" "H{len(self.items)}" (at 0 0 0) (layer "F.Fab") (hide yes) (uuid "{uid(own, "r")}")
      (effects (font (size 1 1) (thickness 0.15))))
    (property "Value" "hole" (at 0 0 0) (layer "F.Fab") (hide yes) (uuid "{uid(own, "v")}")
      (effects (font (size 1 1) (thickness 0.15))))
    (attr board_only exclude_from_pos_files exclude_from_bom)
    (pad "" np_thru_hole circle (at 0 0) (size {size} {size}) (drill {size}) (layers "*.Cu" "*.Mask")
      (uuid "{uid(own, "pad")}")))""")

    def track(self, net, layer, *places, width=0.3):
        for (x0, y0), (x1, y1) in zip(places, places[1:]):
            if (x0, y0) != (x1, y1):
                self.items.append(
                    f"\n  (segment (start {number(x0)} {number(y0)}) (end {number(x1)} {number(y1)})"
                    f' (width {number(width)}) (layer "{layer}") {self.net_index(net)} (uuid "{self.id()}"))'
                )

    def via(self, net, place, size=0.8, drill=0.4):
        self.items.append(
            f"\n  (via (at {number(place[0])} {number(place[1])}) (size {number(size)}) (drill {number(drill)})"
            f' (layers "F.Cu" "B.Cu") {self.net_index(net)} (uuid "{self.id()}"))'
        )

    def net_index(self, net):
        self.net(net)
        return f"(net {self.nets[net]})"

    def text(self, text, x, y):
        self.items.append(
            f'\n  (gr_text {quoted(text)} (at {number(x)} {number(y)} 0) (layer "F.SilkS") (uuid "{self.id()}")'
            f" (effects (font (size 1 1) (thickness 0.15)) (justify left)))"
        )

    def write(self):
        nets = "".join(f"\n  (net {index} {quoted(name)})" for name, index in self.nets.items())
        edge = (
            f"\n  (gr_rect (start 0 0) (end {number(self.width)} {number(self.height)})"
            f' (stroke (width 0.1) (type solid)) (fill no) (layer "Edge.Cuts") (uuid "{uid(self.project, "edge")}"))'
        )
        return f"""(kicad_pcb (version 20241229) (generator "luozi") (generator_version "9.0")
  (general (thickness 1.6) (legacy_teardrops no)) (paper "A2")
  (layers (0 "F.Cu" signal) (2 "B.Cu" signal) (9 "F.Adhes" user "F.Adhesive") (13 "F.Paste" user) (5 "F.SilkS" user "F.Silkscreen")
    (7 "B.SilkS" user "B.Silkscreen") (1 "F.Mask" user) (3 "B.Mask" user) (25 "Edge.Cuts" user) (27 "Margin" user)
    (31 "F.CrtYd" user "F.Courtyard") (29 "B.CrtYd" user "B.Courtyard") (35 "F.Fab" user) (33 "B.Fab" user))
  (setup (pad_to_mask_clearance 0) (allow_soldermask_bridges_in_footprints no)){nets}{edge}{"".join(self.items)}
  (embedded_fonts no))
"""


def project(name):
    """The project file: our symbols and footprints live in the files themselves, so no library is asked for."""
    ignore = {"lib_footprint_issues": "ignore", "lib_footprint_mismatch": "ignore"}
    erc = {"lib_symbol_issues": "ignore", "footprint_link_issues": "ignore"}
    content = {
        "board": {"design_settings": {"rule_severities": ignore, "rules": {"min_clearance": 0.2}}},
        "erc": {"rule_severities": erc},
        "meta": {"filename": f"{name}.kicad_pro", "version": 3},
        "net_settings": {"classes": [{"name": "Default", "clearance": 0.2, "track_width": 0.3, "via_diameter": 0.8, "via_drill": 0.4}]},
    }
    return json.dumps(content, indent=2) + "\n"
