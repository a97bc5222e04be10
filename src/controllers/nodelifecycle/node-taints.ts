// node-lifecycle-controller: the taints of a node that follow from its conditions and from spec.unschedulable.
import type { Node } from '../../apis/core/node.ts';
import type { Taint } from '../../apis/core/taint.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { readyConditionOf } from './node-conditions.ts';

type TaintKeys = Dialect['taints'];
type TaintId = Pick<Taint, 'key' | 'effect'>;

export interface TaintChange {
  readonly toAdd: readonly TaintId[];
  readonly toRemove: readonly TaintId[];
}

/** How the NoExecute taint of a node compares with its Ready condition. */
export type NoExecuteState =
  /** The node has the taint of its condition, or needs none. */
  | 'current'
  /** The node lacks the taint of its condition. */
  | 'missing'
  /** The node has the taint of the opposite condition: unreachable instead of not ready, or the reverse. */
  | 'opposite'
  /** The node is ready, and has one of the taints. */
  | 'obsolete';

/** The NoSchedule taints to add and remove. */
export function noScheduleChange(node: Node, keys: TaintKeys): TaintChange {
  const desired = new Set<string>();
  for (const { type, status } of node.status.conditions ?? []) {
    const key = conditionTaint(keys, type, status);
    if (key !== undefined) desired.add(key);
  }
  if (node.spec.unschedulable) desired.add(keys.unschedulable);
  const managed = new Set(managedKeys(keys));
  const current = new Set(
    taintsOf(node)
      .filter(({ key, effect }) => effect === 'NoSchedule' && managed.has(key))
      .map(({ key }) => key),
  );
  return {
    toAdd: [...desired].filter((key) => !current.has(key)).map(noSchedule),
    toRemove: [...current].filter((key) => !desired.has(key)).map(noSchedule),
  };
}

export function noExecuteState(node: Node, keys: TaintKeys): NoExecuteState {
  const ready = readyConditionOf(node)?.status;
  const hasTaint = (key: string) =>
    taintsOf(node).some((taint) => taint.key === key && taint.effect === 'NoExecute');
  if (ready === 'True') return hasTaint(keys.notReady) || hasTaint(keys.unreachable) ? 'obsolete' : 'current';
  const [own, opposite] = noExecuteKeys(node, keys);
  if (own === undefined || opposite === undefined) return 'current';
  if (hasTaint(opposite)) return 'opposite';
  return hasTaint(own) ? 'current' : 'missing';
}

/** Replaces the NoExecute taint by that of the Ready condition; a ready node has none. */
export function noExecuteChange(node: Node, keys: TaintKeys): TaintChange {
  const [own, opposite] = noExecuteKeys(node, keys);
  if (own === undefined || opposite === undefined) return withoutNoExecute(keys);
  return { toAdd: [noExecute(own)], toRemove: [noExecute(opposite)] };
}

export const withoutNoExecute = ({ notReady, unreachable }: TaintKeys): TaintChange => ({
  toAdd: [],
  toRemove: [noExecute(unreachable), noExecute(notReady)],
});

/** Returns the same list if nothing changes. */
export function changeTaints(
  taints: readonly Taint[],
  { toAdd, toRemove }: TaintChange,
  now: string,
): readonly Taint[] {
  const isSame = (one: TaintId, other: TaintId) => one.key === other.key && one.effect === other.effect;
  const missing = toAdd.filter((added) => !taints.some((taint) => isSame(taint, added)));
  const kept = taints.filter((taint) => !toRemove.some((removed) => isSame(taint, removed)));
  if (missing.length === 0 && kept.length === taints.length) return taints;
  return [...kept, ...missing.map((taint): Taint => ({ ...taint, timeAdded: now }))];
}

/** The key for the node's condition and that for the opposite one; none without a condition that is not true. */
function noExecuteKeys(node: Node, { notReady, unreachable }: TaintKeys): string[] {
  switch (readyConditionOf(node)?.status) {
    case 'False':
      return [notReady, unreachable];
    case 'Unknown':
      return [unreachable, notReady];
    default:
      return [];
  }
}

function conditionTaint(keys: TaintKeys, type: string, status: string): string | undefined {
  if (type === 'Ready') {
    if (status === 'False') return keys.notReady;
    return status === 'Unknown' ? keys.unreachable : undefined;
  }
  if (status !== 'True') return undefined;
  switch (type) {
    case 'MemoryPressure':
      return keys.memoryPressure;
    case 'DiskPressure':
      return keys.diskPressure;
    case 'PIDPressure':
      return keys.pidPressure;
    case 'NetworkUnavailable':
      return keys.networkUnavailable;
    default:
      return undefined;
  }
}

const managedKeys = (keys: TaintKeys) => [
  keys.notReady,
  keys.unreachable,
  keys.memoryPressure,
  keys.diskPressure,
  keys.pidPressure,
  keys.networkUnavailable,
  keys.unschedulable,
];

const taintsOf = ({ spec }: Node) => spec.taints ?? [];
const noSchedule = (key: string): TaintId => ({ key, effect: 'NoSchedule' });
const noExecute = (key: string): TaintId => ({ key, effect: 'NoExecute' });
