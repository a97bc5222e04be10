// Version order of upstream: stable before beta before alpha, the newer before the older.
const versionShape = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
/** In ascending order; a stable version has no stage. */
const stages = ['alpha', 'beta', undefined];

/** Sorts the preferred version first. A name that is not of this shape comes last. */
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
