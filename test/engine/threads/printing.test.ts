// Threads print what one thread prints: every record in order, with its number and the name of its file.

import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALL_FIELDS,
  allFieldKeys,
  fieldKeys,
  textSeparator,
  WHOLE_RECORD,
} from '../../../src/engine/input/record-keys.ts';
import { type LineStyle, WANTED } from '../../../src/engine/tasks/line-style.ts';
import { ANY_OF_THEM, type Combination } from '../../../src/engine/tasks/task.ts';
import { HEADER, oracleFile } from '../../formats/bloomery/files.ts';
import { IS_LONG, inLongRuns } from '../../long.ts';
import { writeNewFile } from '../../new-file.ts';
import { type BitRules, bitsOfKey, hasAll, payloadOf } from '../../reference/bloom-bits.ts';
import { isSelected, keysOf, splitRaw, withoutTerminator } from '../../reference/records.ts';
import { END_OF_JOB, type Job } from './print-driver.ts';

const COMMA = textSeparator(',');

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bloom-printing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const driver = join(folder, 'test', 'engine', 'driver.mjs');

const RULES: BitRules = { ...HEADER, segments: 3, segmentBits: 512, k: 5, ignoreCase: false, trim: false };
const MEMBERS = ['', 'a', 'beta', 'c d', 'x'.repeat(70)];
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

/** The first filter is alone in queries of one filter. Some of the others have its rules or its number of segments. */
const FILTERS = (
  [
    [RULES, MEMBERS],
    [{ ...RULES, seed: 3n }, ['beta', 'no', 'y'.repeat(300)]],
    [{ ...RULES, segments: 1, ignoreCase: true }, ['b', 'c d']],
    [RULES, ['a', 'no', ',']],
    [{ ...RULES, segments: 5, trim: true }, ['a', 'c d']],
  ] as const
).map(([rules, members], i) => ({
  name: `${i}.bloom`,
  rules,
  members,
  payload: payloadOf(members.map(bytesOf), rules),
  answers: new Map<string, boolean>(),
}));

beforeAll(async () => {
  // The driver finds the kernel and the program of the threads at the same place as the sources do: in dist, two folders up.
  mkdirSync(join(folder, 'test', 'engine'), { recursive: true });
  symlinkSync(join(ROOT, 'dist'), join(folder, 'dist'));
  const input = '\0driver';
  const source = `import { main } from ${JSON.stringify(join(ROOT, 'test', 'engine', 'threads', 'print-driver.ts'))}; await main();`;
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: ['xxhashjs'],
    plugins: [
      {
        name: 'driver',
        resolveId: (id: string) => (id === input ? id : null),
        load: (id: string) => (id === input ? source : null),
      },
    ],
  });
  await bundle.write({ file: driver, format: 'esm', codeSplitting: false });
  await bundle.close();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const { name, rules, members } of FILTERS)
    writeFileSync(
      join(folder, name),
      oracleFile({ ...HEADER, ...rules, bits: rules.segments * rules.segmentBits }, members),
    );
});

type Asked = Omit<Job, 'filters' | 'combination' | 'inputs' | 'startsThreads'> & {
  readonly files: readonly string[];
  readonly several?: { readonly filters: readonly number[]; readonly combination: Combination } | undefined;
};

/** The filters of a job, in their order. */
function filtersOf({ several }: Asked) {
  return (several?.filters ?? [0]).flatMap((number) => FILTERS[number] ?? []);
}

/** Only this many threads or more read pipes. */
const PIPE_THREADS = 3;

/** The output of each job. */
function printed(jobs: readonly Asked[]): string[] {
  const placed = jobs.map(({ files, ...job }, i): Job => {
    const inputs = files.map((content, j) => {
      const name = join(folder, `${i}.${j}`);
      writeNewFile(name, content, 'latin1');
      return name;
    });
    const isThere = files.some((content) => content !== '');
    const startsThreads = job.worthwhile === 0 && (!job.arePipes || (job.threads >= PIPE_THREADS && isThere));
    const filters = filtersOf({ ...job, files }).map(({ name }) => join(folder, name));
    return { ...job, filters, combination: job.several?.combination ?? ANY_OF_THEM, inputs, startsThreads };
  });
  const options = { input: JSON.stringify(placed), encoding: 'latin1', maxBuffer: 2 ** 28 } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, [driver], options);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.split(END_OF_JOB).slice(0, -1);
}

