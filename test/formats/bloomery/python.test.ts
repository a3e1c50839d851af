// The reader in Python, which follows FORMAT.md alone, gives the same answers as the command and rejects damaged files.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../../src/filters/registry.ts';
import { HASH_NAMES } from '../../../src/hashes/registry.ts';
import { fixture, scratch } from '../../cli/run.ts';
import { IS_LONG, inLongRuns, sampled } from '../../long.ts';
import { writeNewFile } from '../../new-file.ts';
import { PYTHON } from '../../python/python.ts';
import { sealTable } from '../../reference/bloom-file.ts';
import { outcomeOf } from '../../starter.ts';
import { HEADER, oracleFile, withField } from './files.ts';

const READER = fileURLToPath(new URL('../../python/reader.py', import.meta.url));

const { path, within } = scratch();
const MEMBERS = 'members';
const ASKED = 'asked';

/** Lines of many lengths, because hashes treat long keys differently. The default run ends after the last change of method. */
const LONG = Array.from({ length: inLongRuns(600, 300) }, (_, i) =>
  `${i} ${'abcdefghijklmnopqrstuvwxyz'.repeat(23)}`.slice(0, i + 1),
).filter((_, i) => IS_LONG || i % 3 === 0);
/** More keys than the capacity of the smallest growing filter. */
const WORDS = inLongRuns(1500, 1202);
const ASKED_WORDS = inLongRuns(300, 100);
/** The size of a filter with two segments, or three. */
const BITS = inLongRuns('10M', '5M');

beforeAll(() => {
  const words = readFileSync(fixture('words.txt'), 'utf8').trimEnd().split('\n').slice(0, WORDS);
  writeFileSync(path(MEMBERS), `${[...words, ...LONG].join('\n')}\n`);
  const asked = [
    ...words.slice(0, ASKED_WORDS),
    ...LONG,
    ...words.slice(0, ASKED_WORDS).map((word) => `${word}?`),
    '',
    ` ${words[7]?.toUpperCase()}\t`,
    ` ${words[8]}`,
  ];
  writeFileSync(path(ASKED), `${asked.join('\n')}\n`);
});

function reading(file: string, input = ASKED) {
  return outcomeOf(PYTHON, ['-I', '-S', READER, path(file)], { input: readFileSync(path(input)) });
}

/** The command's answer for each record, in the form of the reader. */
async function answersOf(file: string): Promise<string> {
  const { stdout } = await within(['query', '--tag', file, ASKED]);
  return stdout.replace(/^([+-]?).*$/gm, (_, sign) => ({ '+': '1', '-': '0' })[sign as string] ?? '');
}

/** The number of segments in the header of a file. */
function segmentsOf(file: string): number {
  return readFileSync(path(file)).readUInt32LE(40);
}

