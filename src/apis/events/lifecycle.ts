// Lifecycles of the versions of the API group events.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const eventsLifecycles: readonly VersionLifecycle[] = [
  { group: 'events', version: 'v1', introduced: '1.19' },
  {
    group: 'events',
    version: 'v1beta1',
    introduced: '1.8',
    deprecated: '1.22',
    removed: '1.25',
    ...replacedByV1('events'),
    kinds: removedKinds('Event'),
  },
];