/** The oracle's answer, computed once per key. */
function isMember(key: Uint8Array, { answers, payload, rules }: (typeof FILTERS)[number]): boolean {
  const text = Buffer.from(key).toString('latin1');
  const answer = answers.get(text) ?? hasAll(payload, bitsOfKey(key, rules));
  answers.set(text, answer);
  return answer;
}

/** The expected output, one record at a time. */
function expected(asked: Asked, job: number): string {
  const { files, selection, print, arePipes, stopAt, several } = asked;
  const { needed, named: told } = several?.combination ?? ANY_OF_THEM;
  const filters = filtersOf(asked);
  const having = (key: Uint8Array) => filters.filter((filter) => isMember(key, filter));
  const selecting = (record: Uint8Array) =>
    filters.filter((filter) => isSelected(record, selection, (key) => isMember(key, filter)));
  const namesOf = (those: typeof filters) =>
    those.map(({ name }) => join(folder, name)).slice(0, told === 'first' ? 1 : undefined);
  const terminator = selection.nullTerminated ? '\0' : '\n';
  const answered = files.map((content) => {
    const records = splitRaw(bytesOf(content), selection).map((raw) => {
      const record = withoutTerminator(raw, selection);
      const { length } = selecting(record);
      return { raw, record, match: length >= (needed === 'all' ? filters.length : 1) };
    });
    if (stopAt === undefined) return records;
    const selected = records.flatMap(({ match }, i) => (match === (stopAt.selected === WANTED.present) ? [i] : []));
    return records.slice(0, (selected[stopAt.records - 1] ?? Number.POSITIVE_INFINITY) + 1);
  });
  // A query for records that not all filters have selects a record if any filter lacks a key.
  const least = print.wanted === WANTED.absent && needed === 'all' ? filters.length : 1;
  const all = answered.flat();
  const counts = stopAt ? `${all.length} ${all.filter(({ match }) => match).length}\n` : '';
  const lines = answered
    .flatMap((records, i) =>
      records.map(({ raw, record, match }, j) => {
        if (print.wanted !== WANTED.all && match !== (print.wanted === WANTED.present)) return '';
        const keys = keysOf(record, selection).filter((key) => having(key).length >= least === match);
        const name = join(folder, `${job}.${i}${arePipes ? `.${i}.pipe` : ''}`);
        const lead = `${print.named ? `${name}:` : ''}${print.numbered ? `${j + 1}:` : ''}`;
        const printed = ({ line, bytes }: { readonly line: Uint8Array; readonly bytes: Uint8Array }) => {
          const names = namesOf(print.keys === undefined ? selecting(record) : having(bytes));
          const before = `${print.tag ? (match ? '+' : '-') : ''}${told === 'none' ? '' : `${names.join(',')}\t`}`;
          const text = Buffer.from(bytes).toString('latin1');
          const shown = isUtf8(bytes) ? { record: text } : { record: null, recordBase64: btoa(text) };
          const found = told === 'none' ? {} : { filters: names };
          if (print.json) return `${JSON.stringify({ ...shown, match, ...found, file: name, line: j + 1 })}\n`;
          const whole = Buffer.from(line).toString('latin1');
          return `${before}${lead}${whole}${whole.endsWith(terminator) && print.keys === undefined ? '' : terminator}`;
        };
        if (print.keys === undefined) return printed({ line: raw, bytes: record });
        return keys.map((key) => printed({ line: key, bytes: key })).join('');
      }),
    )
    .join('');
  return lines + counts;
}

/** The jobs of all tests. One process does them all, as it takes longer to start than to do most of them. */
const all: Asked[] = [];
let found: string[] = [];
beforeAll(() => {
  found = printed(all);
});

/** Adds jobs whose output is the expected one. */
function testTruth(title: string, jobs: readonly Asked[]) {
  const first = all.push(...jobs) - jobs.length;
  test(title, () => {
    expect(found).toHaveLength(all.length);
    for (const [i, job] of jobs.entries()) {
      const output = found[first + i];
      const text = ['1', '2', '3', '4', ''].reduce((rest, colour) => rest?.replaceAll(`\x1b[${colour}m`, ''), output);
      const told = JSON.stringify({ ...job, files: job.files.map(({ length }) => length) });
      expect(text, told).toBe(expected(job, first + i));
    }
  });
}

