// Built-in kinds: builds the registry of those that a server serves, from --feature-gates, --runtime-config and
// related options.

import { type Dialect, dialects } from '../dialect/index.ts';
import { parseEmulatedRelease } from '../kind/features/emulation.ts';
import { FeatureGates } from '../kind/features/gates.ts';
import { Registry } from '../kind/registry.ts';
import { builtinKinds } from './index.ts';
import { metricsKinds } from './metrics/index.ts';
import type { ApiOptions } from './options.ts';
import { ServedApis } from './served-apis.ts';

export interface ServedKinds {
  readonly dialect: Dialect;
  /** The release that the server emulates. */
  readonly release: string;
  readonly features: FeatureGates;
  readonly registry: Registry;
  /** Warnings about deprecated or ineffective options, for the log. */
  readonly warnings: readonly string[];
}

/** `nodes`: the number of simulated nodes. With such nodes the server serves resource metrics. */
type KindOptions = ApiOptions & { readonly nodes?: number };

export function servedKinds(options: KindOptions): ServedKinds {
  const { dialect, release, features, kinds, apis } = definitionsOf(options);
  const registry = new Registry(kinds, dialect, apis);
  return { dialect, release, features, registry, warnings: [...features.warnings, ...apis.warnings] };
}

type Definitions = ReturnType<typeof createDefinitions>;

/** The definitions of the latest servers in this process, by their options: they never change, and are most of a start. */
const definitionsByOptions = new Map<string, Definitions>();
const maxKeptDefinitions = 4;

function definitionsOf(options: KindOptions): Definitions {
  const { dialect, emulatedVersion, featureGates, runtimeConfig, allowPrivileged } = options;
  const hasNodes = (options.nodes ?? 0) > 0;
  const key = JSON.stringify([
    dialect,
    emulatedVersion,
    featureGates,
    runtimeConfig,
    allowPrivileged,
    hasNodes,
  ]);
  const definitions = definitionsByOptions.get(key) ?? createDefinitions(options, hasNodes);
  definitionsByOptions.delete(key);
  definitionsByOptions.set(key, definitions);
  const [oldest] = definitionsByOptions.keys();
  if (definitionsByOptions.size > maxKeptDefinitions) definitionsByOptions.delete(oldest!);
  return definitions;
}

function createDefinitions(options: ApiOptions, hasNodes: boolean) {
  const dialect = dialects[options.dialect];
  const release = parseEmulatedRelease(options.emulatedVersion, dialect);
  const features = new FeatureGates(options.featureGates, { release, component: dialect.componentName });
  const builtIn = builtinKinds({ dialect, features, allowPrivileged: options.allowPrivileged });
  const kinds = hasNodes ? [...builtIn, ...metricsKinds()] : builtIn;
  const apis = new ServedApis(options.runtimeConfig, kinds, dialect, features, release);
  return { dialect, release, features, kinds, apis };
}
