// Lifecycles of the versions of the API group discovery.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const discoveryLifecycles: readonly VersionLifecycle[] = [
  { group: 'discovery', version: 'v1', introduced: '1.21' },
  {
    group: 'discovery',
    version: 'v1beta1',
    introduced: '1.17',
    deprecated: '1.21',
    removed: '1.25',
    ...replacedByV1('discovery'),
    kinds: removedKinds('EndpointSlice'),
  },
];
