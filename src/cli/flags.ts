// Parses command line flags in the syntax of kube-apiserver's (pflag).
import { nearest } from '../base/nearest.ts';
import { CommandError, type FlagSummary } from './command.ts';

/** A flag, whose value becomes a member of `Settings`. */
export interface Flag<Settings> extends FlagSummary {
  /** Maturity; default stable. */
  readonly stage?: 'alpha' | 'beta';
  /** Deprecation: since which release, and the replacement. Using the flag prints a warning. */
  readonly deprecated?: { readonly since: string; readonly advice: string };
  /** Returns the settings that the value sets. `previous` has those of flags further left, to which a repeatable flag adds. */
  parse(text: string, previous: Partial<Settings>): Partial<Settings>;
  /** The value as text; empty if unset. */
  format(settings: Settings): string;
}

/** Flags of one subject. */
export interface FlagGroup<Settings> {
  readonly title: string;
  readonly flags: readonly Flag<Settings>[];
}

/** The name as the user writes it: `--data-dir`, `-v`. */
export const withDashes = (flag: { readonly name: string }) =>
  flag.name.length === 1 ? `-${flag.name}` : `--${flag.name}`;

/**
 * Parses `--flag value`, `--flag=value` and `-v value`, `-v=value`, `-v3`. The last use of a flag wins, unless it is
 * repeatable. Other arguments are positional, and so are all arguments after `--`. Returns a warning for each deprecated flag.
 */
export function parseFlags<Settings>(
  flags: readonly Flag<Settings>[],
  args: readonly string[],
): { settings: Partial<Settings>; positional: string[]; warnings: string[] } {
  const positional: string[] = [];
  const warnings: string[] = [];
  let settings: Partial<Settings> = {};
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    if (arg === '--') return { settings, positional: [...positional, ...args.slice(index + 1)], warnings };
    if (!arg.startsWith('-') || arg === '-') {
      positional.push(arg);
      continue;
    }
    const [name, attachedValue] = splitFlag(arg);
    const flag = flags.find((candidate) => candidate.name === name || candidate.short === name);
    if (!flag) throw unknownFlag(arg.split('=')[0]!, flags);
    const value = attachedValue ?? (flag.isSwitch ? 'true' : args[++index]);
    if (value === undefined)
      throw new CommandError(`${withDashes(flag)} needs a value: ${withDashes(flag)} ${flag.placeholder}`);
    settings = { ...settings, ...parseValue(flag, value, settings) };
    if (flag.deprecated)
      warnings.push(`Flag ${withDashes(flag)} has been deprecated, ${flag.deprecated.advice}`);
  }
  return { settings, positional, warnings };
}

function splitFlag(arg: string): [name: string, value: string | undefined] {
  if (!arg.startsWith('--')) {
    const value = arg.slice(2).replace(/^=/, '');
    return [arg[1]!, arg.length === 2 ? undefined : value];
  }
  const equals = arg.indexOf('=');
  return equals < 0 ? [arg.slice(2), undefined] : [arg.slice(2, equals), arg.slice(equals + 1)];
}

function parseValue<Settings>(
  flag: Flag<Settings>,
  value: string,
  previous: Partial<Settings>,
): Partial<Settings> {
  try {
    return flag.parse(value, previous);
  } catch (error) {
    if (error instanceof CommandError) throw new CommandError(`${withDashes(flag)}: ${error.message}`);
    throw error;
  }
}

function unknownFlag<Settings>(flagText: string, flags: readonly Flag<Settings>[]): CommandError {
  const suggestion = nearest(flagText, flags.map(withDashes));
  const hint = suggestion ? ` (did you mean ${suggestion}?)` : '';
  return new CommandError(`unknown flag ${flagText}${hint}`);
}
