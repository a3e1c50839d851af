// Writes the table of simple case folding, by the Unicode of the Node that runs it, for the kernel and for the reader for browsers:
//
//   node src/kernel/assembly/folding-runs.js > src/kernel/assembly/encodings/folding-runs.ts
//   node src/kernel/assembly/folding-runs.js web > src/web/folding-runs.ts
//
// Regular expressions with the flags i and u compare characters by simple case folding (ECMA-262, Canonicalize), so
// they tell which characters fold to the same one. That one is the lower case of the upper case, but for Cherokee,
// whose capital letters are older (Unicode, CaseFolding.txt).

/** The characters with an upper or a lower case of their own: no other character folds. */
const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => code).filter(hasCase);

/** Whether an upper or lower case is different from the character. Surrogates have none. */
function hasCase(code) {
  const text = String.fromCodePoint(code);
  return text.toUpperCase() !== text || text.toLowerCase() !== text;
}

/** The code of a text that is one character. */
function codeOf(text) {
  return [...text].length === 1 ? text.codePointAt(0) : undefined;
}

function isAlike(a, b) {
  return new RegExp(`^\\u{${a.toString(16)}}$`, 'iu').test(String.fromCodePoint(b));
}

/** The characters that `code` may fold to, the likely one first. */
function candidates(code) {
  const text = String.fromCodePoint(code);
  const [upper, lower] = [codeOf(text.toUpperCase()), codeOf(text.toLowerCase())];
  const ofUpper = upper === undefined ? undefined : codeOf(String.fromCodePoint(upper).toLowerCase());
  const isCherokee = /\p{Script=Cherokee}/u.test(text);
  return (isCherokee ? [upper] : [ofUpper, lower]).filter((other) => other !== undefined && other !== code);
}

/** What each character folds to, if that is another. */
const folded = new Map();
for (const code of CHARACTERS) {
  const to = candidates(code).find((other) => isAlike(code, other));
  if (to !== undefined) folded.set(code, to);
}
/** The ligature of a long s and t folds to that of s and t, which follows it. */
const LONG_S_T = 0xfb05;

// Characters whose upper case is several characters, such as U+1FD3, fold to the older of two that have the same.
const firstOf = new Map();
for (const code of CHARACTERS) {
  const text = String.fromCodePoint(code);
  if (folded.has(code) || text.toUpperCase() === text) continue;
  const first = firstOf.get(text.toUpperCase());
  if (first === undefined) firstOf.set(text.toUpperCase(), code);
  else if (isAlike(code, first)) folded.set(...(first === LONG_S_T ? [first, code] : [code, first]));
}

/** Runs of characters, every one or every second of which folds to the character at the same distance. */
const runs = [];
for (const [code, to] of [...folded].sort(([a], [b]) => a - b)) {
  const run = runs.at(-1);
  const step = run === undefined ? 0 : code - run.last;
  const isNext = run !== undefined && to - code === run.distance && step <= 2 && (run.step === 0 || run.step === step);
  if (isNext) Object.assign(run, { last: code, step });
  else runs.push({ first: code, last: code, step: 0, distance: to - code });
}

const SOURCE = `// Simple case folding of Unicode ${process.versions.unicode}: statuses C and S of CaseFolding.txt. folding-runs.js writes this file.`;

/** The table as the kernel has it. */
function forKernel() {
  const numbers = runs.flatMap(({ first, last, step, distance }) => [first, last, Math.max(step, 1), distance]);
  const lines = [];
  for (const number of numbers) {
    const last = lines.at(-1);
    if (last === undefined || `${last} ${number},`.length > 118) lines.push(`  ${number},`);
    else lines[lines.length - 1] = `${last} ${number},`;
  }
  return `${SOURCE}

/** Runs of four numbers: the first and the last character, the step between them, and the distance to what they fold to. */
export const FOLDING_RUNS: usize = memory.data<i32>([
${lines.join('\n')}
]);
export const FOLDING_RUN_COUNT: usize = ${runs.length};
`;
}

/** The table as a text, which compresses well. */
function forBrowsers() {
  let before = 0;
  const texts = runs.map(({ first, last, step, distance }) => {
    const more = last > first ? `${step === 2 ? '.' : ':'}${((last - first) / step).toString(36)}` : '';
    const text = `${(first - before).toString(36)}${more}${distance < 0 ? '' : '+'}${distance.toString(36)}`;
    before = last;
    return text;
  });
  return `${SOURCE}

/**
 * Runs of characters. Each has numbers to the base 36: the distance of its first character from the last one of the run before; after a colon
 * or a dot, how many more characters there are, of which each is the next one or the next but one; and the distance to what they fold to.
 */
export const FOLDING_RUNS =
  '${texts.join(' ')}';
`;
}

process.stdout.write(process.argv[2] === 'web' ? forBrowsers() : forKernel());
