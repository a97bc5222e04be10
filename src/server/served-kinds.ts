import { builtinKinds } from '../apis/index.ts';
import { type Dialect, dialects } from '../dialect/index.ts';
import { emulatedRelease } from '../kind/features/emulation.ts';
import { FeatureGates } from '../kind/features/gates.ts';
import { ServedApis } from '../kind/features/served-apis.ts';
import { Registry } from '../kind/registry.ts';
import type { ServerOptions } from './options.ts';

/** What decides which kinds there are, and how they behave. */
export type KindOptions = Pick<
  ServerOptions,
  'dialect' | 'featureGates' | 'runtimeConfig' | 'emulatedVersion' | 'allowPrivileged'
>;

export interface ServedKinds {
  readonly dialect: Dialect;
  /** The release that the server is like. */
  readonly release: string;
  readonly features: FeatureGates;
  readonly registry: Registry;
  /** What the user should hear of what was asked for. */
  readonly warnings: readonly string[];
}

/** The kinds that a server with these options serves. */
export function servedKinds(options: KindOptions): ServedKinds {
  const dialect = dialects[options.dialect];
  const release = emulatedRelease(options.emulatedVersion, dialect);
  const features = new FeatureGates(options.featureGates, { release, component: dialect.componentName });
  const kinds = builtinKinds({ dialect, features, allowPrivileged: options.allowPrivileged });
  const apis = new ServedApis(options.runtimeConfig, kinds, dialect, features, release);
  const registry = new Registry(kinds, dialect, apis);
  return { dialect, release, features, registry, warnings: [...features.warnings, ...apis.warnings] };
}
