import { expect, test } from 'vitest';
import { turningAt } from '../../../src/engine/tasks/test-keys.ts';
import { memorySource } from '../../../src/io/source.ts';

/** A replacement that is due when `due` says so, and a source of some letters. Both note each step. */
function observed(letters: string) {
  const notes: string[] = [];
  const state = { due: false };
  const replacement = {
    isDue: () => state.due,
    async take() {
      state.due = false;
      notes.push('taken');
      return [];
    },
  };
  const inner = memorySource('letters', Buffer.from(letters));
  const source = turningAt(replacement, async () => void notes.push('turned'), inner);
  const text = (into: Uint8Array, bytes: number | undefined) =>
    bytes === undefined ? undefined : Buffer.from(into.subarray(0, bytes)).toString();
  return {
    notes,
    state,
    read(length: number) {
      const into = new Uint8Array(length);
      return text(into, source.read(into));
    },
    async wait(length: number) {
      const into = new Uint8Array(length);
      return text(into, await source.wait(into));
    },
  };
}

test('bytes that are read without a newer filter are handed out', async () => {
  const { notes, read, wait } = observed('abcdef');
  expect(read(2)).toBe('ab');
  expect(await wait(2)).toBe('cd');
  expect(notes).toEqual([]);
});

test('bytes that were read with a newer filter wait until that filter is queried', async () => {
  const { notes, state, read, wait } = observed('abcdefgh');
  state.due = true;
  expect(read(4)).toBeUndefined();
  expect(notes).toEqual([]);
  expect(await wait(4)).toBe('abcd');
  expect(notes).toEqual(['taken', 'turned']);
  expect(await wait(2)).toBe('ef');
  expect(read(4)).toBe('gh');
  state.due = true;
  expect(read(4)).toBeUndefined();
  expect(await wait(4)).toBe('');
  expect(await wait(4)).toBe('');
  expect(notes).toEqual(['taken', 'turned', 'taken', 'turned']);
});

test('bytes after a pause wait too', async () => {
  const { notes, state, wait } = observed('abcdef');
  state.due = true;
  expect(await wait(3)).toBe('abc');
  expect(notes).toEqual(['taken', 'turned']);
});

test('without a replacement it is the source', () => {
  const source = memorySource('letters', new Uint8Array());
  expect(turningAt(undefined, async () => {}, source)).toBe(source);
});
