// Pod: schema.
import { kind } from '../../kind/meta/kind.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { applyPodDefaults } from './pod-defaults.ts';
import { PodSpec } from './pod-spec.ts';
import { PodStatus } from './pod-status.ts';

export const Pod = kind(
  'core/v1.Pod',
  {
    spec: field(2, PodSpec, { doc: 'The specification of the pod.' }),
    status: field(3, PodStatus, { doc: 'The most recently observed status of the pod.' }),
  },
  {
    doc: 'A group of containers that run together on one node.',
    defaults: ({ spec }) => applyPodDefaults(spec),
  },
);
export type Pod = Infer<typeof Pod>;
