// Values of YAML scalars, by tag or by resolution.
import { quote } from '../../errors/quote.ts';
import { isObject, type JsonValue, RawNumber } from '../json/json-value.ts';
import type { ScalarNode } from './nodes.ts';
import { resolvePlain } from './resolve.ts';
import { YamlError } from './yaml-error.ts';

export type Scalar = string | number | boolean | null | RawNumber;

const standard = 'tag:yaml.org,2002:';
const resolvable = new Set(['bool', 'int', 'float', 'null', 'timestamp'].map((name) => standard + name));

/** The value of a scalar: by its tag, or by resolution if it is plain and has none. */
export function readScalar({ text, isPlain, tag }: ScalarNode): Scalar {
  if (tag === '') return isPlain ? resolvePlain(text) : text;
  if (tag === `${standard}binary`) return decodeBinary(text);
  if (!resolvable.has(tag)) return text;
  const expected = tag.slice(standard.length);
  if (expected === 'timestamp') return text;
  const value = resolvePlain(text);
  const found = typeNameOf(value, text);
  if (found === expected || (expected === 'float' && found === 'int')) return value;
  throw new YamlError(`yaml: cannot decode !!${found} \`${text}\` as a !!${expected}`);
}

function typeNameOf(value: Scalar, text: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  return value instanceof RawNumber || !/[.eE]/.test(text) || /^[-+]?0[xX]/.test(text) ? 'int' : 'float';
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decodeBinary(text: string): string {
  const unbroken = text.replace(/[\r\n]/g, '');
  if (!base64.test(unbroken)) throw new YamlError('yaml: !!binary value contains invalid base64 data');
  return Buffer.from(unbroken, 'base64').toString('utf8');
}

/** The text of a key in JSON. */
export function keyText(key: Exclude<Scalar, null>): string {
  if (typeof key !== 'number' || Number.isFinite(key)) return String(key);
  return Number.isNaN(key) ? '.nan' : key > 0 ? '.inf' : '-.inf';
}

/** A value in Go syntax (%#v), for error messages. */
export function goSyntax(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, part]) => `${quote(key)}:${goSyntax(part)}`);
  return `map[interface {}]interface {}{${entries.join(', ')}}`;
}
