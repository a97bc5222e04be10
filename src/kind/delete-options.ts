// Validation of the DeleteOptions of a delete or deletecollection request.

import { invalidObject } from '../errors/catalogue.ts';
import { addErrors, type FieldError, goStringSlice, invalid, notSupported } from '../errors/field-error.ts';

/** DeleteOptions after validation, as the registry uses them. */
export interface ValidatedDeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** ignoreStoreReadErrorWithClusterBreakingPotential: deletes an object that cannot be decoded. */
  readonly ignoreReadErrors: boolean;
  /**
   * The client sent the deprecated `orphanDependents: false`. As upstream, the response of a delete that leaves the object
   * (for its finalizers) is then 202, not 200.
   */
  readonly disablesOrphaning: boolean;
  /** The DeleteOptions as the client sent them; absent in the defaults. */
  readonly raw?: RawDeleteOptions;
}

/** metav1.DeleteOptions. */
export interface RawDeleteOptions {
  dryRun: string[];
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  propagationPolicy?: string;
  orphanDependents?: boolean;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** The finalizers by which the garbage collector orphans or deletes dependents. */
export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

export const defaultDeleteOptions: ValidatedDeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  preconditions: undefined,
  propagationPolicy: undefined,
  ignoreReadErrors: false,
  disablesOrphaning: false,
};

/** The options of a request. Throws 422 if they are invalid. `metaGroup`: `meta.k8s.io`, or its name in the dialect. */
export function validatedDeleteOptions(
  raw: RawDeleteOptions,
  metaGroup: string,
  { isCollection = false } = {},
): ValidatedDeleteOptions {
  const errors = validateRaw(raw);
  if (isCollection && raw.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const message = 'is not allowed with DELETECOLLECTION, try again after removing the option';
    errors.push(invalid('ignoreStoreReadErrorWithClusterBreakingPotential', true, message));
  }
  if (errors.length > 0) throw invalidObject({ group: metaGroup, kind: 'DeleteOptions' }, '', errors);
  return {
    dryRun: raw.dryRun.length > 0,
    gracePeriodSeconds: raw.gracePeriodSeconds,
    preconditions: raw.preconditions,
    propagationPolicy: propagationPolicyOf(raw),
    ignoreReadErrors: raw.ignoreStoreReadErrorWithClusterBreakingPotential ?? false,
    disablesOrphaning: raw.orphanDependents === false,
    raw,
  };
}

/** The deprecated orphanDependents is an alias of propagationPolicy; validation rejects a request with both. */
function propagationPolicyOf(raw: RawDeleteOptions): ValidatedDeleteOptions['propagationPolicy'] {
  if (raw.orphanDependents !== undefined) return raw.orphanDependents ? 'Orphan' : 'Background';
  return raw.propagationPolicy as ValidatedDeleteOptions['propagationPolicy'];
}

const supportedPolicies = ['Foreground', 'Background', 'Orphan'];

function validateRaw(raw: RawDeleteOptions): FieldError[] {
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
  addErrors(errors, validateDryRun(raw.dryRun));
  if (ignore) {
    const exclusiveOptions: [isSet: boolean, name: string][] = [
      [raw.dryRun.length > 0, '.dryRun'],
      [policy !== undefined, '.propagationPolicy'],
      [raw.orphanDependents !== undefined, '.orphanDependents'],
      [raw.gracePeriodSeconds !== undefined, '.gracePeriodSeconds'],
      [raw.preconditions !== undefined, '.preconditions'],
    ];
    for (const [isSet, name] of exclusiveOptions) {
      if (isSet) {
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
