// CEL: the error for an expression that does not compile, or whose result has the wrong type.
import { type Environment, Issues } from './environment.ts';
import type { Program } from './program.ts';
import type { CelType } from './types.ts';

/** The detail of an "Invalid value" error; undefined if the result has one of the expected types. */
export function resultTypeError(
  environment: Environment,
  compiled: Program | Issues,
  expectedTypes: readonly CelType[],
): string | undefined {
  if (compiled instanceof Issues) return `compilation failed: ${compiled.text}`;
  const { type } = compiled;
  if (expectedTypes.some((expected) => expected.isExactly(type))) return undefined;
  const names = expectedTypes.map((expected) => environment.formatTypeName(expected));
  const expectation = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return `must evaluate to ${expectation} but got ${environment.formatTypeName(type)}`;
}
