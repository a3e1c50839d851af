// The command on a pseudo terminal, which script(1) of util-linux makes.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const isMissing = spawnSync('script', ['--version']).status !== 0;

/**
 * Lets half a second pass at once, so that all work is long. Text that is drawn at intervals is drawn at each look at the clock: for
 * each new text, and before it is removed.
 */
const FAST_CLOCK = `
const { uptime } = process;
const { setInterval, clearInterval } = globalThis;
const draws = new Map();
process.uptime = () => {
  for (const draw of draws.values()) draw();
  return 1e6 * uptime.call(process);
};
globalThis.setInterval = (work) => {
  const timer = setInterval(work, 1);
  draws.set(timer, work);
  return timer;
};
globalThis.clearInterval = (timer) => {
  draws.get(timer)?.();
  draws.delete(timer);
  clearInterval(timer);
};
`;

beforeAll(async () => {
  shell(`cp ${fixture('words.txt')} words`);
  writeFileSync(path('fast.cjs'), FAST_CLOCK);
  await within(['build', 'words', '-o', 'words.bloom']);
  await within(['build', '-m', '8M', 'words', '-o', 'large.bloom']);
});

/** Runs a command on a terminal, and returns its output. */
function onTerminal(command: string, variables = '', columns = 90) {
  return shell(`${variables} script -qec "stty cols ${columns}; ${command}" /dev/null < /dev/null`);
}

/** The same, as if the command took long. */
const slowly = (command: string, variables = '') =>
  onTerminal(command, `${variables} NODE_OPTIONS='--require ./fast.cjs'`).stdout;

