// Pipeline stages parse and decode: the body of a create or update becomes an object of its kind, with field validation
// and defaults; a patch or applied configuration is parsed. A create begins here, an update in load-current.ts.
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
import { CborDecoding, DecodeError, Decoding } from '../../schema/decoding.ts';
import {
  type ParsedBody,
  type RequestBody,
  SchemaMismatch,
  UndecodableBody,
} from '../../serializers/request-body.ts';
import type { FieldValidation } from '../options/write-options.ts';
import { addWarnings } from './add-warnings.ts';
import type { DecodedObject, WriteContext } from './context.ts';

/** Pipeline stage: parses the body, patch or applied configuration. A retry keeps the parsed patch or configuration. */
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

/** Pipeline stage: decodes the body of a create or update, with defaults, and begins a create. */
export function decode(context: WriteContext): void | Promise<void> {
  const { input } = context.request;
  if ('read' in input) {
    const decoded = input.read();
    if (decoded instanceof Promise) return decoded.then((object) => onDecoded(context, object));
    return onDecoded(context, decoded);
  }
  if (!('body' in input)) return;
  const { api, target, options, warnings } = context;
  const kind = target.resource.kindOf(target.subresource);
  const decoding = { registry: api.registry, kind, fieldValidation: options.fieldValidation, warnings };
  onDecoded(context, decodeParsed(decoding, input.body, context.parsed!));
}

/** Sets the decoded object, passes it to the observer (audit), and begins a create. */
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
    // A malformed apiVersion or kind is shown as empty.
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

/** How to decode a body. */
interface BodyDecoding {
  readonly registry: Registry;
  /** The kind that the URL demands. */
  readonly kind: ServedKind;
  readonly fieldValidation: FieldValidation;
  /** Collects the warnings of the response. */
  readonly warnings: string[];
  /** The body is the result of a patch. */
  readonly isPatched?: boolean;
}

/** Decodes a body into an object of the kind and applies defaults. Throws 400 for a malformed body or another kind. */
export function decodeBody(decoding: BodyDecoding, body: RequestBody): DecodedBody {
  return decodeParsed(decoding, body, parseBody(decoding.kind, body));
}

/** Like `decodeBody`, for a body that is already parsed. */
function decodeParsed(
  { registry, kind, fieldValidation, warnings, isPatched = false }: BodyDecoding,
  body: RequestBody,
  parsed: ParsedBody,
): DecodedBody {
  const value = parsed.value as JsonObject;
  const typeMeta = typeMetaOf(kind, value, body);
  if (kind.definition.isCustom) assertCustomResourceType(kind, typeMeta, value, body);
  else if (typeMeta.apiVersion !== kind.apiVersion || typeMeta.kind !== kind.kind) {
    throw wrongKindError(registry, kind, typeMeta, value);
  }
  const decoding = new (body.format === 'cbor' ? CborDecoding : Decoding)(parsed.duplicates);
  let object: ApiObject;
  try {
    object = kind.definition.schema.read(value, decoding);
    decoding.throwFault();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw cannotHandleError(kind, typeMeta.kind, kind.version, error.message);
  }
  const { duplicateKeys = [] } = parsed;
  if (decoding.findings.length + duplicateKeys.length > 0) {
    if (fieldValidation === 'Strict') {
      const problem = strictDecodingProblem(duplicateKeys, decoding.findings);
      throw cannotHandleError(kind, typeMeta.kind, kind.version, problem);
    }
    if (fieldValidation === 'Warn') {
      addWarnings(warnings, duplicateKeys);
      addWarnings(warnings, decoding.findings);
    }
  }
  applyDefaults(kind, object, warnings, { isPatched });
  // Protobuf does not distinguish an absent field from an empty one.
  return { object, absences: body.format === 'protobuf' ? [] : decoding.absences };
}

/** `duplicateKeys` are those of a YAML body, `findings` unknown and duplicate fields. */
function strictDecodingProblem(duplicateKeys: readonly string[], findings: readonly string[]): string {
  const yamlErrors =
    duplicateKeys.length > 0 ? [`yaml: unmarshal errors:\n  ${duplicateKeys.join('\n  ')}`] : [];
  return `strict decoding error: ${[...yamlErrors, ...findings].join(', ')}`;
}

/** Custom resources: the API version and kind in the body must be those of the URL; no other kind is looked up. */
function assertCustomResourceType(
  kind: ServedKind,
  sent: TypeMeta,
  value: JsonObject,
  { source }: RequestBody,
): void {
  if (!value.kind) throw unrecognizedError(kind, `Object 'Kind' is missing in '${source}'`, source);
  const sentVersion = value.apiVersion ? sent.apiVersion : '';
  if (sentVersion !== kind.apiVersion) throw versionMismatchError(sentVersion, kind);
  if (sent.kind === kind.kind) return;
  const name = isObject(value.metadata) && typeof value.metadata.name === 'string' ? value.metadata.name : '';
  throw invalidObject({ group: kind.group, kind: sent.kind }, name, [
    invalid('kind', sent.kind, `must be ${kind.kind}`),
  ]);
}

