import type { ByteSource } from '../../io/source.ts';

/** Sources that are to be closed once. */
export interface OpenSources {
  add(source: ByteSource): ByteSource;
  close(source: ByteSource): void;
  /**
   * Closes those that only the main thread reads, though it may wait for them: what a program or a pipe still has would
   * keep ours from ending.
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
