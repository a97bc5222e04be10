// Publishes the devices of simulated nodes as ResourceSlices, as the drivers on these nodes would.
import type { Node } from '../../apis/core/node.ts';
import type { Device, ResourceSlice } from '../../apis/resource/resourceslice.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Lister } from '../../client/lister.ts';
import type { ControllerContext } from '../../controllers/runtime/controller.ts';
import type { WorkQueue } from '../../controllers/runtime/work-queue.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import { isSimulated } from '../node-objects.ts';
import { devicesOfNode, type NodeDevices, sliceManifest, sliceName } from './node-devices.ts';

/** The field manager of its writes. */
const manager = 'simulated-devices';
/** Enough to share group commits. */
const workers = 16;

export class SimulatedDevices {
  readonly #context: ControllerContext;
  readonly #devices: readonly NodeDevices[];
  readonly #nodes: Informer<Node>;
  readonly #slices: Lister<ResourceSlice>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext, devices: readonly NodeDevices[]) {
    const { informers, newQueue } = context;
    this.#context = context;
    this.#devices = devices;
    this.#queue = newQueue({
      name: 'simulated_devices',
      reconcile: (name) => this.#reconcile(name),
      workers,
    });
    const onNode = ({ name }: InformerObject<Node>) => this.#queue.add(name);
    this.#nodes = informers.informer<Node>(
      { group: '', version: 'v1', resource: 'nodes' },
      { onAdd: onNode, onReset: () => this.#queue.clear() },
    );
    this.#slices = informers.lister({ group: 'resource', version: 'v1beta1', resource: 'resourceslices' });
  }

  start(): void {
    this.#nodes.start();
  }

  reset(): void {
    this.#nodes.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#nodes.close();
    await this.#queue.close();
  }

  async #reconcile(nodeName: string): Promise<void> {
    const node = this.#nodes.get('', nodeName)?.tryDecodeLazily();
    if (!node || !isSimulated(node, this.#context.dialect)) return;
    for (const [driver, devices] of devicesOfNode(this.#devices, nodeName)) {
      await this.#publish({ name: nodeName, uid: node.metadata.uid! }, driver, devices);
    }
  }

  async #publish(
    node: { readonly name: string; readonly uid: string },
    driver: string,
    devices: readonly Device[],
  ): Promise<void> {
    const { client, dialect } = this.#context;
    const name = sliceName(node.name, driver);
    const published = this.#slices.get('', name)?.tryDecodeLazily();
    if (!published) {
      await client.create(sliceManifest(node, driver, devices, dialect), { manager }, this.#slices);
      return;
    }
    if (JSON.stringify(published.spec.devices) === JSON.stringify(devices)) return;
    // The file has changed since an earlier start.
    const change = ({ spec }: ResourceSlice) => {
      spec.devices = [...devices];
      spec.pool.generation++;
    };
    await ignoreNotFound(client.mutate(this.#slices, name, change, { manager }));
  }
}
