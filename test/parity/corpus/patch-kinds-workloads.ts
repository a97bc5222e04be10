import { object } from './objects.ts';
import { add, remove, replace } from './patch-bodies.ts';
import type { PatchedKind } from './patch-kinds.ts';
import { pod, pods } from './pod-spec-cases.ts';
import {
  autoscalers,
  budgets,
  cronjobs,
  daemonsets,
  deployments,
  endingTemplate,
  jobs,
  replicasets,
  statefulsets,
  workload,
} from './workloads.ts';

/** Patches of pods, and of what makes and counts them. */
export const patchedWorkloads: Record<string, PatchedKind> = {
  Pod: {
    path: pods,
    make: pod('a', { volumes: [{ name: 'v', emptyDir: {} }] }),
    patches: [
      { metadata: { labels: { x: 'y' } } },
      { spec: { activeDeadlineSeconds: 60 } },
      { spec: { hostname: 'other' } },
      { spec: { terminationGracePeriodSeconds: -1 } },
    ],
    strategic: [
      { spec: { volumes: [{ name: 'w', emptyDir: {} }] } },
      { spec: { imagePullSecrets: [{ name: 's' }] } },
      { spec: { schedulingGates: [{ name: 'g.h/i' }] } },
    ],
    steps: [
      [replace('/spec/containers/0/image', 'new')],
      [remove('/spec/containers')],
      [add('/spec/nodeName', 'n')],
    ],
  },
  Deployment: {
    path: deployments,
    make: workload(),
    patches: [
      { spec: { replicas: 5 } },
      { spec: { minReadySeconds: -1 } },
      { spec: { template: { spec: { restartPolicy: 'Never' } } } },
    ],
    strategic: [
      { spec: { template: { spec: { containers: [{ name: 'c', ports: [{ containerPort: 1 }] }] } } } },
    ],
    steps: [[replace('/spec/paused', true)], [remove('/spec/template/spec/containers/0/image')]],
  },
  StatefulSet: {
    path: statefulsets,
    make: workload({
      volumeClaimTemplates: [
        {
          metadata: { name: 'v' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
    patches: [
      { spec: { replicas: 5 } },
      { spec: { serviceName: 'other' } },
      { spec: { updateStrategy: { type: 'OnDelete' } } },
      { spec: { volumeClaimTemplates: null } },
    ],
    strategic: [
      { spec: { updateStrategy: { $patch: 'replace', type: 'OnDelete' } } },
      { spec: { template: { spec: { containers: [{ name: 'd', image: 'd' }] } } } },
    ],
    steps: [[add('/spec/ordinals', { start: 3 })], [replace('/spec/podManagementPolicy', 'Parallel')]],
  },
  DaemonSet: {
    path: daemonsets,
    make: workload(),
    patches: [
      { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } },
      { spec: { revisionHistoryLimit: -1 } },
    ],
    strategic: [
      { spec: { template: { spec: { tolerations: [{ operator: 'Exists' }] } } } },
      { spec: { template: { spec: { containers: [{ $patch: 'replace' }, { name: 'x', image: 'x' }] } } } },
    ],
    steps: [
      [replace('/spec/updateStrategy/type', 'OnDelete')],
      [replace('/spec/selector/matchLabels/app', 'x')],
    ],
  },
  ReplicaSet: {
    path: replicasets,
    make: workload(),
    patches: [
      { spec: { replicas: 2 } },
      { spec: { replicas: -2 } },
      { spec: { selector: { matchLabels: { b: 'c' } } } },
    ],
    strategic: [{ spec: { template: { metadata: { labels: { $patch: 'replace', other: 'x' } } } } }],
    steps: [[add('/spec/template/metadata/labels/more', 'x')], [remove('/spec/selector/matchLabels/app')]],
  },
  Job: {
    path: jobs,
    make: object('a', { spec: { template: endingTemplate() } }),
    patches: [
      { spec: { parallelism: 3 } },
      { spec: { completions: 5 } },
      { spec: { suspend: true } },
      { spec: { ttlSecondsAfterFinished: -5 } },
    ],
    strategic: [{ spec: { template: { spec: { containers: [{ name: 'c', image: 'new' }] } } } }],
    steps: [[add('/spec/activeDeadlineSeconds', 60)], [replace('/spec/backoffLimit', 'x')]],
  },
  CronJob: {
    path: cronjobs,
    make: object('a', {
      spec: { schedule: '1 2 3 4 5', jobTemplate: { spec: { template: endingTemplate() } } },
    }),
    patches: [
      { spec: { schedule: '* * * * *' } },
      { spec: { schedule: 'never' } },
      { spec: { suspend: null } },
      { spec: { concurrencyPolicy: 'X' } },
    ],
    strategic: [
      {
        spec: {
          jobTemplate: {
            spec: { template: { spec: { containers: [{ name: 'c', image: 'new', args: ['x'] }] } } },
          },
        },
      },
    ],
    steps: [[replace('/spec/suspend', true)], [remove('/spec/schedule')]],
  },
  HorizontalPodAutoscaler: {
    path: autoscalers,
    make: object('a', {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 5 },
    }),
    patches: [
      { spec: { minReplicas: 2 } },
      { spec: { maxReplicas: 0 } },
      { spec: { minReplicas: 7 } },
      { spec: { metrics: null } },
    ],
    strategic: [
      {
        spec: {
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
        },
      },
      { spec: { scaleTargetRef: { $patch: 'replace', name: 'x' } } },
    ],
    steps: [
      [replace('/spec/maxReplicas', 9)],
      [remove('/spec/maxReplicas')],
      [replace('/spec/metrics/0/resource/target/averageUtilization', 1)],
    ],
  },
  PodDisruptionBudget: {
    path: budgets,
    make: object('a', { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }),
    patches: [
      { spec: { selector: { matchLabels: { c: 'd' } } } },
      { spec: { minAvailable: null, maxUnavailable: '50%' } },
      { spec: { maxUnavailable: 1 } },
    ],
    strategic: [
      { spec: { selector: { matchLabels: { c: null } } } },
      { spec: { selector: { $patch: 'delete' } } },
      { spec: { selector: { $retainKeys: ['x'] } } },
    ],
    steps: [[replace('/spec/minAvailable', '10%')], [replace('/spec/minAvailable', -1)]],
  },
};
