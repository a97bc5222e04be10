// Constructs the values of YAML scalars from their text and tag, with the error messages of go-yaml.
import { quote } from '../../errors/quote.ts';
import { isObject, type JsonValue, RawNumber } from '../json/json-value.ts';
import type { ScalarNode } from './nodes.ts';
import { resolvePlainScalar } from './resolve.ts';
import { YamlError } from './yaml-error.ts';

export type YamlScalar = string | number | boolean | null | RawNumber;

const standardTagPrefix = 'tag:yaml.org,2002:';
const resolvableTags = new Set(
  ['bool', 'int', 'float', 'null', 'timestamp'].map((name) => standardTagPrefix + name),
);

/** The tag of a scalar determines its type; a plain scalar without a tag is resolved. */
export function constructScalar({ text, isUntaggedPlain, tag }: ScalarNode): YamlScalar {
  if (tag === '') return isUntaggedPlain ? resolvePlainScalar(text) : text;
  if (tag === `${standardTagPrefix}binary`) return decodeBinary(text);
  if (!resolvableTags.has(tag)) return text;
  const expected = tag.slice(standardTagPrefix.length);
  if (expected === 'timestamp') return text;
  const value = resolvePlainScalar(text);
  const actual = tagNameOf(value, text);
  if (actual === expected || (expected === 'float' && actual === 'int')) return value;
  throw new YamlError(`yaml: cannot decode !!${actual} \`${text}\` as a !!${expected}`);
}

/** The tag of a resolved scalar. A number is a float if its text has a point or an exponent; `e` is also a hex digit. */
function tagNameOf(value: YamlScalar, text: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  const isInteger = value instanceof RawNumber || !/[.eE]/.test(text) || /^[-+]?0[xX]/.test(text);
  return isInteger ? 'int' : 'float';
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decodeBinary(text: string): string {
  const withoutBreaks = text.replace(/[\r\n]/g, '');
  if (!base64.test(withoutBreaks)) throw new YamlError('yaml: !!binary value contains invalid base64 data');
  return Buffer.from(withoutBreaks, 'base64').toString('utf8');
}

/** A mapping key as a key of a JSON object. */
export function jsonKey(key: Exclude<YamlScalar, null>): string {
  if (typeof key !== 'number' || Number.isFinite(key)) return String(key);
  return Number.isNaN(key) ? '.nan' : key > 0 ? '.inf' : '-.inf';
}

/** A value as Go's %#v prints the result of go-yaml, for error messages. */
export function goSyntaxOfYaml(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntaxOfYaml).join(', ')}}`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, member]) => `${quote(key)}:${goSyntaxOfYaml(member)}`);
  return `map[interface {}]interface {}{${entries.join(', ')}}`;
}
