// YAML representation graph.
import type { YamlToken } from './tokens.ts';
import type { Mark } from './yaml-error.ts';

/** A node of a parsed document, before its tag is resolved. */
export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly text: string;
  readonly isPlain: boolean;
  /** The expanded tag, or '' if absent; `!` alone means a string. */
  readonly tag: string;
  readonly line: number;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: YamlNode[];
  readonly line: number;
}

export interface MapNode {
  readonly kind: 'map';
  /** Keys and values, alternating. */
  readonly parts: YamlNode[];
  readonly line: number;
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: YamlNode;
  readonly line: number;
}

export const emptyNode = (mark: Mark): ScalarNode => ({
  kind: 'scalar',
  text: '',
  isPlain: true,
  tag: '',
  line: mark.line,
});

export const scalarNode = ({ value, isPlain }: YamlToken, tag: string, start: Mark): ScalarNode => ({
  kind: 'scalar',
  text: value,
  isPlain: isPlain && tag === '',
  tag,
  line: start.line,
});
