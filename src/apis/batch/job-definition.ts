// Job: the resource definition, with the strategy that runs on writes and the status subresource.

import type { KindContext } from '../../kind/context.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { hasNewGeneration, podNameWarnings } from '../apps/workload.ts';
import { dropDisabledTemplateFields } from '../core/pod-gates.ts';
import { Job } from './job.ts';
import { generateSelector } from './job-selector.ts';
import { validateJobStatusChange } from './job-status-validation.ts';
import { jobTable } from './job-table.ts';
import { validateJobUpdate } from './job-update-validation.ts';
import { jobWarnings, validateJob } from './job-validation.ts';

export const jobs = (context: KindContext) => {
  const baseStrategy = plainStrategy<Job>(
    context,
    Job,
    dropDisabledTemplateFields<Job>(context, ({ spec }) => spec.template.spec),
  );
  return resource<Job>({
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    schema: Job,
    table: jobTable,
    selectableFieldNames: ['status.successful'],
    selectableFields: ({ status }) => ({ 'status.successful': String(status.succeeded ?? 0) }),
    strategy: {
      ...baseStrategy,
      prepareForCreate(object, now) {
        baseStrategy.prepareForCreate(object, now);
        if (!object.spec.manualSelector) generateSelector(object, context.dialect);
      },
      validate: (object) => [...baseStrategy.validate(object), ...validateJob(object, context)],
      // As upstream: ValidateJob on the new object, then ValidateJobUpdate. Errors can appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...baseStrategy.validate(object),
        ...validateJob(object, context, old),
        ...baseStrategy.validateUpdate(object, old),
        ...validateJobUpdate(object, old, context),
      ],
      orphansByDefault: true,
      warningOnDelete:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
      warningsOnCreate: ({ metadata, spec }) => [
        ...podNameWarnings(metadata),
        ...jobWarnings(spec, 'spec', context),
      ],
      warningsOnUpdate: (object, old) =>
        hasNewGeneration(object, old) ? jobWarnings(object.spec, 'spec', context) : [],
    },
    subresources: { status: statusSubresource(context, Job, validateJobStatusChange) },
  });
};
