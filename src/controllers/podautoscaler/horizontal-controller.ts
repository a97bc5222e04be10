// horizontalpodautoscaler-controller: scales the target of a HorizontalPodAutoscaler by its metrics, every 15 seconds.
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
} from '../../apis/autoscaling/horizontalpodautoscaler.ts';
import { HorizontalPodAutoscalerStatus } from '../../apis/autoscaling/horizontalpodautoscaler.ts';
import type { MetricStatus } from '../../apis/autoscaling/metric-status.ts';
import type { Scale } from '../../apis/autoscaling/scale.ts';
import { mustParseQuantity } from '../../apis/core/resource-list.ts';
import { timestamp } from '../../base/clock.ts';
import type { Manifest } from '../../client/client.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ApiError } from '../../errors/status.ts';
import { setCondition } from '../../kind/meta/set-condition.ts';
import { quantityToNumber } from '../../schema/quantity.ts';
import { type LabelRequirement, parseLabelSelector } from '../../selectors/label-selector.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { OwnerEvents } from '../workload/owner-events.ts';
import { type Proposal, ProposalFailure, type ProposalInput, proposeReplicas } from './metric-proposal.ts';
import { MetricsClient, type SelectedPods } from './metrics-client.ts';
import { PodIndex } from './pod-index.ts';
import type { Tolerances } from './replica-calculator.ts';
import { limitRecommendation } from './scale-limits.ts';
import { readScaleTarget, type ScaleTarget, UnknownScaleTarget, updateScale } from './scale-target.ts';
import { ScalingHistory } from './scaling-history.ts';
import { SelectorRegistry } from './selector-registry.ts';

const autoscalers = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' } as const;

/** Every autoscaler is synchronized this long after its last synchronization, or its creation. */
const syncPeriodMs = 15_000;
const defaultTolerance = 0.1;
/** Concurrent synchronizations. */
const workers = 5;
/** The event source. */
const component = 'horizontal-pod-autoscaler';

/** What one synchronization has read and decided. */
interface Sync {
  readonly key: string;
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly resourceVersion: string;
  /** The status as it was read, encoded. */
  readonly oldStatus: string;
}

/** The replicas that follow from the metrics. */
interface Recommendation {
  readonly replicas: number;
  readonly metric: string;
  readonly statuses: MetricStatus[];
}

/** The metrics propose nothing. The message is that of the Event. */
class NoRecommendation extends Error {
  readonly statuses: MetricStatus[] | undefined;

  constructor(message: string, statuses?: MetricStatus[]) {
    super(message);
    this.statuses = statuses;
  }
}

type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';

