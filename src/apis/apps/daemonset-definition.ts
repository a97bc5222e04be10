// DaemonSet: resource definition with strategy and subresources (upstream: registry/apps/daemonset).

import type { KindContext } from '../../kind/context.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { dropDisabledTemplateFields } from '../core/pod-gates.ts';
import { podWarnings } from '../core/pod-warnings.ts';
import { DaemonSet } from './daemonset.ts';
import { daemonSetTable } from './daemonset-table.ts';
import { validateDaemonSetSpec, validateDaemonSetStatus } from './daemonset-validation.ts';
import {
  defaultTemplateGeneration,
  keepTemplateGeneration,
  templateGenerationOf,
  updateTemplateGeneration,
} from './template-generation.ts';
import { validateAsCreateAndUpdate } from './workload.ts';

export const daemonsets = (context: KindContext) => {
  const baseStrategy = plainStrategy<DaemonSet>(
    context,
    DaemonSet,
    dropDisabledTemplateFields<DaemonSet>(context, ({ spec }) => spec.template.spec),
  );
  const status = statusSubresource(context, DaemonSet, validateDaemonSetStatus);
  return resource<DaemonSet>({
    group: 'apps',
    version: 'v1',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ['all'],
    schema: DaemonSet,
    table: daemonSetTable,
    applyDefaults: defaultTemplateGeneration,
    strategy: {
      ...baseStrategy,
      prepareForCreate(object, now) {
        baseStrategy.prepareForCreate(object, now);
        updateTemplateGeneration(object);
      },
      prepareForUpdate(object, old, now) {
        baseStrategy.prepareForUpdate(object, old, now);
        updateTemplateGeneration(object, old);
      },
      validate: (object) => [
        ...baseStrategy.validate(object),
        ...validateDaemonSetSpec(object.spec, context),
      ],
      validateUpdate: validateAsCreateAndUpdate(baseStrategy, (spec) => validateDaemonSetSpec(spec, context)),
      warningsOnCreate: ({ spec }) => podWarnings(spec.template, 'spec.template', context),
      warningsOnUpdate: (object, old) =>
        templateGenerationOf(object) === templateGenerationOf(old)
          ? []
          : podWarnings(object.spec.template, 'spec.template', context),
    },
    subresources: {
      status: {
        ...status,
        rules: {
          ...status.rules,
          prepareForUpdate(object, old, now) {
            status.rules?.prepareForUpdate?.(object, old, now);
            keepTemplateGeneration(object, old);
          },
        },
      },
    },
  });
};