describe.skipIf(!PYTHON)('the reader in Python', () => {
  // The default run has each kind with one hash, and each hash with some kinds.
  const isTried = (kind: number, hash: number) => IS_LONG || kind % HASH_NAMES.length === hash;
  const pairs = KINDS.flatMap(({ name }, i) =>
    HASH_NAMES.filter((_, j) => isTried(i, j)).map((hash) => [name, hash] as const),
  );

  test.each(pairs)('reads a %s filter with %s', async (kind, hash) => {
    const flags = ['--kind', kind, '--hash', hash, '--seed', '0x9e3779b97f4a7c15', '-p', '5%'];
    expect((await within(['build', ...flags, MEMBERS, '-o', 'read.bloom', '--force'])).status).toBe(0);
    const answers = await answersOf('read.bloom');
    expect(reading('read.bloom')).toEqual({ stdout: answers, stderr: '', status: 0 });
    const [found, all] = [answers.split('1').length - 1, answers.split('\n').length - 1];
    expect(found).toBeGreaterThanOrEqual(ASKED_WORDS + LONG.length);
    expect(found).toBeLessThan(all - 0.7 * ASKED_WORDS);
  });

  test.each(inLongRuns(['bloom', 'quotient'], ['quotient']))('trims and folds as a %s filter says', async (kind) => {
    await within(['build', '--kind', kind, '-i', '--trim', MEMBERS, '-o', 'folded.bloom', '--force']);
    const { stdout } = reading('folded.bloom');
    expect(stdout).toBe(await answersOf('folded.bloom'));
    expect(stdout.endsWith('1\n1\n')).toBe(true);
  });

  test.each(inLongRuns(['sha1', 'sha256:upper', 'md5:upper'], ['md5:upper']))(
    'hashes keys with %s first',
    async (keyHash) => {
      await within(['build', '--key-hash', keyHash, '-i', '--trim', MEMBERS, '-o', 'hashed.bloom', '--force']);
      const { stdout, stderr } = reading('hashed.bloom');
      expect({ stdout, stderr }).toEqual({ stdout: await answersOf('hashed.bloom'), stderr: '' });
      expect(stdout.endsWith('1\n1\n')).toBe(true);
    },
  );

  // Short runs have the kinds whose segments differ in more than their offset.
  const several = KINDS.filter(({ drafts, growing }) => IS_LONG || drafts !== undefined || growing !== undefined);
  test.each(sampled(several).map(({ name, growing }) => [name, growing === undefined ? '5M' : '5k']))(
    'reads a %s filter of several segments',
    async (kind, bits) => {
      await within(['build', '--kind', kind, '-m', bits, MEMBERS, '-o', 'large.bloom', '--force']);
      expect(segmentsOf('large.bloom')).toBeGreaterThan(1);
      expect(reading('large.bloom')).toEqual({ stdout: await answersOf('large.bloom'), stderr: '', status: 0 });
    },
  );

  test.each(inLongRuns(['bloom', 'blocked', 'counting', 'ribbon', 'fuse'], ['fuse']))(
    'reads a %s filter of small segments',
    async (kind) => {
      await within([
        'build',
        '--kind',
        kind,
        '-m',
        '1M',
        '--segment-size',
        '16KiB',
        MEMBERS,
        '-o',
        'fine.bloom',
        '--force',
      ]);
      expect(segmentsOf('fine.bloom')).toBe(8);
      expect(reading('fine.bloom')).toEqual({ stdout: await answersOf('fine.bloom'), stderr: '', status: 0 });
    },
  );

  test('reads a filter with tags, and refuses a wrong one', async () => {
    const shape = { segments: 2, segmentBits: 2 ** 14 + 512, bits: 2 ** 15 + 1024 };
    const file = oracleFile({ ...HEADER, ...shape, isTagged: true }, readFileSync(path(MEMBERS), 'utf8').split('\n'));
    writeFileSync(path('tagged.bloom'), file);
    expect(reading('tagged.bloom')).toEqual({ stdout: await answersOf('tagged.bloom'), stderr: '', status: 0 });
    const tag = 128 + shape.segmentBits / 8;
    file[tag] = (file[tag] ?? 0) ^ 1;
    writeFileSync(path('wrong.bloom'), file);
    expect(reading('wrong.bloom')).toMatchObject({ stderr: expect.stringContaining('tag of segment 0'), status: 2 });
  });

  // The default run has the kind whose positions are not within a segment.
  test.each(inLongRuns(['bloom', 'blocked', 'quotient', 'fuse'], ['blocked']))(
    'reads the parts of a %s filter',
    async (kind) => {
      await within(['build', '--kind', kind, '-m', BITS, MEMBERS, '-o', 'whole.bloom', '--force']);
      const whole = (await answersOf('whole.bloom')).split('\n');
      const parts: string[][] = [];
      for (const part of ['1/2', '2/2']) {
        await within(['build', '--kind', kind, '-m', BITS, '--part', part, MEMBERS, '-o', 'part.bloom', '--force']);
        const { stdout, stderr, status } = reading('part.bloom');
        expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
        const own = stdout.replace(/\?\n/g, '');
        expect(own).toBe((await answersOf('part.bloom')).replaceAll('\n\n', '\n'));
        parts.push(stdout.split('\n'));
      }
      // One part gives each record the answer of the whole filter, and the other part gives no answer.
      expect(
        whole.map((_, i) =>
          parts
            .map((answers) => answers[i])
            .sort()
            .join(''),
        ),
      ).toEqual(whole.map((answer) => (answer === '' ? '' : `${answer}?`).split('').sort().join('')));
    },
  );

  test.each(inLongRuns(['ribbon', 'fuse'], ['fuse']))('reads a %s filter with protected keys', async (kind) => {
    writeFileSync(path('never'), Array.from({ length: 2000 }, (_, i) => `never ${i}\n`).join(''));
    await within(['build', '--kind', kind, '-p', '20%', MEMBERS, '--never', 'never', '-o', 'never.bloom', '--force']);
    expect(reading('never.bloom')).toEqual({ stdout: await answersOf('never.bloom'), stderr: '', status: 0 });
    expect(reading('never.bloom', 'never').stdout).toBe('0\n'.repeat(2000));
  });

  const tried = KINDS.filter(({ isSegment }) => isSegment !== undefined).map(({ name }) => name);
  test.each(sampled(tried))(
    'refuses a %s filter of more segments than its bits need, or more trials than can be',
    async (kind) => {
      // A filter of several segments has more bits than this segment.
      await within(['build', '--kind', kind, '-e', 'one', '-e', 'two', '-o', 'few.bloom', '--force']);
      const few = new Uint8Array(readFileSync(path('few.bloom')));
      const many = withField(few, (header) => {
        header.setUint32(40, 2, true);
        header.setBigUint64(32, 2n * header.getBigUint64(32, true), true);
        header.setBigUint64(72, 2n * header.getBigUint64(72, true), true);
      });
      writeFileSync(path('many.bloom'), many);
      expect(reading('many.bloom')).toMatchObject({ stderr: expect.stringContaining('segments for'), status: 2 });
      new DataView(few.buffer).setUint32(128 + 4, 65, true);
      sealTable(few);
      writeFileSync(path('tried.bloom'), few);
      expect(reading('tried.bloom')).toMatchObject({ stderr: expect.stringContaining('trials'), status: 2 });
    },
  );

  test('reads a state of bloom dedup with several filters', async () => {
    const window = (WORDS + LONG.length) / 3;
    const flags = [
      'dedup',
      '--state',
      'seen',
      '--window',
      `${window}`,
      '--keep',
      '1',
      '--min-count',
      '3',
      '-p',
      '1e-9',
    ];
    const members = readFileSync(path(MEMBERS));
    expect((await within(flags, { stdin: Buffer.concat([members, members]) })).status).toBe(0);
    // The records fill three windows, and so does their repetition. The state knows the records of the last two windows.
    const lines = readFileSync(path(MEMBERS), 'utf8').split('\n').slice(0, -1);
    const [early, late] = [lines.slice(0, window - 10), lines.slice(window + 5)];
    writeFileSync(path('some'), `${[...early, ...late, 'nonMember'].join('\n')}\n`);
    const expected = [...early.map(() => '0\n'), ...late.map(() => '1\n'), '0\n'].join('');
    expect(reading('seen', 'some')).toEqual({ stdout: expected, stderr: '', status: 0 });
  });

  describe('refuses a damaged', () => {
    beforeAll(async () => {
      await within(['dedup', '--state', 'kept', '--window', '100'], { stdin: readFileSync(path(MEMBERS)) });
      await within(['build', MEMBERS, '-o', 'sound.bloom']);
    });

    test.each(
      sampled([
        ['head of what was seen, at 17', 'kept', 17],
        ['head of what was seen, at 60', 'kept', 60],
        ['filter of what was seen', 'kept', 300],
        ['header', 'sound.bloom', 60],
        ['segment', 'sound.bloom', 200],
        ['table', 'sound.bloom', -20],
        ['seal', 'sound.bloom', -1],
      ] as const),
    )('%s', (_, sound, at) => {
      const bytes = readFileSync(path(sound));
      const index = (bytes.length + at) % bytes.length;
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      writeNewFile(path('damaged'), bytes);
      const { stdout, stderr, status } = reading('damaged');
      expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
      expect(stderr).toMatch(/^\/.+ breaks the format: .*\n$/);
    });
  });
});
