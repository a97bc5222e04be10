// API Priority and Fairness, as the options configure it.
import { FlowControl, WorkEstimator, type WorkEstimatorSources } from '../flowcontrol/flow-control.ts';
import { FlowMetrics } from '../flowcontrol/flow-metrics.ts';
import type { StorageContext } from '../registry/verb-context.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ServerOptions } from './options.ts';
import type { Sharing } from './server-parts.ts';

/** Undefined if it is disabled: the HTTP server then limits the requests in flight, if the options set a limit. */
export function createFlowControl(
  options: ServerOptions,
  sources: Pick<StorageContext, 'clock' | 'dialect'> & WorkEstimatorSources,
  metrics: Metrics,
  sharing: Sharing | undefined,
): FlowControl | undefined {
  // As in kube-apiserver, the two limits on requests in flight add up to the seats of all priority levels.
  const seats = options.maxRequestsInflight + options.maxMutatingRequestsInflight;
  if (!options.enablePriorityAndFairness || seats === 0) return undefined;
  const { clock, dialect } = sources;
  const { requestTimeout } = options;
  const flowMetrics = new FlowMetrics(metrics);
  const workEstimator = new WorkEstimator(sources);
  return new FlowControl({
    clock,
    dialect,
    metrics: flowMetrics,
    workEstimator,
    seats,
    requestTimeoutMs: requestTimeout,
    sharedSeats: sharing && {
      seatsOf: (level) => sharing.seats.seatsOf(level),
      adjustsLimits: !sharing.isFollower,
    },
  });
}
