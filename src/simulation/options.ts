// Simulated nodes: their number and their stages.

export interface SimulationOptions {
  /** The number of nodes that the server simulates. */
  readonly nodes: number;
  /** YAML or JSON file with stages of pods on simulated nodes. */
  readonly nodeStages: string | undefined;
}

export const defaultSimulationOptions: SimulationOptions = { nodes: 0, nodeStages: undefined };
