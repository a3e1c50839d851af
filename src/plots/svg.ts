import { fold } from './fold.ts';
import { isOn, type Line, type Plot, type Point, shareOf, ticksOf } from './plot.ts';

const LEAST_WIDTH = 720;
const LEAST_HEIGHT = 380;
const BOX = { left: 96, right: 560, top: 44, bottom: 316 };
const MOST_TICKS = 7;
const LEGEND = { left: BOX.right + 44, text: BOX.right + 76, top: BOX.top + 10, step: 20, characters: 28 };

/** The largest mean width of a character in pixels, in the sans-serif fonts of browsers and converters. */
const CHARACTER = { text: 8, title: 10 };
const MARGIN = 8;

/**
 * Colours that people with every kind of colour vision can tell apart (Okabe & Ito 2008), each with a lighter colour
 * for dark pages. The dashes of lines differ too.
 */
const COLOURS = [
  ['#0072b2', '#56b4e9'],
  ['#d55e00', '#ff9e4a'],
  ['#007a5a', '#2fd6a3'],
  ['#a03f77', '#e79ac4'],
  ['#8a6d00', '#f0d43a'],
  ['#4a4a4a', '#c8c8c8'],
] as const;
const DASHES = [undefined, '8 4', '2 3', '10 3 2 3', '14 4', '5 2', '10 3 2 3 2 3', '12 3 3 3'] as const;

const TEXT = 'fill="#222" stroke="none" font-family="system-ui,sans-serif"';

/**
 * The look of elements on light pages, by class. These are attributes because some converters (such as ImageMagick's
 * own) ignore style sheets and would fill each line with black.
 */
const LOOKS = {
  page: 'fill="#fff"',
  title: `${TEXT} font-size="15" font-weight="600"`,
  text: `${TEXT} font-size="13"`,
  grid: 'stroke="#ddd" fill="none"',
  axis: 'stroke="#222" fill="none"',
  note: 'stroke="#777" stroke-dasharray="2 4" fill="none"',
  line: 'fill="none" stroke-width="2"',
  measured: 'stroke="#222" fill="#222" stroke-width="2"',
} as const;

/** The differences on dark pages. Style sheets have precedence over attributes. */
const DARK = [
  '@media(prefers-color-scheme:dark){',
  'text{fill:#ddd}.page{fill:#16181c}.grid{stroke:#33373d}.axis{stroke:#ddd}.note{stroke:#999}.measured{stroke:#fff;fill:#fff}',
  ...COLOURS.map(([, dark], i) => `.c${i}{stroke:${dark}}`),
  '}',
].join('');

