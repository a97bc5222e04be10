// Tokens of the YAML scanner.
import type { Mark } from './yaml-error.ts';

export type TokenType =
  | 'document-start'
  | 'document-end'
  | 'directive'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar'
  | 'stream-end';

export interface YamlToken {
  readonly type: TokenType;
  readonly start: Mark;
  readonly end: Mark;
  /** The text of a scalar, or the name of an anchor, tag handle or directive. */
  readonly value: string;
  /** The text after a tag handle or a directive's name. */
  readonly suffix: string;
  /** Whether a scalar is plain, so that its tag is resolved. */
  readonly isPlain: boolean;
}
