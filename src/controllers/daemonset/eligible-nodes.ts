// daemonset-controller: follows nodes and the placements of DaemonSets, and reports which DaemonSets a change of a node affects. It holds
// only what decides about placement, so a change costs a comparison for each DaemonSet and no read of pods.
import type { DaemonSet } from '../../apis/apps/daemonset.ts';
import type { Node } from '../../apis/core/node.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { type EligibleNode, eligibilityOf, type Placement, placementOf } from './node-eligibility.ts';

const daemonSets = { group: 'apps', version: 'v1', resource: 'daemonsets' } as const;
const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;

export class EligibleNodes {
  readonly #nodes = new Map<string, EligibleNode>();
  /** By key of the DaemonSet. */
  readonly #placements = new Map<string, Placement>();
  readonly #nodeInformer: Informer<Node>;
  readonly #setInformer: Informer<DaemonSet>;
  readonly #onChange: (daemonSetKey: string) => void;

  constructor({ informers, dialect }: ControllerContext, onChange: (daemonSetKey: string) => void) {
    this.#onChange = onChange;
    this.#nodeInformer = informers.informer<Node>(nodes, {
      onAdd: (node) => this.#change(node.name, eligibleNode(node)),
      onUpdate: (_oldNode, node) => this.#change(node.name, eligibleNode(node)),
      onDelete: ({ name }) => this.#change(name, undefined),
      onReset: () => this.#nodes.clear(),
    });
    const setPlacement = (set: InformerObject<DaemonSet>) => {
      const decoded = set.tryDecode();
      if (decoded) this.#placements.set(set.key, placementOf(decoded.spec.template, dialect));
    };
    this.#setInformer = informers.informer<DaemonSet>(daemonSets, {
      onAdd: setPlacement,
      onUpdate: (_oldSet, set) => setPlacement(set),
      onDelete: ({ key }) => this.#placements.delete(key),
      onReset: () => this.#placements.clear(),
    });
  }

  start(): void {
    this.#setInformer.start();
    this.#nodeInformer.start();
  }

  reset(): void {
    this.#setInformer.reset();
    this.#nodeInformer.reset();
  }

  close(): void {
    this.#setInformer.close();
    this.#nodeInformer.close();
  }

  get hasSynced(): Promise<void> {
    return this.#nodeInformer.hasSynced;
  }

  /** All nodes, by name. */
  get nodes(): ReadonlyMap<string, EligibleNode> {
    return this.#nodes;
  }

  #change(name: string, node: EligibleNode | undefined): void {
    const oldNode = this.#nodes.get(name);
    if (node) this.#nodes.set(name, node);
    else this.#nodes.delete(name);
    if (oldNode && node && isSame(oldNode, node)) return;
    for (const [key, placement] of this.#placements) {
      const [before, after] = [oldNode, node].map((state) => state && eligibilityOf(placement, state));
      const isAffected =
        before?.shouldRun !== after?.shouldRun || before?.shouldContinue !== after?.shouldContinue;
      if (isAffected) this.#onChange(key);
    }
  }
}

/** Not decoded lazily, so that it does not keep the whole node in memory. */
function eligibleNode(node: InformerObject<Node>): EligibleNode | undefined {
  const decoded = node.tryDecode();
  if (!decoded) return undefined;
  const labels = new Map(Object.entries(decoded.metadata.labels ?? {}));
  return { name: node.name, labels, taints: decoded.spec.taints ?? [] };
}

const isSame = (a: EligibleNode, b: EligibleNode) =>
  JSON.stringify([...a.labels, a.taints]) === JSON.stringify([...b.labels, b.taints]);
