import { isOn, type Line, type Plot, type Point, shareOf, ticksOf } from './plot.ts';

const WIDTH = 720;
const HEIGHT = 380;
const BOX = { left: 96, right: 560, top: 44, bottom: 316 };
const MOST_TICKS = 7;
const LEGEND_LEFT = BOX.right + 20;
const LEGEND_STEP = 20;

/**
 * Colours that people with any sight of colours tell apart (Okabe & Ito 2008), with a lighter one each for dark pages. Lines also
 * differ by their dashes.
 */
const COLOURS = [
  ['#0072b2', '#56b4e9'],
  ['#d55e00', '#ff9e4a'],
  ['#007a5a', '#2fd6a3'],
  ['#a03f77', '#e79ac4'],
  ['#8a6d00', '#f0d43a'],
  ['#4a4a4a', '#c8c8c8'],
] as const;
const DASHES = ['none', '8 4', '2 3', '10 3 2 3'] as const;

/** Plots one below the other as one SVG document, readable on light pages and on dark ones. */
export function plotsSvg(plots: readonly Plot[]): string {
  const height = HEIGHT * plots.length;
  const title = plots.map((plot) => plot.title).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
${plots.map((plot, i) => `<g transform="translate(0 ${i * HEIGHT})">\n${panel(plot)}</g>\n`).join('')}</svg>
`;
}

const STYLE = [
  'text{font:13px system-ui,sans-serif;fill:#222}',
  '.title{font-weight:600;font-size:15px}',
  '.page{fill:#fff}',
  '.grid{stroke:#ddd}',
  '.axis{stroke:#222}',
  '.note{stroke:#777;stroke-dasharray:2 4}',
  '.line{fill:none;stroke-width:2}',
  '.measured{stroke:#222;fill:#222;stroke-width:2}',
  ...COLOURS.map(([light], i) => `.c${i}{stroke:${light}}`),
  '@media(prefers-color-scheme:dark){',
  'text{fill:#ddd}.page{fill:#16181c}.grid{stroke:#33373d}.axis{stroke:#ddd}.note{stroke:#999}.measured{stroke:#fff;fill:#fff}',
  ...COLOURS.map(([, dark], i) => `.c${i}{stroke:${dark}}`),
  '}',
].join('');

function panel(plot: Plot): string {
  const { x, y, lines, measured = [], notes = [] } = plot;
  const across = (value: number) => round(BOX.left + shareOf(x, value) * (BOX.right - BOX.left));
  const down = (value: number) => round(BOX.bottom - shareOf(y, value) * (BOX.bottom - BOX.top));
  const parts = [
    text(BOX.left, 24, plot.title, 'class="title"'),
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
        text(across(note.x), BOX.top - 6, note.text, 'text-anchor="middle"'),
      ]),
    ...lines.map((line, i) => drawn(line, i, (point) => isOn(x, point.x) && isOn(y, point.y), across, down)),
    ...measured
      .filter((point) => isOn(x, point.x) && isOn(y, point.y))
      .flatMap(({ x: at, y: value, low, high }) => [
        segment('measured', across(at), down(Math.max(low, y.from)), across(at), down(Math.min(high, y.to))),
        `<circle class="measured" cx="${across(at)}" cy="${down(value)}" r="3"/>\n`,
      ]),
    ...legend(plot),
  ];
  return parts.join('');
}

function drawn(
  { points }: Line,
  index: number,
  isDrawn: (point: Point) => boolean,
  across: (value: number) => number,
  down: (value: number) => number,
): string {
  const corners = points.filter(isDrawn).map((point) => `${across(point.x)},${down(point.y)}`);
  return `<polyline ${styleOf(index)} points="${corners.join(' ')}"/>\n`;
}

function styleOf(index: number): string {
  const dashes = DASHES[Math.floor(index / COLOURS.length + (index % DASHES.length)) % DASHES.length];
  return `class="line c${index % COLOURS.length}" stroke-dasharray="${dashes}"`;
}

function legend({ lines, measured = [] }: Plot): string[] {
  const names = [...lines, ...measured].map(({ name }) => name);
  return names.flatMap((name, i) => {
    const at = BOX.top + 10 + i * LEGEND_STEP;
    const isLine = i < lines.length;
    return [
      isLine
        ? `<path ${styleOf(i)} d="M${LEGEND_LEFT} ${at}h24"/>\n`
        : `<circle class="measured" cx="${LEGEND_LEFT + 12}" cy="${at}" r="3"/>\n`,
      text(LEGEND_LEFT + 32, at + 4, name),
    ];
  });
}

function segment(name: string, x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="${name}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>\n`;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>\n`;
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

/** Text between tags. Control characters, which no XML may have, are left out. */
function escaped(content: string): string {
  return content
    .replace(/\p{Cc}/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}
