// Conversion of objects between the versions of their kind: locally, or by the conversion webhook of a custom resource.

import type { JsonObject } from '../../codec/json/json-value.ts';
import { Decoding } from '../../schema/decoding.ts';
import type { ApiObject } from '../api-object.ts';
import type { KindVersion } from '../definition.ts';
import type { ServedResource } from '../registry.ts';

/** Applies a function to a value at once, or to the result of a promise once it resolves. */
export function mapMaybePromise<T, U>(
  value: T | Promise<T>,
  apply: (value: T) => U | Promise<U>,
): U | Promise<U> {
  return value instanceof Promise ? value.then(apply) : apply(value);
}

/** Converts an object to another version. Returns a promise only if a conversion webhook is called. */
export function convert(
  object: ApiObject,
  from: ServedResource,
  to: ServedResource,
): ApiObject | Promise<ApiObject> {
  if (from === to) return object;
  const { converter } = to.definition;
  if (converter) return converter.convert([{ object, from }], to).then(([converted]) => converted!);
  return convertLocally(object, from, to);
}

/** Built-in kinds convert by way of their storage version; custom resources are pruned to the fields of `to`. */
function convertLocally(object: ApiObject, from: ServedResource, to: ServedResource): ApiObject {
  return to.definition.isCustom ? pruned(object, to) : to.fromStored(from.toStored(object));
}

/** Prunes an object of another version of a custom resource to the fields of this version. */
export function pruned(object: ApiObject, { definition, apiVersion, kind }: KindVersion): ApiObject {
  const { metadata } = object;
  const withoutMetadata = { ...object, metadata: {} } as unknown as JsonObject;
  return { ...definition.schema.read(withoutMetadata, new Decoding()), apiVersion, kind, metadata };
}

export type Convert = (object: ApiObject, from: ServedResource, to: ServedResource) => ApiObject;

/**
 * Runs synchronous code that converts objects between versions. With a conversion webhook the code is run again after
 * each response, so it must be deterministic and free of side effects.
 */
export function withConversion<T>(
  resource: ServedResource,
  compute: (convert: Convert) => T,
): T | Promise<T> {
  const convertWithoutWebhook: Convert = (object, from, to) =>
    from === to ? object : convertLocally(object, from, to);
  return resource.definition.converter ? rerunUntilConverted(compute) : compute(convertWithoutWebhook);
}

/** Thrown by `convert` to leave the computation until the webhook has responded. */
class PendingConversion extends Error {
  readonly converted: Promise<ApiObject>;

  constructor(converted: Promise<ApiObject>) {
    super('a conversion webhook must be called');
    this.converted = converted;
  }
}

/** Runs `compute` again after each conversion. It is deterministic, so its nth conversion is the same in every run. */
async function rerunUntilConverted<T>(compute: (convert: Convert) => T): Promise<T> {
  const results: ApiObject[] = [];
  for (;;) {
    let nextResult = 0;
    try {
      return compute((object, from, to) => {
        if (from === to) return object;
        const converted = results[nextResult++] ?? convert(object, from, to);
        if (converted instanceof Promise) throw new PendingConversion(converted);
        return converted;
      });
    } catch (error) {
      if (!(error instanceof PendingConversion)) throw error;
      results.push(await error.converted);
    }
  }
}
