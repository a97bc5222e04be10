// Lifecycles of the versions of the API group networking.

import { kindsWith, removedKinds, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const networkingLifecycles: readonly VersionLifecycle[] = [
  {
    group: 'networking',
    version: 'v1',
    introduced: '1.19',
    kinds: {
      NetworkPolicy: { introduced: '1.7' },
      IPAddress: { introduced: '1.33' },
      ServiceCIDR: { introduced: '1.33' },
    },
  },
  {
    group: 'networking',
    version: 'v1alpha1',
    introduced: '1.27',
    deprecated: '1.30',
    removed: '1.33',
    kinds: removedKinds('IPAddress', 'ServiceCIDR'),
  },
  {
    group: 'networking',
    version: 'v1beta1',
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    kinds: {
      ...kindsWith({ introduced: '1.14', deprecated: '1.19', removed: '1.22' }, 'Ingress'),
      ...kindsWith({ introduced: '1.18', deprecated: '1.19', removed: '1.22' }, 'IngressClass'),
    },
  },
];
