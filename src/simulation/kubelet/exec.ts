// Commands in simulated containers: `cat` and shells echo their input, any other command is printed.

/** The streams of a command. */
export interface CommandStreams {
  /** Chunks of standard input until its end; undefined if the client sends none. */
  readonly input: AsyncIterable<Buffer> | undefined;
  write(output: Buffer | string): void;
}

const shells = ['sh', 'bash', 'ash', 'zsh'];
/** End of transmission (Ctrl-D), which ends the input of a terminal. */
const endOfTransmission = 0x04;

/** Resolves at the end of the command. Its exit code is 0. */
export async function runCommand(
  command: readonly string[],
  { input, write }: CommandStreams,
): Promise<void> {
  const [program = '', ...args] = command;
  const name = program.slice(program.lastIndexOf('/') + 1);
  const isEcho = name === 'cat' || shells.includes(name);
  if (!isEcho || args.length > 0 || !input) {
    if (name !== 'cat' || args.length > 0) write(`${command.join(' ')}\n`);
    return;
  }
  await echo(input, write, shells.includes(name));
}

/** Writes the input to the output. With `isShell`, the line `exit` ends it. */
export async function echo(
  input: AsyncIterable<Buffer>,
  write: (output: Buffer) => void,
  isShell = false,
): Promise<void> {
  for await (const chunk of input) {
    const end = chunk.indexOf(endOfTransmission);
    if (end !== 0) write(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0 || (isShell && chunk.toString().trim() === 'exit')) return;
  }
}