const LINES = { nullTerminated: false, keys: WHOLE_RECORD };
const TOKENS = { nullTerminated: false, keys: allFieldKeys() };
const LISTED = {
  nullTerminated: false,
  keys: {
    type: 'fields',
    ranges: [
      { from: 1, to: 1 },
      { from: -2, to: -1 },
    ],
    separator: COMMA,
  },
} as const;
const CSV = {
  nullTerminated: false,
  keys: { type: 'fields', ranges: [{ from: 2, to: 2 }], separator: { type: 'csv', delimiter: ',' } },
} as const;
const EVERYTHING: LineStyle = { wanted: WANTED.all, tag: true, named: true, numbered: true, json: false };

const word = fc.constantFrom(
  'a',
  'B',
  'beta',
  'c d',
  'no',
  '',
  ' ',
  ',',
  'x'.repeat(70),
  'y'.repeat(300),
  '\r',
  '\xff',
  '"',
  ',"a""B',
  '",beta',
);
const line = fc.array(word, { maxLength: 3 }).map((words) => words.join(''));
const file = fc
  .tuple(fc.array(line, { maxLength: 120, size: 'max' }), fc.constantFrom('\n', ''))
  .map(([lines, last]) => lines.join('\n') + last);
const COLOURS = { match: '1', file: '2', line: '3', separator: '4', clears: false };
const leads = { named: fc.boolean(), numbered: fc.boolean(), json: fc.boolean() };
const jobs = fc.record({
  threads: fc.constantFrom(...inLongRuns([1, 2, 3, 4, 8, 16], [1, 2, 3])),
  arePipes: fc.boolean(),
  chunk: fc.oneof(fc.integer({ min: 4, max: 200 }), fc.integer({ min: 1000, max: 20_000 })),
  worthwhile: fc.constantFrom(0, 1, 3000),
  files: fc.array(file, { minLength: 1, maxLength: 4 }),
  selection: fc.constantFrom<Job['selection']>(
    LINES,
    { nullTerminated: true, keys: WHOLE_RECORD },
    { nullTerminated: false, keys: fieldKeys(2, COMMA) },
    TOKENS,
    { nullTerminated: false, keys: { type: 'words' } },
    { ...TOKENS, needsAll: true },
    { ...LISTED, needsAll: true },
    LISTED,
    CSV,
    { nullTerminated: false, keys: { ...CSV.keys, ranges: ALL_FIELDS } },
  ),
  print: fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ ...leads, wanted: fc.constantFrom(...Object.values(WANTED)), tag: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        ...leads,
        wanted: fc.constantFrom(WANTED.absent, WANTED.present),
        tag: fc.constant(false),
        keys: fc.constant('alone' as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        ...leads,
        json: fc.constant(false),
        wanted: fc.constantFrom(...Object.values(WANTED)),
        tag: fc.boolean(),
        colours: fc.constant(COLOURS),
      }),
    },
  ),
  stopAt: fc.option(
    fc.record({
      selected: fc.constantFrom(WANTED.absent, WANTED.present),
      records: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 5, max: 150 })),
      ofEach: fc.constant(true),
    }),
    { nil: undefined },
  ),
});

testTruth('any files, divided anyhow', fc.sample(jobs, { numRuns: inLongRuns(25, 3), seed: 4 }));

const several = fc.record({
  filters: fc.subarray([0, 1, 2, 3, 4], { minLength: 2 }),
  combination: fc.constantFrom<Combination>(
    ANY_OF_THEM,
    { needed: 'any', named: 'all' },
    { needed: 'any', named: 'first' },
    { needed: 'all', named: 'none' },
    { needed: 'all', named: 'all' },
  ),
});

testTruth(
  'any filters that are larger than the memory',
  fc
    .sample(fc.tuple(jobs, fc.option(several, { nil: undefined }), fc.constantFrom(1, 128)), {
      numRuns: inLongRuns(50, 2),
      seed: 6,
    })
    // Only whole filters print keys.
    .map(([job, several, memory]) => ({ ...job, several, print: { ...job.print, keys: undefined }, memory })),
);

