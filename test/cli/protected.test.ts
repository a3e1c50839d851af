// Replacing a file needs only rights to its folder. bloom also respects the protection and the owner of the file itself.

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, linkSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { scratch } from './run.ts';

const { path, shell, within } = scratch();
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const OTHER = 65533;

// Other users may have no access to the folder of the tests, so they get a program of their own.
const folder = mkdtempSync(join(tmpdir(), 'bloom-protected-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
chmodSync(folder, 0o755);
for (const part of ['bin', 'dist'])
  cpSync(fileURLToPath(new URL(`../../${part}`, import.meta.url)), join(folder, part), { recursive: true });
const program = `${process.execPath} ${join(folder, 'bin', 'bloom.js')}`;
const asUser = (groups: string) => `umask 022; setpriv --reuid=${NOBODY} --regid=${NOBODY} ${groups} ${program}`;
// Only root can become another user, and only if such a user may run Node.
const isPossible =
  spawnSync('bash', ['--norc', '-c', `chmod -R a+rX ${folder}; ${asUser('--clear-groups')} --version`]).status === 0;
if (!isPossible) console.warn('left out: what another user may do, whom nobody can be here');

beforeAll(async () => {
  await within(['build', '--kind', 'counting', '-n', '100', '-o', 'whole.bloom'], { stdin: 'a\nb\nc\n' });
  // Any user of the command may write into the folder.
  chmodSync(path('.'), 0o777);
});
beforeEach(() => {
  shell('rm -f kept.bloom linked.bloom linked2.bloom; cp whole.bloom kept.bloom; chmod 644 kept.bloom');
});

/** Whether the filter is unchanged. */
const isKept = () => readFileSync(path('kept.bloom')).equals(readFileSync(path('whole.bloom')));

describe.each(['add', 'remove'])('%s', (command) => {
  test.each(inLongRuns([0o444, 0o400, 0o555], [0o444]))(
    'refuses a file of the mode %o, and changes it with --force',
    async (mode) => {
      chmodSync(path('kept.bloom'), mode);
      const refused = await within([command, 'kept.bloom'], { stdin: 'a\n' });
      expect(refused).toEqual({
        stdout: '',
        stderr: 'bloom: kept.bloom is write-protected; run chmod u+w on it, or add --force\n',
        status: 2,
      });
      expect(isKept()).toBe(true);
      expect((await within([command, '--force', 'kept.bloom'], { stdin: 'a\n' })).status).toBe(0);
      expect(isKept()).toBe(false);
      expect(statSync(path('kept.bloom')).mode & 0o7777).toBe(mode);
    },
  );

  test('reports that another name keeps the old filter', async () => {
    linkSync(path('kept.bloom'), path('linked.bloom'));
    const nothing = await within([command, 'kept.bloom', 'nowhere']);
    expect(nothing.stderr).not.toContain('hard link');
    expect([isKept(), nothing.status]).toEqual([true, 2]);
    const [one] = (await within([command, 'kept.bloom'], { stdin: 'a\n' })).stderr.split('\n');
    expect(one).toBe('bloom: warning: kept.bloom had another name (a hard link): the old file is still there');
    expect(shell('cmp linked.bloom whole.bloom').status).toBe(0);
    expect(isKept()).toBe(false);
    // It has one name now.
    expect((await within([command, 'kept.bloom'], { stdin: 'b\n' })).stderr).not.toContain('warning');
  });

  // One function decides for both commands what may be replaced.
  describe.skipIf(!isPossible || inLongRuns(false, command === 'remove'))('as another user', () => {
    const asNobody = (line: string, groups = '--clear-groups') => shell(`echo a | (${asUser(groups)} ${line})`);
    const ownerOf = (name: string) => {
      const { uid, gid } = statSync(path(name));
      return [uid, gid];
    };

    test('refuses a file without write permission', () => {
      chownSync(path('kept.bloom'), OTHER, OTHER);
      expect(asNobody(`${command} kept.bloom`)).toEqual({
        stdout: '',
        stderr: 'bloom: kept.bloom belongs to another user; ask its owner, or add --force\n',
        status: 2,
      });
      expect([isKept(), ownerOf('kept.bloom')]).toEqual([true, [OTHER, OTHER]]);
    });

    test.each([
      ['owner', OTHER, NOBODY, 0o666],
      ['group', NOBODY, OTHER, 0o644],
    ] as const)('refuses a file whose %s would change, and reports the change with --force', (_, uid, gid, mode) => {
      chownSync(path('kept.bloom'), uid, gid);
      chmodSync(path('kept.bloom'), mode);
      const refused = asNobody(`${command} kept.bloom`);
      expect(refused.stderr).toBe(
        'bloom: replacing kept.bloom would change its owner or group; ask its owner, or add --force\n',
      );
      expect([isKept(), ownerOf('kept.bloom')]).toEqual([true, [uid, gid]]);
      const forced = asNobody(`${command} --force kept.bloom`);
      expect(forced.status).toBe(0);
      expect(forced.stderr).toContain('warning: kept.bloom now belongs to you: its owner or group could not be kept\n');
      expect(ownerOf('kept.bloom')).toEqual([NOBODY, NOBODY]);
      expect(statSync(path('kept.bloom')).mode & 0o777).toBe(mode);
    });

    test('changes a file of a group of the user, and keeps the group', () => {
      chownSync(path('kept.bloom'), NOBODY, OTHER);
      const changed = asNobody(`${command} kept.bloom`, `--groups=${OTHER}`);
      expect(changed.status).toBe(0);
      expect(changed.stderr).not.toContain('warning');
      expect([isKept(), ownerOf('kept.bloom')]).toEqual([false, [NOBODY, OTHER]]);
    });
  });

  test.skipIf(!isRoot)('by root keeps the owner', async () => {
    chownSync(path('kept.bloom'), OTHER, NOBODY);
    const changed = await within([command, 'kept.bloom'], { stdin: 'a\n' });
    expect(changed.status).toBe(0);
    expect(changed.stderr).not.toContain('warning');
    expect(statSync(path('kept.bloom'))).toMatchObject({ uid: OTHER, gid: NOBODY });
  });
});

test('build and merge with --force replace a protected file, and report what its other names keep', async () => {
  chmodSync(path('kept.bloom'), 0o444);
  for (const name of ['linked.bloom', 'linked2.bloom']) linkSync(path('kept.bloom'), path(name));
  const refused = await within(['build', '-o', 'kept.bloom'], { stdin: 'x\n' });
  expect(refused.stderr).toContain('kept.bloom exists already');
  const built = await within(['build', '--force', '-o', 'kept.bloom'], { stdin: 'x\n' });
  expect(built.status).toBe(0);
  expect(built.stderr).toContain('warning: kept.bloom had 2 other names (hard links): the old file is still there\n');
  const merged = await within(['merge', '--force', 'whole.bloom', '-o', 'linked.bloom']);
  expect(merged.status).toBe(0);
  expect(merged.stderr).toContain('warning: linked.bloom had another name (a hard link)');
});
