// LimitRange: schema, defaults, validation and resource definition.
import { randomUUID } from 'node:crypto';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
} from '../../errors/field-error.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateFinalizersQualified, validateMetadata } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { list } from '../../schema/collections.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { compareQuantities, type Quantity, quantityToNumber } from '../../schema/quantity.ts';
import { named, openEnum } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import {
  formatQuantity,
  isOvercommitAllowed,
  mustParseQuantity,
  type ResourceList,
  resourceList,
  validateContainerResourceName,
  validateResourceName,
} from './resource-list.ts';

export const LimitRangeItem = struct(
  'core/v1.LimitRangeItem',
  {
    type: field(1, named('core/v1.LimitType', openEnum('Pod', 'Container', 'PersistentVolumeClaim')), {
      required: true,
      doc: 'The type of resource that the limits apply to: Pod, Container, PersistentVolumeClaim, or a domain-prefixed name.',
    }),
    max: field(2, resourceList, { doc: 'The maximum usage for each resource name.' }),
    min: field(3, resourceList, { doc: 'The minimum usage for each resource name.' }),
    default: field(4, resourceList, { doc: 'The default limits of a container.' }),
    defaultRequest: field(5, resourceList, { doc: 'The default requests of a container.' }),
    maxLimitRequestRatio: field(6, resourceList, {
      doc: 'The maximum ratio of limit to request. Both must then be set and nonzero.',
    }),
  },
  { doc: 'The limits for one type of resource.', defaults: deriveContainerDefaults },
);
export type LimitRangeItem = Infer<typeof LimitRangeItem>;

const LimitRangeSpec = struct(
  'core/v1.LimitRangeSpec',
  {
    limits: field(1, list(LimitRangeItem, { type: 'atomic' }), {
      required: true,
      mustBePresent: true,
      doc: 'The limits, at most one item per type.',
    }),
  },
  { doc: 'The limits that are enforced.' },
);

export const LimitRange = kind(
  'core/v1.LimitRange',
  { spec: field(2, LimitRangeSpec, { doc: 'The limits that are enforced.' }) },
  {
    doc: 'Limits and defaults for the resource usage of each pod, container or PersistentVolumeClaim in a namespace.',
  },
);
export type LimitRange = Infer<typeof LimitRange>;

export const limitranges = (dialect: Dialect) =>
  resource<LimitRange>({
    group: '',
    version: 'v1',
    kind: 'LimitRange',
    plural: 'limitranges',
    shortNames: ['limits'],
    schema: LimitRange,
    strategy: {
      validateName: nameIsSubdomain,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      // A LimitRange needs no name on create: the server generates one.
      prepareForCreate({ metadata }) {
        metadata.name ||= randomUUID();
      },
      validate: (object) => validateLimits(object, dialect),
      validateUpdate: (object) => [
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...validateLimits(object, dialect),
      ],
    },
  });

/** For type Container, `default` falls back to `max`, and `defaultRequest` to `default`, then to `min`. */
function deriveContainerDefaults(item: {
  type: string;
  max?: Record<string, string>;
  min?: Record<string, string>;
  default?: Record<string, string>;
  defaultRequest?: Record<string, string>;
}): void {
  if (item.type !== 'Container') return;
  item.default = Object.assign(nullPrototypeObject<string>(), item.max, item.default);
  item.defaultRequest = Object.assign(
    nullPrototypeObject<string>(),
    item.min,
    item.default,
    item.defaultRequest,
  );
}

function validateLimits(object: LimitRange, dialect: Dialect): FieldError[] {
  const errors = validateFinalizersQualified(object.metadata, dialect);
  const types = new Set<string>();
  for (const [i, item] of (object.spec.limits ?? []).entries()) {
    const path = `spec.limits[${i}]`;
    addErrors(errors, validateLimitType(item.type, `${path}.type`));
    if (types.has(item.type)) errors.push(duplicate(`${path}.type`, item.type));
    types.add(item.type);
    addErrors(errors, validateResourceNames(item, path, dialect));
    for (const name of collectResourceNames(item)) {
      addErrors(errors, validateAmounts(item, name, path, dialect));
    }
  }
  return errors;
}

function validateLimitType(type: string, path: string): FieldError[] {
  const problems = qualifiedName(type);
  if (problems.length > 0) return problems.map((problem) => invalid(path, type, problem));
  if (type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) return [];
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function validateResourceNames(item: LimitRangeItem, path: string, dialect: Dialect): FieldError[] {
  const isContainerType = item.type === 'Pod' || item.type === 'Container';
  const validateNames = (field: keyof LimitRangeItem, amounts: ResourceList = {}) =>
    Object.keys(amounts).flatMap((name) => {
      const fieldPath = `${path}.${field}[${name}]`;
      return isContainerType
        ? validateContainerResourceName(name, fieldPath, dialect)
        : validateResourceName(name, fieldPath);
    });
  const errors = [...validateNames('max', item.max), ...validateNames('min', item.min)];
  if (item.type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const) {
      if (Object.keys(item[field] ?? {}).length === 0) continue;
      errors.push(forbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));
    }
  } else {
    addErrors(errors, [
      ...validateNames('default', item.default),
      ...validateNames('defaultRequest', item.defaultRequest),
    ]);
  }
  if (item.type === 'PersistentVolumeClaim' && !item.min?.storage && !item.max?.storage) {
    // kube-apiserver repeats `limits` in this path.
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(required(`${path}.limits`, detail));
  }
  return [...errors, ...validateNames('maxLimitRequestRatio', item.maxLimitRequestRatio)];
}

