// Lifecycles of the versions of the API group authorization.

import { removedKinds, replacedByV1, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const authorizationLifecycles: readonly VersionLifecycle[] = [
  { group: 'authorization', version: 'v1', introduced: '1.6' },
  {
    group: 'authorization',
    version: 'v1beta1',
    introduced: '1.2',
    deprecated: '1.19',
    removed: '1.22',
    ...replacedByV1('authorization'),
    kinds: removedKinds(
      'LocalSubjectAccessReview',
      'SelfSubjectAccessReview',
      'SelfSubjectRulesReview',
      'SubjectAccessReview',
    ),
  },
];
