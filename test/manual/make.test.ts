import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };

const folder = mkdtempSync(join(tmpdir(), 'bloomery-manual-'));
const before = process.argv[2];
afterAll(() => {
  process.argv[2] = before ?? '';
  rmSync(folder, { recursive: true });
});

test('the manual pages have the day of SOURCE_DATE_EPOCH', async () => {
  vi.stubEnv('SOURCE_DATE_EPOCH', '1000000000');
  process.argv[2] = join(folder, 'man');
  await import('../../src/manual/make.ts');
  const written = () => expect(readdirSync(join(folder, 'man'))).toHaveLength(packageFile.man.length);
  await vi.waitFor(written, { timeout: 60_000 });
  expect(readFileSync(join(folder, 'man', 'bloom.1'), 'utf8')).toMatch(/^\.TH "?BLOOM"? "?1"? "?2001-09-09"? /m);
});
