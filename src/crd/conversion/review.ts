// Conversion webhooks: ConversionReview requests and responses.
import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../../codec/json/json-value.ts';
import type { Unconverted } from '../../kind/definition.ts';
import { Status } from '../../kind/meta/status.ts';
import { typeMeta } from '../../kind/meta/type-meta.ts';
import { list } from '../../schema/collections.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { rawExtension } from '../../schema/raw.ts';
import { string } from '../../schema/scalars.ts';
import { field, optional, struct } from '../../schema/struct.ts';
import { UnreadableBody } from '../../serializers/request-body.ts';
import { type ReviewVersion, readReview, responseMismatch } from '../../webhook/review-document.ts';
import { ConversionFailed } from './conversion-failed.ts';

const reviewOf = (version: ReviewVersion) =>
  struct(`apiextensions/${version}.ConversionReview`, {
    ...typeMeta,
    response: field(
      2,
      optional(
        struct(`apiextensions/${version}.ConversionResponse`, {
          uid: field(1, string),
          convertedObjects: field(2, list(rawExtension)),
          result: field(3, Status),
        }),
      ),
    ),
  });

const reviews = { v1: reviewOf('v1'), v1beta1: reviewOf('v1beta1') };
const kind = 'ConversionReview';

/** The group and version of the ConversionReview. */
export interface Terms {
  /** Of reviews. */
  readonly group: string;
  readonly version: ReviewVersion;
}

/** A ConversionReview request, and what its response must match. */
export interface Question extends Terms {
  readonly uid: string;
  readonly json: string;
}

/** The request for objects in a version. It leaves out resourceVersion, which a response cannot change. */
export function questionFor(
  { group, version }: Terms,
  objects: readonly Unconverted[],
  desiredAPIVersion: string,
): Question {
  const uid = randomUUID();
  const shown = objects.map(({ object, from }) => {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return from.definition.schema.write({ ...object, metadata });
  });
  const json =
    `{"kind":"${kind}","apiVersion":"${group}/${version}","request":{"uid":"${uid}",` +
    `"desiredAPIVersion":${JSON.stringify(desiredAPIVersion)},"objects":[${shown.join(',')}]},` +
    `"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}\n`;
  return { group, version, uid, json };
}

/** The objects in an answer, as they came. Throws ConversionFailed. */
export function answerTo(question: Question, body: Buffer): readonly JsonValue[] {
  const response = responseIn(question, body);
  const { status = '', message = '' } = response.result;
  if (status !== 'Success') {
    const why = message || `response.result.status was '${status}', not 'Success'`;
    throw new ConversionFailed('malformed_response', `failed: ${why}`);
  }
  return response.convertedObjects ?? [];
}

function responseIn({ group, version, uid }: Question, body: Buffer) {
  try {
    const value = readReview(body, { group, version, kind });
    const { response, kind: saidKind = '', apiVersion = '' } = reviews[version].decode(value).object;
    const said = { apiVersion, kind: saidKind, uid: response?.uid ?? uid };
    const problem = version === 'v1' ? responseMismatch({ group, kind, uid }, said) : undefined;
    if (problem !== undefined) throw new ConversionFailed('malformed_response', `failed: ${problem}`);
    if (!response) throw new ConversionFailed('malformed_response', 'failed: no response provided');
    return response;
  } catch (error) {
    const isTheirs = error instanceof UnreadableBody || error instanceof DecodeError;
    throw isTheirs ? new ConversionFailed('call', `failed: ${error.message}`) : error;
  }
}
