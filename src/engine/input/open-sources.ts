import type { ByteSource } from '../../io/source.ts';

/** Sources that are closed once. */
export interface OpenSources {
  add<S extends ByteSource>(source: S): S;
  close(source: ByteSource): void;
  /**
   * Closes sources that only the main thread reads, even if it waits for one. Otherwise an open pipe or iterator of a program would keep
   * the process from ending.
   */
  abandon(): void;
}

export function createOpenSources(): OpenSources {
  const open = new Set<ByteSource>();
  const close = (source: ByteSource) => {
    if (open.delete(source)) source.close();
  };
  return {
    add(source) {
      open.add(source);
      return source;
    },
    close,
    abandon() {
      for (const source of open) if (source.file === undefined) close(source);
    },
  };
}
