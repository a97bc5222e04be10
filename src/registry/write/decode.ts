// Decodes the input of a write: bodies into objects of the resource's kind, and patches.
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { badRequest, invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { dedupOwnerReferences } from '../../kind/meta/owner-references.ts';
import { Status } from '../../kind/meta/status.ts';
import type { Registry, ServedKind } from '../../kind/registry.ts';
import { going } from '../../kind/storage/convert.ts';
import {
  type AppliedConfiguration,
  decodeAppliedConfiguration,
} from '../../patch/decode-applied-configuration.ts';
import { decodePatch } from '../../patch/decode-patch.ts';
import { DecodeError, Decoding } from '../../schema/decoding.ts';
import { type ParsedBody, type SentBody, UnfitBody, UnreadableBody } from '../../serializers/sent-body.ts';
import type { FieldValidation } from '../options/write-options.ts';
import type { DecodedObject, WriteContext } from './context.ts';

/** Parses the body or patch. */
export function parse(context: WriteContext): void {
  const { input, options } = context.request;
  const { resource, subresource } = context.target;
  if (input.verb === 'patch') {
    context.patch ??= decodePatch(input.type, input.source, options.fieldValidation === 'Ignore');
  } else if (input.verb === 'apply') {
    if (context.configuration) return;
    const configuration =
      'source' in input ? decodeAppliedConfiguration(input.type, input.source) : input.configuration;
    assertAppliesTo(resource.kindOf(subresource), configuration);
    context.configuration = configuration;
  } else if ('body' in input) context.parsed = parseBody(resource.kindOf(subresource), input.body);
}

/** Decodes the body of a create or update, with defaults. */
export function decode(context: WriteContext): void | Promise<void> {
  const { input } = context.request;
  if ('read' in input) return going(input.read(), (decoded) => take(context, decoded));
  if (!('body' in input)) return;
  const { api, target, options, warnings } = context;
  const parsed = context.parsed!;
  const kind = target.resource.kindOf(target.subresource);
  take(context, readParsed(api.registry, kind, input.body, parsed, options.fieldValidation, warnings));
}

function take(context: WriteContext, decoded: DecodedObject): void {
  context.setDecoded(decoded);
  context.request.observer?.onDecoded(decoded.object);
}

/** Throws the 400 for a configuration of another kind, or with managedFields. */
function assertAppliesTo(kind: ServedKind, { value }: AppliedConfiguration): void {
  const { apiVersion, kind: said, metadata } = value;
  if (apiVersion !== kind.apiVersion || said !== kind.kind) {
    const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
    const [version = '', group = ''] = parts.length > 2 ? [] : parts.reverse();
    const name = typeof said === 'string' && parts.length <= 2 ? said : '';
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${name}`);
  }
  const managedFields = isObject(metadata) ? metadata.managedFields : undefined;
  if (Array.isArray(managedFields)) throw badRequest('metadata.managedFields must be nil');
}

/** An object that was read, and what validation cannot see of its body (see Decoding.absences). */
export interface ReadObject {
  readonly object: ApiObject;
  readonly absences: readonly FieldError[];
}

/** The body of a write as an object of the resource's kind, with defaults. Throws the 400 that says what is wrong with it. */
export function readBody(
  registry: Registry,
  resource: ServedKind,
  body: SentBody,
  fieldValidation: FieldValidation,
  warnings: string[],
  isPatched = false,
): ReadObject {
  return readParsed(
    registry,
    resource,
    body,
    parseBody(resource, body),
    fieldValidation,
    warnings,
    isPatched,
  );
}

/** The same of a body that was parsed already. */
function readParsed(
  registry: Registry,
  resource: ServedKind,
  body: SentBody,
  parsed: ParsedBody,
  fieldValidation: FieldValidation,
  warnings: string[],
  isPatched = false,
): ReadObject {
  const value = parsed.value as JsonObject;
  const { apiVersion, kind } = typeOf(resource, value, body);
  if (resource.definition.isCustom) refuseOtherCustom(resource, value, body, apiVersion, kind);
  else if (apiVersion !== resource.apiVersion || kind !== resource.kind) {
    throw wrongKind(registry, resource, apiVersion, kind, value);
  }
  const decoding = new Decoding(parsed.duplicates);
  let object: ApiObject;
  try {
    object = resource.definition.schema.read(value, decoding);
    decoding.throwFault();
  } catch (error) {
    if (error instanceof DecodeError) throw cannotHandle(resource, kind, resource.version, error.message);
    throw error;
  }
  const { repeated = [] } = parsed;
  if (decoding.findings.length + repeated.length > 0) {
    if (fieldValidation === 'Strict') {
      const lines = repeated.length > 0 ? [`yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`] : [];
      const findings = [...lines, ...decoding.findings].join(', ');
      throw cannotHandle(resource, kind, resource.version, `strict decoding error: ${findings}`);
    }
    if (fieldValidation === 'Warn') warnings.push(...repeated, ...decoding.findings);
  }
  complete(resource, object, warnings, isPatched);
  return { object, absences: body.form === 'protobuf' ? [] : decoding.absences };
}

/** Of custom kinds no other is known that it could be. */
function refuseOtherCustom(
  resource: ServedKind,
  value: JsonObject,
  { source }: SentBody,
  apiVersion: string,
  kind: string,
): void {
  if (!value.kind) throw unrecognized(resource, `Object 'Kind' is missing in '${source}'`, source);
  const said = value.apiVersion ? apiVersion : '';
  if (said !== resource.apiVersion) {
    throw badRequest(
      `the API version in the data (${said}) does not match the expected API version (${resource.apiVersion})`,
    );
  }
  if (kind === resource.kind) return;
  const name = isObject(value.metadata) && typeof value.metadata.name === 'string' ? value.metadata.name : '';
  throw invalidObject({ group: resource.group, kind }, name, [
    invalid('kind', kind, `must be ${resource.kind}`),
  ]);
}

/** Fills in what an object that was read does not say. */
export function complete(
  { definition, apiVersion, kind }: ServedKind,
  object: ApiObject,
  warnings: string[],
  isPatched = false,
): void {
  object.apiVersion = apiVersion;
  object.kind = kind;
  const repeatedOwners = dedupOwnerReferences(object.metadata, isPatched);
  if (repeatedOwners !== undefined) warnings.push(repeatedOwners);
  definition.schema.applyDefaults?.(object);
  definition.applyDefaults?.(object);
}

function cannotHandle(resource: ServedKind, kind: string, version: string, why: string) {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${resource.kind}: ${why}`);
}

/** What a body says, which is some object. Throws the 400 that says why it is none. */
function parseBody(resource: ServedKind, body: SentBody): ParsedBody {
  try {
    const parsed = body.parse();
    if (isObject(parsed.value)) return parsed;
    if (parsed.value === null) return { value: {} };
    throw unrecognized(resource, body.whyNoObject(parsed.value), body.source);
  } catch (error) {
    if (error instanceof UnreadableBody) throw unrecognized(resource, error.message, body.source);
    if (error instanceof UnfitBody) {
      throw cannotHandle(resource, resource.kind, resource.version, error.message);
    }
    throw error;
  }
}

function unrecognized(resource: ServedKind, why: string, body: Buffer) {
  return badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): ${why} (${summary(body)})`,
  );
}

const summaryLength = 30;

/** The start of a body for an error message: as text if it looks like an object, else in hexadecimal. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, summaryLength);
  const shown = start[0] === 0x7b ? start.toString('utf8') : start.toString('hex');
  return body.length > summaryLength ? `${shown} ...` : shown;
}

/** The kind the body says it is; what it leaves out is taken from the resource. */
function typeOf(
  resource: ServedKind,
  value: JsonObject,
  body: SentBody,
): { apiVersion: string; kind: string } {
  const said = { apiversion: '', kind: '' };
  // Upper and lower case do not matter here, though they do when the object itself is read.
  for (const [key, given] of Object.entries(value)) {
    const field = key.toLowerCase();
    if ((field !== 'apiversion' && field !== 'kind') || given === null) continue;
    if (typeof given !== 'string') {
      const why = body.whyNoType(field === 'kind' ? 'kind' : 'apiVersion', given);
      throw unrecognized(resource, why, body.source);
    }
    said[field] = given;
  }
  const apiVersion = said.apiversion.replace(/^\//, '') || resource.apiVersion;
  if (apiVersion.split('/').length > 2) {
    throw unrecognized(resource, `unexpected GroupVersion string: ${apiVersion}`, body.source);
  }
  if (apiVersion.endsWith('/')) {
    throw cannotHandle(
      resource,
      said.kind || resource.kind,
      '',
      `Object 'apiVersion' is missing in '${body.source}'`,
    );
  }
  return { apiVersion, kind: said.kind || resource.kind };
}

/** Kinds that have no path of their own: lists, and what every version has beside its resources. */
const kindsOfEveryVersion = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'Status',
  'UpdateOptions',
  'WatchEvent',
]);

function isOtherKnownKind(registry: Registry, apiVersion: string, kind: string): boolean {
  const resources = registry.ofVersion(apiVersion);
  if (resources.length === 0) return false;
  if (kindsOfEveryVersion.has(kind) || (apiVersion === 'v1' && kind === 'List')) return true;
  return resources.some((resource) => `${resource.kind}List` === kind);
}

function wrongKind(
  registry: Registry,
  resource: ServedKind,
  apiVersion: string,
  kind: string,
  value: JsonObject,
) {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const known = registry.ofVersion(apiVersion).find((other) => other.kind === kind);
  if (!known && !isOtherKnownKind(registry, apiVersion, kind)) {
    return cannotHandle(
      resource,
      kind,
      version,
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  if (known?.stored === resource.stored) {
    return badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${resource.apiVersion})`,
    );
  }
  // The reference reads the other kind before it finds that it is another one.
  try {
    const schema = known?.definition.schema ?? (kind === 'Status' ? Status : undefined);
    schema?.decode(value);
  } catch (error) {
    if (error instanceof DecodeError) return cannotHandle(resource, kind, version, error.message);
    throw error;
  }
  const target = `${resource.definition.group.split('.')[0] || 'core'}.${resource.kind}`;
  return cannotHandle(
    resource,
    kind,
    version,
    `converting (${version}.${kind}) to (${target}): unknown conversion`,
  );
}