export class HorizontalController extends InformerController<HorizontalPodAutoscaler> {
  readonly #context: ControllerContext;
  readonly #events: OwnerEvents;
  readonly #pods: PodIndex;
  readonly #metrics: MetricsClient;
  readonly #selectors = new SelectorRegistry();
  readonly #histories = new Map<string, ScalingHistory>();
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext) {
    super(context, autoscalers, { name: 'horizontalpodautoscaler', workers });
    this.#context = context;
    this.#events = new OwnerEvents(context.events, this.informer.resource, component);
    this.#pods = new PodIndex(context.informers);
    this.#metrics = new MetricsClient(context, this.#stopped.signal);
  }

  override reset(): void {
    this.#pods.reset();
    super.reset();
  }

  override async close(): Promise<void> {
    this.#stopped.abort();
    this.#pods.close();
    await super.close();
  }

  protected override onAdd({ key }: InformerObject<HorizontalPodAutoscaler>): void {
    this.queue.addAfter(key, syncPeriodMs);
  }

  protected override onDelete({ key }: InformerObject<HorizontalPodAutoscaler>): void {
    this.#forget(key);
  }

  #forget(key: string): void {
    this.#histories.delete(key);
    this.#selectors.delete(key);
  }

  protected override onReset(): void {
    this.#histories.clear();
    this.#selectors.clear();
  }

  protected async reconcile(key: string): Promise<void> {
    const cached = this.informer.getByKey(key);
    // It may have been deleted during the last synchronization.
    if (!cached) return this.#forget(key);
    const autoscaler = cached.tryDecode();
    if (!autoscaler) return;
    const { resourceVersion } = cached;
    const oldStatus = HorizontalPodAutoscalerStatus.write(autoscaler.status);
    try {
      await this.#sync({ key, autoscaler, resourceVersion, oldStatus });
    } finally {
      this.queue.addAfter(key, syncPeriodMs);
    }
  }

  async #sync(sync: Sync): Promise<void> {
    const { autoscaler } = sync;
    const target = await this.#readTarget(sync);
    if (!target) return this.#writeStatus(sync);
    this.#setCondition(autoscaler, 'AbleToScale', true, {
      reason: 'SucceededGetScale',
      message: "the HPA controller was able to get the target's current scale",
    });
    const currentReplicas = target.scale.spec.replicas ?? 0;
    const history = this.#historyOf(sync.key, currentReplicas);
    const { minReplicas = 1, maxReplicas } = autoscaler.spec;
    if (currentReplicas === 0 && minReplicas !== 0) {
      this.#setCondition(autoscaler, 'ScalingActive', false, {
        reason: 'ScalingDisabled',
        message: 'scaling is disabled since the replica count of the target is zero',
      });
      return this.#finish(sync, currentReplicas, currentReplicas, undefined);
    }
    if (currentReplicas > maxReplicas)
      return this.#rescale(sync, target, history, maxReplicas, aboveMaximum, undefined);
    if (currentReplicas < minReplicas)
      return this.#rescale(sync, target, history, minReplicas, belowMinimum, undefined);
    await this.#scaleByMetrics(sync, target, history);
  }

  /** Undefined if the scale cannot be read: the condition and an Event say why. */
  async #readTarget({ autoscaler }: Sync): Promise<ScaleTarget | undefined> {
    const { metadata, spec } = autoscaler;
    try {
      return await readScaleTarget(this.#context, metadata.namespace!, spec.scaleTargetRef);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof UnknownScaleTarget)) throw error;
      this.#warn(autoscaler, 'FailedGetScale', error.message);
      this.#setCondition(autoscaler, 'AbleToScale', false, {
        reason: 'FailedGetScale',
        message: `the HPA controller was unable to get the target's current scale: ${error.message}`,
      });
      return undefined;
    }
  }

  async #scaleByMetrics(sync: Sync, target: ScaleTarget, history: ScalingHistory): Promise<void> {
    const { autoscaler } = sync;
    const { minReplicas = 1, maxReplicas, behavior } = autoscaler.spec;
    const currentReplicas = target.scale.spec.replicas ?? 0;
    let recommendation: Recommendation;
    try {
      recommendation = await this.#recommend(sync, target.scale);
    } catch (error) {
      if (!(error instanceof NoRecommendation)) throw error;
      this.#setStatus(autoscaler, currentReplicas, autoscaler.status.desiredReplicas, error.statuses);
      await this.#writeStatus(sync);
      this.#warn(autoscaler, 'FailedComputeMetricsReplicas', error.message);
      return;
    }
    const { replicas: desiredReplicas, metric, statuses } = recommendation;
    const nowMs = this.#context.clock.elapsed();
    const recommended = { currentReplicas, desiredReplicas, minReplicas, maxReplicas, behavior };
    const limited = limitRecommendation(recommended, history, nowMs);
    history.addRecommendation(desiredReplicas, nowMs, behavior);
    const { isLimited, ...limitation } = limited.scalingLimited;
    this.#setCondition(autoscaler, 'AbleToScale', true, limited.ableToScale);
    this.#setCondition(autoscaler, 'ScalingLimited', isLimited, limitation);
    if (limited.replicas === currentReplicas)
      return this.#finish(sync, currentReplicas, currentReplicas, statuses);
    const reason = rescaleReason(currentReplicas, desiredReplicas, metric);
    await this.#rescale(sync, target, history, limited.replicas, reason, statuses);
  }

  /** The highest proposal of all metrics. Throws NoRecommendation. */
  async #recommend(sync: Sync, scale: Scale): Promise<Recommendation> {
    const { autoscaler } = sync;
    const { metrics = [], behavior } = autoscaler.spec;
    const specReplicas = scale.spec.replicas ?? 0;
    const input: ProposalInput = {
      metrics: this.#metrics,
      selected: await this.#select(sync, scale.status.selector ?? ''),
      specReplicas,
      statusReplicas: scale.status.replicas ?? 0,
      tolerances: this.#tolerances(behavior),
      now: this.#context.clock.now(),
    };
    const statuses: MetricStatus[] = [];
    const failures: ProposalFailure[] = [];
    let highest: Proposal | undefined;
    for (const metric of metrics) {
      try {
        const proposal = await proposeReplicas(metric, input);
        statuses.push(proposal.status);
        // As upstream: a proposal of 0 gives way to any other.
        if (!highest || highest.replicas === 0 || proposal.replicas > highest.replicas) highest = proposal;
      } catch (error) {
        if (!(error instanceof ProposalFailure)) throw error;
        this.#warn(autoscaler, error.reason, error.detail);
        failures.push(error);
        statuses.push({ type: '' } as unknown as MetricStatus);
      }
    }
    const [failure] = failures;
    // Metrics that cannot be read might propose more replicas: no scaling down.
    if (!highest || (failure && highest.replicas < specReplicas)) {
      const { reason = '', detail = '', message = '' } = failure ?? {};
      this.#setCondition(autoscaler, 'ScalingActive', false, {
        reason,
        message: `the HPA was unable to compute the replica count: ${detail}`,
      });
      const counts = `${failures.length} invalid out of ${metrics.length}`;
      throw new NoRecommendation(`invalid metrics (${counts}), first error is: ${message}`, statuses);
    }
    this.#setCondition(autoscaler, 'ScalingActive', true, {
      reason: 'ValidMetricFound',
      message: `the HPA was able to successfully calculate a replica count from ${highest.name}`,
    });
    return { replicas: highest.replicas, metric: highest.name, statuses };
  }

  /** The pods of the target. Throws NoRecommendation if the selector cannot be used. */
  async #select({ key, autoscaler }: Sync, selector: string): Promise<SelectedPods> {
    const namespace = autoscaler.metadata.namespace!;
    if (selector === '')
      throw this.#invalidSelector(autoscaler, {
        event: 'SelectorRequired',
        eventMessage: 'selector is required',
        reason: 'InvalidSelector',
        message: "the HPA target's scale is missing a selector",
      });
    const requirements = this.#parseSelector(autoscaler, selector);
    this.#selectors.set(key, namespace, selector, requirements);
    const pods = await this.#pods.select(namespace, requirements);
    const selecting = this.#selectors.selecting(namespace, pods);
    if (selecting.length > 1) {
      const message = `pods by selector ${selector} are controlled by multiple HPAs: [${selecting.join(' ')}]`;
      const reason = 'AmbiguousSelector';
      throw this.#invalidSelector(autoscaler, { event: reason, eventMessage: message, reason, message });
    }
    return { namespace, selector, pods };
  }

  #parseSelector(autoscaler: HorizontalPodAutoscaler, selector: string): LabelRequirement[] {
    try {
      return parseLabelSelector(selector);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = `couldn't convert selector into a corresponding internal selector object: ${error.message}`;
      const reason = 'InvalidSelector';
      throw this.#invalidSelector(autoscaler, { event: reason, eventMessage: message, reason, message });
    }
  }

  #invalidSelector(
    autoscaler: HorizontalPodAutoscaler,
    { event, eventMessage, reason, message }: Record<'event' | 'eventMessage' | 'reason' | 'message', string>,
  ): NoRecommendation {
    this.#warn(autoscaler, event, eventMessage);
    this.#setCondition(autoscaler, 'ScalingActive', false, { reason, message });
    return new NoRecommendation(eventMessage);
  }

  #tolerances(behavior: HorizontalPodAutoscaler['spec']['behavior']): Tolerances {
    const isConfigurable = this.#context.features.enabled('HPAConfigurableTolerance');
    const toleranceOf = (tolerance: string | undefined) =>
      isConfigurable && tolerance !== undefined
        ? quantityToNumber(mustParseQuantity(tolerance))
        : defaultTolerance;
    return {
      scaleUp: toleranceOf(behavior?.scaleUp?.tolerance),
      scaleDown: toleranceOf(behavior?.scaleDown?.tolerance),
    };
  }

  async #rescale(
    sync: Sync,
    target: ScaleTarget,
    history: ScalingHistory,
    replicas: number,
    reason: string,
    statuses: MetricStatus[] | undefined,
  ): Promise<void> {
    const { autoscaler } = sync;
    const currentReplicas = target.scale.spec.replicas ?? 0;
    try {
      await updateScale(this.#context, target, replicas);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { message } = error;
      this.#warn(autoscaler, 'FailedRescale', `New size: ${replicas}; reason: ${reason}; error: ${message}`);
      this.#setCondition(autoscaler, 'AbleToScale', false, {
        reason: 'FailedUpdateScale',
        message: `the HPA controller was unable to update the target scale: ${message}`,
      });
      this.#setStatus(autoscaler, currentReplicas, autoscaler.status.desiredReplicas, statuses);
      return this.#writeStatus(sync);
    }
    this.#setCondition(autoscaler, 'AbleToScale', true, {
      reason: 'SucceededRescale',
      message: `the HPA controller was able to update the target scale to ${replicas}`,
    });
    const event = `New size: ${replicas}; reason: ${reason}`;
    this.#events.record(autoscaler.metadata, 'Normal', 'SuccessfulRescale', event);
    const { clock } = this.#context;
    history.addChange(currentReplicas, replicas, clock.elapsed(), autoscaler.spec.behavior);
    autoscaler.status.lastScaleTime = timestamp(clock);
    await this.#finish(sync, currentReplicas, replicas, statuses);
  }

  async #finish(
    sync: Sync,
    currentReplicas: number,
    desiredReplicas: number,
    statuses: MetricStatus[] | undefined,
  ): Promise<void> {
    this.#setStatus(sync.autoscaler, currentReplicas, desiredReplicas, statuses);
    await this.#writeStatus(sync);
  }

  #historyOf(key: string, currentReplicas: number): ScalingHistory {
    const known = this.#histories.get(key);
    if (known) return known;
    const history = new ScalingHistory(currentReplicas, this.#context.clock.elapsed());
    this.#histories.set(key, history);
    return history;
  }

  #setStatus(
    autoscaler: HorizontalPodAutoscaler,
    currentReplicas: number,
    desiredReplicas: number,
    currentMetrics: MetricStatus[] | undefined,
  ): void {
    const { lastScaleTime, conditions } = autoscaler.status;
    autoscaler.status = {
      currentReplicas,
      desiredReplicas,
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      ...(currentMetrics && { currentMetrics }),
      ...(conditions && { conditions }),
    };
  }

  #setCondition(
    { status }: HorizontalPodAutoscaler,
    type: ConditionType,
    isTrue: boolean,
    { reason, message }: { readonly reason: string; readonly message: string },
  ): void {
    status.conditions ??= [];
    const condition: HorizontalPodAutoscalerCondition = {
      type,
      status: isTrue ? 'True' : 'False',
      reason,
      message,
    };
    setCondition(status.conditions, condition, timestamp(this.#context.clock));
  }

  /** Writes the status if it has changed. An autoscaler that was changed or deleted concurrently is synchronized next time. */
  async #writeStatus({ autoscaler, resourceVersion, oldStatus }: Sync): Promise<void> {
    if (HorizontalPodAutoscalerStatus.write(autoscaler.status) === oldStatus) return;
    const { client, identity } = this.#context;
    const { apiVersion, kind } = this.informer.resource;
    const metadata = { ...autoscaler.metadata, resourceVersion };
    try {
      await client.updateStatus(
        { ...autoscaler, apiVersion, kind, metadata } as unknown as Manifest,
        identity,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 404 && error.code !== 409)
        this.#warn(autoscaler, 'FailedUpdateStatus', error.message);
    }
  }

  #warn(autoscaler: HorizontalPodAutoscaler, reason: string, message: string): void {
    this.#events.record(autoscaler.metadata, 'Warning', reason, message);
  }
}

/** Empty if earlier recommendations alone are the reason. */
function rescaleReason(currentReplicas: number, desiredReplicas: number, metric: string): string {
  if (desiredReplicas > currentReplicas) return `${metric} above target`;
  return desiredReplicas < currentReplicas ? 'All metrics below target' : '';
}

const aboveMaximum = 'Current number of replicas above Spec.MaxReplicas';
const belowMinimum = 'Current number of replicas below Spec.MinReplicas';
