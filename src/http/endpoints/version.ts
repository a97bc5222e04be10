// /version: the release of the API, as version.Info.
import { apiRelease } from '../../base/release.ts';
import { methodNotAllowed, resourceNotServed } from '../../errors/catalogue.ts';
import { minCompatibilityRelease } from '../../kind/features/emulation.ts';
import { negotiate } from '../../serializers/negotiate.ts';
import type { Offer } from '../../serializers/offer.ts';
import type { PathHandler, PathTable } from '../../transport/path-table.ts';
import { jsonType, sendBytes } from '../../transport/response.ts';

export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** Go's names of architectures that Node names differently. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/**
 * `orchVersion` is the version of this package, sent as build metadata. `emulated` is the API release that the server
 * emulates.
 */
export function versionInfo(orchVersion: string, emulated: string = apiRelease): VersionInfo {
  const [major = '', minor = ''] = apiRelease.split('.');
  const [emulationMajor = '', emulationMinor = ''] = emulated.split('.');
  const [minCompatibilityMajor = '', minCompatibilityMinor = ''] =
    minCompatibilityRelease(emulated).split('.');
  return {
    major,
    minor,
    emulationMajor,
    emulationMinor,
    minCompatibilityMajor,
    minCompatibilityMinor,
    gitVersion: `v${major}.${minor}.0+orch.${orchVersion}`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${process.platform}/${architectures[process.arch] ?? process.arch}`,
  };
}

const rejectSubpath: PathHandler = () => {
  throw resourceNotServed();
};

export function addVersion(table: PathTable, info: VersionInfo): void {
  const body = Buffer.from(JSON.stringify(info, null, 2));
  const offer: Offer = { mediaTypes: [jsonType], routeTypes: [jsonType], converts: () => true };
  const handler: PathHandler = (exchange) => {
    if (exchange.request.method !== 'GET') throw methodNotAllowed();
    negotiate(exchange, offer);
    sendBytes(exchange, 200, jsonType, body);
  };
  table.add('/version', handler);
  // The path is also served with a slash at its end; its subpaths get the 404 of a resource that is not served.
  table.addFamily({
    paths: () => [],
    find(path) {
      if (path === '/version/') return handler;
      return path.startsWith('/version/') ? rejectSubpath : undefined;
    },
  });
}
