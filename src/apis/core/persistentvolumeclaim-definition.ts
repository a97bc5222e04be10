import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { PersistentVolumeClaim } from './persistentvolumeclaim.ts';
import { claimRules, claimStatusRules } from './persistentvolumeclaim-rules.ts';

export const persistentvolumeclaims = (context: KindContext) =>
  resource<PersistentVolumeClaim>({
    group: '',
    version: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    schema: PersistentVolumeClaim,
    strategy: claimRules(context),
    subresources: {
      status: { verbs: ['get', 'patch', 'update'], rules: claimStatusRules(context) },
    },
  });
