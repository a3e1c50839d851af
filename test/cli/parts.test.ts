// Parts of a filter: each has what FORMAT.md says of the whole filter, and together they are the whole filter.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { inputsIn, type PartNumber, partOfFile, partOfKey } from '../reference/parts.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const PARTS = 3;
const NUMBERS = Array.from({ length: PARTS }, (_, i) => i + 1);
const RULES = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false } as const;
const words = readFileSync(WORDS, 'utf8').trimEnd().split('\n');
const keys = words.map((word) => new Uint8Array(Buffer.from(word)));

/** Capacity for a million keys: five segments or more. */
const SIZED = ['-n', '1M', '-p', '0.001%'];

const bytesOf = (name: string) => new Uint8Array(readFileSync(path(name)));
const segmentsOf = (name: string) => new DataView(bytesOf(name).buffer).getUint32(40, true);

/** Builds a whole filter and its parts, `NAME.bloom` and `NAME.K`. */
async function buildAll(name: string, flags: readonly string[], input = WORDS): Promise<void> {
  expect((await within(['build', ...flags, input, '-o', `${name}.bloom`])).status).toBe(0);
  for (const part of NUMBERS) {
    const args = ['build', ...flags, '--part', `${part}/${PARTS}`, input, '-o', `${name}.${part}`];
    const { status, stderr } = await within(args);
    expect(stderr).toContain(`${name}.${part}: part ${part} of ${PARTS}, `);
    expect(status).toBe(0);
  }
}

/** The part of each word in a filter, by the digest of the word. */
function partsOfWords(name: string): readonly number[] {
  const segments = segmentsOf(`${name}.bloom`);
  return keys.map((key) => partOfKey(key, RULES, segments, PARTS));
}

beforeAll(() => buildAll('words', SIZED));

const DIVIDED = KINDS.filter(({ growing }) => growing === undefined).map(({ name }) => name);

// Kinds that are built in place, and kinds that are built from drafts.
describe.each(inLongRuns(DIVIDED, ['bloom', 'fuse']))('a %s filter', (kind) => {
  test('has the same bytes in its parts, and again when they are joined', async () => {
    await buildAll(kind, ['--kind', kind, ...SIZED]);
    const homes = partsOfWords(kind);
    expect(new Set(homes).size).toBe(PARTS);
    const inputs = inputsIn(bytesOf(`${kind}.1`));
    for (const part of NUMBERS) {
      const which: PartNumber = [part, PARTS];
      const inserted = homes.filter((home) => home === part).length;
      const expected = partOfFile(bytesOf(`${kind}.bloom`), which, inserted, inputs);
      expect(Buffer.compare(bytesOf(`${kind}.${part}`), expected)).toBe(0);
    }
    const { stderr, status } = await within(['merge', `${kind}.2`, `${kind}.3`, `${kind}.1`, '-o', `${kind}.all`]);
    expect(stderr).toContain(`${kind}.all: holds 3 parts, 5,130 keys`);
    expect(status).toBe(0);
    expect(Buffer.compare(bytesOf(`${kind}.all`), bytesOf(`${kind}.bloom`))).toBe(0);
  });
});

describe('parts that follow each other in a pipe', () => {
  test.runIf(IS_LONG)('wait in a temporary file beside the output, whatever their order', () => {
    for (const order of ['words.1 words.2 words.3', 'words.3 words.1 words.2']) {
      expect(shell(`cat ${order} | TMPDIR=/nowhere $BLOOM merge -q - --force -o piped.all`)).toMatchObject({
        stderr: '',
        status: 0,
      });
      expect(Buffer.compare(bytesOf('piped.all'), bytesOf('words.bloom'))).toBe(0);
      expect(shell(`cat ${order} | $BLOOM merge -q - -o - | cmp - words.bloom`).status).toBe(0);
    }
    expect(shell('ls -A | grep -c "filters$"').stdout).toBe('0\n');
  });

  test('cannot wait without a folder', () => {
    const { stderr, status } = shell(
      'set -o pipefail; cat words.[123] | TMPDIR=/nowhere $BLOOM merge -q - -o - | wc -c',
    );
    expect(stderr).toBe(
      'bloom: cannot keep the filters of the input in /nowhere: no such file or folder; set TMPDIR to a folder with more space\n',
    );
    expect(status).toBe(2);
  });
});

