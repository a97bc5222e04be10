// EndpointSlice controller: the share of each zone in the processors of the ready nodes, for topology hints.
import type { Node } from '../../apis/core/node.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { parseQuantity, quantityToNumber } from '../../schema/quantity.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import type { ZoneRatios } from './topology-hints.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;

interface NodeCapacity {
  readonly zone: string;
  readonly cpu: number;
}

export class ZoneCapacity {
  readonly #informer: Informer<Node>;
  readonly #dialect: ControllerContext['dialect'];
  readonly #onChange: () => void;
  /** The nodes that count. */
  readonly #nodes = new Map<string, NodeCapacity>();

  constructor({ informers, dialect }: ControllerContext, onChange: () => void) {
    this.#dialect = dialect;
    this.#onChange = onChange;
    this.#informer = informers.informer<Node>(nodes, {
      onAdd: (node) => this.#set(node.name, this.#capacityOf(node)),
      onUpdate: (_oldNode, node) => this.#set(node.name, this.#capacityOf(node)),
      onDelete: ({ name }) => this.#set(name, undefined),
      onReset: () => this.#nodes.clear(),
    });
  }

  start(): void {
    this.#informer.start();
  }

  reset(): void {
    this.#informer.reset();
  }

  close(): void {
    this.#informer.close();
  }

  /** Undefined if a node does not say its zone or processors, or there is only one zone. */
  ratios(): ZoneRatios {
    const byZone = new Map<string, number>();
    let total = 0;
    for (const { zone, cpu } of this.#nodes.values()) {
      if (zone === '' || cpu === 0) return undefined;
      byZone.set(zone, (byZone.get(zone) ?? 0) + cpu);
      total += cpu;
    }
    return byZone.size < 2 ? undefined : new Map([...byZone].map(([zone, cpu]) => [zone, cpu / total]));
  }

  #set(name: string, capacity: NodeCapacity | undefined): void {
    const known = this.#nodes.get(name);
    if (known?.zone === capacity?.zone && known?.cpu === capacity?.cpu) return;
    if (capacity) this.#nodes.set(name, capacity);
    else this.#nodes.delete(name);
    this.#onChange();
  }

  /** Undefined for nodes that do not count: those of the control plane, and those that are not ready. */
  #capacityOf(node: InformerObject<Node>): NodeCapacity | undefined {
    const { nodeRolePrefix, zone } = this.#dialect.labels;
    const { labels } = node;
    if (labels.has(`${nodeRolePrefix}control-plane`) || labels.has(`${nodeRolePrefix}master`))
      return undefined;
    const { status } = node.tryDecodeLazily() ?? {};
    if (!status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True'))
      return undefined;
    const quantity = parseQuantity(status.allocatable?.cpu ?? '0');
    return { zone: labels.get(zone) ?? '', cpu: 'amount' in quantity ? quantityToNumber(quantity) : 0 };
  }
}
