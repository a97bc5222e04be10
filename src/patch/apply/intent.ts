// Server-side apply: validation of an applied configuration against the schema.
import { isObject, type JsonValue, RawNumber } from '../../codec/json/json-value.ts';
import { goSyntax, goText } from '../../errors/go-json.ts';
import type { Form } from '../../schema/type.ts';
import { elementName, InvalidListElement } from './elements.ts';
import { showPath } from './fields-v1.ts';
import { type ListShape, type MergeSchema, memberShape, shapeFor } from './shape.ts';

/** The applied configuration does not match its schema; the message is for the client. */
export class BadIntent extends Error {}

/** Throws BadIntent for undeclared fields, values of the wrong type and list elements without identity. */
export function checkIntent(shape: MergeSchema, intent: JsonValue): void {
  const problems = problemsIn(shape, intent, false);
  if (problems.length === 0) return;
  throw new BadIntent(problems.length === 1 ? problems[0] : `errors:\n  ${problems.join('\n  ')}`);
}

/**
 * The violations of a shape. Duplicate elements may be allowed, since live objects that were not applied can have
 * them.
 */
export function problemsIn(shape: MergeSchema, value: JsonValue, allowsRepeated: boolean): readonly string[] {
  const problems: string[] = [];
  check(shape, value, undefined, { problems, allowsRepeated });
  return problems;
}

interface Checking {
  readonly problems: string[];
  readonly allowsRepeated: boolean;
}

/** The path of the checked value, as a linked list. */
interface PathNode {
  readonly element: string;
  readonly from: PathNode | undefined;
}

function showPathNode(node: PathNode | undefined): string {
  const path: string[] = [];
  for (let at = node; at; at = at.from) path.unshift(at.element);
  return showPath(path);
}

function check(
  declared: MergeSchema,
  value: JsonValue,
  path: PathNode | undefined,
  checking: Checking,
): void {
  if (value === null) return;
  const shape = shapeFor(declared, value);
  const { problems } = checking;
  const report = (why: string) => {
    problems.push(`${showPathNode(path)}: ${why}`);
  };
  switch (shape.form) {
    case 'scalar': {
      const why = scalarMismatch(shape.expects ?? shape.type.form, value);
      if (why) report(why);
      return;
    }
    case 'list':
      if (Array.isArray(value)) checkElements(shape, value, path, checking, report);
      else report(`expected list, got &{${goText(value)}}`);
      return;
    default:
      if (!isObject(value)) {
        report(`expected map, got &{${goText(value)}}`);
        return;
      }
      for (const key in value) {
        const inner = memberShape(shape, key);
        const at = { element: `f:${key}`, from: path };
        if (inner) {
          check(inner, value[key]!, at, checking);
          continue;
        }
        problems.push(`${showPathNode(at)}: field not declared in schema`);
        // Like upstream, stops at the first undeclared field of an object.
        return;
      }
  }
}

function checkElements(
  shape: ListShape,
  items: readonly JsonValue[],
  path: PathNode | undefined,
  checking: Checking,
  report: (why: string) => void,
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    let name = `i:${index}`;
    if (!shape.atomic) {
      try {
        name = elementName(shape, item, index, 'json');
      } catch (error) {
        if (!(error instanceof InvalidListElement)) throw error;
        report(error.message);
        return;
      }
      if (seen.has(name) && !checking.allowsRepeated) report(`duplicate entries for key ${showPath([name])}`);
      seen.add(name);
    }
    check(shape.element, item, { element: name, from: path }, checking);
  }
}

/** Describes a type mismatch, if there is one. */
function scalarMismatch(form: Form, value: JsonValue): string | undefined {
  const isNumber = typeof value === 'number' || value instanceof RawNumber;
  switch (form) {
    case 'string':
    case 'bytes':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'int32':
    case 'int64':
    case 'double':
      return isNumber ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'bool':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`;
    case 'quantity':
      return isNumber || typeof value !== 'object'
        ? undefined
        : `expected any scalar, got &{${goText(value)}}`;
    default:
      return undefined;
  }
}

function goType(value: JsonValue): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}
