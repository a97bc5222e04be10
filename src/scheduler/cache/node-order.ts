// The order in which nodes are tried, upstream's nodeTree: one node of each zone in turn.
import type { NodeInfo } from './node-info.ts';

export function orderByZone(
  nodes: Iterable<NodeInfo>,
  zoneLabels: { readonly zone: string; readonly region: string },
): NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>();
  for (const node of nodes) {
    const key = zoneKey(node, zoneLabels);
    const zone = zones.get(key);
    if (zone) zone.push(node);
    else zones.set(key, [node]);
  }
  const lists = [...zones.values()];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const ordered: NodeInfo[] = [];
  for (let i = 0; i < longest; i++) {
    for (const zone of lists) if (zone[i]) ordered.push(zone[i]!);
  }
  return ordered;
}

export const zoneKey = (
  { labels }: NodeInfo,
  { zone, region }: { readonly zone: string; readonly region: string },
) => `${labels.get(region) ?? ''}\0${labels.get(zone) ?? ''}`;
