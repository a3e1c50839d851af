import { runCommandLine, tellLost } from './command-line.ts';
import { leaveTerminals } from './io/terminal.ts';

/**
 * Signals that have the system's own effect, instead of Node's: at SIGUSR1 Node would open its debugger, with a port, to whoever
 * sends it; at the others it would set the modes of the terminal, as at its end.
 */
const WITHOUT_NODE = ['SIGUSR1', 'SIGINT', 'SIGTERM'] as const;

function takeSignalsFromNode(): void {
  const listener = () => {};
  // Once a listener is gone the signal has the system's own effect.
  for (const signal of WITHOUT_NODE) process.on(signal, listener).removeListener(signal, listener);
}

/**
 * Ends the program with one line and status 2 on an error that no code awaits. Node would print a stack and exit with 1, which
 * means "no record was selected" or "unhealthy" here.
 */
function endOnLostErrors(): void {
  // Rejections without a handler come here too.
  process.on('uncaughtException', (error) => process.exit(tellLost(error)));
}

takeSignalsFromNode();
endOnLostErrors();
process.on('exit', leaveTerminals);
// No await at the top: the bundle is CommonJS.
void runCommandLine(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
