// Simulated nodes as a controller: Nodes with kubelets that run no containers, and volumes without content.
import type {
  Controller,
  ControllerContext,
  ControllerDescriptor,
} from '../controllers/runtime/controller.ts';
import { SimulatedDevices } from './devices/simulated-devices.ts';
import type { SimulationOptions } from './options.ts';
import { SimulatedNodes } from './simulated-nodes.ts';
import { SimulatedPods } from './simulated-pods.ts';
import { SimulatedVolumes } from './simulated-volumes.ts';
import type { NodeStages } from './stages/stage.ts';

/** Runs with the controllers, on shared storage only on the leader, whatever `--controllers` enables. */
export const nodeSimulation = ({ nodes }: SimulationOptions, stages: NodeStages): ControllerDescriptor => ({
  name: 'node-simulation',
  serviceAccount: undefined,
  create: (context) => new NodeSimulation(context, nodes, stages),
});

class NodeSimulation implements Controller {
  readonly #nodes: SimulatedNodes;
  readonly #pods: SimulatedPods;
  readonly #volumes: SimulatedVolumes;
  /** Undefined without devices. */
  readonly #devices: SimulatedDevices | undefined;

  constructor(context: ControllerContext, count: number, { stages, devices }: NodeStages) {
    this.#nodes = new SimulatedNodes(context, count, (node, hasRecovered) =>
      this.#pods.resume(node, hasRecovered),
    );
    this.#pods = new SimulatedPods(context, this.#nodes, stages);
    this.#volumes = new SimulatedVolumes(context);
    this.#devices = devices.length > 0 ? new SimulatedDevices(context, devices) : undefined;
  }

  async start(): Promise<void> {
    this.#pods.start();
    this.#devices?.start();
    await Promise.all([this.#nodes.start(), this.#volumes.start()]);
  }

  reset(): void {
    this.#pods.reset();
    this.#nodes.reset();
    this.#volumes.reset();
    this.#devices?.reset();
  }

  async close(): Promise<void> {
    await this.#nodes.close();
    await this.#pods.close();
    await this.#volumes.close();
    await this.#devices?.close();
  }
}
