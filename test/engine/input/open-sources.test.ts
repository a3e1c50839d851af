// Every open source is closed once, and early if only the main thread reads it.

import { expect, test } from 'vitest';
import { createOpenSources } from '../../../src/engine/input/open-sources.ts';
import { type ByteSource, memorySource } from '../../../src/io/source.ts';

test('sources are closed once, and files only after their last reader', () => {
  const closed: string[] = [];
  const sourceOf = (name: string): ByteSource => ({
    ...memorySource(name, new Uint8Array()),
    close: () => closed.push(name),
  });
  const sources = createOpenSources();
  const pipe = sources.add(sourceOf('pipe'));
  const done = sources.add(sourceOf('done'));
  const file = sources.add({ ...sourceOf('file'), file: { name: 'file', content: 'records', handle: -1, size: 1 } });
  sources.close(done);
  expect(closed).toEqual(['done']);
  sources.abandon();
  expect(closed).toEqual(['done', 'pipe']);
  for (const source of [pipe, done, file]) sources.close(source);
  expect(closed).toEqual(['done', 'pipe', 'file']);
});
