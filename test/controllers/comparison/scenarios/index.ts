// All scenarios of the comparison.
import type { Scenario } from '../scenario.ts';
import { autoscalerScenarios } from './autoscalers.ts';
import { daemonSetScenarios } from './daemonsets.ts';
import { deploymentScenarios } from './deployments.ts';
import { deviceScenarios } from './devices.ts';
import { jobScenarios } from './jobs.ts';
import { mirroringScenarios } from './mirroring.ts';
import { nodeScenarios } from './nodes.ts';
import { podGcScenarios } from './podgc.ts';
import { profileScenarios } from './profiles.ts';
import { replicaSetScenarios } from './replicasets.ts';
import { schedulingScenarios } from './scheduling.ts';
import { serviceScenarios } from './services.ts';
import { statefulSetScenarios } from './statefulsets.ts';
import { volumeScenarios } from './volumes.ts';

export const scenarios: readonly Scenario[] = [
  ...deploymentScenarios,
  ...replicaSetScenarios,
  ...statefulSetScenarios,
  ...daemonSetScenarios,
  ...jobScenarios,
  ...serviceScenarios,
  ...autoscalerScenarios,
  ...schedulingScenarios,
  ...mirroringScenarios,
  ...nodeScenarios,
  ...podGcScenarios,
  ...volumeScenarios,
  ...deviceScenarios,
  ...profileScenarios,
];
