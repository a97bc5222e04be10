// Errors of YAML decoding.

/** The text is not YAML, or has no JSON equivalent; the message is that of go-yaml. */
export class YamlError extends Error {}

/** A position in the text. Lines count from 0. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** An error of the scanner. As in go-yaml, the message has no number for the first line. */
export function scannerError(problem: string, context: Mark, mark: Mark = context): YamlError {
  const line = mark.line || context.line;
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line + 1}: ${problem}`);
}

/** An error of the parser. As in go-yaml, the message has the number of the previous line. */
export function parserError(problem: string, context: Mark | undefined, mark: Mark): YamlError {
  const line = mark.line || (context?.line ?? 0);
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
}
