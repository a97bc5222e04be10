// ReplicaSet: resource definition with strategy and subresources (upstream: registry/apps/replicaset).

import type { KindContext } from '../../kind/context.ts';
import { formatLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { scaleSubresource } from '../autoscaling/scale.ts';
import { dropDisabledTemplateFields } from '../core/pod-gates.ts';
import { podWarnings } from '../core/pod-warnings.ts';
import { ReplicaSet } from './replicaset.ts';
import { replicaSetTable } from './replicaset-table.ts';
import { validateReplicaSetSpec, validateReplicaSetStatus } from './replicaset-validation.ts';
import { dropTerminatingReplicas } from './status-counts.ts';
import { hasNewGeneration, podNameWarnings, validateAsCreateAndUpdate } from './workload.ts';

export const replicasets = (context: KindContext) => {
  const baseStrategy = plainStrategy<ReplicaSet>(
    context,
    ReplicaSet,
    dropDisabledTemplateFields<ReplicaSet>(context, ({ spec }) => spec.template.spec),
  );
  const status = statusSubresource(context, ReplicaSet, validateReplicaSetStatus);
  return resource<ReplicaSet>({
    group: 'apps',
    version: 'v1',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    schema: ReplicaSet,
    table: replicaSetTable,
    strategy: {
      ...baseStrategy,
      validate: (object) => [
        ...baseStrategy.validate(object),
        ...validateReplicaSetSpec(object.spec, context),
      ],
      validateUpdate: validateAsCreateAndUpdate(baseStrategy, (spec) =>
        validateReplicaSetSpec(spec, context),
      ),
      warningsOnCreate: ({ metadata, spec }) => [
        ...podNameWarnings(metadata),
        ...podWarnings(spec.template, 'spec.template', context),
      ],
      warningsOnUpdate: (object, old) =>
        hasNewGeneration(object, old) ? podWarnings(object.spec.template, 'spec.template', context) : [],
    },
    subresources: {
      scale: scaleSubresource<ReplicaSet>({
        replicas: ({ spec }) => spec.replicas ?? 0,
        setReplicas(object, replicas) {
          object.spec.replicas = replicas;
        },
        currentReplicas: (object) => object.status.replicas,
        selector: ({ spec }) => formatLabelSelector(spec.selector ?? {}),
      }),
      status: {
        ...status,
        rules: {
          ...status.rules,
          prepareForUpdate(object, old, now) {
            status.rules?.prepareForUpdate?.(object, old, now);
            dropTerminatingReplicas(object.status, old.status, context);
          },
        },
      },
    },
  });
};
