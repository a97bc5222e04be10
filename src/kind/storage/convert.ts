// Conversion of objects between the versions of their kind.

import type { JsonObject } from '../../codec/json/json-value.ts';
import { Decoding } from '../../schema/decoding.ts';
import type { ApiObject } from '../api-object.ts';
import type { KindVersion } from '../definition.ts';
import type { ServedResource } from '../registry.ts';

/** Applies `go` at once to a value, or to the result of a promise. */
export function mapMaybePromise<T, U>(
  value: T | Promise<T>,
  go: (value: T) => U | Promise<U>,
): U | Promise<U> {
  return value instanceof Promise ? value.then(go) : go(value);
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
  return convertHere(object, from, to);
}

function convertHere(object: ApiObject, from: ServedResource, to: ServedResource): ApiObject {
  return to.definition.isCustom ? pruned(object, to) : to.fromStored(from.toStored(object));
}

/** Prunes an object of another version of a custom resource to the fields of this version. */
export function pruned(object: ApiObject, { definition, apiVersion, kind }: KindVersion): ApiObject {
  const { metadata } = object;
  const bare = { ...object, metadata: {} } as unknown as JsonObject;
  return { ...definition.schema.read(bare, new Decoding()), apiVersion, kind, metadata };
}

export type Convert = (object: ApiObject, from: ServedResource, to: ServedResource) => ApiObject;

/**
 * Runs work that converts objects between versions. With a conversion webhook the work restarts with each response, so it
 * must be free of side effects.
 */
export function withConversion<T>(resource: ServedResource, work: (convert: Convert) => T): T | Promise<T> {
  const plain: Convert = (object, from, to) => (from === to ? object : convertHere(object, from, to));
  return resource.definition.converter ? restartUntilConverted(work) : work(plain);
}

class PendingConversion extends Error {
  readonly answer: Promise<ApiObject>;

  constructor(answer: Promise<ApiObject>) {
    super('a conversion webhook must be called');
    this.answer = answer;
  }
}

async function restartUntilConverted<T>(work: (convert: Convert) => T): Promise<T> {
  const known: ApiObject[] = [];
  for (;;) {
    let next = 0;
    try {
      return work((object, from, to) => {
        if (from === to) return object;
        const converted = known[next++] ?? convert(object, from, to);
        if (converted instanceof Promise) throw new PendingConversion(converted);
        return converted;
      });
    } catch (error) {
      if (!(error instanceof PendingConversion)) throw error;
      known.push(await error.answer);
    }
  }
}
