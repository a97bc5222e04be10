// Version order of upstream: stable before beta before alpha, the newer before the older.
const versionShape = /^v(?<major>\d+)(?:(?<stage>alpha|beta)(?<minor>\d+))?$/;
/** In ascending order; a stable version has no stage. */
const stages = ['alpha', 'beta', undefined];

/** Sorts the preferred version first. A name that is not of this shape comes last. */
export function compareVersions(a: string, b: string): number {
  const left = versionShape.exec(a)?.groups;
  const right = versionShape.exec(b)?.groups;
  if (!left && !right) return compareText(a, b);
  if (!left) return 1;
  if (!right) return -1;
  return (
    stages.indexOf(right.stage) - stages.indexOf(left.stage) ||
    Number(right.major) - Number(left.major) ||
    Number(right.minor ?? 0) - Number(left.minor ?? 0)
  );
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
