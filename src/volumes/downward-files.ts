// Files of the downward API.
import type { ResourceFieldSelector } from '../apis/core/key-selector.ts';
import type { Pod } from '../apis/core/pod.ts';
import type { DownwardAPIVolumeFile } from '../apis/core/projected-volume.ts';
import { parseQuantity } from '../schema/quantity.ts';
import { type VolumeFiles, VolumeProblem } from './volume-files.ts';
import type { VolumeReader } from './volume-reader.ts';

export async function addDownwardFiles(
  files: VolumeFiles,
  pod: Pod,
  items: readonly DownwardAPIVolumeFile[],
  defaultMode: number,
  reader: VolumeReader,
): Promise<void> {
  for (const { path, fieldRef, resourceFieldRef, mode } of items) {
    const value = fieldRef
      ? fieldOf(pod, fieldRef.fieldPath)
      : resourceFieldRef
        ? await resourceOf(pod, resourceFieldRef, reader)
        : '';
    files.add(path, mode ?? defaultMode, value);
  }
}

function fieldOf({ metadata }: Pod, path: string): string {
  switch (path) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return listed(metadata.labels);
    case 'metadata.annotations':
      return listed(metadata.annotations);
  }
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map === undefined || key === undefined)
    throw new VolumeProblem(`the field ${path} is not supported in a downwardAPI volume`);
  const values = metadata[map as 'labels' | 'annotations'] ?? {};
  return Object.hasOwn(values, key) ? values[key]! : '';
}

/** One line per entry, ordered by key. */
function listed(pairs: Readonly<Record<string, string>> = {}): string {
  return Object.entries(pairs)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

/**
 * Requests or limits of a container divided by the divisor, rounded up. The default limit is the node's allocatable.
 */
async function resourceOf(
  { spec }: Pod,
  { containerName, resource, divisor }: ResourceFieldSelector,
  reader: VolumeReader,
): Promise<string> {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const container = containers.find(({ name }) => name === containerName);
  if (!container) throw new VolumeProblem(`the pod has no container ${JSON.stringify(containerName)}`);
  const [kind = '', name = ''] = splitAtDot(resource);
  const stated = container.resources?.[kind as 'limits' | 'requests']?.[name];
  const isShared = name === 'cpu' || name === 'memory' || name === 'ephemeral-storage';
  const fallback =
    stated === undefined && kind === 'limits' && isShared && spec.nodeName
      ? (await reader.allocatable(spec.nodeName))[name]
      : undefined;
  return inUnits(stated ?? fallback ?? '0', divisor);
}

function splitAtDot(text: string): [string, string] {
  const dot = text.indexOf('.');
  return [text.slice(0, dot), text.slice(dot + 1)];
}

function inUnits(text: string, divisor: string | undefined): string {
  const amount = exact(text);
  const unit = exact(divisor ?? '1');
  const scale = Math.min(amount.scale, unit.scale);
  const whole = amount.amount * 10n ** BigInt(amount.scale - scale);
  // A divisor of 0 means the default.
  const part = unit.amount === 0n ? 10n ** BigInt(-scale) : unit.amount * 10n ** BigInt(unit.scale - scale);
  return String((whole + part - 1n) / part);
}

/** Formats without exponent. */
function exact(text: string): { amount: bigint; scale: number } {
  const quantity = parseQuantity(text);
  if ('problem' in quantity) throw new VolumeProblem(`${JSON.stringify(text)} is not a quantity`);
  const { amount, scale } = quantity;
  return scale > 0 ? { amount: amount * 10n ** BigInt(scale), scale: 0 } : { amount, scale };
}
