import { Script } from 'node:vm';

interface Module {
  readonly exports: object;
}

/** A file of the bundle as a function, as Node wraps it. */
type Run = (exports: object, require: (id: string) => unknown, module: Module, filename: string) => void;

/** A file of the bundle, compiled now or earlier. */
export interface BundleScript {
  readonly run: Run;
  /** Whether V8 compiled the file now: there was no code, or V8 did not accept it. */
  readonly isNew: boolean;
  /** What V8 has compiled until now: the functions that have run. */
  code(): Buffer;
}

/** Compiles a file of the bundle, or takes the code of an earlier run. */
export function bundleScript(filename: string, source: string, code: Uint8Array | undefined): BundleScript {
  const script = new Script(`(function(exports,require,module,__filename){${source}\n})`, {
    filename,
    ...(code && { cachedData: code }),
  });
  return {
    run: script.runInThisContext(),
    isNew: code === undefined || script.cachedDataRejected === true,
    code: () => script.createCachedData(),
  };
}
