// Lifecycles of the versions of the API group apiregistration.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const apiregistrationLifecycles: readonly VersionLifecycle[] = [
  { group: 'apiregistration', version: 'v1', introduced: '1.10' },
  {
    group: 'apiregistration',
    version: 'v1beta1',
    introduced: '1.7',
    deprecated: '1.19',
    removed: '1.22',
    ...replacedByV1('apiregistration'),
    kinds: removedKinds('APIService'),
  },
];
