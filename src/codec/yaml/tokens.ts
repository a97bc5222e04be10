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

export interface Token {
  readonly type: TokenType;
  readonly start: Mark;
  readonly end: Mark;
  /** The text of a scalar, the name of an anchor, a tag's handle, a directive's name. */
  readonly value: string;
  /** What follows a tag's handle or a directive's name. */
  readonly suffix: string;
  /** A scalar without quotes, which may stand for something else than its text. */
  readonly isPlain: boolean;
}
