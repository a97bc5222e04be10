// Built-in kinds: builds the registry of those that a server serves, from --feature-gates, --runtime-config and
// related options.

import { type Dialect, dialects } from '../dialect/index.ts';
import { parseEmulatedRelease } from '../kind/features/emulation.ts';
import { FeatureGates } from '../kind/features/gates.ts';
import { Registry } from '../kind/registry.ts';
import { builtinKinds } from './index.ts';
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

export function servedKinds(options: ApiOptions): ServedKinds {
  const { dialect, release, features, kinds, apis } = definitionsOf(options);
  const registry = new Registry(kinds, dialect, apis);
  return { dialect, release, features, registry, warnings: [...features.warnings, ...apis.warnings] };
}

type Definitions = ReturnType<typeof createDefinitions>;

/** The definitions of the latest servers in this process, by their options: they never change, and are most of a start. */
const definitionsByOptions = new Map<string, Definitions>();
const maxKeptDefinitions = 4;

function definitionsOf(options: ApiOptions): Definitions {
  const { dialect, emulatedVersion, featureGates, runtimeConfig, allowPrivileged } = options;
  const key = JSON.stringify([dialect, emulatedVersion, featureGates, runtimeConfig, allowPrivileged]);
  const definitions = definitionsByOptions.get(key) ?? createDefinitions(options);
  definitionsByOptions.delete(key);
  definitionsByOptions.set(key, definitions);
  const [oldest] = definitionsByOptions.keys();
  if (definitionsByOptions.size > maxKeptDefinitions) definitionsByOptions.delete(oldest!);
  return definitions;
}

function createDefinitions(options: ApiOptions) {
  const dialect = dialects[options.dialect];
  const release = parseEmulatedRelease(options.emulatedVersion, dialect);
  const features = new FeatureGates(options.featureGates, { release, component: dialect.componentName });
  const kinds = builtinKinds({ dialect, features, allowPrivileged: options.allowPrivileged });
  const apis = new ServedApis(options.runtimeConfig, kinds, dialect, features, release);
  return { dialect, release, features, kinds, apis };
}
