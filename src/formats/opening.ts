import type { KeyHash } from '../hashes/key-hashes.ts';
import type { ServerHeaders } from '../io/remote/client.ts';
import type { Lookup } from './description.ts';
import type { KeyType } from './key-types.ts';

/** What a user states about a filter. The file states the rest. */
export interface Opening {
  /** The format or the variant, by a name of `formatNames`. */
  readonly format?: string | undefined;
  /** The column to use if a file has filters of several columns. Dots separate the levels of the name. */
  readonly column?: string | undefined;
  /** The type of the keys. */
  readonly keyType?: KeyType | undefined;
  /** What a query looks up for a key, if the filter does not record it. */
  readonly lookup?: Lookup | undefined;
  /** The hash of the keys. */
  readonly keyHash?: KeyHash | undefined;
  /** Records already are digests of the key hash. */
  readonly areHashed?: boolean | undefined;
  /** Seconds to wait for a silent server. */
  readonly timeout?: number | undefined;
  /** Headers of requests to one server. */
  readonly headers?: ServerHeaders | undefined;
  /** Use the local copy of a file on a server without a request to the server. Reading may then throw `OutdatedCopy`. */
  readonly trustsCopy?: boolean | undefined;
}
