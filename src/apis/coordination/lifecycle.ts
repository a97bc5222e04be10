// Lifecycles of the versions of the API group coordination.

import { kindsWith, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const coordinationLifecycles: readonly VersionLifecycle[] = [
  { group: 'coordination', version: 'v1', introduced: '1.14' },
  { group: 'coordination', version: 'v1alpha2', introduced: '1.32', deprecated: '1.35', removed: '1.38' },
  {
    group: 'coordination',
    version: 'v1beta1',
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
    kinds: kindsWith({ introduced: '1.12', deprecated: '1.19', removed: '1.22' }, 'Lease'),
  },
];
