// API Priority and Fairness, as the options configure it.
import { FlowControl, WorkEstimator } from '../flowcontrol/flow-control.ts';
import { FlowMetrics } from '../flowcontrol/flow-metrics.ts';
import type { Api } from '../registry/api.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ServerOptions } from './options.ts';

/** Returns undefined if it is disabled: then at most the number of requests in flight is limited. */
export function createFlowControl(
  options: ServerOptions,
  api: Api,
  meters: Metrics,
): FlowControl | undefined {
  const seats = options.maxRequestsInflight + options.maxMutatingRequestsInflight;
  if (!options.enablePriorityAndFairness || seats === 0) return undefined;
  const { clock, dialect } = api;
  const { requestTimeout } = options;
  const metrics = new FlowMetrics(meters);
  const workEstimator = new WorkEstimator(api);
  return new FlowControl({ clock, dialect, metrics, workEstimator, seats, requestTimeout });
}
