// --runtime-config: selects the group versions and resources that the server serves.
// Dialect: names in the service's domain, and rules that differ, of Kubernetes' API or of Orch's own.

import { nearest } from '../base/nearest.ts';
import { apiRelease } from '../base/release.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import type { Features } from '../kind/features/features.ts';
import type { GateName } from '../kind/features/gate-table.ts';
import { isReached, lifecycleOf, removedVersions, webhookVersions } from './api-lifecycles.ts';

/**
 * Whether to serve a group version, a resource in it, or a stability level (`api/all`, `api/ga`, `api/beta`,
 * `api/alpha`).
 */
export type RuntimeConfig = Readonly<Record<string, boolean>>;

type StabilityLevel = 'ga' | 'beta' | 'alpha';

const stabilityKeys: Readonly<Record<string, StabilityLevel>> = {
  'api/ga': 'ga',
  'api/beta': 'beta',
  'api/alpha': 'alpha',
};
const apiAll = 'api/all';
/** Accepted without effect, as in kube-apiserver. */
const apiLegacy = 'api/legacy';
const coreVersion = 'v1';

type RegisteredKind = Pick<
  ResourceDefinition,
  'group' | 'version' | 'plural' | 'kind' | 'gate' | 'isServedByDefault'
>;
type WithSubresources = Pick<ResourceDefinition, 'subresources'>;

/** Decides which built-in kinds are served: by default those of stable versions. */
export class ServedApis {
  /** Warnings about removed versions in the configuration. */
  readonly warnings: readonly string[];
  readonly #dialect: Dialect;
  readonly #features: Features;
  readonly #release: string;
  /** The value of `api/all`; undefined if the configuration does not have it. */
  readonly #all: boolean | undefined;
  readonly #byLevel = new Map<StabilityLevel, boolean>();
  /** By `apiVersion` and by `apiVersion/plural`. */
  readonly #byName = new Map<string, boolean>();

  /** Throws if the configuration names an unknown group version, or one that the emulated release does not have. */
  constructor(
    config: RuntimeConfig,
    kinds: readonly RegisteredKind[],
    dialect: Dialect,
    features: Features,
    release: string = apiRelease,
  ) {
    this.#dialect = dialect;
    this.#features = features;
    this.#release = release;
    const knownVersions = new KnownVersions(kinds, dialect);
    knownVersions.assertKnown(config);
    this.#all = config[apiAll];
    for (const [key, value] of Object.entries(config)) {
      const level = stabilityKeys[key];
      if (level) this.#byLevel.set(level, value);
      else if (key !== apiAll && key !== apiLegacy) this.#byName.set(key.replace(/^api\//, ''), value);
    }
    if (this.#all === false && Object.keys(config).length === 1) {
      throw new Error(
        'invalid key with only api/all=false; enable at least one version, as in api/all=false,v1=true',
      );
    }
    this.#assertIntroduced(kinds);
    this.warnings = knownVersions
      .removedAmong(this.#byName)
      .map((version) => `${version} is no longer served`);
  }

  serves(kind: RegisteredKind): boolean {
    return this.#isGateOn(kind.gate) && this.#isIntroduced(kind) && this.#isEnabled(kind);
  }

  #isIntroduced(kind: RegisteredKind): boolean {
    return isReached(lifecycleOf(kind)?.introduced ?? this.#release, this.#release);
  }

  /** Throws if the configuration enables an API by name that was introduced after the emulated release. */
  #assertIntroduced(kinds: readonly RegisteredKind[]): void {
    for (const [key, isEnabled] of this.#byName) {
      if (!isEnabled) continue;
      const groupVersion = groupVersionOfKey(key);
      const namedKinds = kinds.filter(({ group, version, plural }) => {
        const apiVersion = this.#dialect.apiVersion(group, version);
        return apiVersion === groupVersion && (key === groupVersion || key === `${apiVersion}/${plural}`);
      });
      const [first] = namedKinds;
      if (!first || namedKinds.some((kind) => this.#isIntroduced(kind))) continue;
      throw new Error(
        key === groupVersion
          ? `cannot enable version ${groupVersion} in runtime-config because all the resources have been introduced after the current version ${this.#release}`
          : `cannot enable resource ${groupVersion}, Resource=${first.plural} in runtime-config because it is introduced at ${lifecycleOf(first)?.introduced} after the current version ${this.#release}`,
      );
    }
  }

  servesSubresource({ subresources }: WithSubresources, subresource: string): boolean {
    return this.#isGateOn(subresources[subresource]?.gate);
  }

  #isGateOn(gate: GateName | undefined): boolean {
    return gate === undefined || this.#features.enabled(gate);
  }

  /** The most specific entry of the configuration decides. */
  #isEnabled({ group, version, plural, isServedByDefault = false }: RegisteredKind): boolean {
    const apiVersion = this.#dialect.apiVersion(group, version);
    const level = levelOf(version);
    return (
      this.#byName.get(`${apiVersion}/${plural}`) ??
      this.#byName.get(apiVersion) ??
      this.#byLevel.get(level) ??
      this.#all ??
      // kube-apiserver also enables betas introduced before 1.22 by default; none is left.
      (isServedByDefault || level === 'ga')
    );
  }
}

