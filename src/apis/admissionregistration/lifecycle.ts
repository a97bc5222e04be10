// Lifecycles of the versions of the API group admissionregistration.

import { kindsWith, type VersionLifecycle } from '../../kind/lifecycle.ts';

export const admissionregistrationLifecycles: readonly VersionLifecycle[] = [
  {
    group: 'admissionregistration',
    version: 'v1',
    introduced: '1.16',
    kinds: {
      ValidatingAdmissionPolicy: { introduced: '1.30' },
      ValidatingAdmissionPolicyBinding: { introduced: '1.30' },
    },
  },
  {
    group: 'admissionregistration',
    version: 'v1beta1',
    introduced: '1.28',
    deprecated: '1.31',
    removed: '1.34',
    kinds: kindsWith(
      { introduced: '1.9', deprecated: '1.16', removed: '1.22' },
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
    ),
  },
  { group: 'admissionregistration', version: 'v1alpha1', introduced: '1.32' },
];
