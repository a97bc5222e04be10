// Pod: schema.
import { kind } from '../../kind/meta/kind.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { applyPodDefaults } from './pod-defaults.ts';
import { PodSpec } from './pod-spec.ts';
import { PodStatus } from './pod-status.ts';

export const Pod = kind(
  'core/v1.Pod',
  {
    spec: field(2, PodSpec, { doc: 'What the pod is to be.' }),
    status: field(3, PodStatus, { doc: 'What was last seen of it. It may lag behind.' }),
  },
  {
    doc: 'Containers that run together on one node, as one unit.',
    defaults: ({ spec }) => applyPodDefaults(spec),
  },
);
export type Pod = Infer<typeof Pod>;
