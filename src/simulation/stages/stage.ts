// A stage of a pod on a simulated node: which pods it applies to, after which delay, and the state that follows.

import type { Pod } from '../../apis/core/pod.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import type { NodeDevices } from '../devices/node-devices.ts';

export interface Stage {
  readonly name: string;
  readonly match: PodMatch;
  readonly delay: StageDelay;
  readonly next: NextState;
}

/** All conditions that are set must hold. */
export interface PodMatch {
  /** One of these phases. */
  readonly phase?: readonly string[];
  /** Whether the pod is being deleted; default false. */
  readonly deleting?: boolean;
  readonly labels?: (labels: ReadonlyMap<string, string>) => boolean;
  /** Values by annotation: `*` is any value, `!x` any other than x. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The kind of the controlling owner. */
  readonly owner?: readonly string[];
  readonly restartPolicy?: readonly string[];
  /** Whether a container has a preStop hook. */
  readonly preStop?: boolean;
  /** A container is in this state, for this reason. */
  readonly containers?: { readonly state: ContainerStateName; readonly reason?: string };
  /** A CEL expression of a file, compiled, or a function of a built-in stage. */
  readonly condition?: (pod: Pod) => boolean;
}

export type ContainerStateName = 'waiting' | 'running' | 'terminated';

/** How long a pod matches a stage before its next state. */
export interface StageDelay {
  readonly durationMs: number;
  /** A random time up to this is added. */
  readonly jitterMs: number;
  /** An annotation of the pod with a duration, which replaces durationMs. */
  readonly annotation?: string;
  /** A field of the pod with the time from which the delay counts, as path; default: when the pod began to match. */
  readonly from?: readonly string[];
  /** The duration is multiplied by this for each restart of the pod's containers, up to maxMs. */
  readonly growth?: number;
  readonly maxMs?: number;
}

export interface NextState {
  /** By default the phase follows from the states of the containers. */
  readonly phase?: string;
  /** Of the pod. */
  readonly reason?: string;
  readonly message?: string;
  readonly containers?: NextContainers;
  /** By default they have completed when the containers get a state, and sidecars run. */
  readonly initContainers?: NextContainers;
  readonly conditions?: readonly NextCondition[];
  /** A merge patch of the status, applied last; its strings are templates. */
  readonly status?: JsonObject;
  readonly event?: NextEvent;
  /** Finalizers to remove; `*` removes all. */
  readonly removeFinalizers?: readonly string[];
  /** Deletes the pod, after its status is written. */
  readonly delete?: boolean;
}

export interface NextContainers {
  /** Containers that get the state; by default all. */
  readonly names?: readonly string[];
  readonly state: ContainerStateName;
  /** Default: whether the state is running. */
  readonly ready?: boolean;
  /** Of the state waiting or terminated. */
  readonly reason?: string;
  readonly message?: string;
  /** Of the run that ends; default 0. */
  readonly exitCode?: number;
  /** An annotation of the pod with the exit code. */
  readonly exitCodeAnnotation?: string;
  /** Ends a container that runs, and starts it again. */
  readonly restart?: boolean;
}

interface NextCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** Its texts are templates. */
export interface NextEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Log texts of the containers of some pods. */
export interface ConfiguredLog {
  readonly match: PodMatch;
  /** Default: all containers. */
  readonly container?: string;
  readonly text: string;
}

/** The stages in the order in which they are tried: the first that matches counts. */
export interface NodeStages {
  readonly stages: readonly Stage[];
  readonly logs: readonly ConfiguredLog[];
  /** Of the nodes, for dynamic resource allocation. */
  readonly devices: readonly NodeDevices[];
}
