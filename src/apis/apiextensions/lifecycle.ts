// Lifecycles of the versions of the API group apiextensions.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const apiextensionsLifecycles: readonly VersionLifecycle[] = [
  { group: 'apiextensions', version: 'v1', introduced: '1.16' },
  {
    group: 'apiextensions',
    version: 'v1beta1',
    introduced: '1.7',
    deprecated: '1.16',
    removed: '1.22',
    ...replacedByV1('apiextensions'),
    kinds: removedKinds('CustomResourceDefinition'),
  },
];
