// Pod: the resource definition, which joins its schema, columns, strategy, subresources and field selectors.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { Pod } from './pod.ts';
import { podSelectors } from './pod-selectors.ts';
import { podStrategy } from './pod-strategy.ts';
import { podSubresources } from './pod-subresources.ts';
import { podTable } from './pod-table.ts';

export const pods = (context: KindContext) =>
  resource<Pod>({
    group: '',
    version: 'v1',
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    schema: Pod,
    table: podTable,
    strategy: podStrategy(context),
    subresources: podSubresources(context),
    ...podSelectors,
  });
