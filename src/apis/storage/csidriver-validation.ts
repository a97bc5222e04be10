// CSIDriver: validation on create and update (upstream: ValidateCSIDriver, ValidateCSIDriverUpdate).

import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  invalid,
  notSupported,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import {
  formattedInteger,
  validateFinalizersQualified,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { validateTokenLifetime } from '../core/token-lifetime.ts';
import type { CSIDriver, CSIDriverSpec, TokenRequest } from './csidriver.ts';

const fsGroupPolicies: readonly string[] = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes: readonly string[] = ['Persistent', 'Ephemeral'];
const minUpdatePeriodSeconds = 10;

export function validateCsiDriverSpec(spec: CSIDriverSpec, path: string): FieldError[] {
  const { fsGroupPolicy, volumeLifecycleModes = [], nodeAllocatableUpdatePeriodSeconds: period } = spec;
  const errors: FieldError[] = [];
  if (fsGroupPolicy !== undefined && !fsGroupPolicies.includes(fsGroupPolicy)) {
    errors.push(notSupported(`${path}.fsGroupPolicy`, fsGroupPolicy, fsGroupPolicies));
  }
  addErrors(errors, validateTokenRequests(spec.tokenRequests ?? [], `${path}.tokenRequests`));
  for (const mode of volumeLifecycleModes) {
    if (lifecycleModes.includes(mode)) continue;
    errors.push(notSupported(`${path}.volumeLifecycleModes`, mode, lifecycleModes));
  }
  if (period !== undefined && period < minUpdatePeriodSeconds) {
    const detail = `must be greater than or equal to ${minUpdatePeriodSeconds} seconds`;
    errors.push(invalid(`${path}.nodeAllocatableUpdatePeriodSeconds`, formattedInteger(period), detail));
  }
  return errors;
}

function validateTokenRequests(requests: readonly TokenRequest[], path: string): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience, expirationSeconds }, i) => {
    if (audiences.has(audience)) return [duplicate(`${path}[${i}].audience`, audience)];
    audiences.add(audience);
    return validateTokenLifetime(expirationSeconds, `${path}[${i}].expirationSeconds`);
  });
}

export function validateCsiDriverUpdate(object: CSIDriver, old: CSIDriver, dialect: Dialect): FieldError[] {
  const { metadata, spec } = object;
  const { attachRequired, volumeLifecycleModes = [] } = spec;
  const errors = [
    ...validateMetadataChange(metadata, old.metadata),
    ...validateFinalizersQualified(metadata, dialect),
    ...validateCsiDriverSpec(spec, 'spec'),
  ];
  if (attachRequired !== old.spec.attachRequired) {
    // kube-apiserver misspells attachRequired in this path.
    errors.push(invalid('spec.attachedRequired', attachRequired, 'field is immutable'));
  }
  if (volumeLifecycleModes.join() !== (old.spec.volumeLifecycleModes ?? []).join()) {
    const badValue = new FormattedValue(
      `[]storage.VolumeLifecycleMode{${volumeLifecycleModes.map(quote).join(', ')}}`,
    );
    errors.push(invalid('spec.volumeLifecycleModes', badValue, 'field is immutable'));
  }
  return errors;
}
