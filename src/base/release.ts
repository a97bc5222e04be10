/** The release of the API that is served. Gates, metrics and versions grow old by it. */
export const apiRelease = '1.33';

/** 33 of `1.33`. All releases are of one major version. */
export function minorOf(release: string): number {
  const minor = /^1\.(\d{1,3})$/.exec(release)?.[1];
  if (minor === undefined) throw new Error(`${release} is not a release such as ${apiRelease}`);
  return Number(minor);
}

/** How many releases lie between two; negative where the second came first. */
export const releasesFrom = (earlier: string, later: string): number => minorOf(later) - minorOf(earlier);

/** The release before. */
export const previous = (release: string): string => `1.${minorOf(release) - 1}`;
