// Lifecycles of the versions of the API group policy.

import type { VersionLifecycle } from '../../kind/lifecycle.ts';

export const policyLifecycles: readonly VersionLifecycle[] = [
  { group: 'policy', version: 'v1', introduced: '1.21' },
  {
    group: 'policy',
    version: 'v1beta1',
    introduced: '1.5',
    deprecated: '1.21',
    removed: '1.25',
    kinds: {
      PodDisruptionBudget: { replacement: { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' } },
      PodSecurityPolicy: { introduced: '1.10' },
    },
  },
];
