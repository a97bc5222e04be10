// The file of LMDB's addon for this platform.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export function lmdbAddon(): string {
  const { platform, arch } = process;
  const fromLmdb = createRequire(createRequire(import.meta.url).resolve('lmdb'));
  const addonPackage = dirname(fromLmdb.resolve(`@lmdb/lmdb-${platform}-${arch}/package.json`));
  return join(addonPackage, 'node.napi.glibc.node');
}
