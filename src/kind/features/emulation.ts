// --emulated-version: parses the release that the server emulates.

import { apiRelease, minorReleasesBetween, previousRelease } from '../../base/release.ts';
import type { Dialect } from '../../dialect/dialect.ts';

/** The earliest release whose feature gates and API lifecycles this code base records. */
const minEmulatedRelease = '1.31';

/** Parses `1.32`, `v1.32` or `orch=1.32`; an empty text is the current release. Throws if it cannot be emulated. */
export function parseEmulatedRelease(
  text: string,
  { componentName }: Pick<Dialect, 'componentName'>,
): string {
  if (text === '') return apiRelease;
  const equals = text.indexOf('=');
  const component = equals < 0 ? componentName : text.slice(0, equals);
  if (component !== componentName) throw new Error(`component not registered: ${component}`);
  const version = text.slice(equals + 1);
  const [, major, minor, patch] = /^v?(\d{1,4})\.(\d{1,4})((?:\.\d+)*)$/.exec(version) ?? [];
  if (major === undefined) throw new Error(`could not parse ${JSON.stringify(version)} as version`);
  if (patch !== '') throw new Error(`patch version not allowed, got: ${component}=${version}`);
  const release = `${major}.${minor}`;
  const isSupported =
    major === '1' &&
    minorReleasesBetween(minEmulatedRelease, release) >= 0 &&
    minorReleasesBetween(release, apiRelease) >= 0;
  if (!isSupported) {
    throw new Error(`emulation version ${release} is not between [${minEmulatedRelease}, ${apiRelease}.0]`);
  }
  return release;
}

/** The oldest release that a server of `release` is compatible with: the previous one (upstream: MinCompatibilityVersion). */
export function minCompatibilityRelease(release: string): string {
  return minorReleasesBetween(minEmulatedRelease, release) === 0
    ? minEmulatedRelease
    : previousRelease(release);
}
