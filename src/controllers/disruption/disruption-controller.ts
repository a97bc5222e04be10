// disruption-controller: maintains the status of PodDisruptionBudgets.
import type { Pod } from '../../apis/core/pod.ts';
import { setDisruptionAllowed } from '../../apis/policy/disruption.ts';
import {
  type PodDisruptionBudget,
  PodDisruptionBudgetStatus,
} from '../../apis/policy/poddisruptionbudget.ts';
import { timestamp } from '../../base/clock.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import { goLabelSelectorString } from '../../kind/meta/go-struct.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import type { RecordedEvent } from '../runtime/event-recorder.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { computeBudgetStatus } from './budget-status.ts';
import { computeExpectedCounts, UncountablePods } from './expected-pods.ts';

const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;
/** Delay after a change of a pod, so that changes that follow each other are reconciled together. */
const batchMs = 50;

export class DisruptionController extends InformerController<PodDisruptionBudget> {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  /** The selectors of budgets, by namespace and by key of the budget. */
  readonly #selectors = new Map<string, Map<string, LabelSelector>>();

  constructor(context: ControllerContext) {
    super(context, budgets, { name: 'disruption' });
    this.#context = context;
    this.#pods = this.watch<Pod>(pods, {
      onAdd: (pod) => this.#onPodChange(pod),
      onUpdate: (oldPod, newPod) => this.#onPodChange(newPod, oldPod),
      onDelete: (pod) => this.#onPodChange(pod),
    });
  }

  protected override onReset(): void {
    this.#selectors.clear();
  }

  protected override onAdd(budget: InformerObject<PodDisruptionBudget>): void {
    const { key, namespace } = budget;
    const selector = budget.tryDecodeLazily()?.spec.selector;
    const selectorsByKey = this.#selectors.get(namespace) ?? new Map<string, LabelSelector>();
    if (selector) this.#selectors.set(namespace, selectorsByKey.set(key, selector));
    this.queue.add(key);
  }

  protected override onUpdate(
    oldBudget: InformerObject<PodDisruptionBudget>,
    newBudget: InformerObject<PodDisruptionBudget>,
  ): void {
    this.onDelete(oldBudget);
    this.onAdd(newBudget);
  }

  protected override onDelete({ key, namespace }: InformerObject<PodDisruptionBudget>): void {
    const selectorsByKey = this.#selectors.get(namespace);
    selectorsByKey?.delete(key);
    if (selectorsByKey?.size === 0) this.#selectors.delete(namespace);
  }

  #onPodChange(pod: InformerObject<Pod>, oldPod?: InformerObject<Pod>): void {
    for (const [budget, selector] of this.#selectors.get(pod.namespace) ?? []) {
      const isSelected = selects(selector, pod) || (oldPod !== undefined && selects(selector, oldPod));
      if (isSelected) this.queue.addAfter(budget, batchMs);
    }
  }

  protected async reconcile(key: string): Promise<void> {
    const budget = this.informer.getByKey(key)?.tryDecode();
    if (!budget) return;
    const events: BudgetEvent[] = [];
    const status = this.#computeStatus(key, budget, await this.#findPods(budget), events);
    if (isSemanticallyEqual(PodDisruptionBudgetStatus, status, budget.status)) return;
    for (const event of events) this.#recordEvent(budget, event);
    await this.#writeStatus(budget, key, status);
  }

  async #findPods({ metadata, spec }: PodDisruptionBudget): Promise<Pod[]> {
    const pods: Pod[] = [];
    const { selector } = spec;
    if (!selector) return pods;
    await this.#pods.walk(metadata.namespace ?? '', (object) => {
      const pod = selects(selector, object) ? object.tryDecodeLazily() : undefined;
      if (pod) pods.push(pod);
    });
    return pods;
  }

  /** Returns the new status, adds Events about it to `events`, and requeues the budget for the next expiry. */
  #computeStatus(
    key: string,
    budget: PodDisruptionBudget,
    pods: Pod[],
    events: BudgetEvent[],
  ): PodDisruptionBudget['status'] {
    const { clock, scales } = this.#context;
    const observed = { generation: budget.metadata.generation ?? 0, now: timestamp(clock) };
    const oldStatus = structuredClone(budget.status);
    if (pods.length === 0) events.push(['Normal', 'NoPods', 'No matching pods found']);
    try {
      const metadata = pods.map((pod) => pod.metadata);
      const expected = computeExpectedCounts(scales, budget, metadata);
      if (expected.hasUnmanagedPods) {
        events.push(['Warning', 'UnmanagedPods', unmanagedPodsMessage(budget.spec.selector ?? {})]);
      }
      const oldBudget = { ...budget, status: oldStatus };
      const { status, nextExpiryMs } = computeBudgetStatus(oldBudget, pods, expected, clock.now());
      if (nextExpiryMs !== undefined) this.queue.addAfter(key, nextExpiryMs - clock.now());
      const reason = status.disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods';
      setDisruptionAllowed(status, reason, observed);
      return status;
    } catch (error) {
      if (!(error instanceof UncountablePods)) throw error;
      const { message } = error;
      const eventMessage = `Failed to calculate the number of expected pods: ${message}`;
      events.push(['Warning', 'CalculateExpectedPodCountFailed', eventMessage]);
      const status = { ...oldStatus, disruptionsAllowed: 0 };
      // The counts are those of an earlier generation, so the condition's observedGeneration stays at that one.
      const generation = oldStatus.observedGeneration ?? 0;
      setDisruptionAllowed(status, 'SyncFailed', { ...observed, generation, message });
      return status;
    }
  }

  async #writeStatus(
    { metadata }: PodDisruptionBudget,
    key: string,
    status: PodDisruptionBudget['status'],
  ): Promise<void> {
    const { client, identity } = this.#context;
    const change = (budget: PodDisruptionBudget) => {
      // Fails with a conflict, and is recomputed, if an eviction changed the budget concurrently.
      budget.metadata.resourceVersion = metadata.resourceVersion!;
      budget.status = status;
    };
    const options = { subresource: 'status', manager: identity.manager };
    await ignoreNotFound(client.mutate(this.informer, key, change, options));
  }

  #recordEvent({ metadata }: PodDisruptionBudget, [type, reason, message]: BudgetEvent): void {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
    const { apiVersion, kind } = this.informer.resource;
    const involvedObject = { apiVersion, kind, name, namespace, uid, resourceVersion };
    this.#context.events.record({ involvedObject, type, reason, message, component: 'controllermanager' });
  }
}

type BudgetEvent = readonly [type: RecordedEvent['type'], reason: string, message: string];

const unmanagedPodsMessage = (selector: LabelSelector) =>
  `Pods selected by this PodDisruptionBudget (selector: ${goLabelSelectorString(selector)}) were found to be unmanaged. ` +
  'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
  'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';

const selects = (selector: LabelSelector, { labels }: InformerObject<Pod>) =>
  labelSelectorMatches(selector, Object.fromEntries(labels));
