// Look-ups of many keys with the kernel, in the place of the functions in JavaScript.

import { CALL_BYTES } from '../filters/parameters.ts';
import { kindWithId } from '../filters/registry.ts';
import { hashNamed } from '../hashes/registry.ts';
import { type Kernel, kernelOn } from '../kernel/instance.ts';
import type { WebAnswers, WebNumbers, WebPart } from './filter.ts';

/** Keys and digests that the kernel gets at once, and the least bytes of the keys. */
const MOST = 2 ** 14;
const TEXT_BYTES = 2 ** 18;
/** Bytes after keys and segments that the kernel may read. */
const PADDING = 64;

/** Bytes by which the memory grows beyond the need. */
const STRIDE = 2 ** 16;
const MEMORY_PAGES = 2 ** 16;

/**
 * The kernel as a part for `openFilter`, from its compiled module, or from an address of `dist/kernel.wasm`. Rejects if the address cannot be
 * fetched, or if the host does not compile its code.
 */
export async function bulk(kernel: WebAssembly.Module | string | URL): Promise<WebPart> {
  const code = kernel instanceof WebAssembly.Module ? kernel : await compiled(kernel);
  return { kernel: (filter) => answersWith(code, filter) };
}

async function compiled(address: string | URL): Promise<WebAssembly.Module> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`cannot read the kernel: the server answered with status ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

function answersWith(code: WebAssembly.Module, filter: WebNumbers): WebAnswers {
  // The code declares a shared memory. No other thread gets this one.
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MEMORY_PAGES, shared: true });
  const kernel = kernelOn(memory, code, STRIDE);
  const digestsAt = kernel.reserve(8 * MOST);
  return { digests: hasher(kernel, filter, digestsAt), test: tester(kernel, filter, digestsAt) };
}

function hasher(kernel: Kernel, { hash, seed }: WebNumbers, digestsAt: number): WebAnswers['digests'] {
  const parameters = kernel.reserve(8);
  new BigUint64Array(kernel.memory.buffer, parameters, 1).set([seed]);
  const hashKeys = kernel.exports[hashNamed(hash).entry];
  const spansAt = kernel.reserve(8 * MOST);
  let size = TEXT_BYTES;
  let textAt = kernel.reserve(size + PADDING);
  return (keys) => {
    const digests = new BigUint64Array(keys.length);
    for (let first = 0, next = 0; first < keys.length; first = next) {
      const longest = keys[first]?.length ?? 0;
      if (longest > size) {
        size = longest;
        textAt = kernel.reserve(size + PADDING);
      }
      const text = kernel.bytes(textAt, size);
      const spans = new Uint32Array(kernel.memory.buffer, spansAt, 2 * MOST);
      for (let at = 0; next < keys.length && next - first < MOST; next++) {
        const key = keys[next];
        if (key === undefined || at + key.length > size) break;
        text.set(key, at);
        spans[2 * (next - first)] = textAt + at;
        spans[2 * (next - first) + 1] = key.length;
        at += key.length;
      }
      hashKeys(spansAt, next - first, digestsAt, parameters);
      digests.set(new BigUint64Array(kernel.memory.buffer, digestsAt, next - first), first);
    }
    return digests;
  };
}

function tester(kernel: Kernel, filter: WebNumbers, digestsAt: number): WebAnswers['test'] {
  const { kindId, segments, segmentBits, screenBits } = filter;
  const kind = kindWithId(kindId, 'the filter');
  const bytes = segmentBits / 8;
  const segmentAt = kernel.reserve(bytes + PADDING);
  const hitsAt = kernel.reserve(MOST);
  const protectedKeys = screenBits > 0 && { protectedKeys: { keys: 0, screenBits, isUniverse: false } };
  const workFor = (k: number) => {
    const call = kernel.reserve(2 * CALL_BYTES);
    return kind.attach(
      kernel,
      { segments, segmentBits, bits: segments * segmentBits, k, ...protectedKeys },
      { call, drafts: call },
    );
  };
  const works = new Map<number, ReturnType<typeof workFor>>();
  return (segment, digests, k) => {
    if (kind.isSegment?.(segment) === false) throw new Error('the filter has a segment that its kind cannot have');
    const work = works.get(k) ?? workFor(k);
    works.set(k, work);
    kernel.bytes(segmentAt, bytes).set(segment);
    const hits = new Uint8Array(digests.length);
    for (let first = 0; first < digests.length; first += MOST) {
      const some = digests.subarray(first, first + MOST);
      new BigUint64Array(kernel.memory.buffer, digestsAt, some.length).set(some);
      work.test(segmentAt, digestsAt, some.length, hitsAt);
      hits.set(kernel.bytes(hitsAt, some.length), first);
    }
    return hits;
  };
}