/** Plots below each other as one SVG document, readable on light and dark pages. */
export function plotsSvg(plots: readonly Plot[]): string {
  const panels = plots.map((plot) => ({ plot, entries: legendOf(plot) }));
  const width = Math.max(LEAST_WIDTH, ...panels.flatMap(({ plot, entries }) => rightEnds(plot, entries)));
  const tops = [0];
  for (const { entries } of panels) tops.push((tops.at(-1) ?? 0) + heightOf(entries));
  const height = tops.at(-1);
  const title = plots.map((plot) => plot.title).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${DARK}</style>
<rect ${looking('page')} width="${width}" height="${height}"/>
${panels.map(({ plot, entries }, i) => `<g transform="translate(0 ${tops[i]})">\n${panel(plot, entries)}</g>\n`).join('')}</svg>
`;
}

/** An entry of a legend: the lines of its text, and its symbol at a height. */
interface Entry {
  readonly lines: readonly string[];
  readonly symbol: (y: number) => string;
}

function legendOf({ lines, missing = [], measured = [] }: Plot): Entry[] {
  const entry = (name: string, symbol: Entry['symbol']) => ({ lines: fold(name, LEGEND.characters), symbol });
  return [
    ...lines.map(({ name }, i) => entry(name, (y) => `<path ${lineLook(i)} d="M${LEGEND.left} ${y}h24"/>\n`)),
    ...measured.map(({ name }) => entry(name, (y) => dot(LEGEND.left + 12, y))),
    ...(missing.length === 0 ? [] : [entry(`not drawn: ${missing.join(', ')}`, () => '')]),
  ];
}

function heightOf(entries: readonly Entry[]): number {
  const lines = entries.reduce((sum, entry) => sum + entry.lines.length, 0);
  return Math.max(LEAST_HEIGHT, LEGEND.top + lines * LEGEND.step + MARGIN);
}

/** The right ends of the texts of a panel. */
function rightEnds({ title }: Plot, entries: readonly Entry[]): number[] {
  const names = entries.flatMap(({ lines }) => lines.map((line) => LEGEND.text + CHARACTER.text * line.length));
  return [BOX.left + CHARACTER.title * title.length, ...names].map((end) => end + MARGIN);
}

function panel(plot: Plot, entries: readonly Entry[]): string {
  const { x, y, lines, measured = [], notes = [] } = plot;
  const across = (value: number) => round(BOX.left + shareOf(x, value) * (BOX.right - BOX.left));
  const down = (value: number) => round(BOX.bottom - shareOf(y, value) * (BOX.bottom - BOX.top));
  const parts = [
    text(BOX.left, 24, plot.title, '', LOOKS.title),
    ...ticksOf(x, MOST_TICKS).flatMap((tick) => [
      segment('grid', across(tick), BOX.top, across(tick), BOX.bottom),
      text(across(tick), BOX.bottom + 20, x.text(tick), 'text-anchor="middle"'),
    ]),
    ...ticksOf(y, MOST_TICKS).flatMap((tick) => [
      segment('grid', BOX.left, down(tick), BOX.right, down(tick)),
      text(BOX.left - 8, down(tick) + 4, y.text(tick), 'text-anchor="end"'),
    ]),
    segment('axis', BOX.left, BOX.bottom, BOX.right, BOX.bottom),
    segment('axis', BOX.left, BOX.top, BOX.left, BOX.bottom),
    text((BOX.left + BOX.right) / 2, BOX.bottom + 44, x.title, 'text-anchor="middle"'),
    text(0, 0, y.title, `text-anchor="middle" transform="translate(14 ${(BOX.top + BOX.bottom) / 2}) rotate(-90)"`),
    ...notes
      .filter((note) => isOn(x, note.x))
      .flatMap((note) => [
        segment('note', across(note.x), BOX.top, across(note.x), BOX.bottom),
        note.text === '' ? '' : text(across(note.x), BOX.top - 6, note.text, 'text-anchor="middle"'),
      ]),
    ...solidFirst(
      lines.map((line, i) => [drawn(line, i, (point) => isOn(x, point.x) && isOn(y, point.y), across, down), i]),
    ),
    ...measured
      .filter((point) => isOn(x, point.x) && isOn(y, point.y))
      .flatMap(({ x: at, y: value, low, high }) => [
        segment('measured', across(at), down(Math.max(low, y.from)), across(at), down(Math.min(high, y.to))),
        dot(across(at), down(value)),
      ]),
    legendText(entries),
  ];
  return parts.join('');
}

/** Lines without dashes are drawn first. Later they would hide others. */
function solidFirst(lines: readonly (readonly [string, number])[]): string[] {
  const isSolid = ([, index]: readonly [string, number]) => dashesOf(index) === undefined;
  return [...lines.filter(isSolid), ...lines.filter((line) => !isSolid(line))].map(([line]) => line);
}

function drawn(
  { points }: Line,
  index: number,
  isDrawn: (point: Point) => boolean,
  across: (value: number) => number,
  down: (value: number) => number,
): string {
  const corners = points.filter(isDrawn).map((point) => `${across(point.x)},${down(point.y)}`);
  return `<polyline ${lineLook(index)} points="${corners.join(' ')}"/>\n`;
}

/** The colour and the dashes of a line. Their combination is unique among `MOST_LINES` lines. */
function lineLook(index: number): string {
  const colour = index % COLOURS.length;
  const dashes = dashesOf(index);
  const dashed = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`;
  return `class="line c${colour}" ${LOOKS.line} stroke="${COLOURS[colour]?.[0]}"${dashed}`;
}

function dashesOf(index: number): (typeof DASHES)[number] {
  return DASHES[(Math.floor(index / COLOURS.length) + index) % DASHES.length];
}

function legendText(entries: readonly Entry[]): string {
  let y = LEGEND.top;
  const parts = entries.map(({ lines, symbol }) => {
    const texts = lines.map((line, i) => text(LEGEND.text, y + 4 + i * LEGEND.step, line));
    const part = `${symbol(y)}${texts.join('')}`;
    y += lines.length * LEGEND.step;
    return part;
  });
  return parts.join('');
}

function looking(name: keyof typeof LOOKS): string {
  return `class="${name}" ${LOOKS[name]}`;
}

function dot(x: number, y: number): string {
  return `<circle ${looking('measured')} cx="${x}" cy="${y}" r="3"/>\n`;
}

function segment(name: keyof typeof LOOKS, x1: number, y1: number, x2: number, y2: number): string {
  return `<line ${looking(name)} x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>\n`;
}

function text(x: number, y: number, content: string, attributes = '', look: string = LOOKS.text): string {
  return `<text x="${x}" y="${y}" ${look} ${attributes}>${escaped(content)}</text>\n`;
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

/** Text between tags. Control characters are removed, because XML does not allow them. */
function escaped(content: string): string {
  return content
    .replace(/\p{Cc}/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}
