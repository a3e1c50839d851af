import { runCommandLine, tellLost } from './command-line.ts';
import { leaveTerminals } from './io/terminal.ts';

/**
 * Signals with the system's default action instead of Node's. At SIGUSR1 Node would open its debugger, with a port, for
 * every sender. At the other signals Node would reset the modes of the terminal, as at its end.
 */
const WITHOUT_NODE = ['SIGUSR1', 'SIGINT', 'SIGTERM'] as const;

function takeSignalsFromNode(): void {
  const listener = () => {};
  // After its last listener is removed, a signal has the system's default action.
  for (const signal of WITHOUT_NODE) process.on(signal, listener).removeListener(signal, listener);
}

/**
 * Ends the program with one line and status 2 after an uncaught error. Node would print a stack and exit with status 1.
 * Status 1 means "no record was selected" or "unhealthy" here.
 */
function endOnLostErrors(): void {
  // Unhandled rejections arrive here too.
  process.on('uncaughtException', (error) => process.exit(tellLost(error)));
}

takeSignalsFromNode();
endOnLostErrors();
process.on('exit', leaveTerminals);
// The bundle is CommonJS, so there is no await at the top level.
void runCommandLine(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
