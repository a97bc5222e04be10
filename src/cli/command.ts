// The interface of a CLI command such as `orch serve`, and of the terminal it prints to.

/** Output streams: results to `out`, errors and warnings to `err`, line by line. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Whether `out` is a terminal with colors. */
  readonly inColor: boolean;
}

export interface Command {
  readonly name: string;
  /** Arguments on the usage line. */
  readonly usage: string;
  /** Summary in the list of commands. */
  readonly about: string;
  /** The text of `--help` below the usage line. */
  help(): string[];
  /** Resolves with the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** An error that the user can fix: printed in one line, exit code 1, no stack trace. */
export class CommandError extends Error {}
