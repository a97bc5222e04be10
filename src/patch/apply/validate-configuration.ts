// Server-side apply: validates an applied configuration or live object against the merge schema of its kind. The
// messages are those of structured-merge-diff, in Go's notation.
import { isObject, type JsonValue, RawNumber } from '../../codec/json/json-value.ts';
import { goSyntax, goText } from '../../errors/go-json.ts';
import type { TypeCategory } from '../../schema/type.ts';
import { formatPath } from './field-set.ts';
import { InvalidListElement, pathElementOf } from './list-elements.ts';
import { type ListMergeSchema, type MergeSchema, memberMergeSchema, mergeSchemaFor } from './merge-schema.ts';

/** The applied configuration does not match its schema. The client sees the message. */
export class InvalidConfiguration extends Error {}

/** Throws InvalidConfiguration for undeclared fields, values of the wrong type and list elements without identity. */
export function validateConfiguration(schema: MergeSchema, configuration: JsonValue): void {
  const problems = schemaViolations(schema, configuration, { allowsDuplicates: false });
  if (problems.length === 0) return;
  throw new InvalidConfiguration(problems.length === 1 ? problems[0] : `errors:\n  ${problems.join('\n  ')}`);
}

/**
 * Returns the schema violations of a value. `allowsDuplicates` accepts duplicate list elements, which live objects may
 * have.
 */
export function schemaViolations(
  schema: MergeSchema,
  value: JsonValue,
  { allowsDuplicates }: { readonly allowsDuplicates: boolean },
): readonly string[] {
  const problems: string[] = [];
  validateValue(schema, value, undefined, { problems, allowsDuplicates });
  return problems;
}

interface ValidationContext {
  /** Collects the violations, up to a limit. */
  readonly problems: string[];
  readonly allowsDuplicates: boolean;
}

/** Violations in a message. Upstream lists all of them. */
const maxProblems = 2_000;

/** The path of the checked value, as a linked list: it is formatted only for the few values with problems. */
interface PathNode {
  readonly element: string;
  readonly from: PathNode | undefined;
}

function formatPathNode(node: PathNode | undefined): string {
  const path: string[] = [];
  for (let step = node; step; step = step.from) path.unshift(step.element);
  return formatPath(path);
}

function addProblem({ problems }: ValidationContext, path: PathNode | undefined, problem: string): void {
  if (problems.length < maxProblems) problems.push(`${formatPathNode(path)}: ${problem}`);
}

function validateValue(
  declared: MergeSchema,
  value: JsonValue,
  path: PathNode | undefined,
  context: ValidationContext,
): void {
  if (value === null) return;
  const schema = mergeSchemaFor(declared, value);
  const report = (problem: string) => addProblem(context, path, problem);
  switch (schema.form) {
    case 'scalar': {
      const problem = scalarTypeProblem(schema.expects ?? schema.type.category, value);
      if (problem) report(problem);
      return;
    }
    case 'list':
      if (Array.isArray(value)) validateElements(schema, value, path, context, report);
      else report(`expected list, got &{${goText(value)}}`);
      return;
    default:
      if (!isObject(value)) {
        report(`expected map, got &{${goText(value)}}`);
        return;
      }
      for (const key in value) {
        const inner = memberMergeSchema(schema, key);
        const memberPath = { element: `f:${key}`, from: path };
        if (inner) {
          validateValue(inner, value[key]!, memberPath, context);
          continue;
        }
        addProblem(context, memberPath, 'field not declared in schema');
        // Like upstream, stops at the first undeclared field of an object.
        return;
      }
  }
}

function validateElements(
  schema: ListMergeSchema,
  items: readonly JsonValue[],
  path: PathNode | undefined,
  context: ValidationContext,
  report: (problem: string) => void,
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    let name = `i:${index}`;
    if (!schema.atomic) {
      try {
        name = pathElementOf(schema, item, index, 'json');
      } catch (error) {
        if (!(error instanceof InvalidListElement)) throw error;
        report(error.message);
        return;
      }
      if (seen.has(name) && !context.allowsDuplicates)
        report(`duplicate entries for key ${formatPath([name])}`);
      seen.add(name);
    }
    validateValue(schema.element, item, { element: name, from: path }, context);
  }
}

/** Undefined for a value of the expected type. */
function scalarTypeProblem(category: TypeCategory, value: JsonValue): string | undefined {
  const isNumber = typeof value === 'number' || value instanceof RawNumber;
  switch (category) {
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
