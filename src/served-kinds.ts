import { builtinKinds } from './api/index.ts';
import { type Dialect, dialects } from './dialect/index.ts';
import { FeatureGates } from './features/gates.ts';
import { apiRelease } from './features/release.ts';
import { ServedApis } from './features/served-apis.ts';
import type { ServerOptions } from './options.ts';
import { Registry } from './resource/registry.ts';

/** What decides which kinds there are, and how they behave. */
export type KindOptions = Pick<
  ServerOptions,
  'dialect' | 'featureGates' | 'runtimeConfig' | 'allowPrivileged'
>;

export interface ServedKinds {
  readonly dialect: Dialect;
  readonly features: FeatureGates;
  readonly registry: Registry;
  /** What the user should hear of what was asked for. */
  readonly warnings: readonly string[];
}

/** The kinds that a server with these options serves. */
export function servedKinds(options: KindOptions): ServedKinds {
  const dialect = dialects[options.dialect];
  const features = new FeatureGates(options.featureGates, {
    release: apiRelease,
    component: dialect.componentName,
  });
  const kinds = builtinKinds({ dialect, features, allowPrivileged: options.allowPrivileged });
  const apis = new ServedApis(options.runtimeConfig, kinds, dialect, features);
  const registry = new Registry(kinds, dialect, apis);
  return { dialect, features, registry, warnings: [...features.warnings, ...apis.warnings] };
}
