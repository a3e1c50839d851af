// What the thread runs that asks a server for parts of a file, so that those who read them need only wait.

import { parentPort, workerData } from 'node:worker_threads';
import { userCacheFolder } from '../cache-folder.ts';
import {
  abandonAll,
  answerAll,
  type Channel,
  type RemoteFailure,
  type RemoteRequest,
  toRemoteFailure,
} from './channel.ts';
import { createClient } from './client.ts';
import { copiesIn } from './copies.ts';
import { createRemoteFile, type RemoteFile } from './remote-file.ts';

/** What the thread is started with. */
export interface RemoteStart {
  readonly channel: Channel;
  readonly url: string;
  /** Its name in messages. */
  readonly name: string;
  /** Milliseconds for which a server may say nothing. */
  readonly patience: number;
  /** What was kept of the file is not asked for again, and whether it still holds is seen with the first part that is. */
  readonly isTrusted: boolean;
}

/** What it says once it has opened the file. */
export type RemoteOpened =
  | { readonly type: 'opened'; readonly size: number }
  | { readonly type: 'failed'; readonly failure: RemoteFailure };

const NOTHING = new Uint8Array(0);

async function answerTo(file: RemoteFile, request: RemoteRequest): Promise<Uint8Array> {
  if (request.type === 'read') return file.read(request.position, request.length);
  file.keep();
  return NOTHING;
}

async function serve({ channel, url, name, patience, isTrusted }: RemoteStart): Promise<void> {
  const say = (message: RemoteOpened) => parentPort?.postMessage(message);
  process.on('exit', () => abandonAll(channel));
  try {
    const client = await createClient(new URL(url), name, patience);
    const file = createRemoteFile(client, copiesIn(userCacheFolder('copies', process.env), url), isTrusted);
    say({ type: 'opened', size: await file.open() });
    await answerAll(channel, (request) => answerTo(file, request));
  } catch (error) {
    say({ type: 'failed', failure: toRemoteFailure(error) });
  }
}

// Keeps the thread while it has nothing to do.
parentPort?.on('message', () => {});
void serve(workerData);
