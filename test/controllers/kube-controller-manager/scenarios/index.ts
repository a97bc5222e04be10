import type { Scenario } from '../scenario.ts';
import { aggregatedRole, certificate, serviceAccount } from './accounts.ts';
import { garbage } from './garbage.ts';
import { cronJob, job } from './jobs.ts';
import { admissionPolicy, autoscaler, disruptionBudget, quota } from './limits.ts';
import { namespaceDeletion } from './namespaces.ts';
import { service, serviceRange } from './networking.ts';
import { lostNodes } from './nodes.ts';
import { claim, ephemeralVolume } from './storage.ts';
import { daemonSet, deployment, replicationController, statefulSet } from './workloads.ts';

export const scenarios: readonly Scenario[] = [
  deployment,
  statefulSet,
  daemonSet,
  replicationController,
  job,
  cronJob,
  namespaceDeletion,
  service,
  serviceRange,
  claim,
  ephemeralVolume,
  quota,
  autoscaler,
  disruptionBudget,
  admissionPolicy,
  serviceAccount,
  certificate,
  aggregatedRole,
  garbage,
  lostNodes,
];
