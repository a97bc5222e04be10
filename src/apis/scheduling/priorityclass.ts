// PriorityClass, the whole kind: schema, printer columns, resource definition and validation.

import { type FieldError, forbidden, invalid, notSupported } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateBuiltInMetadataChange, validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, boolean, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import { preemptionPolicy } from '../core/preemption-policy.ts';

export const PriorityClass = kind(
  'scheduling/v1.PriorityClass',
  {
    value: field(2, int32, {
      required: true,
      mustBePresent: true,
      doc: 'The priority of pods of this class. Pods with a higher priority are scheduled first.',
    }),
    globalDefault: field(3, bool, {
      doc: 'Whether this class is the default for pods without a priorityClassName. If several classes are, the one with the lowest value applies.',
    }),
    description: field(4, string, { doc: 'A human-readable description of when to use the class.' }),
    preemptionPolicy: field(5, optional(preemptionPolicy), {
      default: 'PreemptLowerPriority',
      doc: 'Whether pods of this class may preempt pods of lower priority: PreemptLowerPriority or Never.',
    }),
  },
  { doc: 'Maps a name to a pod priority.' },
);
export type PriorityClass = Infer<typeof PriorityClass>;

const preemptionPolicies = ['PreemptLowerPriority', 'Never'];
const maxUserPriority = 1_000_000_000;
const systemPrefix = 'system-';

/** The system priority classes, whose values exceed the maximum for users. */
export const systemClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

const priorityClassTable: TableLayout<PriorityClass> = {
  columns: [
    nameColumn,
    column('Value', 'The priority value.', integer),
    column('Global-Default', 'Whether the class is the default for pods without a class.', boolean),
    ageColumn,
    column('PreemptionPolicy', 'Whether pods of the class may preempt other pods.'),
  ],
  cells: (object, ages) => [
    object.metadata.name ?? '',
    object.value,
    object.globalDefault ?? false,
    age(object, ages),
    object.preemptionPolicy ?? '',
  ],
};

export const priorityclasses = ({ dialect }: KindContext) =>
  resource<PriorityClass>({
    group: 'scheduling',
    version: 'v1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    shortNames: ['pc'],
    namespaced: false,
    schema: PriorityClass,
    table: priorityClassTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      prepareForCreate({ metadata }) {
        metadata.generation = 1;
      },
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validatePriorityClass(object),
      ],
      validateUpdate: (object, old) => [
        ...validateBuiltInMetadataChange(object.metadata, old.metadata, dialect),
        ...validateImmutableFields(object, old),
      ],
    },
  });

function validatePriorityClass({ metadata, value, preemptionPolicy: policy }: PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  const name = metadata.name ?? '';
  if (name.startsWith(systemPrefix)) {
    const problem = systemClassProblem(name, value);
    if (problem) {
      const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
      errors.push(forbidden('metadata.name', detail));
    }
  } else if (value > maxUserPriority) {
    errors.push(forbidden('value', `maximum allowed value of a user defined priority is ${maxUserPriority}`));
  }
  if (policy !== undefined && !preemptionPolicies.includes(policy)) {
    errors.push(notSupported('preemptionPolicy', policy, preemptionPolicies));
  }
  return errors;
}

/** Why a class cannot have a system name; undefined for a system class with its own value. */
function systemClassProblem(name: string, value: number): string | undefined {
  const systemValue = Object.hasOwn(systemClasses, name) ? systemClasses[name] : undefined;
  if (systemValue === undefined) return `${name} is not a known system priority class`;
  return systemValue === value ? undefined : `value of ${name} PriorityClass must be ${systemValue}`;
}

function validateImmutableFields(object: PriorityClass, old: PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  if (object.value !== old.value) errors.push(forbidden('value', 'may not be changed in an update.'));
  const { preemptionPolicy: policy } = object;
  if (policy !== old.preemptionPolicy) errors.push(invalid('preemptionPolicy', policy, 'field is immutable'));
  return errors;
}
