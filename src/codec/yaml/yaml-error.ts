// Errors of YAML decoding.

/** The text is not YAML, or has no JSON equivalent. The message is go-yaml's. */
export class YamlError extends Error {}

/** A position in the text. Lines count from 0. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** An error of the scanner. The first line is not named. */
export function scanError(problem: string, context: Mark, at: Mark = context): YamlError {
  const line = at.line || context.line;
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line + 1}: ${problem}`);
}

/** An error of the parser; go-yaml names the previous line. */
export function structureError(problem: string, context: Mark | undefined, at: Mark): YamlError {
  const line = at.line || (context?.line ?? 0);
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
}
