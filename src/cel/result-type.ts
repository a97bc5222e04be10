// CEL: the error for an expression whose result has the wrong type.
import { type Environment, Issues } from './environment.ts';
import type { Program } from './program.ts';
import type { CelType } from './types.ts';

/** Why an expression cannot stand where it must evaluate to one of these types, in words for "Invalid value". */
export function problemOf(
  environment: Environment,
  compiled: Program | Issues,
  wanted: readonly CelType[],
): string | undefined {
  if (compiled instanceof Issues) return `compilation failed: ${compiled.text}`;
  const { type } = compiled;
  if (wanted.some((one) => one.isExactly(type))) return undefined;
  const names = wanted.map((one) => environment.nameOf(one));
  const shown = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return `must evaluate to ${shown} but got ${environment.nameOf(type)}`;
}
