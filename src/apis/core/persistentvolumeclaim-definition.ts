// PersistentVolumeClaim: the resource definition, which joins its schema, columns and strategies.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { PersistentVolumeClaim } from './persistentvolumeclaim.ts';
import { claimStatusStrategy, claimStrategy } from './persistentvolumeclaim-strategy.ts';
import { persistentVolumeClaimTable } from './persistentvolumeclaim-table.ts';

export const persistentvolumeclaims = (context: KindContext) =>
  resource<PersistentVolumeClaim>({
    group: '',
    version: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    schema: PersistentVolumeClaim,
    table: persistentVolumeClaimTable,
    strategy: claimStrategy(context),
    subresources: {
      status: { verbs: ['get', 'patch', 'update'], rules: claimStatusStrategy(context) },
    },
  });
