// Server-side apply: decodes the applied configuration from the request body (YAML, JSON or CBOR).
import { decodeCbor } from '../codec/cbor/decode.ts';
import { CborError } from '../codec/cbor/wire.ts';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { JsonSyntaxError } from '../codec/json/parse.ts';
import { parseCompactJson } from '../codec/json/parse-compact.ts';
import { decodeYaml } from '../codec/yaml/decode.ts';
import { YamlError } from '../codec/yaml/yaml-error.ts';
import { badRequest } from '../errors/catalogue.ts';
import { jsonTypeOf } from '../schema/decoding.ts';

export interface AppliedConfiguration {
  readonly value: JsonObject;
  /** Duplicate keys, one message each. */
  readonly duplicateKeys: readonly string[];
}

export const applyYamlType = 'application/apply-patch+yaml';
export const applyCborType = 'application/apply-patch+cbor';
export type ApplyType = typeof applyYamlType | typeof applyCborType;

export function decodeAppliedConfiguration(type: ApplyType, body: Buffer): AppliedConfiguration {
  if (type === applyCborType) return { value: readCbor(body), duplicateKeys: [] };
  const { value, duplicateKeys } = parseYamlOrJson(body);
  return { value: requireObject(value), duplicateKeys };
}

interface ParsedText {
  readonly value: JsonValue;
  readonly duplicateKeys: readonly string[];
}

/** Surrogates in escapes, which YAML rejects, and numbers beyond float64 and uint64, which are strings in YAML. */
const differsInYaml = /\\u[dD][89a-fA-F]|\d[eE]\+?\d{3}|\d{20}/;

/**
 * Most clients send JSON, which is also YAML and faster to parse. Duplicate keys are reported with YAML's messages,
 * so such bodies are parsed again as YAML.
 */
function parseYamlOrJson(body: Buffer): ParsedText {
  if (body[0] === openBrace && !differsInYaml.test(body.toString())) {
    try {
      const { value, duplicates } = parseCompactJson(body);
      if (!duplicates) return { value, duplicateKeys: [] };
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
  }
  try {
    return decodeYaml(body);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

const openBrace = 0x7b;

/** `null` counts as an empty configuration. */
function requireObject(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (isObject(value)) return value;
  throw badRequest(
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: ' +
      `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`,
  );
}

function readCbor(body: Buffer): JsonObject {
  let value: JsonValue;
  try {
    value = decodeCbor(body);
  } catch (error) {
    // kube-apiserver names YAML in the message for CBOR too.
    throw error instanceof CborError ? badRequest(`error decoding YAML: ${error.message}`) : error;
  }
  if (value === null) return {};
  if (isObject(value)) return value;
  throw badRequest(
    `error decoding YAML: cbor: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`,
  );
}
