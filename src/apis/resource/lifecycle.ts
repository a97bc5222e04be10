// Lifecycles of the versions of the API group resource.

import type { VersionLifecycle } from '../../kind/lifecycle.ts';

export const resourceLifecycles: readonly VersionLifecycle[] = [
  {
    group: 'resource',
    version: 'v1alpha3',
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    kinds: { DeviceTaintRule: { introduced: '1.33', deprecated: '1.36', removed: '1.39' } },
  },
  { group: 'resource', version: 'v1beta1', introduced: '1.32', deprecated: '1.35', removed: '1.38' },
  { group: 'resource', version: 'v1beta2', introduced: '1.33', deprecated: '1.36', removed: '1.39' },
];
