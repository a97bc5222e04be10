// Conversion webhooks: ConversionReview requests and responses.
import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../../codec/json/json-value.ts';
import type { Unconverted } from '../../kind/definition.ts';
import { Status } from '../../kind/meta/status.ts';
import { typeMeta } from '../../kind/meta/type-meta.ts';
import { list, rawExtension } from '../../schema/collections.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { string } from '../../schema/scalars.ts';
import { field, optional, struct } from '../../schema/struct.ts';
import { UndecodableBody } from '../../serializers/request-body.ts';
import { type ReviewVersion, readReview, responseMismatch } from '../../webhook/review-document.ts';
import { ConversionFailed } from './conversion-failed.ts';

const reviewSchema = (version: ReviewVersion) =>
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

const reviewSchemas = { v1: reviewSchema('v1'), v1beta1: reviewSchema('v1beta1') };
const kind = 'ConversionReview';

/** The group and version of the ConversionReview. */
export interface ConversionReviewType {
  readonly group: string;
  readonly version: ReviewVersion;
}

/** A serialized ConversionReview; the response must have its uid, group and version. */
export interface ConversionRequest extends ConversionReviewType {
  readonly uid: string;
  readonly json: string;
}

/** The request for objects in a version. It leaves out resourceVersion, which a response cannot change. */
export function newConversionRequest(
  { group, version }: ConversionReviewType,
  objects: readonly Unconverted[],
  desiredAPIVersion: string,
): ConversionRequest {
  const uid = randomUUID();
  const serialized = objects.map(({ object, from }) => {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return from.definition.schema.write({ ...object, metadata });
  });
  const json =
    `{"kind":"${kind}","apiVersion":"${group}/${version}","request":{"uid":"${uid}",` +
    `"desiredAPIVersion":${JSON.stringify(desiredAPIVersion)},"objects":[${serialized.join(',')}]},` +
    `"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}\n`;
  return { group, version, uid, json };
}

/** The convertedObjects of a response, not yet validated. Throws ConversionFailed. */
export function readConvertedObjects(request: ConversionRequest, body: Buffer): readonly JsonValue[] {
  const response = readResponse(request, body);
  const { status = '', message = '' } = response.result;
  if (status !== 'Success') {
    const reason = message || `response.result.status was '${status}', not 'Success'`;
    throw new ConversionFailed('malformed_response', `failed: ${reason}`);
  }
  return response.convertedObjects ?? [];
}

function readResponse({ group, version, uid }: ConversionRequest, body: Buffer) {
  try {
    const value = readReview(body, { group, version, kind });
    const {
      response,
      kind: receivedKind = '',
      apiVersion = '',
    } = reviewSchemas[version].decode(value).object;
    const received = { apiVersion, kind: receivedKind, uid: response?.uid ?? uid };
    const problem = version === 'v1' ? responseMismatch({ group, kind, uid }, received) : undefined;
    if (problem !== undefined) throw new ConversionFailed('malformed_response', `failed: ${problem}`);
    if (!response) throw new ConversionFailed('malformed_response', 'failed: no response provided');
    return response;
  } catch (error) {
    const isWebhookError = error instanceof UndecodableBody || error instanceof DecodeError;
    throw isWebhookError ? new ConversionFailed('call', `failed: ${error.message}`) : error;
  }
}
