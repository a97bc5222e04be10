// DeleteOptions of a delete request, validated.

import { invalidObject } from '../errors/catalogue.ts';
import { type FieldError, goStringSlice, invalid, notSupported } from '../errors/field-error.ts';

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly ignoreReadErrors: boolean;
  /** The client set the deprecated `orphanDependents: false`: the answer is 202 while the object still exists. */
  readonly askedNotToOrphan: boolean;
  /** As the client sent them; undefined where it sent none. */
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

/** The options of a request. Throws 422 where they are invalid. */
export function validatedDeleteOptions(
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
  errors.push(...validateDryRun(raw.dryRun));
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

export function validateDryRun(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All')
    ? []
    : [notSupported('dryRun', goStringSlice(dryRun), ['All'])];
}
