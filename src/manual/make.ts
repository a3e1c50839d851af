// Writes the manual pages into the folder that the command line names.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { manual } from './pages.ts';

const SECONDS = 1000;

/** The day of the build, or the day that SOURCE_DATE_EPOCH states for reproducible builds. */
function dateOf({ SOURCE_DATE_EPOCH }: NodeJS.ProcessEnv): string {
  const date = SOURCE_DATE_EPOCH === undefined ? new Date() : new Date(Number(SOURCE_DATE_EPOCH) * SECONDS);
  return date.toISOString().slice(0, 'yyyy-mm-dd'.length);
}

async function make(folder: string): Promise<void> {
  const documents = {
    reference: readFileSync('src/commands/REFERENCE.md', 'utf8'),
    json: readFileSync('src/commands/JSON.md', 'utf8'),
  };
  const pages = await manual({ version: packageFile.version, date: dateOf(process.env) }, documents);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
}

void make(process.argv[2] ?? 'dist/man');
