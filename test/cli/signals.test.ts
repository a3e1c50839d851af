import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sampled } from '../long.ts';
import { scratch, writeUntilRead } from './run.ts';

const { path, shell, start } = scratch();

/** Loaded before the command. The signal comes while the command syncs the temporary file, which never ends. */
const INTERRUPTED = `
const fs = require('node:fs');
fs.fsync = () => {
  console.error(fs.readdirSync('.').filter((name) => name.endsWith('.tmp')).length);
  process.kill(process.pid, process.env.SIGNAL);
  setInterval(() => {}, 1000);
};`;

describe('a signal', () => {
  test.each(sampled(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGXCPU', 'SIGUSR1'] as const))(
    '%s while a filter is written leaves the old one and no other file',
    async (signal) => {
      shell('seq 1000 > keys');
      writeFileSync(path('interrupted.cjs'), INTERRUPTED);
      writeFileSync(path('out.bloom'), 'the old one');
      const env = { ...process.env, NODE_OPTIONS: '--require ./interrupted.cjs', SIGNAL: signal };
      const child = start(['build', '-n', '1M', 'keys', '--force', '-o', 'out.bloom'], { env });
      const files = child.stderr && once(child.stderr, 'data');
      expect(await once(child, 'exit')).toEqual([null, signal]);
      expect(String(await files)).toBe('1\n');
      expect(readFileSync(path('out.bloom'), 'utf8')).toBe('the old one');
      expect(readdirSync(path('.')).sort()).toEqual(['interrupted.cjs', 'keys', 'out.bloom']);
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
