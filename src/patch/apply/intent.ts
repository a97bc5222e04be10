import { isObject, type JsonValue, RawNumber } from '../../codec/json/json-value.ts';
import { goSyntax, goText } from '../../errors/go-json.ts';
import type { Form } from '../../schema/type.ts';
import { BrokenList, elementName } from './elements.ts';
import { showPath } from './fields-v1.ts';
import { type ListShape, memberShape, type Shape, shapeFor } from './shape.ts';

/** An intent is not one of its kind: why, in words for the client. */
export class BadIntent extends Error {}

/** Throws BadIntent where the JSON is not of this shape: fields that do not exist, values of other types, elements that cannot be told apart. */
export function checkIntent(shape: Shape, intent: JsonValue): void {
  const problems = problemsIn(shape, intent, false);
  if (problems.length === 0) return;
  throw new BadIntent(problems.length === 1 ? problems[0] : `errors:\n  ${problems.join('\n  ')}`);
}

/** Why JSON is not of this shape. Elements of one name may be allowed, as objects have them that were written otherwise. */
export function problemsIn(shape: Shape, value: JsonValue, allowsRepeated: boolean): readonly string[] {
  const problems: string[] = [];
  check(shape, value, undefined, { problems, allowsRepeated });
  return problems;
}

interface Checking {
  readonly problems: string[];
  readonly allowsRepeated: boolean;
}

/** The way to what is checked: its last element, and where that lies. */
interface Way {
  readonly element: string;
  readonly from: Way | undefined;
}

function showWay(way: Way | undefined): string {
  const path: string[] = [];
  for (let at = way; at; at = at.from) path.unshift(at.element);
  return showPath(path);
}

function check(declared: Shape, value: JsonValue, way: Way | undefined, checking: Checking): void {
  if (value === null) return;
  const shape = shapeFor(declared, value);
  const { problems } = checking;
  const refuse = (why: string) => {
    problems.push(`${showWay(way)}: ${why}`);
  };
  switch (shape.form) {
    case 'scalar': {
      const why = whyNoScalar(shape.expects ?? shape.type.form, value);
      if (why) refuse(why);
      return;
    }
    case 'list':
      if (Array.isArray(value)) checkElements(shape, value, way, checking, refuse);
      else refuse(`expected list, got &{${goText(value)}}`);
      return;
    default:
      if (!isObject(value)) {
        refuse(`expected map, got &{${goText(value)}}`);
        return;
      }
      for (const key in value) {
        const inner = memberShape(shape, key);
        const at = { element: `f:${key}`, from: way };
        if (inner) {
          check(inner, value[key]!, at, checking);
          continue;
        }
        problems.push(`${showWay(at)}: field not declared in schema`);
        // What comes behind such a field is not looked at.
        return;
      }
  }
}

function checkElements(
  shape: ListShape,
  items: readonly JsonValue[],
  way: Way | undefined,
  checking: Checking,
  refuse: (why: string) => void,
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    let name = `i:${index}`;
    if (!shape.atomic) {
      try {
        name = elementName(shape, item, index, 'json');
      } catch (error) {
        if (!(error instanceof BrokenList)) throw error;
        refuse(error.message);
        return;
      }
      if (seen.has(name) && !checking.allowsRepeated) refuse(`duplicate entries for key ${showPath([name])}`);
      seen.add(name);
    }
    check(shape.element, item, { element: name, from: way }, checking);
  }
}

/** What is expected of a value of this form, if it is another one. */
function whyNoScalar(form: Form, value: JsonValue): string | undefined {
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
