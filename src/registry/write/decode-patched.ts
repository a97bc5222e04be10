import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { quote } from '../../errors/quote.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Registry, ServedKind } from '../../kind/registry.ts';
import type { Patched } from '../../patch/decode-patch.ts';
import { UnstructuredDecoding } from '../../patch/unstructured-decoding.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { madeBody } from '../../serializers/sent-body.ts';
import type { FieldValidation } from '../options/write-options.ts';
import { complete, type ReadObject, readBody } from './decode.ts';

/** What a patch has made, as an object of its kind. */
export function readPatched(
  registry: Registry,
  kind: ServedKind,
  patched: Patched,
  fieldValidation: FieldValidation,
  warnings: string[],
): ReadObject {
  const { value, findings } = patched;
  if (patched.isOfKind) return convert(kind, patched, fieldValidation, warnings);
  if (isOfNoKind(value)) {
    report([...findings, ...unknownFields(value)], patched, fieldValidation, warnings);
    return { object: kind.definition.schema.zero(), absences: [] };
  }
  if (fieldValidation === 'Warn') warnings.push(...findings);
  let read: ReadObject;
  try {
    read = readBody(registry, kind, madeBody(value), fieldValidation, warnings, true);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 400) throw error;
    const why = reasonIn(error.message);
    if (!why.startsWith(strictly)) throw patched.refusal(why);
    throw patched.refusal(strictly + [...findings, why.slice(strictly.length)].join(', '));
  }
  if (fieldValidation === 'Strict') report(findings, patched, fieldValidation, warnings);
  return read;
}

/** Why a body was refused, without whose body it was and how it begins: the result of a patch is shown whole. */
function reasonIn(message: string): string {
  const why = message.slice(message.indexOf(': ') + 2);
  return message.startsWith('the object provided is unrecognized') ? why.replace(/ \(.*$/s, '') : why;
}

const strictly = 'strict decoding error: ';

/** Tells of what was said twice or in vain, as the client wants it. */
function report(
  findings: readonly string[],
  { refusal }: Patched,
  fieldValidation: FieldValidation,
  warnings: string[],
): void {
  if (findings.length === 0) return;
  if (fieldValidation === 'Strict') throw refusal(strictly + findings.join(', '));
  if (fieldValidation === 'Warn') warnings.push(...findings);
}

/** What a strategic merge has made is converted, not read from JSON. */
function convert(
  kind: ServedKind,
  patched: Patched,
  fieldValidation: FieldValidation,
  warnings: string[],
): ReadObject {
  const conversion = new UnstructuredDecoding();
  let object: ApiObject;
  try {
    object = kind.definition.schema.read(patched.value, conversion);
  } catch (error) {
    throw error instanceof DecodeError ? patched.refusal(error.message) : error;
  }
  report([...patched.findings, ...conversion.findings.sort()], patched, fieldValidation, warnings);
  complete(kind, object, warnings, true);
  return { object, absences: conversion.absences };
}

/** Without an apiVersion the reference does not know the kind, and takes every field for one that it does not know. */
function isOfNoKind(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  const { apiVersion, kind } = value;
  return (apiVersion === undefined || apiVersion === '') && (kind === undefined || typeof kind === 'string');
}

function unknownFields(value: JsonObject): string[] {
  const keys = Object.keys(value).filter((key) => key !== 'apiVersion' && key !== 'kind');
  return keys.map((key) => `unknown field ${quote(key)}`);
}
