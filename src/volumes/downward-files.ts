// Renders the files of a downwardAPI volume: fields and container resources of a pod.
import type { ResourceFieldSelector } from '../apis/core/key-selector.ts';
import type { Pod } from '../apis/core/pod.ts';
import type { DownwardAPIVolumeFile } from '../apis/core/projected-volume.ts';
import { parseQuantity } from '../schema/quantity.ts';
import { type VolumeFiles, VolumeProblem } from './volume-files.ts';
import type { VolumeReader } from './volume-reader.ts';

export async function addDownwardAPIFiles(
  files: VolumeFiles,
  pod: Pod,
  items: readonly DownwardAPIVolumeFile[],
  defaultMode: number,
  reader: VolumeReader,
): Promise<void> {
  for (const { path, fieldRef, resourceFieldRef, mode } of items) {
    let content = '';
    if (fieldRef) content = fieldRefValue(pod, fieldRef.fieldPath);
    else if (resourceFieldRef) content = await resourceFieldRefValue(pod, resourceFieldRef, reader);
    files.add(path, mode ?? defaultMode, content);
  }
}

/** The pod field at a path. A label or annotation that the pod does not have is empty. */
function fieldRefValue({ metadata }: Pod, path: string): string {
  switch (path) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
  }
  const [, mapName, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (mapName === undefined || key === undefined)
    throw new VolumeProblem(`the field ${path} is not supported in a downwardAPI volume`);
  const values = metadata[mapName as 'labels' | 'annotations'] ?? {};
  return Object.hasOwn(values, key) ? values[key]! : '';
}

/** Formats labels or annotations as the kubelet does: one `key="value"` line per entry, ordered by key. */
function formatMap(pairs: Readonly<Record<string, string>> = {}): string {
  return Object.entries(pairs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

/**
 * A request or limit of a container divided by the divisor, rounded up. The default limit is the node's allocatable.
 */
async function resourceFieldRefValue(
  { spec }: Pod,
  { containerName, resource, divisor }: ResourceFieldSelector,
  reader: VolumeReader,
): Promise<string> {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const container = containers.find(({ name }) => name === containerName);
  if (!container) throw new VolumeProblem(`the pod has no container ${JSON.stringify(containerName)}`);
  const [list = '', name = ''] = splitAtDot(resource);
  const declared = container.resources?.[list as 'limits' | 'requests']?.[name];
  const isNodeResource = name === 'cpu' || name === 'memory' || name === 'ephemeral-storage';
  const allocatable =
    declared === undefined && list === 'limits' && isNodeResource && spec.nodeName
      ? (await reader.allocatable(spec.nodeName))[name]
      : undefined;
  return divideRoundingUp(declared ?? allocatable ?? '0', divisor);
}

/** `limits.cpu` as `['limits', 'cpu']`. */
function splitAtDot(text: string): [string, string] {
  const dot = text.indexOf('.');
  return [text.slice(0, dot), text.slice(dot + 1)];
}

/** Divides quantities with integer arithmetic: both are scaled to the same power of ten. */
function divideRoundingUp(text: string, divisor: string | undefined): string {
  const amount = parseWithoutExponent(text);
  const divisorQuantity = parseWithoutExponent(divisor ?? '1');
  const scale = Math.min(amount.scale, divisorQuantity.scale);
  const dividend = amount.amount * 10n ** BigInt(amount.scale - scale);
  // A divisor of 0 means the default.
  const divisorAmount =
    divisorQuantity.amount === 0n
      ? 10n ** BigInt(-scale)
      : divisorQuantity.amount * 10n ** BigInt(divisorQuantity.scale - scale);
  return String((dividend + divisorAmount - 1n) / divisorAmount);
}

/** Parses a quantity to an integer amount whose decimal scale is at most 0. */
function parseWithoutExponent(text: string): { amount: bigint; scale: number } {
  const quantity = parseQuantity(text);
  if ('problem' in quantity) throw new VolumeProblem(`${JSON.stringify(text)} is not a quantity`);
  const { amount, scale } = quantity;
  return scale > 0 ? { amount: amount * 10n ** BigInt(scale), scale: 0 } : { amount, scale };
}
