// Validation of CSIDriver.

import type { Dialect } from '../../dialect/dialect.ts';
import {
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

const policies: readonly string[] = ['File', 'None', 'ReadWriteOnceWithFSType'];
const modes: readonly string[] = ['Persistent', 'Ephemeral'];
const leastPeriod = 10;

export function validateCsiDriverSpec(spec: CSIDriverSpec, path: string): FieldError[] {
  const { fsGroupPolicy, volumeLifecycleModes = [], nodeAllocatableUpdatePeriodSeconds: period } = spec;
  const errors: FieldError[] = [];
  if (fsGroupPolicy !== undefined && !policies.includes(fsGroupPolicy)) {
    errors.push(notSupported(`${path}.fsGroupPolicy`, fsGroupPolicy, policies));
  }
  errors.push(...validateTokenRequests(spec.tokenRequests ?? [], `${path}.tokenRequests`));
  for (const mode of volumeLifecycleModes.filter((each) => !modes.includes(each))) {
    errors.push(notSupported(`${path}.volumeLifecycleModes`, mode, modes));
  }
  if (period !== undefined && period < leastPeriod) {
    const detail = `must be greater than or equal to ${leastPeriod} seconds`;
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
