import type { CustomResourceSubresourceScale } from '../api/apiextensions/version.ts';
import { type Scalable, scaleOf } from '../api/autoscaling/scale.ts';
import { isObject, type JsonObject, type JsonValue, userKeyed } from '../codec/json/json-value.ts';
import { internalError } from '../errors/catalogue.ts';
import { type FieldError, invalid } from '../errors/field-error.ts';
import { quote } from '../errors/quote.ts';
import type { ApiObject, Subresource } from '../resource/definition.ts';
import { asJson } from './as-json.ts';

/** The scale of a custom kind, which lies where its author says. */
export function customScale(paths: CustomResourceSubresourceScale): Subresource {
  const spec = stepsOf(paths.specReplicasPath);
  const status = stepsOf(paths.statusReplicasPath);
  const selector = paths.labelSelectorPath ? stepsOf(paths.labelSelectorPath) : undefined;
  const parts: Scalable<ApiObject> = {
    replicas: (object) => {
      if (at(asJson(object), spec) !== undefined) return numberAt(object, spec);
      throw internalError(`the spec replicas field ${quote(paths.specReplicasPath)} does not exist`);
    },
    setReplicas: (object, replicas) => set(asJson(object), spec, replicas),
    currentReplicas: (object) => numberAt(object, status),
    selector: (object) => {
      const text = selector && at(asJson(object), selector);
      return typeof text === 'string' ? text : '';
    },
  };
  const subresource = scaleOf(parts);
  const { validate: _validate, ...view } = subresource.view!;
  return { ...subresource, view: { ...view, sharedAt: spec.map((step) => `f:${step}`) } };
}

/** What is wrong with the wished size of an object. */
export function validateScale(
  object: ApiObject,
  { specReplicasPath: path }: CustomResourceSubresourceScale,
): FieldError[] {
  let value: JsonValue | undefined = asJson(object);
  for (const step of stepsOf(path)) {
    if (!isObject(value)) return [accessorError(path, value, 'map[string]interface{}')];
    value = Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined) return [];
  }
  if (typeof value !== 'number') return [accessorError(path, value, 'int64')];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > largest ? [invalid(path, value, `should be less than or equal to ${largest}`)] : [];
}

const largest = 2 ** 31 - 1;

function accessorError(path: string, value: JsonValue | undefined, expected: string): FieldError {
  const type = typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'float64' : typeof value;
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return invalid(path, 0, `${path} accessor error: ${shown} is of the type ${type}, expected ${expected}`);
}

const stepsOf = (path: string) => path.split('.').slice(1);

function at(object: JsonObject, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of steps) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

function numberAt(object: ApiObject, steps: readonly string[]): number {
  const value = at(asJson(object), steps);
  return typeof value === 'number' ? value : 0;
}

function set(object: JsonObject, steps: readonly string[], value: number): void {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  if (rest.length === 0) {
    object[step] = value;
    return;
  }
  const inner = Object.hasOwn(object, step) ? object[step] : undefined;
  if (isObject(inner)) set(inner, rest, value);
  else {
    const made = userKeyed();
    object[step] = made;
    set(made, rest, value);
  }
}