testTruth(
  'any filters together',
  fc
    .sample(fc.tuple(jobs, several), { numRuns: inLongRuns(25, 2), seed: 5 })
    .map(([job, several]) => ({ ...job, several })),
);

testTruth(
  'records with every length from one to beyond a chunk',
  inLongRuns([16, 17, 64, 70, 71, 256], [71]).map((chunk) => {
    // A fair share of a small input is smaller than a chunk. A chunk four times as large makes this the smallest piece.
    return {
      threads: 3,
      chunk: 4 * chunk,
      arePipes: false,
      worthwhile: 0,
      files: [Array.from({ length: 90 }, (_, i) => 'x'.repeat(i)).join('\n')],
      selection: LINES,
      print: EVERYTHING,
    };
  }),
);

function longRecords(): Asked[] {
  const long = 'z'.repeat(400_000);
  const files = [`a\n${long}\nbeta\r\n\n${long}\n`, `${long}a`, '', 'a\n\n\r\nno'];
  const job = { threads: 3, chunk: 5000, arePipes: false, selection: LINES, files };
  return [
    { ...job, worthwhile: 0, print: EVERYTHING },
    ...inLongRuns([{ ...job, worthwhile: 1000, print: EVERYTHING }], []),
    { ...job, worthwhile: 0, arePipes: true, print: { ...EVERYTHING, json: true } },
    ...inLongRuns(
      [{ ...job, worthwhile: 0, arePipes: true, print: { ...EVERYTHING, wanted: WANTED.absent, tag: false } }],
      [],
    ),
  ];
}

testTruth('records that are longer than many chunks and than every buffer, between short ones', longRecords());

function manyKeys(): Asked[] {
  const tokens = Array.from({ length: 17_000 }, (_, i) => (i % 3 === 0 ? 'beta' : `n${i % 50}`)).join(' ');
  const long = 'z'.repeat(400_000);
  const files = [`a x\n${tokens}\n${long} beta\nno\n`, `beta ${long} ${long}a`];
  const keys = { ...EVERYTHING, tag: false, keys: 'alone' } as const;
  const job = { chunk: 5000, arePipes: false, worthwhile: 0, selection: TOKENS, files };
  return [
    { ...job, threads: 1, print: { ...keys, wanted: WANTED.present } },
    { ...job, threads: 3, print: { ...keys, wanted: WANTED.absent, json: true } },
    { ...job, threads: 1, selection: LINES, print: { ...keys, wanted: WANTED.absent } },
    { ...job, threads: 1, print: { ...EVERYTHING, colours: COLOURS } },
    { ...job, threads: 3, print: { ...keys, wanted: WANTED.present, colours: COLOURS } },
  ];
}

if (IS_LONG)
  testTruth('more keys of a record than are looked up together, and keys longer than every buffer', manyKeys());

function manyRecords(): Asked[] {
  const random = Array.from({ length: inLongRuns(60_000, 3000) }, (_, i) => (i % 7 === 0 ? 'beta' : `n${i % 400}`));
  const files = [random.join('\n'), random.slice(1).join('\r\n')];
  const job = { chunk: inLongRuns(40_000, 3000), arePipes: false, worthwhile: 0, selection: LINES, files };
  return [
    ...inLongRuns(
      [
        { ...job, threads: 2, print: EVERYTHING },
        { ...job, threads: 3, print: { ...EVERYTHING, json: true } },
        { ...job, threads: 5, arePipes: true, print: { ...EVERYTHING, wanted: WANTED.present } },
      ],
      [],
    ),
    {
      ...{ ...job, threads: 3, print: EVERYTHING },
      stopAt: { selected: WANTED.present, records: inLongRuns(800, 300), ofEach: true },
    },
    {
      ...{ ...job, threads: inLongRuns(4, 3), arePipes: true, print: { ...EVERYTHING, wanted: WANTED.absent } },
      stopAt: { selected: WANTED.absent, records: inLongRuns(5000, 2000), ofEach: true },
    },
  ];
}

testTruth('many records, shared by all threads', manyRecords());
