/** The text is no YAML, or has no meaning as JSON; the message is the reference's. */
export class YamlError extends Error {}

/** A place in the text. Lines count from 0. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** What is wrong with single characters. The first line is not named. */
export function scanError(problem: string, context: Mark, at: Mark = context): YamlError {
  const line = at.line || context.line;
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line + 1}: ${problem}`);
}

/** What is wrong with the order of things; upstream names the line before. */
export function structureError(problem: string, context: Mark | undefined, at: Mark): YamlError {
  const line = at.line || (context?.line ?? 0);
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
}
