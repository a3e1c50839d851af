// Full filters with short fingerprints, many of which are 0 or equal. Every answer must be that of the oracle.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { openedFilter } from '../formats/bloomery/opened.ts';
import { fileOf } from '../reference/bloom-file.ts';
import { oracleOf } from '../reference/kinds.ts';
import { digestsOf, headerOf, keysNamed, linesOf, openVessel, RULES } from './filling.ts';

const MEMBERS = keysNamed('member', 1000);
const NON_MEMBERS = keysNamed('stranger', 2000);
const bytesOf = (key: string) => new Uint8Array(Buffer.from(key));

const CASES = KINDS.filter(({ refuses, abilities }) => refuses && abilities.includes('remove')).flatMap((kind) =>
  [2, 4, 7, 1, 3, 5, 11].map((k): [string, FilterKind, Shape] => {
    const bits = kind.plan({ items: MEMBERS.length, fpr: 0.5, k })?.bits ?? 0;
    return [`${kind.name}, k = ${k}`, kind, { ...kind.geometry(bits, k), k }];
  }),
);

let folder = '';
let nonMembers: BigUint64Array = new BigUint64Array();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bloom-short-'));
  nonMembers = await digestsOf(linesOf(NON_MEMBERS));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(CASES)('%s', (_, kind, shape) => {
  test('has the answers of the oracle', async () => {
    const rules = { ...RULES, ...shape };
    const oracle = oracleOf(kind.id);
    const payload = oracle.payloadOf(MEMBERS.map(bytesOf), rules);
    const file = join(folder, 'filter.bloom');
    writeFileSync(file, fileOf({ ...headerOf(shape, MEMBERS.length, kind.id), payload }));
    const loaded = await openedFilter(loadKernel(), file);
    const answers = openVessel(shape, loaded.store).count(nonMembers);
    loaded.close();
    expect(answers).toBe(NON_MEMBERS.filter((key) => oracle.mayContain(payload, bytesOf(key), rules)).length);
  });
});
