import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { applyPodDefaults } from './pod-defaults.ts';
import { podSelectors } from './pod-selectors.ts';
import { PodSpec } from './pod-spec.ts';
import { PodStatus } from './pod-status.ts';
import { podStrategy } from './pod-strategy.ts';
import { podSubresources } from './pod-subresources.ts';

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

export const pods = (context: KindContext) =>
  resource<Pod>({
    group: '',
    version: 'v1',
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    schema: Pod,
    strategy: podStrategy(context),
    subresources: podSubresources(context),
    ...podSelectors,
  });
