/** Where a command writes: answers to `out`, complaints to `err`, a line at a time. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Whether answers are looked at by a person who wants colors. */
  readonly inColor: boolean;
}

export interface Command {
  readonly name: string;
  /** What follows the name on the usage line. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly about: string;
  /** Everything `--help` shows below the usage line. */
  help(): string[];
  /** Resolves with the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** Something the user can put right, said in one line. The program ends with exit code 1 and no stack. */
export class CommandError extends Error {}
