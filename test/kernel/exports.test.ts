// The declared exports are the kernel's exports. Otherwise types would allow calls that fail.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';

test('every export is declared, with as many parameters as it has', () => {
  const text = readFileSync(new URL('../../dist/kernel.d.ts', import.meta.url), 'utf8');
  const members = [
    ...text.slice(text.indexOf('interface Exports')).matchAll(/^ {2}(?:readonly )?(\w+)(?:\((.*)\))?: /gm),
  ];
  const declared = members.map(([, name = '', parameters]): [string, number | undefined] => [
    name,
    parameters?.split(', ').filter(Boolean).length,
  ]);
  const { memory: _, ...entries } = loadKernel().exports as unknown as Record<string, unknown>;
  const exported = Object.entries(entries).map(([name, of]): [string, number | undefined] => [
    name,
    typeof of === 'function' ? of.length : undefined,
  ]);
  expect(declared.length).toBeGreaterThan(50);
  expect(new Map(declared)).toEqual(new Map(exported));
});
