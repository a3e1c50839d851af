import { expect, test } from 'vitest';
import { abandonAll, createChannel, readRemote } from '../../../src/io/remote/channel.ts';

test('a reader whose answering thread has ended does not wait for ever', () => {
  const channel = createChannel();
  abandonAll(channel);
  expect(() => readRemote(channel, new Uint8Array(1), 0)).toThrow('the thread that reads from the server has ended');
  // The next read does not wait either.
  expect(() => readRemote(channel, new Uint8Array(1), 0)).toThrow('the thread that reads from the server has ended');
});
