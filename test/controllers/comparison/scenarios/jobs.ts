// Scenarios of the job controller and of ttl-after-finished.
import { type AnyObject, at } from '../../kube-controller-manager/api.ts';
import { held, jobs, pods, type Scenario, type Stage, template } from '../scenario.ts';

const work = 'work';
const job = (spec: object = {}, podSpec: object = held) => ({
  metadata: { name: work },
  spec: { template: template(work, { restartPolicy: 'Never', ...podSpec }), ...spec },
});
const indexed = { completionMode: 'Indexed' };

const indexOf = ({ metadata }: AnyObject) =>
  Number(metadata.annotations?.['batch.kubernetes.io/job-completion-index']);

/** Finishes one active pod with an exit code, once there is one. */
async function finishOne(stage: Stage, exitCode: number, index?: number): Promise<void> {
  const find = () => stage.activePods((pod) => index === undefined || indexOf(pod) === index)[0];
  await stage.until('an active pod', () => find() !== undefined);
  await stage.finish(find()!, exitCode);
  await stage.calm();
}

async function finishAll(stage: Stage, exitCode: number): Promise<void> {
  for (const pod of stage.activePods()) await stage.finish(pod, exitCode);
  await stage.calm();
}

const created = async (stage: Stage, active: number, spec: object = {}, podSpec: object = held) => {
  await stage.create(jobs, job(spec, podSpec));
  await stage.untilActivePods(active);
  await stage.calm();
};

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `job-${name}`, isOrdered: true, calmMs: 2_500, run },
  ...more,
});

const onExitCode = (action: string, ...values: number[]) => ({
  podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values } }] },
});

