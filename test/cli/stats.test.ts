import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const statsJson = async (...args: string[]) => JSON.parse((await within(['stats', '--json', ...args])).stdout);
const unmeasured = (...args: string[]) => statsJson('--probes', '0', ...args);

beforeAll(async () => {
  await within(['build', WORDS, '-o', 'words.bloom']);
  await within(['build', '-n', '2k', WORDS, '-o', 'full.bloom']);
  shell('seq 200000 > absent');
});

describe('stats', () => {
  test('reports the content of the filter, and its measured rate', async () => {
    const report = await statsJson('words.bloom');
    expect(report).toMatchObject({
      file: 'words.bloom',
      kind: 'bloom',
      hash: 'xxh64',
      seed: 0,
      bits: 49_664,
      hashes: 7,
      segments: 1,
      capacity: 5130,
      targetFpr: 0.01,
      inserted: 5130,
      absent: null,
      present: null,
      healthy: true,
    });
    // Expected fill 1 - e^(-7 * 5130 / 49664); the standard deviation is 0.0015.
    expect(Math.abs(report.fillRatio - 0.5147)).toBeLessThan(0.006);
    expect(Math.abs(report.estimatedItems - 5130)).toBeLessThan(60);
    expect(report.predictedFpr).toBeCloseTo(report.fillRatio ** 7, 10);
    const { probes, positives, rate, low, high } = report.measuredFpr;
    expect(probes).toBe(1_000_000);
    expect(rate).toBe(positives / probes);
    expect(low).toBeLessThan(rate);
    expect(high).toBeGreaterThan(rate);
    // Six standard deviations, as each run draws new keys.
    expect(Math.abs(rate - report.predictedFpr)).toBeLessThan(6 * Math.sqrt(report.predictedFpr / probes));
  });

  test('measures on the records of a file', async () => {
    const { absent, present } = await unmeasured('words.bloom', '--absent', 'absent', '--present', WORDS);
    expect(absent.records).toBe(200_000);
    expect(Math.abs(absent.rate - 0.0096)).toBeLessThan(0.002);
    expect(present).toEqual({ records: 5130, missing: 0, skipped: 0 });
  });

  test('counts records without a key separately', async () => {
    shell("printf 'a b\\nc\\nd e\\n' > pairs");
    await within(['build', '-f', '2', 'pairs', '-o', 'second.bloom']);
    const { absent, present, healthy } = await unmeasured(
      'second.bloom',
      '-f',
      '2',
      '--absent',
      'pairs',
      '--present',
      'pairs',
    );
    expect(present).toEqual({ records: 2, missing: 0, skipped: 1 });
    expect(absent).toMatchObject({ records: 2, positives: 2, rate: 1, skipped: 1 });
    expect(
      await within(['stats', 'second.bloom', '-f', '2', '--present', 'pairs', '--check', '--probes', '0']),
    ).toMatchObject({
      stdout: expect.stringContaining('0 missing of 2 keys; 1 record has no field 2\n'),
      status: 0,
    });
    expect(healthy).toBe(false);
    expect((await within(['add', 'second.bloom', '-f', '3', 'pairs'])).stderr).toContain(
      '; 3 records have no field 3; ',
    );
  });

  test('distinguishes an empty file from no file, and reads standard input once', async () => {
    expect((await unmeasured('words.bloom', '--absent', '/dev/null')).absent).toEqual({
      records: 0,
      positives: 0,
      rate: 0,
      low: 0,
      high: 1,
      skipped: 0,
    });
    expect((await within(['stats', 'words.bloom', 'full.bloom', '--present', '-'])).status).toBe(2);
  });

  test.each(sampled(['--absent', '--present']))(
    'refuses %s from a pipe that several filters would have to read',
    (flag) => {
      const { stdout, stderr, status } = shell(
        `$BLOOM stats words.bloom full.bloom --probes 0 ${flag} <(cat absent) --check`,
      );
      expect(stderr).toMatch(
        /^bloom: \/dev\/fd\/\d+ is not a regular file, so it cannot be read once per filter; write the records into a file, or name one filter at a time\n$/,
      );
      expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    },
  );

  test('reads records from a pipe for one filter, and from a file for several', async () => {
    expect(shell(`$BLOOM stats words.bloom --probes 0 --present <(cat ${WORDS}) --check`).status).toBe(0);
    expect((await within(['stats', '--probes', '0', 'words.bloom', 'full.bloom', '--present', WORDS])).stdout).toMatch(
      /0 missing of 5,130 keys\n.*0 missing of 5,130 keys\n/s,
    );
  });

  test('states in words what to do', async () => {
    expect((await within(['stats', 'words.bloom', '--probes', '1k'])).stdout).toMatch(/measured.*healthy/s);
    const { stdout } = await within(['stats', 'full.bloom', '--probes', '0']);
    expect(stdout).toMatch(
      /verdict +overfull, its rate of \d\d\.\d % is \d+ times its target of 1\.00 %: rebuild with -n 7\.\dk, which leaves capacity for growth\n/,
    );
    expect(stdout).not.toContain('measured');
    expect((await within(['stats', '--probes', '0', 'words.bloom', '--present', 'absent'])).stdout).toContain(
      'are missing',
    );
  });

  test('advises against the size of a filter only if it has more keys than that', async () => {
    await within(['build', '-n', '4.9k', WORDS, '-o', 'past.bloom']);
    expect((await within(['stats', 'past.bloom', '--probes', '0'])).stdout).toMatch(
      /verdict +healthy but past its capacity, its rate is 1\.\d times its target of 1\.00 %: rebuild soon with -n 7\.\dk, which leaves capacity for growth\n/,
    );
    // Chance or rounding takes the rates of some filters over their target, and over twice the target.
    const sized = [
      ['bloom', '90%', 5000],
      ['counting', '1e-9', 1000],
      ['blocked', '1e-9', 40],
    ].flatMap(([kind, rate, keys]) => inLongRuns([1, 2, 3, 4, 5], [1]).map((seed) => ({ kind, rate, keys, seed })));
    for (const { kind, rate, keys, seed } of sized) {
      shell(
        `head -n ${keys} ${WORDS} | $BLOOM build --kind ${kind} -p ${rate} --seed ${seed} -o ${kind}-${seed}.bloom`,
      );
    }
    const { stdout } = shell('$BLOOM stats --probes 0 *-[1-5].bloom');
    expect(stdout).not.toMatch(/overfull|past its capacity|rebuild with -n/);
    expect(stdout).toMatch(
      /healthy, though its rate is 1\.\d times its target of .* %: rebuild with a smaller -p or a larger -n if that matters\n/,
    );
    expect(stdout).toMatch(
      /errs too often, its rate of .* times its target of .* %: rebuild with a smaller -p or a larg/,
    );
  });

  test('a highest rate replaces twice the target', async () => {
    await within(['build', '-n', '4.9k', WORDS, '-o', 'past.bloom']);
    const judged = async (rate: string) =>
      within(['stats', 'past.bloom', '--probes', '0', '--check', '--max-rate', rate]);
    expect(await judged('5%')).toMatchObject({ status: 0, stdout: expect.stringContaining('is not over 5.00 %') });
    const strict = await judged('1%');
    expect(strict.status).toBe(1);
    expect(strict.stdout).toMatch(
      /verdict +its rate of 1\.\d+ % is over 1\.00 %: rebuild with -n 7\.\dk, which leaves capacity for growth\n/,
    );
    // The measured rate is not certain to be higher.
    const measured = await within(['stats', 'past.bloom', '--check', '--max-rate', '0.5%', '--probes', '100k']);
    expect(measured).toMatchObject({ status: 1 });
  });

  test('advises no smaller rate where the kind has none', async () => {
    const built = await within(['build', '--kind', 'cuckoo', '-n', '1k', '-p', '1e-9', '-o', 'least.bloom'], {
      stdin: Array.from({ length: 1000 }, (_, i) => `key ${i}\n`).join(''),
    });
    expect(built.stderr).toMatch(
      /^bloom: warning: a cuckoo filter for 1,000 keys has a rate of 1\.51e-7 %, not 1\.00e-7 %\n/,
    );
    expect((await within(['stats', 'least.bloom', '--probes', '0'])).stdout).toContain(
      'healthy, though its rate is 1.5 times its target of 1.00e-7 %: rebuild with a larger -n or another --kind if that',
    );
  });

  test('does not state a rate within the target for a filter past its capacity', async () => {
    const { stderr } = await within(['build', '--kind', 'cuckoo', '-n', '1', '-o', 'one.bloom'], {
      stdin: 'a\nb\nc\n',
    });
    expect(stderr).toMatch(/^bloom: warning: one\.bloom was sized for 1 key and has 3; build it with -n 3\n/);
  });

  test('ends with 1 under --check when a filter is unhealthy', async () => {
    expect((await within(['stats', '--probes', '0', '--check', 'words.bloom'])).status).toBe(0);
    expect((await within(['stats', '--probes', '0', '--check', 'words.bloom', 'full.bloom'])).status).toBe(1);
    expect((await within(['stats', '--probes', '0', 'full.bloom'])).status).toBe(0);
  });

  test('prints the text format of Prometheus', async () => {
    const { stdout } = await within(['stats', '--prometheus', '--probes', '1k', 'words.bloom', 'full.bloom']);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines)
      expect(line).toMatch(
        /^(# (HELP|TYPE) bloom_filter_\w+ .+|bloom_filter_\w+\{file="[^"]+"(,kind="bloom")?\} [\d.e+-]+)$/,
      );
    expect(lines).toContain('bloom_filter_capacity_keys{file="words.bloom",kind="bloom"} 5130');
    expect(lines).toContain('bloom_filter_healthy{file="full.bloom",kind="bloom"} 0');
    const types = lines.filter((line) => line.startsWith('# TYPE'));
    expect(new Set(types).size).toBe(types.length);
  });

  test('states when the file was changed, but not for a pipe', async () => {
    shell('cp words.bloom dated.bloom; touch -d @1700000000.5 dated.bloom');
    expect((await unmeasured('dated.bloom')).modified).toBe(1_700_000_000.5);
    expect((await within(['stats', '--probes', '0', '--prometheus', 'dated.bloom'])).stdout).toContain(
      'bloom_filter_modified_timestamp_seconds{file="dated.bloom",kind="bloom"} 1700000000.5\n',
    );
    const piped = shell(
      'for form in json prometheus; do cat dated.bloom | $BLOOM stats --probes 0 --$form -; done',
    ).stdout;
    expect(piped).toContain('"modified":null,');
    expect(piped).not.toContain('modified_timestamp');
  });

  describe('into a file', () => {
    test.each(inLongRuns(['--check', '--json', '--prometheus'], ['--json']))(
      'the same report is written: %s',
      async (form) => {
        const args = ['stats', '--probes', '0', 'words.bloom', form];
        const { stdout } = await within(args);
        // The new report replaces an earlier, longer one, and nothing is printed.
        writeFileSync(path('report'), 'x'.repeat(10_000));
        expect(bloom([...args, '--color', 'never', '-o', 'report'])).toEqual({ stdout: '', stderr: '', status: 0 });
        const steady = (text: string) => text.replace(/"seconds":[\d.e-]+/g, '');
        expect(steady(readFileSync(path('report'), 'utf8'))).toBe(steady(stdout));
        expect(readdirSync(path('.')).filter((name) => name.startsWith('.'))).toEqual([]);
      },
    );

    test('the report is replaced in one step: a reader of the earlier one reads it to its end', () => {
      expect(
        shell(`echo earlier > whole; exec 3< whole
          $BLOOM stats --probes 0 words.bloom -o whole; cat <&3; head -n 1 whole`).stdout,
      ).toBe('earlier\nwords.bloom\n');
    });

    test('it is refused if it cannot be written, or would replace a filter of the report', async () => {
      shell('cp words.bloom same.bloom; echo earlier > kept');
      for (const files of [['absent'], ['absent', 'nowhere']]) {
        expect(await within(['stats', '--probes', '0', ...files, '-o', 'kept'])).toMatchObject({
          stdout: '',
          status: 2,
        });
        expect(readFileSync(path('kept'), 'utf8')).toBe('earlier\n');
      }
      const full = shell('ulimit -f 0; $BLOOM stats --probes 0 words.bloom -o kept');
      expect(full.stderr).toBe('bloom: cannot write kept: the file would be larger than the limit allows\n');
      expect(readFileSync(path('kept'), 'utf8')).toBe('earlier\n');
      for (const [output, ...more] of [
        ['same.bloom'],
        ['absent', '--absent', 'absent'],
        ['absent', '--present', './absent'],
      ]) {
        const { stderr, status } = await within(['stats', 'same.bloom', ...more, '-o', output ?? '']);
        expect(stderr).toMatch(/^bloom: (\.\/)?\S+ is both an input and the output; name another file\n$/);
        expect(status).toBe(2);
      }
      expect(shell('cmp words.bloom same.bloom; wc -l < absent').stdout).toBe('200000\n');
    });

    test('it replaces a filter, a compressed or a protected file only with --force', async () => {
      const guava = Buffer.alloc(6 + 8 * 3);
      guava.set([1, 7, 0, 0, 0, 3]);
      for (const [bytes, what] of [
        [readFileSync(path('words.bloom')), 'a filter of bloom'],
        [guava, 'a filter of Guava'],
        [gzipSync('earlier'), 'gzip'],
      ] as const) {
        writeFileSync(path('other.bloom'), bytes);
        expect(await within(['stats', '--prometheus', '-o', 'other.bloom', 'words.bloom'])).toEqual({
          stdout: '',
          stderr: `bloom: other.bloom is ${what}, not an earlier report; choose another file, or add --force to replace it\n`,
          status: 2,
        });
        expect(readFileSync(path('other.bloom')).equals(bytes)).toBe(true);
      }
      writeFileSync(path('locked'), 'earlier\n', { mode: 0o444 });
      expect((await within(['stats', '--probes', '0', 'words.bloom', '-o', 'locked'])).stderr).toMatch(
        /^bloom: locked is write-protected; .* or add --force\n$/,
      );
      expect(readFileSync(path('locked'), 'utf8')).toBe('earlier\n');
      for (const name of ['other.bloom', 'locked']) {
        expect((await within(['stats', '--probes', '0', 'words.bloom', '--force', '-o', name])).status).toBe(0);
        expect(readFileSync(path(name), 'utf8')).toMatch(/^words\.bloom\n/);
      }
    });

    test('other names of the file keep the earlier report, and a warning says so', () => {
      const { stderr, status } = shell(
        'echo earlier > linked; ln linked other; $BLOOM stats --probes 0 words.bloom -o linked',
      );
      expect(stderr).toMatch(/^bloom: warning: linked .*\n$/);
      expect(status).toBe(0);
      expect(readFileSync(path('other'), 'utf8')).toBe('earlier\n');
    });

    test('it has a row for each named file, also if the file is damaged or missing', async () => {
      const damaged = readFileSync(path('words.bloom'));
      damaged[20] = (damaged[20] ?? 0) ^ 1;
      writeFileSync(path('damaged.bloom'), damaged);
      const named = ['damaged.bloom', 'words.bloom', 'nowhere.bloom'];
      const stats = (form: string, ...files: string[]) =>
        within(['stats', '--probes', '0', form, ...files, '-o', 'rows', '--force']);
      const rows = () => readFileSync(path('rows'), 'utf8');

      const { stdout, stderr, status } = await stats('--prometheus', ...named, 'words.bloom');
      expect([stdout, status]).toEqual(['', 2]);
      expect(stderr).toMatch(/^bloom: damaged\.bloom is damaged.*\nbloom: cannot read nowhere\.bloom: .*\n$/);
      const samples = rows()
        .split('\n')
        .filter((line) => /^bloom_filter_(readable|healthy)/.test(line));
      expect(samples).toEqual([
        'bloom_filter_readable{file="damaged.bloom"} 0',
        'bloom_filter_readable{file="words.bloom"} 1',
        'bloom_filter_readable{file="nowhere.bloom"} 0',
        'bloom_filter_healthy{file="damaged.bloom"} 0',
        'bloom_filter_healthy{file="words.bloom",kind="bloom"} 1',
        'bloom_filter_healthy{file="nowhere.bloom"} 0',
      ]);

      expect(await stats('--json', ...named)).toMatchObject({ stdout: '', stderr, status: 2 });
      const objects = rows()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(objects.map(({ file, healthy, error }) => [file, healthy, error])).toEqual([
        ['damaged.bloom', false, expect.stringMatching(/^damaged\.bloom is damaged/)],
        ['words.bloom', true, undefined],
        ['nowhere.bloom', false, expect.stringMatching(/^cannot read nowhere\.bloom: no such file/)],
      ]);

      // The same holds for the only file of a report.
      expect(await stats('--prometheus', 'nowhere.bloom')).toMatchObject({ stdout: '', status: 2 });
      expect(rows()).toContain('bloom_filter_healthy{file="nowhere.bloom"} 0\n');
      expect((await within(['stats', '--json', 'nowhere.bloom'])).stdout).toMatch(
        /^\{"file":"nowhere\.bloom","error":/,
      );
    });

    test('records that cannot be read make no filter unhealthy', async () => {
      writeFileSync(path('kept-rows'), 'earlier\n');
      const flags = ['--prometheus', '--present', 'nowhere', '-o', 'kept-rows'];
      const { stderr, status } = await within(['stats', ...flags, 'words.bloom', 'full.bloom']);
      expect([stderr, status]).toEqual(['bloom: cannot read nowhere: no such file or folder\n', 2]);
      expect(readFileSync(path('kept-rows'), 'utf8')).toBe('earlier\n');
    });
  });

  test('escapes characters that would end a label of Prometheus', async () => {
    const name = 'back\\slash, "quote"\nand newline\\n.bloom';
    copyFileSync(path('words.bloom'), path(name));
    const { stdout } = await within(['stats', '--prometheus', '--probes', '0', name]);
    expect(stdout).toContain(
      'bloom_filter_capacity_keys{file="back\\\\slash, \\"quote\\"\\nand newline\\\\n.bloom",kind="bloom"} 5130\n',
    );
  });

  test('continues after a file that is not a filter, and exits with 2', async () => {
    const { stdout, stderr, status } = await within(['stats', '--probes', '0', 'absent', 'words.bloom']);
    expect(status).toBe(2);
    expect(stderr).toContain('absent is not a filter');
    expect(stdout).toContain('words.bloom');
  });
});
