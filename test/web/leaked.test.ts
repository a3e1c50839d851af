// The recipe for leaked passwords, as the document states it.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratch } from '../cli/run.ts';
import { blocksIn } from '../document-blocks.ts';
import { IS_LONG } from '../long.ts';
import { staticServer } from './static-server.ts';

const PAGE = readFileSync(new URL('../../src/web/WEB.md', import.meta.url), 'utf8');
const SECTION = 'Leaked passwords on a static host';
const DIST = new URL('../../dist/js/', import.meta.url);
const MEMBERS = 3000;

const { path, within } = scratch();

test.runIf(IS_LONG)('the recipe for leaked passwords finds each of them, and few others', async () => {
  const [command = ''] = blocksIn(PAGE, SECTION, 'sh');
  const [script = ''] = blocksIn(PAGE, SECTION, 'js');
  // In some lists the digits are upper case, in others lower case.
  const lines = Array.from({ length: MEMBERS }, (_, i) => {
    const hash = createHash('sha1').update(`password ${i}`).digest('hex');
    return `${i % 2 === 0 ? hash.toUpperCase() : hash}:${MEMBERS - i}\n`;
  });
  writeFileSync(path('pwned.txt'), lines.join(''));
  const [, ...args] = command.trim().split(' ');
  expect(await within(args)).toMatchObject({ status: 0 });

  const server = await staticServer();
  server.files.set('/pwned.bloom', readFileSync(path('pwned.bloom')));
  const page = script
    .replace("'bloomery/web'", `'${new URL('web.mjs', DIST)}'`)
    .replace("'bloomery/web/parts'", `'${new URL('web-parts.mjs', DIST)}'`)
    .replace('https://files.example', server.origin);
  writeFileSync(path('page.mjs'), `${page}\nexport { isLeaked };\n`);
  const { isLeaked } = await import(path('page.mjs'));
  const answers = await Promise.all(Array.from({ length: 2 * MEMBERS }, (_, i) => isLeaked(`password ${i}`)));
  server.close();
  expect(answers.slice(0, MEMBERS)).toEqual(Array(MEMBERS).fill(true));
  // The rate of the recipe is 0.1 %: more than 15 of 3,000 have a probability below 1e-6.
  expect(answers.slice(MEMBERS).filter(Boolean).length).toBeLessThanOrEqual(15);
});
