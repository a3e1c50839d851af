import type { ByteSource } from '../../io/source.ts';
import type { SharedStore } from '../store/store.ts';
import type { Replacement } from './thread-context.ts';

/** A source that hands out bytes only after the filters are as new as the bytes. All records that were read before are answered by then. */
export function turningAt(
  replacement: Replacement | undefined,
  turn: (filters: readonly SharedStore[]) => Promise<void>,
  source: ByteSource,
): ByteSource {
  if (replacement === undefined) return source;
  const { isDue, take } = replacement;
  let held: Uint8Array | undefined;
  return {
    ...source,
    read(into) {
      const bytes = source.read(into);
      if (!isDue()) return bytes;
      if (bytes !== undefined) held = into.slice(0, bytes);
      return undefined;
    },
    async wait(into) {
      const bytes = held?.length ?? (await source.wait(into));
      const newer = isDue() ? await take() : undefined;
      if (newer !== undefined) await turn(newer);
      if (held !== undefined) into.set(held);
      held = undefined;
      return bytes;
    },
  };
}
