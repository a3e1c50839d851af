// A host of one file, without a network: the fetch function of the tests. A test changes its answers.

export interface Host {
  /** For the `fetch` option of the reader. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The ranges that were requested since the last call. */
  ranges(): string[];
  bytes: Uint8Array;
  headers: Record<string, string>;
  /** Answers in place of the host. */
  instead: ((request: Request, from: number, to: number) => Response | Promise<Response>) | undefined;
}

export const URL_OF_HOST = 'https://host.example/a%20b.bloom?key=secret';

export function createHost(bytes: Uint8Array, headers: Record<string, string> = { etag: '"1"' }): Host {
  let ranges: string[] = [];
  const host: Host = {
    bytes,
    headers,
    instead: undefined,
    async fetch(request) {
      const range = request.headers.get('range');
      ranges.push(range ?? 'none');
      const [, first = '0', last = String(host.bytes.length - 1)] = /^bytes=(\d+)-(\d+)?$/.exec(range ?? '') ?? [];
      const [from, to] = [Number(first), Math.min(Number(last) + 1, host.bytes.length)];
      if (host.instead !== undefined) return host.instead(request, from, to);
      if (range === null)
        return answer(host.bytes, { ...host.headers, 'content-length': String(host.bytes.length) }, 200);
      return partial(host, from, to);
    },
    ranges() {
      const all = ranges;
      ranges = [];
      return all;
    },
  };
  return host;
}

/** The answer of a host that supports ranges. */
export function partial(
  { bytes, headers }: Host,
  from: number,
  to: number,
  more: Record<string, string> = {},
): Response {
  if (from >= bytes.length) return answer(new Uint8Array(0), headers, 416);
  const range = { 'content-range': `bytes ${from}-${to - 1}/${bytes.length}`, 'content-length': String(to - from) };
  return answer(bytes.subarray(from, to), { ...headers, ...range, ...more }, 206);
}

/** An answer; empty headers are left out. */
export function answer(bytes: Uint8Array, headers: Record<string, string>, status: number): Response {
  const stated = Object.entries(headers).filter(([, value]) => value !== '');
  return new Response(Uint8Array.from(bytes), { headers: stated, status });
}
