import { runCommandLine } from './command-line.ts';

/** Lets SIGUSR1 end the program, as it ends others: Node would open its debugger, with a port, to whoever sends it. */
function closeDebugger(): void {
  const listener = () => {};
  // Once a listener is gone the signal has the system's own effect.
  process.on('SIGUSR1', listener).removeListener('SIGUSR1', listener);
}

closeDebugger();
// No await at the top: the bundle is CommonJS.
void runCommandLine(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
