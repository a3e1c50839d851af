import type { ByteSource } from '../../io/source.ts';
import type { SharedStore } from '../store/store.ts';
import type { Replacement } from './thread-context.ts';

/**
 * A source whose bytes are handed out once the filters are asked that were there when they came: before that all was answered that
 * had been read.
 */
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
