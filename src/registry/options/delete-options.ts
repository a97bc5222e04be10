import { isObject } from '../../codec/json/json-value.ts';
import { invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, invalid, notSupported } from '../../errors/field-error.ts';
import { ApiError } from '../../errors/status.ts';
import { DeleteOptions as DeleteOptionsSchema } from '../../kind/meta/delete-options.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { type SentBody, UnfitBody, UnreadableBody } from '../../serializers/sent-body.ts';
import { booleanParameter, integerParameter } from './query.ts';
import { dryRunProblems } from './write-options.ts';

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly ignoreReadErrors: boolean;
  /** The older way to ask for Background: who uses it is told by 202 that the object is not gone yet. */
  readonly askedNotToOrphan: boolean;
  /** As the client sent them; undefined where it said nothing. */
  readonly said?: RawDeleteOptions;
}

export interface RawDeleteOptions {
  dryRun: string[];
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  propagationPolicy?: string;
  orphanDependents?: boolean;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export const plainDelete: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  preconditions: undefined,
  propagationPolicy: undefined,
  ignoreReadErrors: false,
  askedNotToOrphan: false,
};

/** Options come from the body if there is one, else from the query: never from both. */
export function readDeleteOptions(
  query: URLSearchParams,
  body: SentBody | undefined,
  metaGroup: string,
  ofCollection = false,
): DeleteOptions {
  if (!body && query.size === 0) return plainDelete;
  return settleDeleteOptions(body ? fromBody(body, metaGroup) : fromQuery(query), metaGroup, ofCollection);
}

/** Options as they were sent, if nothing is wrong with them. Throws the 422 that says what is. */
export function settleDeleteOptions(
  raw: RawDeleteOptions,
  metaGroup: string,
  ofCollection = false,
): DeleteOptions {
  const errors = problems(raw);
  if (ofCollection && raw.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const why = 'is not allowed with DELETECOLLECTION, try again after removing the option';
    errors.push(invalid('ignoreStoreReadErrorWithClusterBreakingPotential', true, why));
  }
  if (errors.length > 0) throw invalidObject({ group: metaGroup, kind: 'DeleteOptions' }, '', errors);
  return {
    dryRun: raw.dryRun.length > 0,
    gracePeriodSeconds: raw.gracePeriodSeconds,
    preconditions: raw.preconditions,
    propagationPolicy: policyOf(raw),
    ignoreReadErrors: raw.ignoreStoreReadErrorWithClusterBreakingPotential ?? false,
    askedNotToOrphan: raw.orphanDependents === false,
    said: raw,
  };
}

function policyOf(raw: RawDeleteOptions): DeleteOptions['propagationPolicy'] {
  if (raw.orphanDependents !== undefined) return raw.orphanDependents ? 'Orphan' : 'Background';
  return raw.propagationPolicy as DeleteOptions['propagationPolicy'];
}

/** What is wrong with the body is no Status of its own kind here: the reference answers 500 with the bare reason. */
function fromBody(body: SentBody, metaGroup: string): RawDeleteOptions {
  try {
    const { value, duplicates } = body.parse();
    if (value !== null && !isObject(value)) throw new ApiError(500, '', body.whyNoObject(value));
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
    const isTheirs =
      error instanceof UnreadableBody || error instanceof UnfitBody || error instanceof DecodeError;
    if (isTheirs) throw new ApiError(500, '', error.message);
    throw error;
  }
}

function fromQuery(query: URLSearchParams): RawDeleteOptions {
  const gracePeriodSeconds = integerParameter(query, 'gracePeriodSeconds');
  const orphanDependents = booleanParameter(query, 'orphanDependents');
  const ignore = booleanParameter(query, 'ignoreStoreReadErrorWithClusterBreakingPotential');
  const policy = query.get('propagationPolicy');
  const uid = query.get('uid');
  return {
    dryRun: query.getAll('dryRun'),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(uid !== null && { preconditions: { uid } }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(ignore !== undefined && { ignoreStoreReadErrorWithClusterBreakingPotential: ignore }),
  };
}

const supportedPolicies = ['Foreground', 'Background', 'Orphan'];

function problems(raw: RawDeleteOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { propagationPolicy: policy, ignoreStoreReadErrorWithClusterBreakingPotential: ignore } = raw;
  if (raw.orphanDependents !== undefined && policy !== undefined) {
    errors.push(
      invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (policy !== undefined && !supportedPolicies.includes(policy)) {
    errors.push(notSupported('propagationPolicy', policy, [...supportedPolicies, 'nil']));
  }
  errors.push(...dryRunProblems(raw.dryRun));
  if (ignore) {
    const exclusive: [unknown, string][] = [
      [raw.dryRun.length > 0, '.dryRun'],
      [policy !== undefined, '.propagationPolicy'],
      [raw.orphanDependents !== undefined, '.orphanDependents'],
      [raw.gracePeriodSeconds !== undefined, '.gracePeriodSeconds'],
      [raw.preconditions !== undefined, '.preconditions'],
    ];
    for (const [given, name] of exclusive) {
      if (given) {
        errors.push(
          invalid(
            'ignoreStoreReadErrorWithClusterBreakingPotential',
            true,
            `cannot be set together with ${name}`,
          ),
        );
      }
    }
  }
  return errors;
}
