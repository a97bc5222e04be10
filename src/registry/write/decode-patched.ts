// Decodes the result of a patch into an object of its kind, with field validation and defaults.
// Findings are the complaints of field validation: unknown and duplicate fields.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { quote } from '../../errors/quote.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Registry, ServedKind } from '../../kind/registry.ts';
import type { Patched } from '../../patch/decode-patch.ts';
import { UnstructuredDecoding } from '../../patch/unstructured-decoding.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { inMemoryBody } from '../../serializers/request-body.ts';
import type { FieldValidation } from '../options/write-options.ts';
import { addWarnings } from './add-warnings.ts';
import { applyDefaults, type DecodedBody, decodeBody } from './decode.ts';

/** Throws the error of the patch type for a result that is not an object of the kind. */
export function decodePatched(
  registry: Registry,
  kind: ServedKind,
  patched: Patched,
  fieldValidation: FieldValidation,
  warnings: string[],
): DecodedBody {
  const { value, findings } = patched;
  if (patched.keepsKind) return convertPatched(kind, patched, fieldValidation, warnings);
  if (lacksApiVersion(value)) {
    reportFindings([...findings, ...unknownFields(value)], patched, fieldValidation, warnings);
    // A later stage rejects the empty object, which has no name.
    return { object: kind.definition.schema.zero(), absences: [] };
  }
  // Warnings about the patch come before those about the patched object; with Strict, errors of the object come first.
  if (fieldValidation === 'Warn') addWarnings(warnings, findings);
  let decoded: DecodedBody;
  try {
    const decoding = { registry, kind, fieldValidation, warnings, isPatched: true };
    decoded = decodeBody(decoding, inMemoryBody(value));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 400) throw error;
    const reason = reasonIn(error.message);
    if (!reason.startsWith(strictDecodingPrefix)) throw patched.undecodableError(reason);
    // The findings in the patch come before those in the patched object.
    const findingsInObject = reason.slice(strictDecodingPrefix.length);
    throw patched.undecodableError(strictDecodingPrefix + [...findings, findingsInObject].join(', '));
  }
  if (fieldValidation === 'Strict') reportFindings(findings, patched, fieldValidation, warnings);
  return decoded;
}

/** The reason in a decoding error, without its prefix and body summary: errors about patches quote the whole result. */
function reasonIn(message: string): string {
  const reason = message.slice(message.indexOf(': ') + 2);
  return message.startsWith('the object provided is unrecognized') ? reason.replace(/ \(.*$/s, '') : reason;
}

const strictDecodingPrefix = 'strict decoding error: ';

/** Reports duplicate and unknown fields as `fieldValidation` demands: error, warnings or nothing. */
function reportFindings(
  findings: readonly string[],
  { undecodableError }: Patched,
  fieldValidation: FieldValidation,
  warnings: string[],
): void {
  if (findings.length === 0) return;
  if (fieldValidation === 'Strict') throw undecodableError(strictDecodingPrefix + findings.join(', '));
  if (fieldValidation === 'Warn') addWarnings(warnings, findings);
}

/** Strategic merge patch: kube-apiserver converts the result from unstructured, with errors of its own. */
function convertPatched(
  kind: ServedKind,
  patched: Patched,
  fieldValidation: FieldValidation,
  warnings: string[],
): DecodedBody {
  const conversion = new UnstructuredDecoding();
  let object: ApiObject;
  try {
    object = kind.definition.schema.read(patched.value, conversion);
  } catch (error) {
    throw error instanceof DecodeError ? patched.undecodableError(error.message) : error;
  }
  reportFindings([...patched.findings, ...conversion.findings.sort()], patched, fieldValidation, warnings);
  applyDefaults(kind, object, warnings, { isPatched: true });
  return { object, absences: conversion.absences };
}

/** kube-apiserver cannot resolve the kind without an apiVersion, and reports every field as unknown. */
function lacksApiVersion(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  const { apiVersion, kind } = value;
  return (apiVersion === undefined || apiVersion === '') && (kind === undefined || typeof kind === 'string');
}

function unknownFields(value: JsonObject): string[] {
  const keys = Object.keys(value).filter((key) => key !== 'apiVersion' && key !== 'kind');
  return keys.map((key) => `unknown field ${quote(key)}`);
}
