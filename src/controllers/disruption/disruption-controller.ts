// disruption-controller: maintains the status of PodDisruptionBudgets.
import type { Pod } from '../../apis/core/pod.ts';
import { setDisruptionAllowed } from '../../apis/policy/disruption.ts';
import {
  type PodDisruptionBudget,
  PodDisruptionBudgetStatus,
} from '../../apis/policy/poddisruptionbudget.ts';
import { goLabelSelectorString } from '../../kind/meta/go-struct.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored, tryDecodeStored, tryGlanceAt } from '../../kind/storage/codec.ts';
import { timestamp } from '../../kind/time.ts';
import { existing } from '../../registry/api.ts';
import { ignoreNotFound } from '../../registry/ignore-not-found.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import { update } from '../../registry/verbs/update.ts';
import { isSame } from '../../schema/same.ts';
import { decodePairs } from '../../store/pairs.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import { walk } from '../../store/walk.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import type { EventRecorder, RecordedEvent } from '../runtime/event-recorder.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { countBudget } from './budget-status.ts';
import { expectedOf, UncountablePods } from './expected-pods.ts';

const prefix = 'poddisruptionbudgets';
/** Batches changes of the same budget. */
const pause = 50;

export class DisruptionController extends InformerController {
  readonly #events: EventRecorder;
  /** Selectors of budgets, by namespace and key. */
  readonly #selectors = new Map<string, Map<string, LabelSelector>>();

  constructor(context: ControllerContext) {
    super(context, prefix, { name: 'disruption' });
    this.#events = context.events;
  }

  protected override onReset(): void {
    this.#selectors.clear();
  }

  protected override onAnyChange(changes: readonly Change[]): void {
    for (const change of changes) if (change.prefix === 'pods') this.#hearOfPod(change);
  }

  protected override onUpsert(stored: StoredObject): void {
    const { key } = stored;
    const selector = (tryGlanceAt(this.#budgets, stored) as PodDisruptionBudget | undefined)?.spec.selector;
    const namespace = namespaceIn(key);
    const own = this.#selectors.get(namespace) ?? new Map<string, LabelSelector>();
    if (selector) this.#selectors.set(namespace, own.set(key, selector));
    this.queue.add(key);
  }

  protected override onRemove({ key }: StoredObject): void {
    const namespace = namespaceIn(key);
    const own = this.#selectors.get(namespace);
    own?.delete(key);
    if (own?.size === 0) this.#selectors.delete(namespace);
  }

  #hearOfPod({ key, object, previous }: Change): void {
    for (const [budget, selector] of this.#selectors.get(namespaceIn(key)) ?? []) {
      const isCovered = covers(selector, object) || (previous !== undefined && covers(selector, previous));
      if (isCovered) this.queue.addAfter(budget, pause);
    }
  }

  protected async reconcile(key: string): Promise<void> {
    const stored = this.api.store.get(key);
    const budget = stored && (tryDecodeStored(this.#budgets, stored) as PodDisruptionBudget | undefined);
    if (!budget) return;
    const said: Said[] = [];
    const status = this.#count(key, budget, await this.#podsOf(budget), said);
    if (isSame(PodDisruptionBudgetStatus, status, budget.status)) return;
    for (const each of said) this.#tell(budget, each);
    await this.#write(budget, key, status);
  }

  async #podsOf({ metadata, spec }: PodDisruptionBudget): Promise<Pod[]> {
    const resource = this.api.registry.kind('', 'v1', 'pods');
    const pods: Pod[] = [];
    const { selector } = spec;
    if (!selector) return pods;
    await walk(this.api.store, resource.range(metadata.namespace ?? ''), (stored) => {
      const pod = covers(selector, stored) ? tryGlanceAt(resource, stored) : undefined;
      if (pod) pods.push(pod as Pod);
    });
    return pods;
  }

  #count(key: string, budget: PodDisruptionBudget, pods: Pod[], said: Said[]): PodDisruptionBudget['status'] {
    const { clock } = this.api;
    const about = { generation: budget.metadata.generation ?? 0, now: timestamp(clock) };
    const before = structuredClone(budget.status);
    if (pods.length === 0) said.push(['Normal', 'NoPods', 'No matching pods found']);
    try {
      const metadata = pods.map((pod) => pod.metadata);
      const expected = expectedOf(this.api, budget, metadata);
      if (expected.areSomeUnmanaged) {
        said.push(['Warning', 'UnmanagedPods', unmanaged(budget.spec.selector ?? {})]);
      }
      const { status, again } = countBudget({ ...budget, status: before }, pods, expected, clock.now());
      if (again !== undefined) this.queue.addAfter(key, again - clock.now());
      setDisruptionAllowed(
        status,
        status.disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
        about,
      );
      return status;
    } catch (error) {
      if (!(error instanceof UncountablePods)) throw error;
      const { message } = error;
      const why = `Failed to calculate the number of expected pods: ${message}`;
      said.push(['Warning', 'CalculateExpectedPodCountFailed', why]);
      // The recomputed status belongs to the generation that was read.
      const status = { ...before, disruptionsAllowed: 0 };
      const generation = before.observedGeneration ?? 0;
      setDisruptionAllowed(status, 'SyncFailed', { ...about, generation, message });
      return status;
    }
  }

  async #write(
    { metadata }: PodDisruptionBudget,
    key: string,
    status: PodDisruptionBudget['status'],
  ): Promise<void> {
    const resource = this.#budgets;
    const target = { resource, ...resource.placeOf(key), subresource: 'status' };
    const read = () => {
      const object = decodeStored(resource, existing(this.api, target));
      // An eviction changed the budget concurrently: recompute.
      object.metadata.resourceVersion = metadata.resourceVersion!;
      object.status = status;
      return { object };
    };
    const manager = this.api.dialect.component('controller-manager');
    await ignoreNotFound(update(this.api, target, read, { ...plainWrite, manager }, []));
  }

  #tell({ metadata }: PodDisruptionBudget, [type, reason, message]: Said): void {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
    const { apiVersion, kind } = this.#budgets;
    const involvedObject = { apiVersion, kind, name, namespace, uid, resourceVersion };
    this.#events.record({ involvedObject, type, reason, message, component: 'controllermanager' });
  }

  get #budgets(): ServedResource {
    return this.api.registry.kind('policy', 'v1', prefix);
  }
}

type Said = readonly [type: RecordedEvent['type'], reason: string, message: string];

const unmanaged = (selector: LabelSelector) =>
  `Pods selected by this PodDisruptionBudget (selector: ${goLabelSelectorString(selector)}) were found to be unmanaged. ` +
  'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
  'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';

const covers = (selector: LabelSelector, { labels }: StoredObject) =>
  labelSelectorMatches(selector, Object.fromEntries(decodePairs(labels)));

const namespaceIn = (key: string) => key.slice(key.indexOf('/') + 1, key.lastIndexOf('/'));
