// System calls that fail, one at a time. The command succeeds anyway, or exits with 2, prints the cause and leaves files unchanged.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFaults, type Fault } from '../faults/faults.ts';
import { IS_LONG } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell } = scratch();
const faults = await createFaults();
const WORDS = fixture('words.txt');

/** What a failing command may write anyway: only a report that the filter could not be read. */
const UNREADABLE = /^(# .+\n){2}bloom_filter_readable\{.+\} 0\n(# .+\n){2}bloom_filter_healthy\{.+\} 0\n$/;

/** The commands, each run in a folder of its own, and the file that each writes. */
const COMMANDS: readonly (readonly [line: string, output: string])[] = [
  ['build -n 6k in -o new.bloom', 'new.bloom'],
  ['build in --force -o old.bloom', 'old.bloom'],
  ['build --kind ribbon -o new.bloom < in', 'new.bloom'],
  ['add old.bloom in', 'old.bloom'],
  ['remove old.bloom some', 'old.bloom'],
  ['merge old.bloom old.bloom -o new.bloom', 'new.bloom'],
  ['query old.bloom in', ''],
  ['query old.bloom -e walk -e 17', ''],
  ['stats --probes 0 old.bloom --present in', ''],
  ['stats --probes 0 --prometheus old.bloom -o report', 'report'],
  ['count in -o sketch', 'sketch'],
  ['digest --like old.bloom in -o digests', 'digests'],
  ['dedup -n 2k in', ''],
  ['dedup -n 6k --state seen in', 'seen'],
  ['dedup -n 6k --state fresh --every 300 in', 'fresh'],
  ['size -n 1M --svg size.svg', 'size.svg'],
  ['index in -o new.index', 'new.index'],
  ['index in some --update -o old.index', 'old.index'],
  ['index in some --update --checksum -o summed.index', 'summed.index'],
  ['merge old.index other.index -o new.index', 'new.index'],
  ['query old.index -e AIDS', ''],
];

/** The errors of system calls. An interrupted call may be tried again. */
const { EIO, ENOSPC, EDQUOT, EINTR, EMFILE, EACCES } = { ...constants.errno };
const ERRORS: Readonly<Record<string, readonly number[]>> = {
  open: [EMFILE, EIO, EINTR, EACCES],
  read: [EIO, EINTR],
  write: [ENOSPC, EDQUOT, EIO, EINTR],
  close: [EIO, EDQUOT, EINTR],
  fsync: [EIO, EDQUOT, ENOSPC],
  rename: [EIO, ENOSPC, EDQUOT],
  link: [EIO, EDQUOT, ENOSPC],
  symlink: [ENOSPC, EIO, EDQUOT],
  unlink: [EIO],
  ftruncate: [EIO, ENOSPC],
  chmod: [EIO],
  chown: [EIO],
};

/** The first calls of each name, each with a different error. */
function faultsFor(calls: readonly string[]): readonly Fault[] {
  const most = 2;
  const counts = new Map<string, number>();
  return calls.flatMap((call) => {
    const at = 1 + (counts.get(call) ?? 0);
    counts.set(call, at);
    const errors = ERRORS[call] ?? [];
    const errno = errors[(at - 1) % errors.length];
    return at > most || errno === undefined ? [] : [{ call, at, errno }];
  });
}

/** Restores the folder with its times, as a report states when its filter was changed. */
function beginAnew(): void {
  rmSync(path('work'), { recursive: true, force: true });
  cpSync(path('before'), path('work'), { recursive: true, preserveTimestamps: true });
}

const run = (line: string, variables: Record<string, string>) => {
  beginAnew();
  const settings = Object.entries({ TMPDIR: realpathSync(path('work')), ...variables });
  const setting = settings.map(([name, value]) => `${name}='${value}'`).join(' ');
  return shell(`cd work; ${setting} $BLOOM ${line}`);
};
const work = () => realpathSync(path('work'));
const contentOf = (name: string) => {
  const file = join(path('work'), name);
  return name !== '' && existsSync(file) ? readFileSync(file).toString('latin1') : '';
};

describe.skipIf(!IS_LONG || !faults.arePossible)('a system call that fails', () => {
  beforeAll(() => {
    mkdirSync(path('before'));
    mkdirSync(path('work'));
    shell(
      `cd before; head -n 600 ${WORDS} > in; head -n 100 ${WORDS} > some; $BLOOM build --kind counting -n 6k ${WORDS} -o old.bloom; $BLOOM dedup -n 6k --state seen some
        touch -d 2020-01-01 in some; $BLOOM index in -o old.index; $BLOOM index some -o other.index; $BLOOM index --checksum in -o summed.index`,
    );
  });

  test.each(COMMANDS)('in bloom %s', (line, output) => {
    beginAnew();
    const old = contentOf(output);
    const whole = run(line, faults.variables(work()));
    expect(whole.status).toBe(0);
    const isKeptBetween = line.includes('--every');
    const made = contentOf(output);
    const files = readdirSync(path('work'));
    const all = faultsFor(faults.logged());
    expect(all.length).toBeGreaterThan(3);
    for (const fault of all) {
      const which = `${line}: ${JSON.stringify(fault)}`;
      const { stdout, stderr, status } = run(line, faults.variables(work(), fault));
      if (status === 0) {
        expect(stdout, which).toBe(whole.stdout);
        expect(contentOf(output) === made, which).toBe(true);
      } else {
        expect(status, `${which}\n${stderr}`).toBe(2);
        // One line names what could not be read; another may state what became of the output.
        expect(stderr, which).toMatch(/^(bloom: [^\n]+\n){1,2}$/);
        expect(stderr, which).not.toMatch(/internal|unknown|bug/i);
        expect(whole.stdout.startsWith(stdout), which).toBe(true);
        const content = contentOf(output);
        const isReport = output === 'report' && UNREADABLE.test(content);
        expect(isKeptBetween || isReport || [old, made].includes(content), which).toBe(true);
      }
      if (isKeptBetween) expect(shell('cd work; $BLOOM dedup --state fresh in').status, which).toBe(0);
      if (fault.call !== 'unlink')
        expect(
          readdirSync(path('work')).filter((name) => !files.includes(name)),
          which,
        ).toEqual([]);
    }
  });
});
