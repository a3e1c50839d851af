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
export type HttpOptions = { readonly [K in 'fetch' | 'signal' | 'whole']: WebOptions[K] | undefined };

/** The largest file that is read whole if its server does not support ranges. */
const WHOLE_LIMIT = 2 ** 20;

/** What the headers say about a version of the file. Foreign servers may not show all of them. */
interface Version {
  readonly etag: string | null;
  readonly modified: string | null;
  readonly size: number | undefined;
}

export function httpSource(given: string | URL | Request, options: HttpOptions): WebFile {
  const request = new Request(given);
  const name = shownUrl(request.url);
  const send = options.fetch ?? ((request: Request) => fetch(request));
  let known: Version | undefined;
  let whole: Uint8Array | undefined;
  let [requests, received] = [0, 0];

  const failure = (why: string, hint?: string) => new BloomError('input', `cannot read ${name}: ${why}`, hint);

  async function answerTo(range: string): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set('range', range);
    const { signal } = options;
    const ask = () => {
      requests++;
      return send(new Request(request, { headers, ...(signal && { signal }) }));
    };
    try {
      // A server may close an idle connection just when the client uses it again.
      return await ask().catch(ask);
    } catch (cause) {
      signal?.throwIfAborted();
      throw failure(
        `the request failed (${cause instanceof Error ? cause.message : String(cause)})`,
        'check its address, and its Access-Control-Allow-Origin',
      );
    }
  }

  /** The body of an answer, of at most `most` bytes. */
  async function bodyOf(answer: Response, most: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    try {
      for (const reader = answer.body?.getReader(); reader !== undefined; ) {
        const { done, value } = await reader.read();
        if (done) break;
        pieces.push(value);
        length += value.length;
        received += value.length;
        if (length <= most) continue;
        await reader.cancel();
        throw failure(`the server sends more than ${most} bytes`);
      }
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (cause instanceof BloomError) throw cause;
      throw failure(`the connection ended after ${length} bytes`, 'try again');
    }
    const bytes = new Uint8Array(length);
    pieces.reduce((at, piece) => {
      bytes.set(piece, at);
      return at + piece.length;
    }, 0);
    return bytes;
  }

  /** Notes the version of the first answer, and refuses others. */
  function requireSame({ headers }: Response, size: number | undefined): void {
    const version = { etag: headers.get('etag'), modified: headers.get('last-modified'), size };
    known ??= version;
    const isSame =
      (known.size === undefined || size === undefined || known.size === size) &&
      known.etag === version.etag &&
      (known.etag !== null || known.modified === version.modified);
    if (!isSame) throw changed(name);
    if (known.size === undefined) known = { ...known, size };
  }

  /** The size of the file, from the headers of a partial answer to a request from `from` on; undefined if a foreign server hides it. */
  function sizeIn({ headers, type }: Response, from: number): number | undefined {
    const range = headers.get('content-range');
    if (range === null && type === 'cors') return undefined;
    const [, first, , size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(range ?? '') ?? [];
    if (first === undefined) throw failure('the server does not state which part of the file it sends');
    if (Number(first) === from) return Number(size);
    throw failure(`the server sends the bytes from ${first}, not from ${from}`);
  }

  async function wholeOf(answer: Response, limit: number): Promise<Uint8Array> {
    const length = Number(answer.headers.get('content-length') ?? limit + 1);
    if (known !== undefined || length > limit) {
      await answer.body?.cancel();
      throw failure(
        'its server does not support range requests (it answered with status 200)',
        'open it with { whole: true }',
      );
    }
    whole = await bodyOf(answer, limit);
    requireSame(answer, whole.length);
    return whole;
  }

  async function read(from: number, to: number): Promise<Uint8Array> {
    if (whole !== undefined) return whole.subarray(from, to);
    // A request without a range would let a cache answer with the parts that it has.
    const answer = await answerTo(options.whole ? 'bytes=0-' : `bytes=${from}-${to - 1}`);
    const { status } = answer;
    if (status === 200) {
      const bytes = await wholeOf(answer, options.whole ? Number.MAX_SAFE_INTEGER : WHOLE_LIMIT);
      return bytes.subarray(from, to);
    }
    if (status === 206) {
      if ((answer.headers.get('content-encoding') ?? 'identity') !== 'identity')
        throw failure('the server sends a range of it compressed');
      requireSame(answer, sizeIn(answer, options.whole ? 0 : from));
      const end = options.whole ? Number.MAX_SAFE_INTEGER : to;
      const wanted = Math.min(end, known?.size ?? end) - (options.whole ? 0 : from);
      const bytes = await bodyOf(answer, wanted);
      if (known?.size === undefined || bytes.length === wanted) {
        if (!options.whole) return bytes;
        whole = bytes;
        return whole.subarray(from, to);
      }
      throw failure(`the server sends only ${bytes.length} of ${wanted} bytes`);
    }
    await answer.body?.cancel();
    if (status === 416 && known !== undefined) throw changed(name);
    throw failure(status === 416 ? 'it is empty' : `the server answered with status ${status}`);
  }

  return { name, read, size: () => whole?.length ?? known?.size, traffic: () => ({ requests, bytes: received }) };
}

export function changed(name: string): BloomError {
  return new BloomError('changed', `${name} changed after it was opened`, 'open it again');
}

/** A URL without what may be secret. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
