import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const GroupVersionResource = struct('storagemigration/v1alpha1.GroupVersionResource', {
  group: field(1, string),
  version: field(2, string),
  resource: field(3, string),
});
export type GroupVersionResource = Infer<typeof GroupVersionResource>;

export const StorageVersionMigrationSpec = struct('storagemigration/v1alpha1.StorageVersionMigrationSpec', {
  resource: field(1, GroupVersionResource, { required: true }),
  continueToken: field(2, string),
});
export type StorageVersionMigrationSpec = Infer<typeof StorageVersionMigrationSpec>;

export const MigrationCondition = struct('storagemigration/v1alpha1.MigrationCondition', {
  type: field(
    1,
    named('storagemigration/v1alpha1.MigrationConditionType', oneOf('Running', 'Succeeded', 'Failed')),
    { required: true },
  ),
  status: field(2, conditionStatus, { required: true }),
  lastUpdateTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
});
export type MigrationCondition = Infer<typeof MigrationCondition>;

export const StorageVersionMigrationStatus = struct(
  'storagemigration/v1alpha1.StorageVersionMigrationStatus',
  {
    conditions: field(
      1,
      list(MigrationCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
    ),
    resourceVersion: field(2, string),
  },
);
export type StorageVersionMigrationStatus = Infer<typeof StorageVersionMigrationStatus>;

export const StorageVersionMigration = kind(
  'storagemigration/v1alpha1.StorageVersionMigration',
  {
    spec: field(2, StorageVersionMigrationSpec),
    status: field(3, StorageVersionMigrationStatus),
  },
  { doc: '' },
);
export type StorageVersionMigration = Infer<typeof StorageVersionMigration>;

export const storageversionmigrations = (context: KindContext) =>
  resource<StorageVersionMigration>({
    group: 'storagemigration',
    version: 'v1alpha1',
    kind: 'StorageVersionMigration',
    plural: 'storageversionmigrations',
    namespaced: false,
    schema: StorageVersionMigration,
    strategy: plainStrategy(context, StorageVersionMigration),
    subresources: { status: statusOf(context, StorageVersionMigration) },
  });
