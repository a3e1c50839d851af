// Bundles the program into one file, so that it starts in half the time: the packages that only draw stay outside and
// are loaded when something is drawn. What the threads run is a file of its own.

import { builtinModules } from 'node:module';
import { defineConfig } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';

/** commander can start other programs; we never do, and loading what that needs takes milliseconds. */
const withoutSubprocesses = {
  name: 'without-subprocesses',
  resolveId: (id) => (id === 'node:child_process' ? '\0no-subprocesses' : null),
  load: (id) => (id === '\0no-subprocesses' ? 'export default {};' : null),
};

const bundle = (input, file, format) => ({
  input,
  platform: 'node',
  treeshake: { moduleSideEffects: 'no-external' },
  external: ['chalk', 'cli-table3', 'ora', 'xxhashjs'],
  plugins: [
    withoutSubprocesses,
    // commander requires what it could import: with require, node:module would have to be loaded as well.
    esmExternalRequirePlugin({
      external: builtinModules.map((name) => `node:${name}`).filter((id) => id !== 'node:child_process'),
    }),
  ],
  output: { file, format, codeSplitting: false },
});

export default defineConfig([
  bundle('src/cli.ts', 'dist/js/cli.js', 'esm'),
  // A thread is up sooner with this format.
  bundle('src/engine/worker.ts', 'dist/js/worker.cjs', 'cjs'),
]);
