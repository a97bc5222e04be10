// The entry point of the CLI: runs the command that the first argument names, or prints help.
import { nearest } from '../base/nearest.ts';
import { auth } from './auth.ts';
import { blame } from './blame.ts';
import { type ActionSummary, type Command, CommandError, type Terminal } from './command.ts';
import { completion } from './completion.ts';
import { dev } from './dev.ts';
import { device } from './device.ts';
import { envtest } from './envtest.ts';
import { node } from './node.ts';
import { serve } from './serve.ts';
import { store } from './store.ts';
import { version } from './version.ts';
import { volume } from './volume.ts';

const subjects: readonly Command[] = [dev, serve, envtest, store, blame, auth, device, volume, node, version];
const commands: readonly Command[] = [...subjects, completion(subjects)];

/** Resolves with the exit code. A CommandError is printed; any other error is a bug, and rejects. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.err(`orch: ${error.message}`);
    return 1;
  }
}

async function dispatch([name, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined || isHelp(name)) {
    if (args[0] !== undefined) return showHelp(requireCommand(args[0]), terminal);
    return showOverview(terminal, name === undefined ? 1 : 0);
  }
  const command = requireCommand(name === '--version' || name === '-v' ? 'version' : name);
  if (!args.some((arg) => arg === '--help' || arg === '-h')) return command.run(args, terminal);
  const { actions = {} } = command;
  return showHelp(command, terminal, Object.hasOwn(actions, args[0]!) ? actions[args[0]!] : undefined);
}

const isHelp = (word: string) => word === 'help' || word === '--help' || word === '-h';

function requireCommand(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const names = commands.map((candidate) => candidate.name);
  const suggestion = nearest(name, names);
  const hint = suggestion ? `did you mean ${suggestion}?` : 'see orch help';
  throw new CommandError(`unknown command ${JSON.stringify(name)} (${hint})`);
}

function showHelp(command: Command, terminal: Terminal, action?: ActionSummary): number {
  const { usage, help } = action ?? command;
  terminal.out(`Usage: orch ${command.name} ${usage}`.trimEnd());
  terminal.out('');
  for (const line of help()) terminal.out(line);
  return 0;
}

function showOverview(terminal: Terminal, exitCode: number): number {
  terminal.out('Orch is a Kubernetes-compatible API server in a single program.');
  terminal.out('');
  for (const { name, about } of commands) {
    terminal.out(`  orch ${name.padEnd(10)} ${about}`);
  }
  terminal.out('');
  terminal.out('Run orch COMMAND --help for the flags of a command.');
  return exitCode;
}
