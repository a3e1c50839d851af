import { once } from 'node:events';
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scratch, writeUntilRead } from './run.ts';

const { path, shell, start } = scratch();

/** Resolves when a temporary file appears in the folder. */
function temporaryFile(folder: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_, name) => {
      if (!name?.endsWith('.tmp')) return;
      watcher.close();
      resolve();
    });
  });
}

describe('a signal', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGXCPU', 'SIGUSR1'] as const)(
    '%s while a filter is written leaves the old one and no other file',
    async (signal) => {
      shell('seq 1000 > keys');
      writeFileSync(path('out.bloom'), 'the old one');
      const written = temporaryFile(path('.'));
      // A large filter takes a while to write.
      const child = start(['build', '-n', '300M', 'keys', '--force', '-o', 'out.bloom']);
      await written;
      child.kill(signal);
      const [code, by] = await once(child, 'exit');
      expect({ code, by }).toEqual({ code: null, by: signal });
      expect(readFileSync(path('out.bloom'), 'utf8')).toBe('the old one');
      expect(readdirSync(path('.')).sort()).toEqual(['keys', 'out.bloom']);
    },
  );

  test.each(['SIGINT', 'SIGUSR1'] as const)(
    '%s while the input is awaited ends the program at once',
    async (signal) => {
      const child = start(['build', '-', '-o', 'never.bloom']);
      await writeUntilRead(child, 'one\n');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([null, signal]);
      expect(readdirSync(path('.'))).not.toContain('never.bloom');
    },
  );
});
