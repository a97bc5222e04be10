import type { JsonObject } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import type { Versions } from '../patch/apply/apply-intent.ts';
import { shapeOf } from '../patch/apply/shape.ts';
import type { Api, Target } from './api.ts';
import type { ApiObject } from './definition.ts';
import type { ServedResource } from './registry.ts';
import { versionOf } from './settle-owners.ts';

/** The versions of what is applied to. A view has but one. */
export function versionsOf(api: Api, { resource, subresource }: Target): Versions {
  const kind = resource.kindOf(subresource);
  const find = (apiVersion: string) =>
    kind === resource
      ? versionOf(api, resource, apiVersion)
      : apiVersion === kind.apiVersion
        ? kind
        : undefined;
  return {
    shape(apiVersion) {
      const version = find(apiVersion);
      return version && shapeOf(version.definition.schema);
    },
    convert(object, from, to) {
      if (from === to) return object;
      const [source, goal] = [from, to].map((apiVersion) => versionOf(api, resource, apiVersion)!);
      return converted(object, source!, goal!);
    },
  };
}

function converted(object: JsonObject, from: ServedResource, to: ServedResource): JsonObject {
  const decoded: ApiObject = from.definition.schema.decode(object).object;
  const text = to.definition.schema.write(to.fromStored(from.toStored(decoded)));
  return parseJson(Buffer.from(text)).value as JsonObject;
}
