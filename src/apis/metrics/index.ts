// API group metrics: resource metrics, which the server serves itself for simulated nodes. On other clusters a metrics server
// serves the group through an APIService.

import type { ResourceDefinition } from '../../kind/definition.ts';
import { nodeMetrics } from './node-metrics.ts';
import { podMetrics } from './pod-metrics.ts';

export const metricsKinds = (): ResourceDefinition[] => [nodeMetrics(), podMetrics()];
