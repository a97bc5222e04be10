// Lifecycles of the versions of the API group storagemigration.

import type { VersionLifecycle } from '../../kind/lifecycle.ts';

export const storagemigrationLifecycles: readonly VersionLifecycle[] = [
  { group: 'storagemigration', version: 'v1alpha1', introduced: '1.30', deprecated: '1.33', removed: '1.36' },
];
