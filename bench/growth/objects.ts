// The ConfigMaps of the scale benchmark: 1 KB each, and a label that ten of them share.
import { nameOf } from '../objects.ts';

export const namespace = 'bench-scale';
const objectsPerGroup = 10;
const payload = 'abcdefghijklmnopqrstuvwxyz012345'.repeat(32).slice(0, 800);

export const configMapBody = (index: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: nameOf(index), labels: { app: 'bench', group: groupOf(index) } },
    data: { payload },
  });

const groupOf = (index: number): string => `g${Math.floor(index / objectsPerGroup)}`;

/** Selects the ten objects of a group. */
export const selectGroupOf = (index: number): string => `labelSelector=group%3D${groupOf(index)}`;
