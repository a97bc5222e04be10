// Decodes the input of a write: bodies into objects of the resource's kind, and patches. A create begins here.
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { badRequest, invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { dedupOwnerReferences } from '../../kind/meta/owner-references.ts';
import { Status } from '../../kind/meta/status.ts';
import { ensureNamespaceMatches } from '../../kind/meta/validation.ts';
import type { Registry, ServedKind } from '../../kind/registry.ts';
import {
  type AppliedConfiguration,
  decodeAppliedConfiguration,
} from '../../patch/decode-applied-configuration.ts';
import { decodePatch } from '../../patch/decode-patch.ts';
import { DecodeError, Decoding } from '../../schema/decoding.ts';
import {
  type ParsedBody,
  type RequestBody,
  SchemaMismatch,
  UndecodableBody,
} from '../../serializers/request-body.ts';
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

/** Decodes the body of a create or update, with defaults, and begins a create. */
export function decode(context: WriteContext): void | Promise<void> {
  const { input } = context.request;
  if ('read' in input) {
    const decoded = input.read();
    if (decoded instanceof Promise) return decoded.then((object) => onDecoded(context, object));
    return onDecoded(context, decoded);
  }
  if (!('body' in input)) return;
  const { api, target, options, warnings } = context;
  const parsed = context.parsed!;
  const kind = target.resource.kindOf(target.subresource);
  onDecoded(context, decodeParsed(api.registry, kind, input.body, parsed, options.fieldValidation, warnings));
}

function onDecoded(context: WriteContext, decoded: DecodedObject): void {
  setDecoded(context, decoded);
  const { observer, input } = context.request;
  observer?.onDecoded(decoded.object);
  if (input.verb === 'create') beginCreate(context);
}

/** Sets the object to write. */
export function setDecoded(
  context: WriteContext,
  { object, absences = [], hasManagedFields = false, isRewrite = false }: DecodedObject,
): void {
  context.object = object;
  context.absences = absences;
  context.hasManagedFields = hasManagedFields;
  context.isRewrite = isRewrite;
}

/** The object is new: its namespace must be that of the URL, exist and not be terminating. */
export function beginCreate(context: WriteContext): void {
  const { api, request, target, object } = context;
  context.isNew = true;
  context.isCreateOnUpdate = request.input.verb !== 'create';
  ensureNamespaceMatches(target, object);
  api.lifecycle.assertCreateAllowed(target, object);
  clearDeletionFields(object);
}

/** A client cannot create an object that is already being deleted. */
export function clearDeletionFields({ metadata }: ApiObject): void {
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
}

/** Throws the 400 for a configuration of another kind, or with managedFields. */
function assertAppliesTo(kind: ServedKind, { value }: AppliedConfiguration): void {
  const { apiVersion, kind: sentKind, metadata } = value;
  if (apiVersion !== kind.apiVersion || sentKind !== kind.kind) {
    const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
    const [version = '', group = ''] = parts.length > 2 ? [] : parts.reverse();
    const name = typeof sentKind === 'string' && parts.length <= 2 ? sentKind : '';
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${name}`);
  }
  const managedFields = isObject(metadata) ? metadata.managedFields : undefined;
  if (Array.isArray(managedFields)) throw badRequest('metadata.managedFields must be nil');
}

/** A decoded object, and the required fields that its body lacks (see Decoding.absences). */
export interface DecodedBody {
  readonly object: ApiObject;
  readonly absences: readonly FieldError[];
}

/** Decodes a body into an object of the kind and applies defaults. Throws 400 for a malformed body or another kind. */
export function decodeBody(
  registry: Registry,
  resource: ServedKind,
  body: RequestBody,
  fieldValidation: FieldValidation,
  warnings: string[],
  isPatched = false,
): DecodedBody {
  return decodeParsed(
    registry,
    resource,
    body,
    parseBody(resource, body),
    fieldValidation,
    warnings,
    isPatched,
  );
}

/** Like `decodeBody`, for a body that is already parsed. */
function decodeParsed(
  registry: Registry,
  resource: ServedKind,
  body: RequestBody,
  parsed: ParsedBody,
  fieldValidation: FieldValidation,
  warnings: string[],
  isPatched = false,
): DecodedBody {
  const value = parsed.value as JsonObject;
  const { apiVersion, kind } = typeMetaOf(resource, value, body);
  if (resource.definition.isCustom) assertCustomResourceType(resource, value, body, apiVersion, kind);
  else if (apiVersion !== resource.apiVersion || kind !== resource.kind) {
    throw wrongKindError(registry, resource, apiVersion, kind, value);
  }
  const decoding = new Decoding(parsed.duplicates);
  let object: ApiObject;
  try {
    object = resource.definition.schema.read(value, decoding);
    decoding.throwFault();
  } catch (error) {
    if (error instanceof DecodeError)
      throw cannotHandleError(resource, kind, resource.version, error.message);
    throw error;
  }
  const { duplicateKeys = [] } = parsed;
  if (decoding.findings.length + duplicateKeys.length > 0) {
    if (fieldValidation === 'Strict') {
      const lines =
        duplicateKeys.length > 0 ? [`yaml: unmarshal errors:\n  ${duplicateKeys.join('\n  ')}`] : [];
      const findings = [...lines, ...decoding.findings].join(', ');
      throw cannotHandleError(resource, kind, resource.version, `strict decoding error: ${findings}`);
    }
    if (fieldValidation === 'Warn') warnings.push(...duplicateKeys, ...decoding.findings);
  }
  applyDefaults(resource, object, warnings, isPatched);
  return { object, absences: body.format === 'protobuf' ? [] : decoding.absences };
}

/** Custom resources: the API version and kind in the body must be those of the URL; no other kind is looked up. */
function assertCustomResourceType(
  resource: ServedKind,
  value: JsonObject,
  { source }: RequestBody,
  apiVersion: string,
  kind: string,
): void {
  if (!value.kind) throw unrecognizedError(resource, `Object 'Kind' is missing in '${source}'`, source);
  const sentVersion = value.apiVersion ? apiVersion : '';
  if (sentVersion !== resource.apiVersion) {
    throw badRequest(
      `the API version in the data (${sentVersion}) does not match the expected API version (${resource.apiVersion})`,
    );
  }
  if (kind === resource.kind) return;
  const name = isObject(value.metadata) && typeof value.metadata.name === 'string' ? value.metadata.name : '';
  throw invalidObject({ group: resource.group, kind }, name, [
    invalid('kind', kind, `must be ${resource.kind}`),
  ]);
}

/** Sets apiVersion and kind, removes duplicate ownerReferences with a warning, and applies the defaults of the kind. */
export function applyDefaults(
  { definition, apiVersion, kind }: ServedKind,
  object: ApiObject,
  warnings: string[],
  isPatched = false,
): void {
  object.apiVersion = apiVersion;
  object.kind = kind;
  if (object.metadata.ownerReferences) {
    const warning = dedupOwnerReferences(object.metadata, isPatched);
    if (warning !== undefined) warnings.push(warning);
  }
  definition.schema.applyDefaults?.(object);
  definition.applyDefaults?.(object);
}

function cannotHandleError(resource: ServedKind, kind: string, version: string, reason: string) {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${resource.kind}: ${reason}`);
}

/** Parses a body into a JSON object. Throws 400 for a body that is not one. */
function parseBody(resource: ServedKind, body: RequestBody): ParsedBody {
  try {
    const parsed = body.parse();
    if (isObject(parsed.value)) return parsed;
    if (parsed.value === null) return { value: {} };
    throw unrecognizedError(resource, body.notAnObjectMessage(parsed.value), body.source);
  } catch (error) {
    if (error instanceof UndecodableBody) throw unrecognizedError(resource, error.message, body.source);
    if (error instanceof SchemaMismatch) {
      throw cannotHandleError(resource, resource.kind, resource.version, error.message);
    }
    throw error;
  }
}

function unrecognizedError(resource: ServedKind, reason: string, body: Buffer) {
  return badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): ${reason} (${summary(body)})`,
  );
}

const maxSummaryBytes = 30;
const openBrace = 0x7b;

/** The start of a body for an error message: as text if it looks like an object, else in hexadecimal. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, maxSummaryBytes);
  const text = start[0] === openBrace ? start.toString('utf8') : start.toString('hex');
  return body.length > maxSummaryBytes ? `${text} ...` : text;
}

/** The apiVersion and kind in a body; those of the resource where absent. */
function typeMetaOf(
  resource: ServedKind,
  value: JsonObject,
  body: RequestBody,
): { apiVersion: string; kind: string } {
  const typeMeta = { apiversion: '', kind: '' };
  // kube-apiserver matches these two keys case-insensitively, unlike the fields of the object.
  for (const [key, fieldValue] of Object.entries(value)) {
    const field = key.toLowerCase();
    if ((field !== 'apiversion' && field !== 'kind') || fieldValue === null) continue;
    if (typeof fieldValue !== 'string') {
      const reason = body.invalidTypeMetaMessage(field === 'kind' ? 'kind' : 'apiVersion', fieldValue);
      throw unrecognizedError(resource, reason, body.source);
    }
    typeMeta[field] = fieldValue;
  }
  const apiVersion = typeMeta.apiversion.replace(/^\//, '') || resource.apiVersion;
  if (apiVersion.split('/').length > 2) {
    throw unrecognizedError(resource, `unexpected GroupVersion string: ${apiVersion}`, body.source);
  }
  if (apiVersion.endsWith('/')) {
    throw cannotHandleError(
      resource,
      typeMeta.kind || resource.kind,
      '',
      `Object 'apiVersion' is missing in '${body.source}'`,
    );
  }
  return { apiVersion, kind: typeMeta.kind || resource.kind };
}

/** Kinds that every group version registers beside its resources. */
const kindsInEveryVersion = new Set([
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
  if (kindsInEveryVersion.has(kind) || (apiVersion === 'v1' && kind === 'List')) return true;
  return resources.some((resource) => `${resource.kind}List` === kind);
}

function wrongKindError(
  registry: Registry,
  resource: ServedKind,
  apiVersion: string,
  kind: string,
  value: JsonObject,
) {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const known = registry.ofVersion(apiVersion).find((other) => other.kind === kind);
  if (!known && !isOtherKnownKind(registry, apiVersion, kind)) {
    return cannotHandleError(
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
  // kube-apiserver decodes the other kind before it fails to convert it, so decoding errors come first.
  try {
    const schema = known?.definition.schema ?? (kind === 'Status' ? Status : undefined);
    schema?.decode(value);
  } catch (error) {
    if (error instanceof DecodeError) return cannotHandleError(resource, kind, version, error.message);
    throw error;
  }
  const target = `${resource.definition.group.split('.')[0] || 'core'}.${resource.kind}`;
  return cannotHandleError(
    resource,
    kind,
    version,
    `converting (${version}.${kind}) to (${target}): unknown conversion`,
  );
}
