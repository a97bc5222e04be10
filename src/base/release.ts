// The Kubernetes release that the server implements.

/** Feature gates, metrics and API versions depend on it. */
export const apiRelease = '1.33';

/** The minor version: 33 of `1.33`. */
export function minorVersion(release: string): number {
  const minor = /^1\.(\d{1,3})$/.exec(release)?.[1];
  if (minor === undefined) throw new Error(`${release} is not a release such as ${apiRelease}`);
  return Number(minor);
}

/** The number of minor releases between two; negative if the second is earlier. */
export const minorReleasesBetween = (earlier: string, later: string): number =>
  minorVersion(later) - minorVersion(earlier);

export const previousRelease = (release: string): string => `1.${minorVersion(release) - 1}`;
