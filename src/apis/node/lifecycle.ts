// Lifecycles of the versions of the API group node.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const nodeLifecycles: readonly VersionLifecycle[] = [
  { group: 'node', version: 'v1', introduced: '1.20' },
  {
    group: 'node',
    version: 'v1alpha1',
    introduced: '1.12',
    deprecated: '1.20',
    removed: '1.26',
    kinds: removedKinds('RuntimeClass'),
  },
  {
    group: 'node',
    version: 'v1beta1',
    introduced: '1.14',
    deprecated: '1.22',
    removed: '1.25',
    ...replacedByV1('node'),
    kinds: removedKinds('RuntimeClass'),
  },
];
