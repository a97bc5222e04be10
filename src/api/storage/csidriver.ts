import { list } from '../../schema/collections.ts';
import { bool, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const TokenRequest = struct('storage/v1.TokenRequest', {
  audience: field(1, string, { required: true }),
  expirationSeconds: field(2, optional(int64)),
});
export type TokenRequest = Infer<typeof TokenRequest>;

export const CSIDriverSpec = struct('storage/v1.CSIDriverSpec', {
  attachRequired: field(1, optional(bool)),
  podInfoOnMount: field(2, optional(bool)),
  volumeLifecycleModes: field(
    3,
    list(named('storage/v1.VolumeLifecycleMode', oneOf('Persistent', 'Ephemeral')), { type: 'set' }),
  ),
  storageCapacity: field(4, optional(bool)),
  fsGroupPolicy: field(
    5,
    optional(named('storage/v1.FSGroupPolicy', oneOf('ReadWriteOnceWithFSType', 'File', 'None'))),
  ),
  tokenRequests: field(6, list(TokenRequest, { type: 'atomic' })),
  requiresRepublish: field(7, optional(bool)),
  seLinuxMount: field(8, optional(bool)),
  nodeAllocatableUpdatePeriodSeconds: field(9, optional(int64)),
});
export type CSIDriverSpec = Infer<typeof CSIDriverSpec>;

export const CSIDriver = kind(
  'storage/v1.CSIDriver',
  {
    spec: field(2, CSIDriverSpec, { required: true }),
  },
  { doc: '' },
);
export type CSIDriver = Infer<typeof CSIDriver>;

export const csidrivers = (context: KindContext) =>
  resource<CSIDriver>({
    group: 'storage',
    version: 'v1',
    kind: 'CSIDriver',
    plural: 'csidrivers',
    namespaced: false,
    schema: CSIDriver,
    strategy: { ...plainStrategy(context, CSIDriver), deleteReturnsObject: true },
  });
