// A file on a server, by range requests. They have no other header than Range, so browsers ask a foreign server for no
// permission first.

import { BloomError } from '../bloom-error.ts';
import type { WebOptions, WebTraffic } from './filter.ts';

/** A file that can be read from any position. */
export interface WebFile {
  /** The name in messages. */
  readonly name: string;
  /**
   * The bytes from `from` to before `to`, or fewer if the file ends before. Rejects with `input` if they cannot be
   * read, and with `changed` if the file changed since the first read.
   */
  read(from: number, to: number): Promise<Uint8Array>;
  /** Bytes of the file. Undefined if they are not known yet. */
  size(): number | undefined;
  traffic(): WebTraffic;
}

/** The options of requests. */
export type HttpOptions = Pick<WebOptions, 'fetch' | 'signal' | 'whole'>;

/** The largest file that is read whole if its server does not support ranges. */
const WHOLE_LIMIT = 2 ** 20;

export function httpSource(given: string | URL | Request, options: HttpOptions): WebFile {
  const { fetch: send = (request: Request) => fetch(request), signal, whole = false } = options;
  const request = new Request(given);
  const { origin, pathname } = new URL(request.url);
  // The rest of the address may be secret.
  const name = origin + pathname;
  /** What the headers of the first answer say about the version of the file. Foreign servers may not show it. */
  let version: string | undefined;
  let size: number | undefined;
  let content: Uint8Array | undefined;
  let [requests, received] = [0, 0];

  const failure = (why: string, hint?: string) => new BloomError('input', `cannot read ${name}: ${why}`, hint);

  async function answerTo(range: string): Promise<Response> {
    const ask = () => {
      requests++;
      const asked = new Request(request, signal && { signal });
      asked.headers.set('range', range);
      return send(asked);
    };
    try {
      // A server may close an idle connection just when the client uses it again.
      return await ask().catch(ask);
    } catch (cause) {
      signal?.throwIfAborted();
      throw failure(
        `the request failed (${cause instanceof Error ? cause.message : cause})`,
        'check its address and its CORS headers',
      );
    }
  }

  /** The body of an answer, of at most `most` bytes. */
  async function bodyOf({ body }: Response, most: number): Promise<Uint8Array> {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for (const reader = body?.getReader(); reader !== undefined; ) {
      const { done, value } = await reader.read().catch(() => {
        signal?.throwIfAborted();
        throw failure(`the connection ended after ${length} bytes`, 'try again');
      });
      if (done) break;
      pieces.push(value);
      length += value.length;
      received += value.length;
      if (length <= most) continue;
      await reader.cancel();
      throw failure(`the server sends more than ${most} bytes`);
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }

  /** Notes the version of the first answer, and refuses others. */
  function requireSame({ headers }: Response, stated: number | undefined): void {
    const now = headers.get('etag') ?? headers.get('last-modified') ?? '';
    version ??= now;
    size ??= stated;
    if (version !== now || (stated !== undefined && size !== stated)) throw changed(name);
  }

  /** The size of the file, from the headers of a partial answer from `from` on; undefined if a foreign server hides it. */
  function sizeIn({ headers, type }: Response, from: number): number | undefined {
    const range = headers.get('content-range');
    if (range === null && type === 'cors') return undefined;
    const [, first, stated] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(range ?? '') ?? [];
    if (Number(first) === from) return Number(stated);
    throw failure(`the server sends ${range ?? 'no range'} instead of the bytes from ${from} on`);
  }

  /** The bytes of an answer that should be those from `from` to before `to`. */
  async function bytesIn(answer: Response, from: number, to: number): Promise<Uint8Array> {
    const { status, headers } = answer;
    if (status === 200) {
      const limit = whole ? to : WHOLE_LIMIT;
      if (version !== undefined || Number(headers.get('content-length') ?? to) > limit)
        throw failure('the server does not support range requests', 'open it with { whole: true }');
      content = await bodyOf(answer, limit);
      requireSame(answer, content.length);
      return content;
    }
    if (status === 416) throw version === undefined ? failure('it is empty') : changed(name);
    if (status !== 206) throw failure(`the server answered with status ${status}`);
    if ((headers.get('content-encoding') ?? 'identity') !== 'identity') throw failure('the server sends it compressed');
    requireSame(answer, sizeIn(answer, from));
    const wanted = Math.min(to, size ?? to) - from;
    const bytes = await bodyOf(answer, wanted);
    if (size !== undefined && bytes.length < wanted)
      throw failure(`the server sends ${bytes.length} of ${wanted} bytes`);
    if (whole) content = bytes;
    return bytes;
  }

  async function read(from: number, to: number): Promise<Uint8Array> {
    if (content === undefined) {
      // A request without a range would let a cache answer with the parts that it has.
      const answer = await answerTo(whole ? 'bytes=0-' : `bytes=${from}-${to - 1}`);
      try {
        const bytes = await bytesIn(answer, whole ? 0 : from, whole ? Number.MAX_SAFE_INTEGER : to);
        if (content === undefined) return bytes;
      } catch (error) {
        if (answer.body?.locked === false) await answer.body.cancel();
        throw error;
      }
    }
    return content.subarray(from, to);
  }

  return { name, read, size: () => size, traffic: () => ({ requests, bytes: received }) };
}

export function changed(name: string): BloomError {
  return new BloomError('changed', `${name} changed after it was opened`, 'open it again');
}
