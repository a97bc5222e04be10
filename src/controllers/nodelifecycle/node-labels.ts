// node-lifecycle-controller: labels of a node that are derived from others: the deprecated labels of operating system and
// architecture, and the zone of a node.
import type { Dialect } from '../../dialect/dialect.ts';
import { deprecatedNameOf } from '../../kind/deprecated-labels.ts';

type Labels = Readonly<Record<string, string>>;

/** The deprecated labels that are missing or differ from their replacement. */
export function labelsToUpdate(labels: Labels, dialect: Dialect): Labels {
  const { os, arch } = dialect.labels;
  const changed = [os, arch].flatMap((label) => {
    const [deprecated, value] = [deprecatedNameOf(label, dialect), labels[label]];
    const isOutdated = deprecated !== undefined && value !== undefined && labels[deprecated] !== value;
    return isOutdated ? [[deprecated, value] as const] : [];
  });
  return Object.fromEntries(changed);
}

/** Region and zone of a node in one text; nodes without these labels are one zone. */
export function zoneKey(labels: Labels, dialect: Dialect): string {
  const { region, zone } = dialect.labels;
  const labelValue = (label: string) => labels[label] ?? labels[deprecatedNameOf(label, dialect) ?? ''] ?? '';
  return JSON.stringify([labelValue(region), labelValue(zone)]);
}
