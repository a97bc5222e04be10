// Custom resources: the scale subresource.
import type { CustomResourceSubresourceScale } from '../apis/apiextensions/version.ts';
import { type ScaleAccessors, scaleSubresource } from '../apis/autoscaling/scale.ts';
import { isObject, type JsonObject, type JsonValue, nullPrototypeObject } from '../codec/json/json-value.ts';
import { internalError } from '../errors/catalogue.ts';
import { type FieldError, invalid } from '../errors/field-error.ts';
import { goFloat } from '../errors/go-float.ts';
import { quote } from '../errors/quote.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Subresource } from '../kind/definition.ts';
import { toJsonObject } from './to-json-object.ts';

/** The scale subresource with the paths of the definition. */
export function customScale(paths: CustomResourceSubresourceScale): Subresource {
  const specPath = parseFieldPath(paths.specReplicasPath);
  const statusPath = parseFieldPath(paths.statusReplicasPath);
  const selectorPath = paths.labelSelectorPath ? parseFieldPath(paths.labelSelectorPath) : undefined;
  const accessors: ScaleAccessors<ApiObject> = {
    replicas: (object) => numberAt(object, specPath),
    setReplicas: (object, replicas) => setValue(toJsonObject(object), specPath, replicas),
    currentReplicas: (object) => numberAt(object, statusPath),
    selector: (object) => {
      const text = selectorPath && valueAt(toJsonObject(object), selectorPath);
      return typeof text === 'string' ? text : '';
    },
  };
  const subresource = scaleSubresource(accessors);
  // The values are validated with the object, by validateScale.
  const { validate: _validate, ...view } = subresource.view!;
  const assertReadable = (object: ApiObject) => {
    if (valueAt(toJsonObject(object), specPath) !== undefined) return;
    throw internalError(`the spec replicas field ${quote(paths.specReplicasPath)} does not exist`);
  };
  return {
    ...subresource,
    view: { ...view, assertReadable, replicasPath: specPath.map((step) => `f:${step}`) },
  };
}

/** Validates the replicas at specReplicasPath. */
export function validateScale(
  object: ApiObject,
  { specReplicasPath: path }: CustomResourceSubresourceScale,
): FieldError[] {
  let value: JsonValue | undefined = toJsonObject(object);
  for (const step of parseFieldPath(path)) {
    if (value === null) return [];
    if (!isObject(value)) return [accessorError(path, value, 'map[string]interface{}')];
    if (!Object.hasOwn(value, step)) return [];
    value = value[step]!;
  }
  if (typeof value !== 'number' || !isInt64(value)) return [accessorError(path, value, 'int64')];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > maxReplicas ? [invalid(path, value, `should be less than or equal to ${maxReplicas}`)] : [];
}

const maxReplicas = 2 ** 31 - 1;

function accessorError(path: string, value: JsonValue, expected: string): FieldError {
  const message = `${path} accessor error: ${goText(value)} is of the type ${goTypeOf(value)}, expected ${expected}`;
  return invalid(path, 0, message);
}

/** The Go type of a decoded JSON value. */
function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return isInt64(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}

const isInt64 = (value: number) => Number.isInteger(value) && Math.abs(value) < 2 ** 63;

/** A decoded JSON value as Go prints it. */
function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value === 'number') return isInt64(value) ? String(value) : goFloat(value);
  if (!isObject(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goText(value[key]!)}`).join(' ')}]`;
}

/** `.spec.replicas` as `['spec', 'replicas']`. */
const parseFieldPath = (path: string) => path.split('.').slice(1);

function valueAt(object: JsonObject, fieldPath: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of fieldPath) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

function numberAt(object: ApiObject, fieldPath: readonly string[]): number {
  const value = valueAt(toJsonObject(object), fieldPath);
  return typeof value === 'number' ? value : 0;
}

/** Sets a field and creates missing parent objects. Throws if a parent is not an object. */
function setValue(object: JsonObject, fieldPath: readonly string[], value: number): void {
  let parent = object;
  for (const [index, step] of fieldPath.slice(0, -1).entries()) {
    const existing = Object.hasOwn(parent, step) ? parent[step] : undefined;
    if (existing !== undefined && !isObject(existing)) {
      const path = fieldPath.slice(0, index + 1).join('.');
      throw new ApiError(500, '', `value cannot be set because .${path} is not a map[string]interface{}`);
    }
    const next = existing ?? nullPrototypeObject();
    parent[step] = next;
    parent = next;
  }
  parent[fieldPath.at(-1)!] = value;
}
