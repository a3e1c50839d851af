import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchWork } from '../../src/commands/watch.ts';
import { type BloomError, UnreadableInput } from '../../src/errors.ts';
import * as progress from '../../src/terminal/progress.ts';

/** What was done to the lines of the display, in order. */
const lines = [] as string[];
beforeEach(() => {
  lines.splice(0);
  vi.spyOn(progress, 'progressLine').mockImplementation((label) => ({
    update: async ({ bytes }) => void lines.push(`${label} ${bytes}`),
    clear: () => void lines.push('clear'),
    stop: () => void lines.push('stop'),
  }));
});
afterEach(() => vi.restoreAllMocks());

const say = { error: (error: BloomError) => void lines.push(error.message), warning() {}, note() {}, isQuiet: false };

test('each part has a line and a clock of its own, a second pass too', async () => {
  const watch = watchWork(say, undefined);
  await watch.onProgress?.({ bytes: 1, total: 9 });
  watch.begin('building');
  await watch.onProgress?.({ bytes: 2, total: 9 });
  await watch.onProgress?.({ bytes: 3, total: 9, pass: { number: 1, of: 2 } });
  expect(lines.splice(0)).toEqual(['building 2', 'building 3']);
  await watch.onProgress?.({ bytes: 4, total: 9, pass: { number: 2, of: 2 } });
  await watch.onProgress?.({ bytes: 5, total: 9, pass: { number: 2, of: 2 } });
  expect(lines.splice(0)).toEqual(['stop', 'building 4', 'building 5']);
  watch.begin('writing');
  await watch.onProgress?.({ bytes: 6, total: 9 });
  watch.finish();
  watch.finish();
  await watch.onProgress?.({ bytes: 7, total: 9 });
  expect(lines).toEqual(['stop', 'writing 6', 'stop']);
});

test('with --quiet there is no line', async () => {
  const watch = watchWork({ ...say, isQuiet: true }, undefined);
  watch.begin('building');
  await watch.onProgress?.({ bytes: 1, total: 9 });
  watch.onUnreadable(new UnreadableInput('one'), false);
  watch.finish();
  expect(lines).toEqual(['one']);
});

test('the line is removed for errors of unreadable inputs', () => {
  const watch = watchWork(say, undefined);
  watch.begin('adding');
  watch.onUnreadable(new UnreadableInput('one'), false);
  watch.onUnreadable(new UnreadableInput('two'), true);
  expect(lines).toEqual(['clear', 'one', 'clear', 'two']);
  expect([watch.failures, watch.broken]).toEqual([2, 1]);
});
