import { list } from '../../schema/collections.ts';
import { int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const ServerStorageVersion = struct('apiserverinternal/v1alpha1.ServerStorageVersion', {
  apiServerID: field(1, string),
  encodingVersion: field(2, string),
  decodableVersions: field(3, list(string, { type: 'set' })),
  servedVersions: field(4, list(string, { type: 'set' })),
});
export type ServerStorageVersion = Infer<typeof ServerStorageVersion>;

export const StorageVersionCondition = struct('apiserverinternal/v1alpha1.StorageVersionCondition', {
  type: field(
    1,
    named('apiserverinternal/v1alpha1.StorageVersionConditionType', oneOf('AllEncodingVersionsEqual')),
    { required: true },
  ),
  status: field(2, named('apiserverinternal/v1alpha1.ConditionStatus', oneOf('True', 'False', 'Unknown')), {
    required: true,
  }),
  observedGeneration: field(3, int64),
  lastTransitionTime: field(4, time),
  reason: field(5, string, { required: true }),
  message: field(6, string, { required: true, omitEmpty: true }),
});
export type StorageVersionCondition = Infer<typeof StorageVersionCondition>;

export const StorageVersionStatus = struct('apiserverinternal/v1alpha1.StorageVersionStatus', {
  storageVersions: field(1, list(ServerStorageVersion, { type: 'map', keys: ['apiServerID'] })),
  commonEncodingVersion: field(2, optional(string)),
  conditions: field(3, list(StorageVersionCondition, { type: 'map', keys: ['type'] })),
});
export type StorageVersionStatus = Infer<typeof StorageVersionStatus>;

/** Nothing can be asked of it. */
export const StorageVersionSpec = struct('apiserverinternal/v1alpha1.StorageVersionSpec', {});

export const StorageVersion = kind(
  'apiserverinternal/v1alpha1.StorageVersion',
  {
    spec: field(2, StorageVersionSpec, { required: true }),
    status: field(3, StorageVersionStatus, { required: true }),
  },
  { doc: '' },
);
export type StorageVersion = Infer<typeof StorageVersion>;

export const storageversions = (context: KindContext) =>
  resource<StorageVersion>({
    group: 'internal.apiserver',
    version: 'v1alpha1',
    kind: 'StorageVersion',
    plural: 'storageversions',
    namespaced: false,
    schema: StorageVersion,
    strategy: plainStrategy(context, StorageVersion),
    subresources: { status: statusOf(context, StorageVersion) },
  });