/** The lines that remain in the end, after all that was written and erased. */
function screen(written: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the control sequences of a terminal
  for (const [part, argument = '', command] of written.matchAll(/\u001b\[([\d?;]*)([A-Za-z])|./gs)) {
    const line = lines[row] ?? '';
    if (command === 'G') column = Number(argument || 1) - 1;
    else if (command === 'K') lines[row] = line.slice(0, column);
    else if (command === 'A') row -= Number(argument || 1);
    else if (command !== undefined) continue;
    else if (part === '\r') column = 0;
    else if (part === '\n') lines[++row] ??= '';
    else {
      lines[row] = line.padEnd(column).slice(0, column) + part + line.slice(column + 1);
      column++;
    }
  }
  return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
}

const CYAN = '\u001b[36m';

describe.skipIf(isMissing)(`on a terminal${isMissing ? ' (no script(1) here)' : ''}`, () => {
  test('a filter is not written', () => {
    const { stdout, status } = onTerminal('$BLOOM build words -o -');
    expect(stdout).toContain('refusing to write binary data to the terminal; name a file with -o');
    expect(stdout).not.toContain('BLM');
    expect(status).toBe(2);
    if (IS_LONG) expect(onTerminal('$BLOOM build words -o /dev/tty')).toMatchObject({ stdout, status });
    // But bloom writes a report there.
    const stats = '$BLOOM stats --probes 0 --color never words.bloom';
    expect(onTerminal(`${stats} -o /dev/tty`).stdout).toBe(onTerminal(stats).stdout);
  });

  test('a report has colours, unless they are disabled', () => {
    const stats = '$BLOOM stats --probes 0 words.bloom';
    expect(onTerminal(stats).stdout).toContain('\u001b[32mhealthy');
    expect(onTerminal(`NO_COLOR=1 ${stats}`).stdout).not.toContain('\u001b');
    if (IS_LONG) expect(onTerminal(`TERM=dumb ${stats}`).stdout).not.toContain('\u001b');
    // A report in a file has no colours.
    expect(onTerminal(`${stats} -o report; cat report`).stdout).not.toContain('\u001b');
  });

  test('a matching key is coloured, unless colours are disabled', () => {
    const query = '$BLOOM query words.bloom -e walk';
    expect(onTerminal(query).stdout).toBe('\u001b[01;31m\u001b[Kwalk\u001b[m\u001b[K\r\n');
    expect(onTerminal(`GREP_COLORS=mt=04:ne ${query}`).stdout).toBe('\u001b[04mwalk\u001b[m\r\n');
    const plains = [`NO_COLOR=1 ${query}`, `TERM=dumb ${query}`, `${query} --color never`, `${query} | cat`];
    for (const plain of sampled(plains)) expect(onTerminal(plain).stdout).toBe('walk\r\n');
  });

  test.each(inLongRuns([40, 80], [40]))(
    'tables fit %d columns, and have any width in a file without COLUMNS',
    async (columns) => {
      const size = ['size', '--color', 'never', '--kind', 'bloom', '--kind', 'ribbon', '-p', '0.1%', '--overfill'];
      const { stdout } = onTerminal(`$BLOOM ${size.join(' ')}`, '', columns);
      expect(Math.max(...stdout.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
      for (const word of ['bloom', 'ribbon', '1,000,000', '0.100 %', '1.80 MB']) expect(stdout).toContain(word);
      expect((await within(size, { env: { COLUMNS: undefined } })).stdout).toMatch(/^kind .* once built, it can$/m);
    },
  );

  test.runIf(IS_LONG)('a table names the columns that it leaves out, and has no remarks about them', () => {
    const { stdout } = onTerminal('$BLOOM size --color never -p 0.1%', '', 80);
    expect(stdout).toContain('A wider terminal shows more: of stored keys.');
    expect(stdout).not.toContain('Compared');
    const wide = onTerminal('$BLOOM size --color never -p 0.1%', '', 120).stdout;
    expect(wide).toContain('Compared with storing keys of 64 bytes.');
    expect(wide).not.toContain('wider');
  });
});

describe.skipIf(isMissing)(`the width of a terminal${isMissing ? ' (no script(1) here)' : ''}`, () => {
  const stats = '$BLOOM stats --probes 1k --present words --absent words words.bloom';
  let whole = '';
  beforeAll(() => {
    whole = screen(onTerminal(`${stats} | cat`, '', 30).stdout).join('\n');
  });

  test.each(inLongRuns([30, 60, 80], [60]))('a report fits %d columns, and contains the same facts', (columns) => {
    const lines = screen(onTerminal(stats, '', columns).stdout);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    const words = (text: string) =>
      text
        .trim()
        .split(/\s+/)
        .filter((word) => !/^[\d.,]+$/.test(word));
    expect(words(lines.join('\n'))).toEqual(words(whole));
    // If little room is left beside the labels, the values stand below them.
    expect(lines.includes('  kind')).toBe(columns === 30);
  });
});

describe.skipIf(isMissing)(`progress${isMissing ? ' (no script(1) here)' : ''}`, () => {
  const commands: readonly [string, readonly string[]][] = [
    ['build -m 8M words --force -o built.bloom', ['building: 47.0 kB of 47.0 kB (100 %)', 'writing: ']],
    ['add large.bloom words', ['adding: 47.0 kB of', 'writing: 500 kB of 1.00 MB']],
    ['merge large.bloom large.bloom --force -o union.bloom', ['merging: 500 kB of 1.00 MB']],
    ['query -c - words < <(cat large.bloom)', ['loading: 500 kB of 1.00 MB', 'querying: ']],
    [
      'stats --verify --probes 100k --absent words --present words large.bloom',
      [
        'verifying: 500 kB of 1.00 MB',
        'measuring: ',
        ' of 100k keys',
        'looking up absent keys: ',
        'looking up present',
      ],
    ],
  ];
  test.each(sampled(commands))('is shown and removed: %s', (command, shown) => {
    const written = slowly(`bash -c '\\$BLOOM ${command}'`);
    for (const text of shown) expect(written).toContain(text);
    const left = screen(written);
    expect(left.length).toBeGreaterThan(0);
    expect(left.join('\n')).not.toMatch(/ing: |ing about/);
  });

  test.runIf(IS_LONG)('counts and later output are not printed next to it', () => {
    expect(screen(slowly('$BLOOM query -c -H words.bloom -e walk words words --summary'))).toEqual([
      '-e:1',
      'words:5130',
      'words:5130',
      '10,261 records: 0 absent (0 %), 10,261 maybe present; 0 false positives expected at a rate',
      'of 0.984 %',
    ]);
    expect(screen(slowly('$BLOOM query -c words.bloom nowhere words'))).toEqual([
      'bloom: cannot read nowhere: no such file or folder',
      'try bloom query -c words.bloom -e nowhere words',
      '5130',
    ]);
  });

  test.runIf(IS_LONG)('does not disturb programs that show the output', () => {
    const piped = slowly('$BLOOM query words.bloom words | head -n 2');
    expect(piped).not.toContain('querying');
    expect(screen(piped)).toHaveLength(2);
    const loaded = slowly(`bash -c '\\$BLOOM query - -e walk -e walk < <(cat large.bloom)'`);
    expect(loaded).toContain('loading');
    expect(screen(loaded)).toEqual(['walk', 'walk']);
    const counted = slowly('$BLOOM query -c words.bloom words | cat');
    expect(counted).toContain('querying');
    expect(screen(counted)).toEqual(['5130']);
    expect(slowly('$BLOOM query words.bloom words')).not.toContain('querying');
    expect(slowly('$BLOOM query words.bloom words > found')).toContain('querying');
    const written = slowly('$BLOOM build -m 8M words -o - | $BLOOM stats --probes 0 --json -');
    expect(written).toContain('building');
    expect(written).not.toContain('writing');
  });

  test.runIf(IS_LONG)('has two passes if inputs are read twice', () => {
    shell('seq 1100000 > numbers');
    const written = slowly('$BLOOM build --threads 1 numbers -o numbers.bloom');
    const labels = [...written.matchAll(/building[^:]*(?=: [\d.]+ .B of 7\.69 MB)/g)].map(([label]) => label);
    expect([...new Set(labels)]).toEqual(['building', 'building, pass 1 of 2', 'building, pass 2 of 2']);
    expect(slowly('$BLOOM build words --force -o built.bloom')).not.toContain('pass');
  });

  test.each(
    sampled([
      ['$BLOOM build words', '', true],
      ['$BLOOM build --color always words', 'NO_COLOR=1', true],
      ['$BLOOM build words', 'NO_COLOR=1', false],
      ['$BLOOM build --color never words', '', false],
    ] as const),
  )('has colours only if they are enabled: %s %s', (command, variables, isColoured) => {
    const written = slowly(`${command} --force -o built.bloom`, variables);
    expect(written).toContain('building');
    expect(written.includes(CYAN)).toBe(isColoured);
  });

  test.each(inLongRuns(['TERM=dumb', 'CI=true'], ['CI=true']))(
    'with %s, where no line can be removed, none is shown',
    (variable) => {
      expect(slowly('$BLOOM build words --force -o built.bloom', variable)).toMatch(
        /^built\.bloom: 5,130 keys .*\r\n0\.984 .*\r\n$/,
      );
    },
  );
});

test.skipIf(isMissing).each(inLongRuns([40, 60, 110], [40]))(
  'the help fits a terminal of %d columns, and uses it',
  (columns) => {
    const help = onTerminal('$BLOOM stats --help', '', columns).stdout.replaceAll('\r', '');
    const longest = Math.max(...help.split('\n').map(({ length }) => length));
    expect(longest).toBeLessThanOrEqual(columns);
    expect(longest).toBeGreaterThan(columns - 10);
  },
);
