// Admission webhooks: decodes a patched object. A patch may have changed its kind or apiVersion, which fails with the errors
// of kube-apiserver's decoders: built-in kinds are looked up in a scheme, custom resources are unstructured.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { invalidObject } from '../../errors/catalogue.ts';
import { invalid } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { type Registry, type ServedKind, ServedResource } from '../../kind/registry.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { inMemoryBody } from '../../serializers/request-body.ts';

/** Throws DecodeError, which is an internal error, or the error that the client gets. */
export function decodePatchedObject(registry: Registry, kind: ServedKind, value: JsonValue): ApiObject {
  const body = inMemoryBody(value);
  if (!isObject(value)) throw new DecodeError(body.notAnObjectMessage(value));
  for (const field of ['apiVersion', 'kind'] as const) {
    const text = value[field] ?? '';
    if (typeof text !== 'string') throw new DecodeError(body.invalidTypeMetaMessage(field, text));
  }
  const typeMeta = { apiVersion: String(value.apiVersion ?? ''), kind: String(value.kind ?? '') };
  if (typeMeta.apiVersion.split('/').length > 2) {
    throw new DecodeError(`unexpected GroupVersion string: ${typeMeta.apiVersion}`);
  }
  if (kind instanceof ServedResource && kind.definition.isCustom) return decodeCustom(kind, value, typeMeta);
  const isSameApiVersion = typeMeta.apiVersion === '' || typeMeta.apiVersion === kind.apiVersion;
  const isSameKind = typeMeta.kind === '' || typeMeta.kind === kind.kind;
  if (!isSameApiVersion || !isSameKind) throw otherKindError(registry, kind, value, typeMeta);
  return kind.definition.schema.decode(value).object;
}

interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

function decodeCustom(
  resource: ServedResource,
  value: JsonObject,
  { apiVersion, kind }: TypeMeta,
): ApiObject {
  if (kind === '') throw new DecodeError(`Object 'Kind' is missing in '${stringifyJson(value)}'`);
  if (apiVersion !== resource.apiVersion) assertConvertible(resource, apiVersion, kind);
  const { object } = resource.definition.schema.decode({
    ...value,
    apiVersion: resource.apiVersion,
    kind: resource.kind,
  });
  if (kind !== resource.kind) {
    const { group } = resource;
    const problem = invalid('kind', kind, `must be ${resource.kind}`);
    throw invalidObject({ group, kind }, object.metadata.name ?? '', [problem]);
  }
  return object;
}

/** Without a conversion webhook, the versions of a custom resource differ in their apiVersion only. */
function assertConvertible(resource: ServedResource, apiVersion: string, kind: string): void {
  const { group, version } = splitApiVersion(apiVersion);
  if (group !== resource.group) {
    const groupVersionKind = `${group}/${version}, Kind=${kind}`;
    const target = quote(resource.apiVersion);
    throw new ApiError(
      500,
      '',
      `${groupVersionKind} is unstructured and is not suitable for converting to ${target}`,
    );
  }
  const isServed = resource.versions.some((each) => each.version === version && each.definition.isServed);
  if (!isServed || resource.definition.converter) {
    throw new ApiError(500, '', `request to convert CR from an invalid group/version: ${apiVersion}`);
  }
}

function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

function otherKindError(
  registry: Registry,
  kind: ServedKind,
  value: JsonObject,
  { apiVersion, kind: kindName }: TypeMeta,
): Error {
  const ofVersion = registry
    .ofVersion(apiVersion || kind.apiVersion)
    .filter((each) => isSameScheme(each, kind));
  const name = kindName || kind.kind;
  const otherKind = ofVersion.find((each) => each.kind === name);
  const isList = ofVersion.some(
    ({ definition, kind: item }) => (definition.listKind ?? `${item}List`) === name,
  );
  const isMeta = ofVersion.length > 0 && metaKinds.has(name);
  if (!otherKind && !isList && !isMeta) {
    return new DecodeError(
      `no kind ${quote(name)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  // Errors of decoding the patched object as its new kind come first.
  otherKind?.definition.schema.decode(value);
  const goPackage = isMeta ? 'v1' : splitApiVersion(apiVersion).version;
  return new ApiError(
    500,
    '',
    `converting (${goPackage}.${name}) to (${internalPackage(kind.group)}.${kind.kind}): unknown conversion`,
  );
}

/** The kinds of package meta/v1 that every group version registers. */
const metaKinds = new Set(
  [
    'WatchEvent',
    'ListOptions',
    'GetOptions',
    'DeleteOptions',
    'CreateOptions',
    'UpdateOptions',
    'PatchOptions',
  ].concat(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']),
);

/** The servers of apiextensions and apiregistration, and each custom resource, have a scheme of their own. */
const schemeOf = ({ group }: { readonly group: string }) =>
  /^(?:apiextensions|apiregistration)\./.exec(group)?.[0] ?? '';

const isSameScheme = (a: ServedResource, b: ServedKind) =>
  !a.definition.isCustom && schemeOf(a) === schemeOf(b);

/** The Go package of a group's internal version. */
function internalPackage(group: string): string {
  const [first = ''] = group.split('.');
  if (first === '' || first === 'events') return 'core';
  return first === 'internal' ? 'apiserverinternal' : first;
}
