// Server-side apply: the versions of a kind in which field managers own fields, and the conversion between them.
import type { JsonObject } from '../../../codec/json/json-value.ts';
import { parseJson } from '../../../codec/json/parse.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import type { Convert } from '../../../kind/storage/convert.ts';
import { mergeSchemaOf } from '../../../patch/apply/merge-schema.ts';
import type { ApplyVersions } from '../../../patch/apply/structured-apply.ts';
import { Decoding } from '../../../schema/decoding.ts';
import type { Target } from '../../target.ts';
import type { StorageContext } from '../../verb-context.ts';
import { versionOf } from '../managed-fields.ts';

/** The versions of the applied kind. A subresource view has one version only. */
export function versionsOf(
  api: StorageContext,
  { resource, subresource }: Target,
  convert: Convert,
): ApplyVersions {
  const kind = resource.kindOf(subresource);
  const findVersion = (apiVersion: string) => {
    if (kind === resource) return versionOf(api, resource, apiVersion);
    return apiVersion === kind.apiVersion ? kind : undefined;
  };
  return {
    mergeSchema(apiVersion) {
      const version = findVersion(apiVersion);
      return version && mergeSchemaOf(version.definition.schema);
    },
    convert(object, from, to) {
      if (from === to) return object;
      // Callers convert only between versions that have a merge schema (`mergeSchema`), so both are served.
      const source = versionOf(api, resource, from)!;
      const destination = versionOf(api, resource, to)!;
      return convertJson(object, source, destination, convert);
    },
  };
}

function convertJson(
  object: JsonObject,
  from: ServedResource,
  to: ServedResource,
  convert: Convert,
): JsonObject {
  // Decodes without defaults: a default would bring back a field that the apply removed.
  const decoded: ApiObject = from.definition.schema.read(object, new Decoding());
  const text = to.definition.schema.write(convert(decoded, from, to));
  return parseJson(Buffer.from(text)).value as JsonObject;
}
