// Encodes a discovery document in the negotiated media type: JSON, YAML, CBOR or Protobuf.
import type { JsonObject } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { APIGroupDiscoveryList } from '../kind/meta/aggregated-discovery.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../kind/meta/discovery.ts';
import { ListType, list } from '../schema/collections.ts';
import { string } from '../schema/scalars.ts';
import { field, Struct, struct } from '../schema/struct.ts';
import type { Representation } from '../serializers/negotiate.ts';
import type { Exchange } from '../transport/exchange.ts';
import { JsonIndenter } from '../transport/json-text.ts';
import { jsonType } from '../transport/response.ts';

const schemasByKind: Readonly<Record<string, Struct<unknown>>> = {
  APIVersions,
  APIGroup,
  APIGroupList,
  APIResourceList: withVerbsAsMessage(APIResourceList),
  APIGroupDiscoveryList,
};

/** `document` is the JSON of a discovery document. */
export function discoveryBody(
  exchange: Exchange,
  document: Buffer,
  representation: Pick<Representation, 'mediaType' | 'pretty'>,
): Buffer {
  const { mediaType, pretty } = representation;
  if (mediaType === jsonType) return pretty ? new JsonIndenter().push(document) : document;
  const { serializers } = exchange;
  const object = parseJson(document).value as JsonObject;
  const kind = String(object.kind);
  const needsVerbsMessage = mediaType === serializers.protobuf.mediaType && kind === 'APIResourceList';
  const json = needsVerbsMessage ? Buffer.from(stringifyJson(wrapVerbs(object))) : document;
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  return serializers.forMediaType(mediaType).object({ apiVersion, kind, schema: schemasByKind[kind]! }, json);
}

/** In Protobuf the verbs of a resource are a message that holds the list. */
function withVerbsAsMessage({ fullName, fields }: typeof APIResourceList): Struct<unknown> {
  const { type } = fields.resources;
  const element = type instanceof ListType ? type.element : undefined;
  if (!(element instanceof Struct)) throw new Error('resources is not a list');
  const verbs = struct('meta/v1.Verbs', { items: field(1, list(string)) });
  const resource = struct(element.fullName, { ...element.fields, verbs: field(4, verbs) });
  return struct(fullName, { ...fields, resources: field(2, list(resource)) });
}

/** The JSON value that `withVerbsAsMessage` describes. */
function wrapVerbs(document: JsonObject): JsonObject {
  const resources = (document.resources as JsonObject[]).map((resource) => ({
    ...resource,
    verbs: { items: resource.verbs! },
  }));
  return { ...document, resources };
}
