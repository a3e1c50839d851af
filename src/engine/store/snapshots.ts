import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import type { Run } from './columns.ts';
import { openSegments, type SharedSegments } from './shared-segments.ts';

/** The segments of a filter at the time of the snapshot, to be read in order. A segment is copied only if it changes before it is read. */
export interface Snapshot {
  /** Copies the next segment to an address in kernel memory. Throws `input` and `format` errors. */
  read(to: Kernel, address: number): void;
  release(): void;
}

/** All snapshots of a filter; one thread has them. */
export interface Snapshots {
  take(filter: SharedSegments): Snapshot;
  /** Is called before these segments change. Throws `input` and `format` errors. */
  preserve(run: Run): void;
  /** Calls a function once all snapshots are released: at once if there are none. */
  whenReleased(work: () => void): void;
}

interface OpenSnapshot extends Snapshot {
  preserve(segment: number): void;
}

export function createSnapshots(own: Kernel): Snapshots {
  const open = new Set<OpenSnapshot>();
  let atLast = () => {};
  return {
    take(filter) {
      const snapshot: OpenSnapshot = {
        ...openSnapshot(filter, own),
        release() {
          if (open.delete(snapshot) && open.size === 0) atLast();
        },
      };
      open.add(snapshot);
      return snapshot;
    },
    preserve({ first, count }) {
      for (const { preserve } of open) for (let segment = first; segment < first + count; segment++) preserve(segment);
    },
    whenReleased(work) {
      atLast = work;
      if (open.size === 0) work();
    },
  };
}

function openSnapshot(filter: SharedSegments, own: Kernel): Omit<OpenSnapshot, 'release'> {
  const { shape } = filter.payload;
  const segments = openSegments(filter, own, 0);
  const bytes = segmentBytes(shape);
  const copies = new Map<number, Uint8Array>();
  let next = 0;
  const bytesOf = (segment: number) => {
    const { kernel, address } = segments.find(segment);
    return kernel.bytes(address, bytes);
  };
  return {
    read(to, address) {
      to.bytes(address, bytes).set(copies.get(next) ?? bytesOf(next));
      copies.delete(next);
      next++;
    },
    preserve(segment) {
      // A filter that grew since the snapshot has more segments.
      const isToBeRead = segment >= next && segment < shape.segments;
      if (isToBeRead && !copies.has(segment)) copies.set(segment, bytesOf(segment).slice());
    },
  };
}
