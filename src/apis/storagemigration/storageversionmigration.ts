// StorageVersionMigration: schema, strategy, validation and printer columns.

import type { DialectRules } from '../../dialect/dialect.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { conditionStatuses, validateReason } from '../../kind/meta/condition-rules.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  validateBuiltInMetadata,
  validateBuiltInMetadataChange,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { plainStrategy, statusSubresourceKeepingMetadata } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { column } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';

const GroupVersionResource = struct(
  'storagemigration/v1alpha1.GroupVersionResource',
  {
    group: field(1, string, { doc: 'The API group.' }),
    version: field(2, string, { doc: 'The API version.' }),
    resource: field(3, string, { doc: 'The resource name in the plural.' }),
  },
  { doc: 'Identifies a resource.' },
);
type GroupVersionResource = Infer<typeof GroupVersionResource>;

const StorageVersionMigrationSpec = struct(
  'storagemigration/v1alpha1.StorageVersionMigrationSpec',
  {
    resource: field(1, GroupVersionResource, {
      required: true,
      doc: 'The resource whose objects are migrated. Immutable.',
    }),
    continueToken: field(2, string, {
      doc: 'The continue token of the next chunk of objects: the progress of a running migration.',
    }),
  },
  { doc: 'The specification of a StorageVersionMigration.' },
);

export const MigrationCondition = struct(
  'storagemigration/v1alpha1.MigrationCondition',
  {
    type: field(
      1,
      named('storagemigration/v1alpha1.MigrationConditionType', openEnum('Running', 'Succeeded', 'Failed')),
      { required: true, doc: 'Running, Succeeded or Failed.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastUpdateTime: field(3, time, { doc: 'When the condition was last updated.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last update (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last update.' }),
  },
  { doc: 'A condition of a StorageVersionMigration.' },
);
export type MigrationCondition = Infer<typeof MigrationCondition>;

export const StorageVersionMigrationStatus = struct(
  'storagemigration/v1alpha1.StorageVersionMigrationStatus',
  {
    conditions: field(
      1,
      list(MigrationCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the migration.' },
    ),
    resourceVersion: field(2, string, {
      doc: 'The resourceVersion of the store when the migration started.',
    }),
  },
  { doc: 'The current status of a StorageVersionMigration.' },
);
export type StorageVersionMigrationStatus = Infer<typeof StorageVersionMigrationStatus>;

export const StorageVersionMigration = kind(
  'storagemigration/v1alpha1.StorageVersionMigration',
  {
    spec: field(2, StorageVersionMigrationSpec, { doc: 'The resource to migrate.' }),
    status: field(3, StorageVersionMigrationStatus, { doc: 'The current status of the migration.' }),
  },
  { doc: 'Rewrites all objects of a resource in the current storage version.' },
);
export type StorageVersionMigration = Infer<typeof StorageVersionMigration>;

const storageVersionMigrationTable: TableLayout<StorageVersionMigration> = {
  columns: [
    column('Name', 'The name of the object.'),
    column('Resource', 'The resource whose objects are migrated.'),
  ],
  cells({ metadata, spec }) {
    const { group = '', version = '', resource = '' } = spec.resource;
    return [metadata.name ?? '', `${resource}.${version}.${group}`];
  },
};

export const storageversionmigrations = (context: KindContext) => {
  const baseStrategy = plainStrategy(context, StorageVersionMigration);
  return resource<StorageVersionMigration>({
    group: 'storagemigration',
    version: 'v1alpha1',
    kind: 'StorageVersionMigration',
    plural: 'storageversionmigrations',
    gate: 'StorageVersionMigrator',
    namespaced: false,
    schema: StorageVersionMigration,
    table: storageVersionMigrationTable,
    strategy: {
      ...baseStrategy,
      allowUnconditionalUpdate: false,
      prepareForCreate(object) {
        object.status = {};
      },
      prepareForUpdate(object, old) {
        object.status = old.status;
      },
      validate: (object) => [...baseStrategy.validate(object), ...validateResource(object.spec.resource)],
      validateUpdate: ({ metadata, spec }, old) => [
        ...validateBuiltInMetadata(
          metadata,
          { namespaced: false, nameRule: nameIsSubdomain },
          context.dialect,
        ),
        ...validateBuiltInMetadataChange(metadata, old.metadata, context.dialect),
        ...validateResourceUnchanged(spec.resource, old.spec.resource),
      ],
    },
    subresources: {
      status: statusSubresourceKeepingMetadata(context, StorageVersionMigration, (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateStatus(object.status, context.dialect.rules),
      ]),
    },
  });
};

function validateResource({ resource: name = '', version = '' }: GroupVersionResource): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required('spec.resource.resource', 'resource is required'));
  if (version === '') errors.push(required('spec.resource.version', 'version is required'));
  return errors;
}

/** The errors name the fields without `spec.resource`, as those of kube-apiserver do. */
function validateResourceUnchanged(resource: GroupVersionResource, old: GroupVersionResource): FieldError[] {
  return (['group', 'version', 'resource'] as const)
    .filter((field) => (resource[field] ?? '') !== (old[field] ?? ''))
    .map((field) => invalid(field, resource[field] ?? '', 'field is immutable'));
}

function validateStatus(
  { conditions = [], resourceVersion = '' }: StorageVersionMigrationStatus,
  rules: DialectRules,
): FieldError[] {
  return [
    ...validateConditions(conditions, rules),
    ...validateExclusiveConditions(conditions),
    ...validateResourceVersion(resourceVersion),
  ];
}

function validateConditions(
  conditions: readonly MigrationCondition[],
  { migrationConditionsNeedTimeAndReason }: DialectRules,
): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const path = `status.conditions[${i}]`;
    const { type, status, lastUpdateTime = '', reason = '' } = condition;
    if (type === '' && !migrationConditionsNeedTimeAndReason) errors.push(required(`${path}.type`));
    else for (const problem of qualifiedName(type)) errors.push(invalid(`${path}.type`, type, problem));
    if (types.has(type)) errors.push(duplicate(`${path}.type`, type));
    types.add(type);
    if (!conditionStatuses.includes(status)) {
      errors.push(notSupported(`${path}.status`, status, conditionStatuses));
    }
    if (!migrationConditionsNeedTimeAndReason) continue;
    // As in kube-apiserver 1.33, the error names lastTransitionTime, the field of metav1.Condition.
    if (lastUpdateTime === '') errors.push(required(`${path}.lastTransitionTime`, 'must be set'));
    addErrors(errors, validateReason(reason, `${path}.reason`));
  }
  return errors;
}

