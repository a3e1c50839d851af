import { runCommandLine, tellLost } from './command-line.ts';

/** Lets SIGUSR1 end the program, as it ends others: Node would open its debugger, with a port, to whoever sends it. */
function closeDebugger(): void {
  const listener = () => {};
  // Once a listener is gone the signal has the system's own effect.
  process.on('SIGUSR1', listener).removeListener('SIGUSR1', listener);
}

/**
 * Ends the program with one line and status 2 on an error that no code awaits. Node would print a stack and exit with 1, which
 * means "no record was selected" or "unhealthy" here.
 */
function endOnLostErrors(): void {
  // Rejections without a handler come here too.
  process.on('uncaughtException', (error) => process.exit(tellLost(error)));
}

closeDebugger();
endOnLostErrors();
// No await at the top: the bundle is CommonJS.
void runCommandLine(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
