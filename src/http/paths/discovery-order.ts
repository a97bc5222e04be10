/** In which order groups are listed: the first that serves a kind is where a client looks for it. */
const groupOrder = [
  '',
  'apiregistration',
  'apps',
  'events',
  'authentication',
  'authorization',
  'autoscaling',
  'batch',
  'certificates',
  'networking',
  'policy',
  'rbac.authorization',
  'storage',
  'admissionregistration',
  'apiextensions',
  'scheduling',
  'coordination',
  'node',
  'discovery',
  'resource',
  'flowcontrol.apiserver',
  'internal.apiserver',
  'storagemigration',
];

/** Compares two groups by their ids; groups that are not built in come last, by name. */
export function compareGroups(a: string, b: string): number {
  return rank(a) - rank(b) || compareText(a, b);
}

function rank(id: string): number {
  const at = groupOrder.indexOf(id);
  return at < 0 ? groupOrder.length : at;
}

const versionShape = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stages = ['alpha', 'beta', undefined];

/** Compares two versions, the better first: stable before beta before alpha, the newer before the older. */
export function compareVersions(a: string, b: string): number {
  const left = versionShape.exec(a);
  const right = versionShape.exec(b);
  if (!left || !right) return (left ? -1 : 0) + (right ? 1 : 0) || compareText(a, b);
  return (
    stages.indexOf(right[2]) - stages.indexOf(left[2]) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
