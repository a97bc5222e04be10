// Deployment: resource definition with strategy and subresources (upstream: registry/apps/deployment).

import type { KindContext } from '../../kind/context.ts';
import { formatLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { scaleSubresource } from '../autoscaling/scale.ts';
import { dropDisabledTemplateFields } from '../core/pod-gates.ts';
import { podWarnings } from '../core/pod-warnings.ts';
import { Deployment } from './deployment.ts';
import { deploymentTable } from './deployment-table.ts';
import { validateDeploymentSpec, validateDeploymentStatus } from './deployment-validation.ts';
import { dropTerminatingReplicas } from './status-counts.ts';
import {
  hasNewGeneration,
  hasSameMap,
  podNameWarnings,
  validateIfNewGeneration,
  validateSelectorImmutable,
} from './workload.ts';

export const deployments = (context: KindContext) => {
  const baseStrategy = plainStrategy<Deployment>(
    context,
    Deployment,
    dropDisabledTemplateFields<Deployment>(context, ({ spec }) => spec.template.spec),
  );
  const status = statusSubresource(context, Deployment, validateDeploymentStatus);
  return resource<Deployment>({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ['all'],
    schema: Deployment,
    table: deploymentTable,
    strategy: {
      ...baseStrategy,
      prepareForUpdate(object, old, now) {
        baseStrategy.prepareForUpdate(object, old, now);
        const { generation: oldGeneration = 0, annotations } = old.metadata;
        if (object.metadata.generation !== oldGeneration) return;
        // The deployment controller copies annotations to ReplicaSets, so changing them increments the generation.
        if (!hasSameMap(object.metadata.annotations, annotations))
          object.metadata.generation = oldGeneration + 1;
      },
      validate: (object) => [
        ...baseStrategy.validate(object),
        ...validateDeploymentSpec(object.spec, context),
      ],
      validateUpdate: (object, old) => [
        ...baseStrategy.validateUpdate(object, old),
        ...validateIfNewGeneration(object, old, () => validateDeploymentSpec(object.spec, context)),
        ...validateSelectorImmutable(object.spec.selector, old.spec.selector),
      ],
      warningsOnCreate: ({ metadata, spec }) => [
        ...podNameWarnings(metadata),
        ...podWarnings(spec.template, 'spec.template', context),
      ],
      warningsOnUpdate: (object, old) =>
        hasNewGeneration(object, old) ? podWarnings(object.spec.template, 'spec.template', context) : [],
    },
    subresources: {
      scale: scaleSubresource<Deployment>({
        replicas: ({ spec }) => spec.replicas ?? 0,
        setReplicas(object, replicas) {
          object.spec.replicas = replicas;
        },
        currentReplicas: (object) => object.status.replicas ?? 0,
        selector: ({ spec }) => formatLabelSelector(spec.selector ?? {}),
      }),
      status: {
        ...status,
        rules: {
          ...status.rules,
          resetFields: ['spec', 'metadata.labels'],
          prepareForUpdate(object, old, now) {
            status.rules?.prepareForUpdate?.(object, old, now);
            if (old.metadata.labels) object.metadata.labels = old.metadata.labels;
            else delete object.metadata.labels;
            dropTerminatingReplicas(object.status, old.status, context);
          },
        },
      },
    },
  });
};
