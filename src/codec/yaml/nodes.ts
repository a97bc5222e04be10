// Nodes of a parsed YAML document.
import type { YamlToken } from './tokens.ts';
import type { Mark } from './yaml-error.ts';

/** A node before tag resolution. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly text: string;
  readonly isUntaggedPlain: boolean;
  /** The expanded tag, or '' if absent; `!` is the non-specific tag of a string. */
  readonly tag: string;
  readonly line: number;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly items: YamlNode[];
  readonly line: number;
}

export interface MappingNode {
  readonly kind: 'mapping';
  /** Keys and values, alternating. */
  readonly keysAndValues: YamlNode[];
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
  isUntaggedPlain: true,
  tag: '',
  line: mark.line,
});

export const scalarNode = ({ value, isPlain }: YamlToken, tag: string, start: Mark): ScalarNode => ({
  kind: 'scalar',
  text: value,
  isUntaggedPlain: isPlain && tag === '',
  tag,
  line: start.line,
});