function versionMismatchError(sentVersion: string, { apiVersion }: ServedKind) {
  return badRequest(
    `the API version in the data (${sentVersion}) does not match the expected API version (${apiVersion})`,
  );
}

/**
 * Sets apiVersion and kind, removes duplicate ownerReferences with a warning, and applies the defaults of the kind.
 * `isPatched`: the object results from a patch; the warning says so.
 */
export function applyDefaults(
  { definition, apiVersion, kind }: ServedKind,
  object: ApiObject,
  warnings: string[],
  { isPatched = false }: { readonly isPatched?: boolean } = {},
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

function cannotHandleError(kind: ServedKind, sentKind: string, sentVersion: string, reason: string) {
  return badRequest(`${sentKind} in version "${sentVersion}" cannot be handled as a ${kind.kind}: ${reason}`);
}

/** Parses a body into a JSON object; `null` counts as an empty object. Throws 400 for any other body. */
function parseBody(kind: ServedKind, body: RequestBody): ParsedBody {
  try {
    const parsed = body.parse();
    if (isObject(parsed.value)) return parsed;
    if (parsed.value === null) return { value: {} };
    throw unrecognizedError(kind, body.notAnObjectMessage(parsed.value), body.source);
  } catch (error) {
    if (error instanceof UndecodableBody) throw unrecognizedError(kind, error.message, body.source);
    if (error instanceof SchemaMismatch) {
      throw cannotHandleError(kind, kind.kind, kind.version, error.message);
    }
    throw error;
  }
}

function unrecognizedError(kind: ServedKind, reason: string, body: Buffer) {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind.kind}): ${reason} (${summary(body)})`,
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

interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The apiVersion and kind in a body; those of `kind` where absent. Throws 400 where they are malformed. */
function typeMetaOf(kind: ServedKind, value: JsonObject, body: RequestBody): TypeMeta {
  const sent = { apiversion: '', kind: '' };
  // kube-apiserver matches these two keys case-insensitively, unlike the fields of the object.
  for (const [key, fieldValue] of Object.entries(value)) {
    const field = key.toLowerCase();
    if ((field !== 'apiversion' && field !== 'kind') || fieldValue === null) continue;
    if (typeof fieldValue !== 'string') {
      const reason = body.invalidTypeMetaMessage(field === 'kind' ? 'kind' : 'apiVersion', fieldValue);
      throw unrecognizedError(kind, reason, body.source);
    }
    sent[field] = fieldValue;
  }
  const sentKind = sent.kind || kind.kind;
  const apiVersion = sent.apiversion.replace(/^\//, '') || kind.apiVersion;
  if (apiVersion.split('/').length > 2) {
    throw unrecognizedError(kind, `unexpected GroupVersion string: ${apiVersion}`, body.source);
  }
  if (apiVersion.endsWith('/')) {
    const reason = `Object 'apiVersion' is missing in '${body.source}'`;
    throw cannotHandleError(kind, sentKind, '', reason);
  }
  return { apiVersion, kind: sentKind };
}

/** The 400 for a body of another kind than the URL demands. */
function wrongKindError(registry: Registry, kind: ServedKind, sent: TypeMeta, value: JsonObject) {
  const { apiVersion } = sent;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const sentKind = registry.ofVersion(apiVersion).find((served) => served.kind === sent.kind);
  if (!sentKind && !isRegisteredBesideResources(registry, apiVersion, sent.kind)) {
    const reason = `no kind "${sent.kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`;
    return cannotHandleError(kind, sent.kind, version, reason);
  }
  if (sentKind?.stored === kind.stored) return versionMismatchError(apiVersion, kind);
  // kube-apiserver decodes the other kind before it fails to convert it, so decoding errors come first.
  try {
    const schema = sentKind?.definition.schema ?? (sent.kind === 'Status' ? Status : undefined);
    schema?.decode(value);
  } catch (error) {
    if (error instanceof DecodeError) return cannotHandleError(kind, sent.kind, version, error.message);
    throw error;
  }
  const expected = `${kind.definition.group.split('.')[0] || 'core'}.${kind.kind}`;
  const reason = `converting (${version}.${sent.kind}) to (${expected}): unknown conversion`;
  return cannotHandleError(kind, sent.kind, version, reason);
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

function isRegisteredBesideResources(registry: Registry, apiVersion: string, kind: string): boolean {
  const resources = registry.ofVersion(apiVersion);
  if (resources.length === 0) return false;
  if (kindsInEveryVersion.has(kind) || (apiVersion === 'v1' && kind === 'List')) return true;
  return resources.some((resource) => `${resource.kind}List` === kind);
}