export const jobScenarios: readonly Scenario[] = [
  scenario('completes', async (stage) => {
    await created(stage, 1);
    await finishOne(stage, 0);
    await stage.untilCondition(jobs, work, 'Complete');
  }),
  scenario(
    'on-nodes',
    async (stage) => {
      await stage.create(jobs, job({ completions: 3, parallelism: 2 }, {}));
      await stage.untilCondition(jobs, work, 'Complete');
    },
    { isOrdered: false },
  ),
  scenario('pods-ready', async (stage) => {
    await created(stage, 2, { parallelism: 2, completions: 2 });
    await stage.setAllReady();
  }),
  scenario('parallel', async (stage) => {
    await created(stage, 2, { parallelism: 2, completions: 3 });
    for (let pod = 0; pod < 3; pod++) await finishOne(stage, 0);
    await stage.untilCondition(jobs, work, 'Complete');
  }),
  scenario('work-queue', async (stage) => {
    await created(stage, 3, { parallelism: 3 });
    await finishOne(stage, 0);
    await stage.compareObjects('one has succeeded');
    await finishAll(stage, 0);
    await stage.untilCondition(jobs, work, 'Complete');
  }),
  scenario('parallelism-changed', async (stage) => {
    await created(stage, 1, { parallelism: 1, completions: 5 });
    await stage.patch(jobs, work, { spec: { parallelism: 3 } });
    await stage.untilActivePods(3);
    await stage.compareObjects('more');
    await stage.patch(jobs, work, { spec: { parallelism: 0 } });
    await stage.untilActivePods(0);
  }),
  scenario('no-completions', async (stage) => {
    await stage.create(jobs, job({ completions: 0 }));
    await stage.untilCondition(jobs, work, 'Complete');
  }),
  scenario('no-parallelism', async (stage) => {
    await stage.create(jobs, job({ parallelism: 0 }));
  }),
  scenario('fails', async (stage) => {
    await created(stage, 1, { backoffLimit: 0 });
    await finishOne(stage, 1);
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario(
    'fails-with-active-pods',
    async (stage) => {
      await created(stage, 3, { backoffLimit: 0, parallelism: 3 });
      await finishOne(stage, 1);
      await stage.untilCondition(jobs, work, 'Failed');
    },
    { isOrdered: false },
  ),
  scenario('retries', async (stage) => {
    await created(stage, 1, { backoffLimit: 1 });
    await finishOne(stage, 1);
    await stage.compareObjects('after the first failure');
    await finishOne(stage, 0);
    await stage.untilCondition(jobs, work, 'Complete');
  }),
  scenario('retries-exhausted', async (stage) => {
    await created(stage, 1, { backoffLimit: 1 });
    await finishOne(stage, 1);
    await finishOne(stage, 1);
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario('restarts-exhausted', async (stage) => {
    await created(stage, 1, { backoffLimit: 1 }, { ...held, restartPolicy: 'OnFailure' });
    const [pod] = stage.activePods();
    const restarted = { name: 'c', ready: false, restartCount: 2, image: 'i', imageID: 'i' };
    await stage.patch(
      pods,
      pod!.metadata.name,
      { status: { phase: 'Running', containerStatuses: [restarted] } },
      'status',
    );
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario('deadline', async (stage) => {
    await created(stage, 1, { activeDeadlineSeconds: 4 });
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario('deadline-with-suspension', async (stage) => {
    await stage.create(jobs, job({ suspend: true, activeDeadlineSeconds: 4 }));
    await stage.calm();
    await stage.patch(jobs, work, { spec: { suspend: false } });
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario('created-suspended', async (stage) => {
    await stage.create(jobs, job({ suspend: true }));
    await stage.compareObjects('suspended');
    await stage.patch(jobs, work, { spec: { suspend: false } });
    await stage.untilActivePods(1);
  }),
  scenario(
    'suspended',
    async (stage) => {
      await created(stage, 2, { parallelism: 2, completions: 4 });
      await finishOne(stage, 0);
      await stage.patch(jobs, work, { spec: { suspend: true } });
      await stage.untilActivePods(0);
      await stage.compareObjects('suspended');
      await stage.patch(jobs, work, { spec: { suspend: false } });
      await stage.untilActivePods(2);
    },
    { isOrdered: false },
  ),
  scenario(
    'ttl',
    async (stage) => {
      await created(stage, 1, { ttlSecondsAfterFinished: 2 });
      await stage.finish(stage.activePods()[0]!, 0);
      await stage.until('the Job is gone', () => stage.get(jobs, work) === undefined);
    },
    { isOrdered: false },
  ),
  scenario(
    'ttl-zero-failed',
    async (stage) => {
      await created(stage, 1, { ttlSecondsAfterFinished: 0, backoffLimit: 0 });
      await stage.finish(stage.activePods()[0]!, 1);
      await stage.until('the Job is gone', () => stage.get(jobs, work) === undefined);
    },
    { isOrdered: false },
  ),
  scenario('managed-by', async (stage) => {
    await stage.create(jobs, job({ managedBy: 'example.com/other' }));
  }),
  scenario('indexed', async (stage) => {
    await created(stage, 2, { ...indexed, completions: 3, parallelism: 2 });
    await finishOne(stage, 0, 1);
    await stage.compareObjects('index 1 has succeeded');
    await finishOne(stage, 0, 0);
    await finishOne(stage, 0, 2);
    await stage.untilCondition(jobs, work, 'Complete');
  }),
  scenario(
    'indexed-on-nodes',
    async (stage) => {
      await stage.create(jobs, job({ ...indexed, completions: 4, parallelism: 4 }, {}));
      await stage.untilCondition(jobs, work, 'Complete');
    },
    { isOrdered: false },
  ),
  scenario('indexed-retries', async (stage) => {
    await created(stage, 2, { ...indexed, completions: 2, parallelism: 2 });
    await finishOne(stage, 1, 0);
    await finishOne(stage, 0, 0);
    await finishOne(stage, 0, 1);
    await stage.untilCondition(jobs, work, 'Complete');
  }),
  scenario(
    'indexed-resized',
    async (stage) => {
      await created(stage, 2, { ...indexed, completions: 2, parallelism: 2 });
      await stage.patch(jobs, work, { spec: { completions: 4, parallelism: 4 } });
      await stage.untilActivePods(4);
      await stage.compareObjects('larger');
      await stage.patch(jobs, work, { spec: { completions: 1, parallelism: 1 } });
      await stage.untilActivePods(1);
    },
    { isOrdered: false },
  ),
  scenario('backoff-limit-per-index', async (stage) => {
    await created(stage, 2, { ...indexed, completions: 2, parallelism: 2, backoffLimitPerIndex: 0 });
    await finishOne(stage, 1, 0);
    await stage.compareObjects('index 0 has failed');
    await finishOne(stage, 0, 1);
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario('backoff-limit-per-index-retries', async (stage) => {
    await created(stage, 1, { ...indexed, completions: 1, parallelism: 1, backoffLimitPerIndex: 1 });
    await finishOne(stage, 1, 0);
    await finishOne(stage, 0, 0);
    await stage.untilCondition(jobs, work, 'Complete');
  }),
  scenario(
    'max-failed-indexes',
    async (stage) => {
      await created(stage, 3, {
        ...indexed,
        completions: 3,
        parallelism: 3,
        backoffLimitPerIndex: 0,
        maxFailedIndexes: 1,
      });
      await finishOne(stage, 1, 0);
      await finishOne(stage, 1, 1);
      await stage.untilCondition(jobs, work, 'Failed');
    },
    { isOrdered: false },
  ),
  scenario(
    'failure-policy-fail-job',
    async (stage) => {
      await created(stage, 2, { parallelism: 2, completions: 2, ...onExitCode('FailJob', 42) });
      await finishOne(stage, 42);
      await stage.untilCondition(jobs, work, 'Failed');
    },
    { isOrdered: false },
  ),
  scenario('failure-policy-ignore', async (stage) => {
    await created(stage, 1, { backoffLimit: 0, ...onExitCode('Ignore', 42) });
    await finishOne(stage, 42);
    await stage.compareObjects('ignored');
    await finishOne(stage, 1);
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario('failure-policy-count', async (stage) => {
    await created(stage, 1, { backoffLimit: 0, ...onExitCode('Count', 42) });
    await finishOne(stage, 42);
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario('failure-policy-fail-index', async (stage) => {
    const spec = {
      ...indexed,
      completions: 2,
      parallelism: 2,
      backoffLimitPerIndex: 3,
      ...onExitCode('FailIndex', 42),
    };
    await created(stage, 2, spec);
    await finishOne(stage, 42, 1);
    await finishOne(stage, 0, 0);
    await stage.untilCondition(jobs, work, 'Failed');
  }),
  scenario('failure-policy-condition', async (stage) => {
    const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }];
    await created(stage, 1, {
      backoffLimit: 0,
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions }] },
    });
    const conditions = [
      { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message: 'm' },
    ];
    await stage.finish(stage.activePods()[0]!, 1, { conditions });
    await stage.untilActivePods(1);
  }),
  scenario(
    'success-policy-indexes',
    async (stage) => {
      const spec = {
        ...indexed,
        completions: 3,
        parallelism: 3,
        successPolicy: { rules: [{ succeededIndexes: '1' }] },
      };
      await created(stage, 3, spec);
      await finishOne(stage, 0, 1);
      await stage.untilCondition(jobs, work, 'Complete');
    },
    { isOrdered: false },
  ),
  scenario(
    'success-policy-count',
    async (stage) => {
      const spec = {
        ...indexed,
        completions: 3,
        parallelism: 3,
        successPolicy: { rules: [{ succeededCount: 2 }] },
      };
      await created(stage, 3, spec);
      await finishOne(stage, 0, 0);
      await stage.compareObjects('one has succeeded');
      await finishOne(stage, 0, 2);
      await stage.untilCondition(jobs, work, 'Complete');
    },
    { isOrdered: false },
  ),
  ...(['Failed', 'TerminatingOrFailed'] as const).map((podReplacementPolicy) =>
    scenario(`replacement-${podReplacementPolicy.toLowerCase()}`, async (stage) => {
      await created(stage, 1, { podReplacementPolicy });
      const [pod] = stage.activePods();
      const { name } = pod!.metadata;
      await stage.patch(pods, name, { metadata: { finalizers: ['example.com/hold'] } });
      await stage.remove(pods, name);
      // The pod garbage collector fails a terminating pod without a node, in its next round.
      await stage.until('the pod has failed', () => at(stage.get(pods, name), 'status.phase') === 'Failed');
    }),
  ),
  scenario('pod-deleted', async (stage) => {
    await created(stage, 1);
    await stage.remove(pods, stage.activePods()[0]!.metadata.name);
    await stage.untilActivePods(1);
  }),
  scenario(
    'adopts',
    async (stage) => {
      await stage.create(jobs, {
        metadata: { name: work },
        spec: {
          manualSelector: true,
          selector: { matchLabels: { app: work } },
          template: template(work, { ...held, restartPolicy: 'Never' }),
          parallelism: 2,
          suspend: true,
        },
      });
      await stage.create(pods, {
        ...template(work, { ...held, restartPolicy: 'Never' }),
        metadata: { name: 'orphan', labels: { app: work } },
      });
      await stage.calm();
      await stage.patch(jobs, work, { spec: { suspend: false } });
      await stage.calm();
    },
    { isOrdered: false },
  ),
  ...(['Background', 'Foreground', 'Orphan'] as const).map((propagationPolicy) =>
    scenario(
      `deleted-${propagationPolicy.toLowerCase()}`,
      async (stage) => {
        await created(stage, 2, { parallelism: 2 });
        await stage.remove(jobs, work, { propagationPolicy });
      },
      { isOrdered: false },
    ),
  ),
  scenario('finished-pods-deleted', async (stage) => {
    await created(stage, 1);
    await finishOne(stage, 0);
    await stage.untilCondition(jobs, work, 'Complete');
    for (const pod of stage.list(pods)) await stage.remove(pods, pod.metadata.name);
  }),
];