/** At most one of Running, Succeeded and Failed is true. */
function validateExclusiveConditions(conditions: readonly MigrationCondition[]): FieldError[] {
  const errors: FieldError[] = [];
  const isConditionTrue = (conditionType: string) =>
    conditions.some(({ type, status }) => type === conditionType && status === 'True');
  const badValue = new FormattedValue(
    `[]storagemigration.MigrationCondition{${conditions.map(formatAsGo).join(', ')}}`,
  );
  const rejectBoth = (firstType: string, secondType: string) => {
    if (isConditionTrue(firstType) && isConditionTrue(secondType)) {
      errors.push(
        invalid(
          'status.conditions',
          badValue,
          `Both ${firstType} and ${secondType} conditions can't be true`,
        ),
      );
    }
  };
  rejectBoth('Succeeded', 'Failed');
  rejectBoth('Running', 'Succeeded');
  rejectBoth('Running', 'Failed');
  return errors;
}

function validateResourceVersion(resourceVersion: string): FieldError[] {
  if (resourceVersion === '' || /^[+-]?[0-9]{1,18}$/.test(resourceVersion)) return [];
  const detail = `failed to parse resource version ${quote(resourceVersion)}: strconv.ParseInt: parsing ${quote(resourceVersion)}: invalid syntax`;
  return [invalid('status.resourceVersion', resourceVersion, detail)];
}

/** A condition in Go syntax (`%#v`), as the error of kube-apiserver contains it. */
function formatAsGo({
  type,
  status,
  lastUpdateTime = '',
  reason = '',
  message = '',
}: MigrationCondition): string {
  const when = lastUpdateTime === '' ? 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)' : lastUpdateTime;
  return `storagemigration.MigrationCondition{Type:${quote(type)}, Status:${quote(status)}, LastUpdateTime:${when}, Reason:${quote(reason)}, Message:${quote(message)}}`;
}