/** All resource names in the item's lists. For type Pod, defaults are forbidden and left out. */
function collectResourceNames(item: LimitRangeItem): Iterable<string> {
  const defaults = item.type === 'Pod' ? [] : [item.default, item.defaultRequest];
  const resourceLists = [item.max, item.min, ...defaults, item.maxLimitRequestRatio];
  return new Set(resourceLists.flatMap((amounts) => Object.keys(amounts ?? {})));
}

/** Validates how the amounts of one resource relate to each other. */
function validateAmounts(item: LimitRangeItem, name: string, path: string, dialect: Dialect): FieldError[] {
  const parseAmount = (amounts: ResourceList | undefined) => {
    const text = amounts?.[name];
    return text === undefined ? undefined : mustParseQuantity(text);
  };
  const isPod = item.type === 'Pod'; // its defaults are forbidden
  const amounts: Amounts = {
    min: parseAmount(item.min),
    max: parseAmount(item.max),
    defaultLimit: isPod ? undefined : parseAmount(item.default),
    defaultRequest: isPod ? undefined : parseAmount(item.defaultRequest),
    ratio: parseAmount(item.maxLimitRequestRatio),
  };
  const amountError: AmountError = (field, badValue, detail) =>
    invalid(`${path}.${field}[${name}]`, formatQuantity(badValue), detail);
  return [
    ...validateOrder(amounts, amountError),
    ...validateRatio(amounts, amountError),
    ...(isOvercommitAllowed(name, dialect) ? [] : validateDefaultsEqual(amounts, name, amountError)),
  ];
}

/** The amounts of one resource in the lists of an item. */
interface Amounts {
  readonly min: Quantity | undefined;
  readonly max: Quantity | undefined;
  readonly defaultLimit: Quantity | undefined;
  readonly defaultRequest: Quantity | undefined;
  /** maxLimitRequestRatio. */
  readonly ratio: Quantity | undefined;
}

type AmountError = (field: string, badValue: Quantity, detail: string) => FieldError;

/** Requires min ≤ defaultRequest ≤ default ≤ max. */
function validateOrder(amounts: Amounts, amountError: AmountError): FieldError[] {
  const { min, max, defaultLimit, defaultRequest } = amounts;
  const errors: FieldError[] = [];
  if (min && max && compareQuantities(min, max) > 0) {
    errors.push(amountError('min', min, `min value ${min.text} is greater than max value ${max.text}`));
  }
  if (defaultRequest && min && compareQuantities(min, defaultRequest) > 0) {
    const detail = `min value ${min.text} is greater than default request value ${defaultRequest.text}`;
    errors.push(amountError('defaultRequest', defaultRequest, detail));
  }
  if (defaultRequest && max && compareQuantities(defaultRequest, max) > 0) {
    const detail = `default request value ${defaultRequest.text} is greater than max value ${max.text}`;
    errors.push(amountError('defaultRequest', defaultRequest, detail));
  }
  if (defaultRequest && defaultLimit && compareQuantities(defaultRequest, defaultLimit) > 0) {
    const detail = `default request value ${defaultRequest.text} is greater than default limit value ${defaultLimit.text}`;
    errors.push(amountError('defaultRequest', defaultRequest, detail));
  }
  // In these two, kube-apiserver prints the bound, not the default, as the bad value.
  if (defaultLimit && min && compareQuantities(min, defaultLimit) > 0) {
    const detail = `min value ${min.text} is greater than default value ${defaultLimit.text}`;
    errors.push(amountError('default', min, detail));
  }
  if (defaultLimit && max && compareQuantities(defaultLimit, max) > 0) {
    const detail = `default value ${defaultLimit.text} is greater than max value ${max.text}`;
    errors.push(amountError('default', max, detail));
  }
  return errors;
}

/** A limit is at least the request; the ratio of max to min is the greatest possible. */
function validateRatio({ min, max, ratio }: Amounts, amountError: AmountError): FieldError[] {
  if (!ratio) return [];
  const errors: FieldError[] = [];
  if (compareQuantities(ratio, mustParseQuantity('1')) < 0) {
    errors.push(amountError('maxLimitRequestRatio', ratio, `ratio ${ratio.text} is less than 1`));
  }
  if (!min || !max) return errors;
  const maxRatio = quantityToNumber(max) / quantityToNumber(min);
  if (quantityToNumber(ratio) > maxRatio) {
    const detail = `ratio ${ratio.text} is greater than max/min = ${maxRatio.toFixed(6)}`;
    errors.push(amountError('maxLimitRequestRatio', ratio, detail));
  }
  return errors;
}

/** Without overcommitment, the default limit and the default request are equal. */
function validateDefaultsEqual(
  { defaultLimit, defaultRequest }: Amounts,
  name: string,
  amountError: AmountError,
): FieldError[] {
  if (!defaultLimit || !defaultRequest || compareQuantities(defaultLimit, defaultRequest) === 0) return [];
  const detail = `default value ${defaultLimit.text} must equal to defaultRequest value ${defaultRequest.text} in ${name}`;
  return [amountError('defaultRequest', defaultRequest, detail)];
}
