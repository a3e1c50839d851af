// The program of the thread that requests parts of a file from a server. The threads that read the file only wait.

import { parentPort, workerData } from 'node:worker_threads';
import { userCacheFolder } from '../cache-folder.ts';
import {
  abandonAll,
  answerAll,
  type Channel,
  countArrival,
  type RemoteFailure,
  type RemoteRequest,
  toRemoteFailure,
} from './channel.ts';
import { createClient, type ServerHeaders } from './client.ts';
import { copiesIn } from './copies.ts';
import { createRemoteFile, type RemoteFile } from './remote-file.ts';

/** The data with which the thread starts. */
export interface RemoteStart {
  readonly channel: Channel;
  readonly url: string;
  /** The name in messages. */
  readonly name: string;
  /** Milliseconds for which the server may be silent. */
  readonly patience: number;
  readonly headers: ServerHeaders | undefined;
  /**
   * Whether the copy of an earlier run is used without a request. The first part that is not in the copy shows whether
   * the copy is still valid.
   */
  readonly isTrusted: boolean;
}

/** The messages: one after the file was opened, then one per expected range that has arrived. */
export type RemoteNews =
  | { readonly type: 'opened'; readonly size: number }
  | { readonly type: 'failed'; readonly failure: RemoteFailure }
  | { readonly type: 'arrived' };

const NOTHING = new Uint8Array(0);

async function answerTo(file: RemoteFile, request: RemoteRequest): Promise<Uint8Array> {
  if (request.type === 'read') return file.read(request.position, request.length);
  if (request.type === 'expect') return file.expect(request.ranges);
  file.keep();
  return NOTHING;
}

async function serve({ channel, url, name, patience, headers, isTrusted }: RemoteStart): Promise<void> {
  const say = (message: RemoteNews) => parentPort?.postMessage(message);
  const onArrival = () => {
    countArrival(channel);
    say({ type: 'arrived' });
  };
  process.on('exit', () => abandonAll(channel));
  try {
    const client = createClient(new URL(url), name, { patience, headers, env: process.env });
    const copies = copiesIn(userCacheFolder('copies', process.env), url);
    const file = createRemoteFile(client, copies, isTrusted, onArrival);
    say({ type: 'opened', size: await file.open() });
    await answerAll(channel, (request) => answerTo(file, request), nextMessage);
  } catch (error) {
    say({ type: 'failed', failure: toRemoteFailure(error) });
  }
}

let onMessage = () => {};
function nextMessage(): Promise<void> {
  return new Promise((resolve) => {
    onMessage = resolve;
  });
}

// The listener also keeps the idle thread alive.
parentPort?.on('message', () => onMessage());
void serve(workerData);
