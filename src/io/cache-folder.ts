import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The user's folder of things that can be had again; undefined where there is none. */
export function cacheFolder(
  things: 'code' | 'copies',
  { XDG_CACHE_HOME: cache = '' }: NodeJS.ProcessEnv,
): string | undefined {
  if (isAbsolute(cache)) return join(cache, 'bloom', things);
  const home = homedir();
  return isAbsolute(home) ? join(home, '.cache', 'bloom', things) : undefined;
}
