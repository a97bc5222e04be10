// statefulset-controller: the ordinals of pods, and the names that follow from them.
import type { StatefulSet } from '../../apis/apps/statefulset.ts';

/** The ordinals from `start` up to and without `end`. */
export interface OrdinalRange {
  readonly start: number;
  readonly end: number;
}

export function ordinalRange({ spec }: Pick<StatefulSet, 'spec'>): OrdinalRange {
  const start = spec.ordinals?.start ?? 0;
  return { start, end: start + (spec.replicas ?? 1) };
}

export const isInRange = (ordinal: number, { start, end }: OrdinalRange) => ordinal >= start && ordinal < end;

export const podName = (setName: string, ordinal: number) => `${setName}-${ordinal}`;

const maxOrdinal = 2 ** 31 - 1;

/** Undefined if the name is not one of a pod of the StatefulSet. */
export function ordinalOf(setName: string, name: string): number | undefined {
  const ordinal = Number(name.slice(setName.length + 1));
  const isMember = ordinal <= maxOrdinal && name === podName(setName, ordinal);
  return isMember ? ordinal : undefined;
}

/** The name of the StatefulSet that a pod with this name may belong to. */
export const setNameOf = (name: string) => /^(.*)-[0-9]+$/.exec(name)?.[1];
