// LimitRange: schema, defaults, validation and resource definition.
import { randomUUID } from 'node:crypto';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateFinalizersQualified, validateMetadata } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { list } from '../../schema/collections.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { compareQuantities, quantityToNumber } from '../../schema/quantity.ts';
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
    errors.push(...validateLimitType(item.type, `${path}.type`));
    if (types.has(item.type)) errors.push(duplicate(`${path}.type`, item.type));
    types.add(item.type);
    errors.push(...validateResourceNames(item, path, dialect));
    for (const name of collectResourceNames(item)) {
      errors.push(...validateAmounts(item, name, path, dialect));
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
    errors.push(
      ...validateNames('default', item.default),
      ...validateNames('defaultRequest', item.defaultRequest),
    );
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
  const amount = (amounts: ResourceList | undefined) => {
    const text = amounts?.[name];
    return text === undefined ? undefined : mustParseQuantity(text);
  };
  const isPod = item.type === 'Pod'; // its defaults are forbidden
  const min = amount(item.min);
  const max = amount(item.max);
  const defaultLimit = isPod ? undefined : amount(item.default);
  const defaultRequest = isPod ? undefined : amount(item.defaultRequest);
  const ratio = amount(item.maxLimitRequestRatio);
  const errors: FieldError[] = [];
  const reject = (field: string, quantity: ReturnType<typeof mustParseQuantity>, detail: string) =>
    errors.push(invalid(`${path}.${field}[${name}]`, formatQuantity(quantity), detail));

  if (min && max && compareQuantities(min, max) > 0) {
    reject('min', min, `min value ${min.text} is greater than max value ${max.text}`);
  }
  if (defaultRequest && min && compareQuantities(min, defaultRequest) > 0) {
    reject(
      'defaultRequest',
      defaultRequest,
      `min value ${min.text} is greater than default request value ${defaultRequest.text}`,
    );
  }
  if (defaultRequest && max && compareQuantities(defaultRequest, max) > 0) {
    reject(
      'defaultRequest',
      defaultRequest,
      `default request value ${defaultRequest.text} is greater than max value ${max.text}`,
    );
  }
  if (defaultRequest && defaultLimit && compareQuantities(defaultRequest, defaultLimit) > 0) {
    const detail = `default request value ${defaultRequest.text} is greater than default limit value ${defaultLimit.text}`;
    reject('defaultRequest', defaultRequest, detail);
  }
  // In these two, kube-apiserver prints the bound, not the default, as the bad value.
  if (defaultLimit && min && compareQuantities(min, defaultLimit) > 0) {
    reject('default', min, `min value ${min.text} is greater than default value ${defaultLimit.text}`);
  }
  if (defaultLimit && max && compareQuantities(defaultLimit, max) > 0) {
    reject('default', max, `default value ${defaultLimit.text} is greater than max value ${max.text}`);
  }
  if (ratio && compareQuantities(ratio, mustParseQuantity('1')) < 0) {
    reject('maxLimitRequestRatio', ratio, `ratio ${ratio.text} is less than 1`);
  }
  if (ratio && min && max) {
    const maxRatio = quantityToNumber(max) / quantityToNumber(min);
    if (quantityToNumber(ratio) > maxRatio) {
      reject(
        'maxLimitRequestRatio',
        ratio,
        `ratio ${ratio.text} is greater than max/min = ${maxRatio.toFixed(6)}`,
      );
    }
  }
  if (
    !isOvercommitAllowed(name, dialect) &&
    defaultLimit &&
    defaultRequest &&
    compareQuantities(defaultLimit, defaultRequest) !== 0
  ) {
    const detail = `default value ${defaultLimit.text} must equal to defaultRequest value ${defaultRequest.text} in ${name}`;
    reject('defaultRequest', defaultRequest, detail);
  }
  return errors;
}
