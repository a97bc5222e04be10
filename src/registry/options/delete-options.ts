// Reads DeleteOptions from the body or the query.
import { isObject } from '../../codec/json/json-value.ts';
import { ApiError } from '../../errors/status.ts';
import {
  defaultDeleteOptions,
  type RawDeleteOptions,
  type ValidatedDeleteOptions,
  validatedDeleteOptions,
} from '../../kind/delete-options.ts';
import { DeleteOptions as DeleteOptionsSchema } from '../../kind/meta/delete-options.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { type RequestBody, SchemaMismatch, UndecodableBody } from '../../serializers/request-body.ts';
import { booleanParameter, integerParameter } from './query.ts';

/** Options come from the body if there is one, else from the query: never from both. */
export function readDeleteOptions(
  query: URLSearchParams,
  body: RequestBody | undefined,
  metaGroup: string,
  { isCollection = false } = {},
): ValidatedDeleteOptions {
  if (!body && query.size === 0) return defaultDeleteOptions;
  return validatedDeleteOptions(body ? fromBody(body, metaGroup) : fromQuery(query), metaGroup, {
    isCollection,
  });
}

/** Throws a 500 without reason for an undecodable body, as kube-apiserver does. */
function fromBody(body: RequestBody, metaGroup: string): RawDeleteOptions {
  try {
    const { value, duplicates } = body.parse();
    if (value !== null && !isObject(value)) throw new ApiError(500, '', body.notAnObjectMessage(value));
    const { kind, apiVersion } = value ?? {};
    if (kind && kind !== 'DeleteOptions') {
      const version = apiVersion || `${metaGroup}/v1`;
      throw new ApiError(
        500,
        '',
        `no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:110"`,
      );
    }
    const { object } = DeleteOptionsSchema.decode(value, duplicates);
    return { ...object, dryRun: object.dryRun ?? [] };
  } catch (error) {
    const isClientError =
      error instanceof UndecodableBody || error instanceof SchemaMismatch || error instanceof DecodeError;
    if (isClientError) throw new ApiError(500, '', error.message);
    throw error;
  }
}

function fromQuery(query: URLSearchParams): RawDeleteOptions {
  const gracePeriodSeconds = integerParameter(query, 'gracePeriodSeconds');
  const orphanDependents = booleanParameter(query, 'orphanDependents');
  const ignore = booleanParameter(query, 'ignoreStoreReadErrorWithClusterBreakingPotential');
  const policy = query.get('propagationPolicy');
  const uid = query.get('uid');
  const resourceVersion = query.get('resourceVersion');
  return {
    dryRun: query.getAll('dryRun'),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...((uid || resourceVersion) && {
      preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
    }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(ignore !== undefined && { ignoreStoreReadErrorWithClusterBreakingPotential: ignore }),
  };
}
