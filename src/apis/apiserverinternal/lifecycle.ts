// Lifecycles of the versions of the API group internal.apiserver.

import type { VersionLifecycle } from '../../kind/lifecycle.ts';

export const apiserverinternalLifecycles: readonly VersionLifecycle[] = [
  { group: 'internal.apiserver', version: 'v1alpha1', introduced: '1.20' },
];