describe('parts of a filter whose size follows from its input', () => {
  beforeAll(async () => {
    shell('seq 100000 > many');
    await within(['build', '-p', '1e-12', 'many', '-o', 'sized.bloom']);
  });

  test.each([
    ['a file', ['many'], () => ''],
    ['a pipe', [], () => readFileSync(path('many'))],
    ['a list', ['--files-from', '-'], () => 'many\n'],
  ])('have equal sizes, and state their number of keys: %s', async (_, inputs, stdin) => {
    const counts: (RegExpExecArray | null)[] = [];
    for (const part of [1, 2]) {
      const build = ['build', '-p', '1e-12', '--part', `${part}/2`, ...inputs, '--force', '-o', `sized.${part}`];
      const { stderr } = await within(build, { stdin: stdin(), isPiped: true });
      counts.push(/part . of 2, ([\d,]+) keys \(([\d,]+) distinct/.exec(stderr));
    }
    const sum = (group: number) => counts.reduce((all, found) => all + Number(found?.[group]?.replace(',', '')), 0);
    expect([sum(1), sum(2)]).toEqual([100_000, 100_000]);
    expect((await within(['merge', 'sized.1', 'sized.2', '--force', '-o', 'sized.all'])).status).toBe(0);
    expect(Buffer.compare(bytesOf('sized.all'), bytesOf('sized.bloom'))).toBe(0);
  });
});

describe('refused', () => {
  test.each([
    [['--part', '0/3'], /expected K\/N with K from 1 to N/],
    [['--part', '4/3'], /expected K\/N/],
    [['--part', '1/9'], /a filter of 6 segments cannot be divided into 9 parts/],
    [['--part', '1/2', '--kind', 'scalable'], /--part needs a filter of a known size, and a scalable/],
    [['--part', '1/2', '--format', 'guava'], /--part works only for the format bloomery/],
  ])('a build with %j', async (flags, message) => {
    const { stderr, status } = await within(['build', ...SIZED, ...flags, WORDS, '-o', 'never']);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(status).toBe(2);
  });

  beforeAll(async () => {
    await within(['build', ...SIZED, '--part', '2/2', WORDS, '-o', 'half.2']);
    await within(['build', ...SIZED, '--seed', '1', '--part', '3/3', WORDS, '-o', 'seeded.3']);
  });

  test.each([
    ['a part is missing', ['words.1', 'words.3'], /some of the 3 parts of the filter are missing: 2;/],
    ['there is one part', ['words.2'], /are missing: 1, 3;/],
    [
      'a part is there twice',
      ['words.1', 'words.2', 'words.1'],
      /part 1 of 3 is named twice, as words\.1 and words\.1;/,
    ],
    ['the whole is among them', ['words.bloom', 'words.1'], /number of parts is 3 in words\.1, 1 in words\.bloom/],
    ['the whole comes last', ['words.1', 'words.bloom'], /number of parts is 1 in words\.bloom, 3 in words\.1/],
    ['they are of another division', ['words.1', 'half.2'], /number of parts is 2 in half\.2, 3 in words\.1/],
    ['they are of another filter', ['words.1', 'words.2', 'seeded.3'], /seed is 1 in seeded\.3, 0 in words\.1/],
  ])('a merge where %s', async (_, files, message) => {
    const { stderr, status } = await within(['merge', ...files, '-o', 'never']);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  test('a merge of parts of which one is damaged', async () => {
    const damaged = bytesOf('words.2');
    damaged[5000] = (damaged[5000] ?? 0) ^ 1;
    writeFileSync(path('damaged.2'), damaged);
    const { stderr, status } = await within(['merge', 'words.1', 'damaged.2', 'words.3', '-o', 'never']);
    expect(stderr).toContain('damaged.2 is damaged: segment 1 of 2 does not match its checksum');
    expect(status).toBe(2);
  });
});

describe('parts of the same number', () => {
  test('are united, and their unions concatenated', async () => {
    shell(`head -n 3000 ${WORDS} > head; tail -n +3001 ${WORDS} > tail`);
    for (const half of ['head', 'tail'])
      for (const part of [1, 3])
        await within(['build', '--like', 'words.bloom', '--part', `${part}/${PARTS}`, half, '-o', `${half}.${part}`]);
    for (const part of [1, 3])
      expect((await within(['merge', `head.${part}`, `tail.${part}`, '-o', `united.${part}`])).stderr).toContain(
        `united.${part}: holds 2 filters, part ${part} of 3, `,
      );
    expect(shell('$BLOOM merge united.3 <(cat united.1) words.2 -o - 2> /dev/null | cmp - words.bloom').status).toBe(0);
  });

  test('are made with --like one, and with its number unless another is stated', async () => {
    await within(['build', '--like', 'words.2', WORDS, '-o', 'like.2']);
    await within(['build', '--like', 'words.2', '--part', '3/3', WORDS, '-o', 'like.3']);
    for (const part of [2, 3]) expect(Buffer.compare(bytesOf(`like.${part}`), bytesOf(`words.${part}`))).toBe(0);
  });
});

describe('queries of a part', () => {
  /** Every tenth word, and each word with a question mark behind it: those are non-members. */
  const asked = [...words.filter((_, i) => i % 10 === 0), ...words.map((word) => `${word}?`)];
  const homeOf = (text: string) => partOfKey(new Uint8Array(Buffer.from(text)), RULES, 6, PARTS);
  const linesOf = (text: string) => text.split('\n').slice(0, -1);

  beforeAll(() => writeFileSync(path('asked'), `${asked.join('\n')}\n`));

  test.each(inLongRuns([[['-v']], [['--json']], [['--tag', '-n']]], [[['-v']], [['--json']]]))(
    'print its own records as the whole filter does, and no others: %j',
    async (flags) => {
      const whole = linesOf((await within(['query', ...flags, 'words.bloom', 'asked'])).stdout);
      const parted: string[][] = [];
      for (const part of NUMBERS) {
        const { stdout, stderr, status } = await within(['query', ...flags, `words.${part}`, 'asked']);
        const others = asked.filter((text) => homeOf(text) !== part).length.toLocaleString('en');
        expect(stderr).toBe(
          `bloom: words.${part} is only part ${part} of 3 of a filter: ${others} records of 5,643 belong to other parts, and have no answer; query those parts, or join all parts with bloom merge\n`,
        );
        expect(status).toBe(2);
        parted.push(linesOf(stdout));
      }
      expect(parted.every((lines) => lines.length > 0)).toBe(true);
      expect(parted.flat().sort()).toEqual([...whole].sort());
      // Each part keeps the order of the input.
      const place = new Map(whole.map((line, i) => [line, i]));
      for (const lines of parted)
        expect(lines.map((line) => place.get(line) ?? -1)).toEqual(
          lines.map((line) => place.get(line) ?? -1).sort((a, b) => a - b),
        );
    },
  );

  test('count its own records', async () => {
    const own = asked.filter((text) => homeOf(text) === 2);
    const positives = own.filter((text) => words.includes(text)).length;
    expect((await within(['query', '-c', 'words.2', 'asked'])).stdout).toBe(`${positives}\n`);
    expect((await within(['query', '-c', '-v', 'words.2', 'asked'])).stdout).toBe(`${own.length - positives}\n`);
    const { stdout } = await within(['query', '-c', '--json', '-f', '1', 'words.2', 'asked']);
    const elsewhere = asked.length - own.length;
    expect(JSON.parse(stdout)).toEqual({ file: null, records: asked.length, keys: asked.length, positives, elsewhere });
    const summed = (await within(['query', '-c', '--summary', 'words.2', 'asked'])).stderr;
    expect(summed).toContain(`${own.length.toLocaleString('en')} records: `);
  });

  test('print no error if all records are its own', async () => {
    const own = asked.filter((text) => homeOf(text) === 3).join('\n');
    expect(await within(['query', '-c', 'words.3'], { stdin: own })).toMatchObject({ stderr: '', status: 0 });
  });

  test('select a record by any present key, and leave it unanswered if a key belongs to another part', async () => {
    const of = (part: number) => words.find((word) => homeOf(word) === part);
    const nonMember = (part: number) => words.map((word) => `${word}!`).find((text) => homeOf(text) === part);
    const lines = [
      `${of(1)} ${nonMember(2)}`,
      `${nonMember(2)} ${of(1)}`,
      `${nonMember(1)} ${nonMember(2)}`,
      `${of(2)} ${nonMember(1)}`,
      `${nonMember(1)} ${nonMember(1)}`,
    ];
    const { stdout, stderr, status } = await within(['query', '-f', '1-', '--tag', 'words.1'], {
      stdin: lines.join('\n'),
    });
    expect(linesOf(stdout)).toEqual([`+${lines[0]}`, `+${lines[1]}`, `-${lines[4]}`]);
    expect(stderr).toContain('2 records of 5 belong to other parts');
    expect(status).toBe(2);
  });

  test('answer keys of the command line, and --quiet', async () => {
    const [own = '', other = ''] = [1, 2].map((part) => words.find((word) => homeOf(word) === part) ?? '');
    expect(await within(['query', 'words.1', '-e', own])).toMatchObject({ stdout: `${own}\n`, stderr: '', status: 0 });
    expect(await within(['query', 'words.1', '-e', other, '-v'])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('1 record of 1 belongs to other parts, and has no answer'),
      status: 2,
    });
    expect((await within(['query', '-q', 'words.1', '-e', other, '-e', own])).status).toBe(0);
    expect((await within(['query', '-q', '-v', 'words.1', '-e', other])).status).toBe(2);
  });

  test('with the requested number of random keys, all its own', async () => {
    // More keys than the capacity, so that the rate is some percent: (1 - e^(-kn/m))^k with the n of the part.
    shell('seq 200000 > numbers');
    await within([
      'build',
      '-n',
      '50k',
      '-p',
      '1%',
      '--segment-size',
      '16KiB',
      '--part',
      '3/3',
      'numbers',
      '-o',
      'over.3',
    ]);
    for (const threads of ['1', '3']) {
      const stats = ['stats', '--json', '--probes', '300k', '--threads', threads, 'over.3'];
      const { measuredFpr, inserted, bits, hashes } = JSON.parse((await within(stats)).stdout);
      expect(measuredFpr.probes).toBe(300_000);
      const rate = (1 - Math.exp((-hashes * inserted) / bits)) ** hashes;
      // Six standard errors, and the spread of keys among few bits.
      expect(Math.abs(measuredFpr.rate - rate)).toBeLessThan(6 * Math.sqrt(rate / 300_000) + 0.02 * rate);
    }
  });

  test('among all parts', async () => {
    const word = words[0] ?? '';
    expect((await within(['query', '--which', 'words.1', 'words.2', 'words.3', '-e', word])).stdout).toBe(
      `words.${homeOf(word)}\n`,
    );
  });
});

describe('changes of a part', () => {
  /** With capacity for this many keys there are five segments or more. */
  const changing = async (kind: string, items = '1M') => {
    shell(`rm -f changed*; head -n 4000 ${WORDS} > head`);
    await buildAll('changed', ['--kind', kind, '-n', items, '-p', '0.001%'], path('head'));
    shell(`tail -n 2000 ${WORDS} > tail`);
  };

  test.each(inLongRuns(['bloom', 'quotient'], ['quotient']))('add only its own keys, in a %s filter', async (kind) => {
    await changing(kind);
    expect((await within(['add', 'changed.bloom', 'tail'])).status).toBe(0);
    for (const part of NUMBERS)
      expect((await within(['add', `changed.${part}`, 'tail'])).stderr).toMatch(
        /: added ([\d,]+) keys \([\d,]+ of other parts were left out\); now part/,
      );
    await within(['merge', 'changed.1', 'changed.2', 'changed.3', '-o', 'changed.all']);
    expect(Buffer.compare(bytesOf('changed.all'), bytesOf('changed.bloom'))).toBe(0);
  });

  test.each(inLongRuns(['counting', 'quotient'], ['counting']))(
    'remove only its own keys, in a %s filter',
    async (kind) => {
      await changing(kind, kind === 'counting' ? '250k' : undefined);
      shell('head -n 1000 head > gone');
      expect((await within(['remove', 'changed.bloom', 'gone'])).status).toBe(0);
      for (const part of NUMBERS)
        expect((await within(['remove', `changed.${part}`, 'gone'])).stderr).toMatch(
          / of other parts were left out\); now part/,
        );
      await within(['merge', 'changed.1', 'changed.2', 'changed.3', '-o', 'changed.all']);
      expect(Buffer.compare(bytesOf('changed.all'), bytesOf('changed.bloom'))).toBe(0);
    },
  );
});

describe('reports on a part', () => {
  test('state its content, and a rate measured with its own keys', async () => {
    writeFileSync(path('non-members'), words.map((word) => `${word}!\n`).join(''));
    const { stdout } = await within([
      'stats',
      '--json',
      '--present',
      WORDS,
      '--absent',
      'non-members',
      '--verify',
      'words.2',
    ]);
    const own = partsOfWords('words').filter((part) => part === 2).length;
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      part: '2/3',
      segments: 2,
      inserted: own,
      capacity: Math.round(1e6 / 3),
      present: { records: own, missing: 0 },
      healthy: true,
      verified: true,
    });
    expect(report.bytes).toBe(bytesOf('words.2').length);
    expect((await within(['stats', '--probes', '100', 'words.2'])).stdout).toContain(
      'part 2 of 3: segments 3 to 4 of 6',
    );
    expect((await within(['stats', '--probes', '10', '--prometheus', 'words.2'])).stdout).toContain('part="2/3"');
  });
});