function levelOf(version: string): StabilityLevel {
  if (version.includes('alpha')) return 'alpha';
  return version.includes('beta') ? 'beta' : 'ga';
}

/** The group versions that --runtime-config may name. */
class KnownVersions {
  readonly #served: ReadonlySet<string>;
  readonly #removed: ReadonlySet<string>;
  /** Versions of webhook review objects, which are sent but not served. */
  readonly #sent: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;

  constructor(kinds: readonly RegisteredKind[], dialect: Dialect) {
    const toApiVersion = ({ group, version }: Pick<RegisteredKind, 'group' | 'version'>) =>
      dialect.apiVersion(group, version);
    this.#served = new Set(kinds.map(toApiVersion));
    this.#removed = new Set([...removedVersions.map(toApiVersion), ...dialect.rules.removedGroupVersions]);
    this.#sent = new Set(webhookVersions.map(toApiVersion));
    this.#groups = new Set([...this.#served, ...this.#removed, ...this.#sent].map(groupOfKey));
  }

  /** Throws if the configuration names an unknown group, or enables an unknown version of a known one. */
  assertKnown(config: RuntimeConfig): void {
    const versionEntries = Object.entries(config)
      .filter(([key]) => key !== apiAll && key !== apiLegacy && !Object.hasOwn(stabilityKeys, key))
      .map(([key, value]) => [groupVersionOfKey(key), value] as const)
      .filter(([version]) => version !== coreVersion);
    const versions = versionEntries.map(([version]) => version);
    const unknownGroups = [...new Set(versions.map(groupOfKey))]
      .filter((group) => !this.#groups.has(group))
      .sort();
    if (unknownGroups.length > 0) {
      const suggestion = nearest(unknownGroups[0]!, this.#groups);
      throw new Error(
        `unknown api groups ${unknownGroups.join(',')}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`,
      );
    }
    const isKnown = (version: string) =>
      this.#served.has(version) || this.#removed.has(version) || this.#sent.has(version);
    // Disabling an unknown version of a known group is allowed.
    const unknownVersion = versionEntries.find(([version, isEnabled]) => isEnabled && !isKnown(version))?.[0];
    if (unknownVersion !== undefined) {
      const servedInGroup = [...this.#served].filter(
        (version) => groupOfKey(version) === groupOfKey(unknownVersion),
      );
      throw new Error(
        `group version ${unknownVersion} that has not been registered; available: ${servedInGroup.sort().join(', ') || 'none'}`,
      );
    }
  }

  /** The enabled versions that are no longer served. */
  removedAmong(byName: ReadonlyMap<string, boolean>): string[] {
    const enabled = [...byName].filter(([, isEnabled]) => isEnabled).map(([key]) => groupVersionOfKey(key));
    return [...new Set(enabled)].filter(
      (version) => this.#removed.has(version) && !this.#served.has(version),
    );
  }
}

const groupOfKey = (apiVersion: string) => apiVersion.split('/')[0]!;

/** Returns the group version of a key: `batch/v1` for `batch/v1/jobs`. */
function groupVersionOfKey(key: string): string {
  const segments = key.split('/');
  if (segments[0] === 'api' && segments[1] === coreVersion) segments.shift();
  if (segments[0] === coreVersion && segments.length <= 2) return coreVersion;
  if (segments.length < 2 || segments.length > 3) {
    throw new Error(
      `runtime-config invalid key ${key}; use a group version, a resource in it, or api/all, api/ga, api/beta, api/alpha`,
    );
  }
  return `${segments[0]}/${segments[1]}`;
}
