// Conversion of objects between the versions of their kind.

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

/** Converts an object to another version. A promise only where a conversion webhook is called. */
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
 * Runs work that converts objects between versions. With a conversion webhook the work restarts with each response, so it
 * must be free of side effects.
 */
export function withConversion<T>(resource: ServedResource, work: (convert: Convert) => T): T | Promise<T> {
  const convertWithoutWebhook: Convert = (object, from, to) =>
    from === to ? object : convertLocally(object, from, to);
  return resource.definition.converter ? restartUntilConverted(work) : work(convertWithoutWebhook);
}

/** Thrown by `convert` where the webhook has not responded yet. */
class PendingConversion extends Error {
  readonly converted: Promise<ApiObject>;

  constructor(converted: Promise<ApiObject>) {
    super('a conversion webhook must be called');
    this.converted = converted;
  }
}

/** Restarts the work after each conversion. The work is deterministic, so its nth conversion is the same in every run. */
async function restartUntilConverted<T>(work: (convert: Convert) => T): Promise<T> {
  const results: ApiObject[] = [];
  for (;;) {
    let next = 0;
    try {
      return work((object, from, to) => {
        if (from === to) return object;
        const converted = results[next++] ?? convert(object, from, to);
        if (converted instanceof Promise) throw new PendingConversion(converted);
        return converted;
      });
    } catch (error) {
      if (!(error instanceof PendingConversion)) throw error;
      results.push(await error.converted);
    }
  }
}
