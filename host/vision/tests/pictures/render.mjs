// Writes the pictures of this folder: a board seen by a camera that hangs beside it, drawn by Chromium from our own glyphs.
//
//     node render.mjs        (needs the packages of tests/browser and a Chromium)
//
// They are drawings, not photographs: faces lie flat, light is a gradient, glare and blur are mild. Each piece is turned and lies
// beside its point by chance; the seed is the name of the picture. truth.json says what stands where, and where the corners are.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { chromium } = createRequire(here("../../../../tests/browser/package.json"))("playwright-core");
const FACES = { K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };
const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
const PICTURES = [
  { name: "start-1", placement: START, tilt: 24, light: 90, offset: 0.05 },
  { name: "start-2", placement: START, tilt: 24, light: 250, offset: 0.05 },
  { name: "middle", placement: "2bak1b2/4a4/2n1c1n2/p3p3p/2p3p2/2P3P2/P3P3P/2N1C1N2/4A4/2BAK1B2", tilt: 24, light: 10, offset: 0.14 },
  { name: "ending", placement: "3k5/4a4/4b4/9/2b3r2/4R4/9/4B4/4A4/3AK1B2", tilt: 24, light: 160, offset: 0.16 },
  { name: "dim", placement: "r1bakab1r/9/1cn4c1/p1p1p1pnp/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R", tilt: 24, light: 200, offset: 0.12, dim: 0.55 },
];

/** Chance from a name. */
function chance(name) {
  let state = [...name].reduce((sum, letter) => Math.imul(sum ^ letter.codePointAt(0), 16777619) >>> 0, 2166136261);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function html({ name, placement, tilt, light, offset, dim = 1 }) {
  const random = chance(name);
  const pitch = 64, left = 80, top = 80;
  const lines = [];
  for (let rank = 0; rank < 10; rank++) lines.push(`M0 ${rank}H8`);
  for (let file = 0; file < 9; file++) lines.push(file % 8 ? `M${file} 0V4M${file} 5V9` : `M${file} 0V9`);
  lines.push("M3 0L5 2M5 0L3 2M3 7L5 9M5 7L3 9");
  const pieces = placement.split("/").flatMap((row, down) => {
    let file = -1;
    return [...row].flatMap((letter) => {
      file += FACES[letter] ? 1 : Number(letter);
      if (!FACES[letter]) return [];
      const [dx, dy, turn] = [random() * 2 - 1, random() * 2 - 1, random() * 360].map((value, at) => (at < 2 ? value * offset : value));
      const red = letter < "a";
      return [`<div class="piece ${red ? "red" : "black"}" style="left:${left + (file + dx) * pitch}px;top:${top + (down + dy) * pitch}px;transform:translate(-50%,-50%) rotate(${turn}deg)">${FACES[letter]}</div>`];
    });
  });
  const corners = [[0, 9], [8, 9], [8, 0], [0, 0]].map(([x, y]) => `<i class="corner" style="left:${left + x * pitch}px;top:${top + y * pitch}px"></i>`);
  const font = readFileSync(here("../../../venue/web/fonts/luozi-kai.woff2")).toString("base64");
  return `<!doctype html><style>
    @font-face { font-family: face; src: url(data:font/woff2;base64,${font}); }
    body { margin: 0; width: 900px; height: 900px; background: #4a4f55; perspective: 1400px; overflow: hidden; filter: brightness(${dim}) blur(0.6px); }
    .board { position: absolute; left: 114px; top: 70px; width: ${8 * pitch + 160}px; height: ${9 * pitch + 160}px; transform: rotateX(${tilt}deg) rotateZ(2deg);
      background: linear-gradient(${light}deg, rgb(0 0 0 / 0.28), rgb(255 255 255 / 0.18)), repeating-linear-gradient(92deg, #d9ab6b 0 7px, #d2a262 7px 11px, #dcb072 11px 19px); }
    svg { position: absolute; inset: 0; } path { fill: none; stroke: #3c2814; stroke-width: 0.035; }
    .piece { position: absolute; width: 51px; height: 51px; border-radius: 50%; font: 38px/51px face; text-align: center;
      background: radial-gradient(#f1d9a8 60%, #d8b57c 72%); box-shadow: 2px 4px 5px rgb(0 0 0 / 0.45); }
    .piece::after { content: ""; position: absolute; inset: 3px; border-radius: 50%; border: 1.5px solid currentColor; }
    .red { color: #b3201c; } .black { color: #1d2322; } .corner { position: absolute; width: 0; height: 0; }
  </style><div class="board"><svg viewBox="${-left / pitch} ${-top / pitch} ${8 + 160 / pitch} ${9 + 160 / pitch}"><path d="${lines.join("")}"/></svg>${corners.join("")}${pieces.join("")}</div>`;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 900, height: 900 } });
const truth = {};
for (const picture of PICTURES) {
  await page.setContent(html(picture));
  await page.evaluate(() => document.fonts.ready);
  const corners = await page.$$eval(".corner", (all) => all.map((one) => one.getBoundingClientRect()).map(({ x, y }) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]));
  await page.screenshot({ path: here(`${picture.name}.jpg`), type: "jpeg", quality: 82 });
  truth[picture.name] = { placement: picture.placement, corners };
}
await browser.close();
const rows = Object.entries(truth).map(([name, of]) => `${JSON.stringify(name)}: ${JSON.stringify(of)}`);
writeFileSync(here("truth.json"), `{${rows.join(",\n")}}\n`);
