// Lifecycles of the versions of the API group certificates.

import { kindsWith, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const certificatesLifecycles: readonly VersionLifecycle[] = [
  { group: 'certificates', version: 'v1', introduced: '1.19' },
  { group: 'certificates', version: 'v1alpha1', introduced: '1.26', deprecated: '1.34', removed: '1.37' },
  {
    group: 'certificates',
    version: 'v1beta1',
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
    kinds: kindsWith({ introduced: '1.4', deprecated: '1.19', removed: '1.22' }, 'CertificateSigningRequest'),
  },
];
