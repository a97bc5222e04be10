// CronJob: the resource definition, with the strategy that runs on writes and the status subresource.

import type { KindContext } from '../../kind/context.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { hasNewGeneration, podNameWarnings } from '../apps/workload.ts';
import { dropDisabledTemplateFields } from '../core/pod-gates.ts';
import { CronJob } from './cronjob.ts';
import { cronJobTable } from './cronjob-table.ts';
import { validateCronJobNameLength, validateCronJobSpec } from './cronjob-validation.ts';
import { jobWarnings } from './job-validation.ts';

export const cronjobs = (context: KindContext) => {
  const baseStrategy = plainStrategy<CronJob>(
    context,
    CronJob,
    dropDisabledTemplateFields<CronJob>(context, ({ spec }) => spec.jobTemplate.spec.template.spec),
  );
  const warnings = ({ spec }: CronJob) =>
    jobWarnings(spec.jobTemplate.spec, 'spec.jobTemplate.spec', context);
  const status = statusSubresource(context, CronJob);
  return resource<CronJob>({
    group: 'batch',
    version: 'v1',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    schema: CronJob,
    maxBytes: maxReconciledBytes,
    table: cronJobTable,
    strategy: {
      ...baseStrategy,
      validate: (object) => [
        ...baseStrategy.validate(object),
        ...validateCronJobSpec(object.spec, context),
        ...validateCronJobNameLength(object),
      ],
      // The limit on the name's length is not repeated: CronJobs may predate it.
      validateUpdate: (object, old) => [
        ...baseStrategy.validateUpdate(object, old),
        ...validateCronJobSpec(object.spec, context, old.spec),
      ],
      warningsOnCreate: (object) => [...podNameWarnings(object.metadata), ...warnings(object)],
      warningsOnUpdate: (object, old) => (hasNewGeneration(object, old) ? warnings(object) : []),
    },
    // kube-apiserver validates no update of the status.
    subresources: { status: { ...status, rules: { ...status.rules, validateUpdate: () => [] } } },
  });
};
