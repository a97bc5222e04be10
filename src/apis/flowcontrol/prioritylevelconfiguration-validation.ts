// PriorityLevelConfiguration: validation of the spec (upstream: ValidatePriorityLevelConfiguration).

import {
  addErrors,
  type FieldError,
  FormattedValue,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { formatPriorityLevelSpec, matchesMandatorySpec } from './mandatory.ts';
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from './prioritylevelconfiguration.ts';

const maxQueues = 10_000_000;
/** Shuffle sharding deals a flow's hand from one 64-bit hash; upstream limits the entropy it needs (MaxHashBits). */
const maxShuffleShardingEntropyBits = 60;

export function validatePriorityLevel({ metadata, spec }: PriorityLevelConfiguration): FieldError[] {
  const name = metadata.name ?? '';
  const errors = validateSpec(spec, name);
  // Only spec.exempt of the exempt level may be changed.
  const comparedSpec = name === 'exempt' ? withMandatoryExempt(spec) : spec;
  if (!matchesMandatorySpec('priorityLevels', name, comparedSpec)) {
    const subject =
      name === 'exempt' ? "spec of 'exempt' except the 'spec.exempt' field" : `spec of '${name}'`;
    errors.push(
      invalid(
        'spec',
        new FormattedValue(formatPriorityLevelSpec(spec)),
        `${subject} must equal the fixed value`,
      ),
    );
  }
  return errors;
}

/** The spec with the mandatory value of spec.exempt. */
function withMandatoryExempt(spec: PriorityLevelConfigurationSpec): PriorityLevelConfigurationSpec {
  return { ...spec, exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } };
}

function validateSpec(spec: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  const { type, limited, exempt } = spec;
  const errors: FieldError[] = [];
  const isKnownType = type === 'Exempt' || type === 'Limited';
  const isExemptLevel = name === 'exempt';
  if (isKnownType && isExemptLevel !== (type === 'Exempt')) {
    errors.push(invalid('spec.type', type, "type must be 'Exempt' if and only if name is 'exempt'"));
  }
  if (type === 'Exempt') {
    if (limited) errors.push(forbidden('spec.limited', 'must be nil if the type is not Limited'));
    if (exempt) addErrors(errors, validateShares(exempt, 'spec.exempt'));
  } else if (type === 'Limited') {
    if (exempt) errors.push(forbidden('spec.exempt', 'must be nil if the type is Limited'));
    if (!limited) errors.push(required('spec.limited', 'must not be empty when type is Limited'));
    else addErrors(errors, validateLimited(limited));
  } else {
    errors.push(notSupported('spec.type', type, ['Exempt', 'Limited']));
  }
  return errors;
}

/** The fields that limited and exempt levels share. */
interface Shares {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}

function validateShares({ nominalConcurrencyShares, lendablePercent }: Shares, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (nominalConcurrencyShares !== undefined && nominalConcurrencyShares < 0) {
    const fieldPath = `${path}.nominalConcurrencyShares`;
    errors.push(invalid(fieldPath, nominalConcurrencyShares, 'must be a non-negative integer'));
  }
  if (lendablePercent !== undefined && (lendablePercent < 0 || lendablePercent > 100)) {
    const fieldPath = `${path}.lendablePercent`;
    errors.push(invalid(fieldPath, lendablePercent, 'must be between 0 and 100, inclusive'));
  }
  return errors;
}

function validateLimited(limited: LimitedPriorityLevelConfiguration): FieldError[] {
  const path = 'spec.limited';
  const { lendablePercent, nominalConcurrencyShares, borrowingLimitPercent: borrowing } = limited;
  // kube-apiserver reports errors of limitResponse between those of the two shared fields.
  const errors = validateShares(
    nominalConcurrencyShares === undefined ? {} : { nominalConcurrencyShares },
    path,
  );
  addErrors(errors, validateLimitResponse(limited.limitResponse, `${path}.limitResponse`));
  if (lendablePercent !== undefined) addErrors(errors, validateShares({ lendablePercent }, path));
  if (borrowing !== undefined && borrowing < 0) {
    const detail = 'if specified, must be a non-negative integer';
    errors.push(invalid(`${path}.borrowingLimitPercent`, borrowing, detail));
  }
  return errors;
}

function validateLimitResponse({ type, queuing }: LimitResponse, path: string): FieldError[] {
  if (type === 'Reject') {
    if (!queuing) return [];
    return [forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')];
  }
  if (type !== 'Queue') return [notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  if (queuing) return validateQueuing(queuing, `${path}.queuing`);
  return [required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')];
}

function validateQueuing({ queues, handSize, queueLengthLimit }: QueuingConfiguration, path: string) {
  const errors: FieldError[] = [];
  const addError = (field: string, value: number, detail: string) =>
    errors.push(invalid(`${path}.${field}`, value, detail));
  if (queueLengthLimit <= 0) addError('queueLengthLimit', queueLengthLimit, 'must be positive');
  if (queues <= 0) addError('queues', queues, 'must be positive');
  else if (queues > maxQueues) addError('queues', queues, `must not be greater than ${maxQueues}`);
  if (handSize <= 0) addError('handSize', handSize, 'must be positive');
  else if (handSize > queues) addError('handSize', handSize, `should not be greater than queues (${queues})`);
  else if (entropyBits(queues, handSize) > maxShuffleShardingEntropyBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxShuffleShardingEntropyBits}`;
    addError('handSize', handSize, detail);
  }
  return errors;
}

/** The bits needed to distinguish all hands (upstream: RequiredEntropyBits). */
function entropyBits(deck: number, hand: number): number {
  let bits = 0;
  for (let dealt = 0; dealt < hand && bits <= maxShuffleShardingEntropyBits; dealt++)
    bits += Math.log2(deck - dealt);
  return Math.ceil(bits);
}
