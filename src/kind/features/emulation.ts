import { apiRelease, previous, releasesFrom } from '../../base/release.ts';
import type { Dialect } from '../../dialect/dialect.ts';

/** The earliest release that gates and versions are kept for. */
const earliest = '1.31';

/**
 * The release whose gates and API versions a server has: `1.32`, `v1.32` or `orch=1.32`, this one where nothing is said.
 * Throws where it cannot be that one.
 */
export function emulatedRelease(text: string, { componentName }: Pick<Dialect, 'componentName'>): string {
  if (text === '') return apiRelease;
  const equals = text.indexOf('=');
  const component = equals < 0 ? componentName : text.slice(0, equals);
  if (component !== componentName) throw new Error(`component not registered: ${component}`);
  const version = text.slice(equals + 1);
  const [, major, minor, patch] = /^v?(\d{1,4})\.(\d{1,4})((?:\.\d+)*)$/.exec(version) ?? [];
  if (major === undefined) throw new Error(`could not parse ${JSON.stringify(version)} as version`);
  if (patch !== '') throw new Error(`patch version not allowed, got: ${component}=${version}`);
  const release = `${major}.${minor}`;
  const isKept =
    major === '1' && releasesFrom(earliest, release) >= 0 && releasesFrom(release, apiRelease) >= 0;
  if (!isKept) {
    throw new Error(`emulation version ${release} is not between [${earliest}, ${apiRelease}.0]`);
  }
  return release;
}

/** The oldest release that a server can stand beside: the one before, as far back as they are kept. */
export function oldestCompatible(release: string): string {
  return releasesFrom(earliest, release) === 0 ? earliest : previous(release);
}
