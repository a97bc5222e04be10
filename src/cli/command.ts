// The interface of a CLI command such as `orch serve`, and of the terminal it prints to.

/** Output streams: results to `out`, errors and warnings to `err`, line by line. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Whether `out` is a terminal with colors. */
  readonly inColor: boolean;
}

/** A flag as help and completion show it. */
export interface FlagSummary {
  /** Without dashes. One-letter names take one dash. */
  readonly name: string;
  /** Shorthand, with one dash. */
  readonly short?: string;
  /** Placeholder of the value in help: `DIR`, `N`, `orch|kubernetes`. */
  readonly placeholder: string;
  /** Boolean flag: without a value it is `true`; other values must be attached: `--list=false`. */
  readonly isSwitch?: boolean;
  readonly about: string;
}

/** An action of a command, such as `backup` of `orch store`. */
export interface ActionSummary {
  /** The usage line after the name of the command. */
  readonly usage: string;
  /** The text of `--help` below the usage line. */
  help(): string[];
}

export interface Command {
  readonly name: string;
  /** Arguments on the usage line. */
  readonly usage: string;
  /** Summary in the list of commands. */
  readonly about: string;
  /** The words that may follow the name, if the command has actions. */
  readonly actions?: Readonly<Record<string, ActionSummary>>;
  readonly flags: readonly FlagSummary[];
  /** The text of `--help` below the usage line. */
  help(): string[];
  /** Resolves with the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** An error that the user can fix: printed in one line, exit code 1, no stack trace. */
export class CommandError extends Error {}
