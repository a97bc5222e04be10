// Lifecycles of the versions of the API group authentication.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const authenticationLifecycles: readonly VersionLifecycle[] = [
  {
    group: 'authentication',
    version: 'v1',
    introduced: '1.6',
    kinds: { SelfSubjectReview: { introduced: '1.28' } },
  },
  {
    group: 'authentication',
    version: 'v1alpha1',
    introduced: '1.26',
    deprecated: '1.27',
    removed: '1.30',
    kinds: removedKinds('SelfSubjectReview'),
  },
  {
    group: 'authentication',
    version: 'v1beta1',
    introduced: '1.4',
    deprecated: '1.19',
    removed: '1.22',
    ...replacedByV1('authentication'),
    kinds: {
      TokenReview: {},
      SelfSubjectReview: { introduced: '1.27', deprecated: '1.30', removed: '1.33' },
    },
  },
];
