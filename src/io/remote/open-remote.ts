import { BloomError } from '../../errors.ts';
import { displayName } from '../look.ts';
import { type PositionedFile, readAt } from '../positioned.ts';
import { REMOTE_PROGRAM } from '../remote-program.ts';
import type { ByteSource } from '../source.ts';
import { abandonAll, createChannel, fromRemoteFailure, wakeByMessages } from './channel.ts';
import type { ServerHeaders } from './client.ts';
import type { RemoteNews, RemoteStart } from './http.ts';

/** Options for a file at a URL. */
export interface RemoteOptions {
  /** Seconds for which the server may be silent. */
  readonly timeout: number | undefined;
  readonly headers: ServerHeaders | undefined;
  /**
   * Whether the copy of an earlier run is used without a request. A read can then throw `OutdatedCopy`; the caller must
   * open the file once more.
   */
  readonly trustsCopy: boolean;
}

const DEFAULT_TIMEOUT = 30;

/** A file on a server, which can be read at any position. */
export interface ServerFile extends ByteSource {
  readonly file: PositionedFile;
}

/** Opens a file at a URL. A thread reads each part when it is needed. Throws `input` errors, and so does each read. */
export async function openRemote(
  url: string,
  { timeout = DEFAULT_TIMEOUT, headers, trustsCopy }: RemoteOptions,
): Promise<ServerFile> {
  const name = displayName(url);
  const { href } = plainUrl(url, name);
  const channel = createChannel();
  const { Worker } = await import('node:worker_threads');
  const start: RemoteStart = { channel, url: href, name, patience: 1000 * timeout, headers, isTrusted: trustsCopy };
  const worker = new Worker(REMOTE_PROGRAM, { workerData: start, execArgv: [] });
  const onNews = wakeByMessages(channel, () => worker.postMessage('request'));
  const close = () => {
    abandonAll(channel);
    onNews();
    void worker.terminate();
  };
  const opened = await new Promise<RemoteNews>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  if (opened.type !== 'opened') {
    close();
    throw opened.type === 'failed' ? fromRemoteFailure(opened.failure) : new Error('the file is not open yet');
  }
  worker.on('message', onNews).once('exit', onNews);
  // An open connection must not keep the program running.
  worker.unref();
  return remoteSource(url, { name, content: 'filter', handle: channel, size: opened.size }, close);
}

/** The file at a URL from its beginning. */
export function remoteSource(url: string, file: PositionedFile, close: () => void): ServerFile {
  let position = 0;
  const read = (into: Uint8Array): number => {
    const bytes = readAt(file, into, position);
    position += bytes;
    return bytes;
  };
  return { name: url, size: file.size, file, read, wait: async (into) => read(into), close };
}

/**
 * The URL of a name. Throws a `usage` error for an invalid URL. A URL with a password is refused too, because every
 * user of the machine can see a command line.
 */
function plainUrl(url: string, name: string): URL {
  if (!URL.canParse(url)) throw new BloomError('usage', `${name} is not a URL`, 'write it as https://HOST/PATH');
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '') return parsed;
  throw new BloomError(
    'usage',
    `the URL of a file at ${parsed.host} has a user name`,
    'leave out the user name; bloom does not log in',
  );
}
