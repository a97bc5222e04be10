import { nearest } from '../base/nearest.ts';
import { apiRelease } from '../base/release.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import type { Features } from '../kind/features/features.ts';
import type { GateName } from '../kind/features/gate-table.ts';
import { hasBegun, lifecycleOf, removedVersions, webhookVersions } from './api-lifecycles.ts';

/** As --runtime-config says it: a group version, one resource in it, or one of the `api/…` words → served or not. */
export type RuntimeConfig = Readonly<Record<string, boolean>>;

type Level = 'ga' | 'beta' | 'alpha';

const levelWords: Readonly<Record<string, Level>> = {
  'api/ga': 'ga',
  'api/beta': 'beta',
  'api/alpha': 'alpha',
};
const everything = 'api/all';
/** Once the versions before `v1`; still understood, without effect. */
const legacy = 'api/legacy';
const coreVersion = 'v1';

type Named = Pick<ResourceDefinition, 'group' | 'version' | 'plural' | 'kind' | 'gate'>;
type WithSubresources = Pick<ResourceDefinition, 'subresources'>;

/** Which of the kinds that the server is built with it serves: the stable ones, unless it is told otherwise. */
export class ServedApis {
  /** What the operator should know of the configuration. */
  readonly warnings: readonly string[];
  readonly #dialect: Dialect;
  readonly #features: Features;
  readonly #release: string;
  readonly #all: boolean | undefined;
  readonly #levels = new Map<Level, boolean>();
  /** By `apiVersion`, and by `apiVersion/plural`. */
  readonly #named = new Map<string, boolean>();

  /** Throws where the configuration speaks of something that does not exist. */
  constructor(
    config: RuntimeConfig,
    kinds: readonly Named[],
    dialect: Dialect,
    features: Features,
    release: string = apiRelease,
  ) {
    this.#dialect = dialect;
    this.#features = features;
    this.#release = release;
    const known = new KnownVersions(kinds, dialect);
    known.check(config);
    this.#all = config[everything];
    for (const [key, value] of Object.entries(config)) {
      const level = levelWords[key];
      if (level) this.#levels.set(level, value);
      else if (key !== everything && key !== legacy) this.#named.set(key.replace(/^api\//, ''), value);
    }
    if (this.#all === false && Object.keys(config).length === 1) {
      throw new Error(
        'invalid key with only api/all=false; enable at least one version, as in api/all=false,v1=true',
      );
    }
    this.#refuseLater(kinds);
    this.warnings = known.removedAmong(this.#named).map((version) => `${version} is no longer served`);
  }

  serves(kind: Named): boolean {
    return this.#isGateOn(kind.gate) && this.#hasCome(kind) && this.#isWanted(kind);
  }

  #hasCome(kind: Named): boolean {
    return hasBegun(lifecycleOf(kind)?.introduced ?? this.#release, this.#release);
  }

  /** What came after the release that is emulated cannot be asked for by name. */
  #refuseLater(kinds: readonly Named[]): void {
    for (const [key, value] of this.#named) {
      if (!value) continue;
      const version = versionIn(key);
      const meant = kinds.filter(({ group, version: name, plural }) => {
        const apiVersion = this.#dialect.apiVersion(group, name);
        return apiVersion === version && (key === version || key === `${apiVersion}/${plural}`);
      });
      if (meant.length === 0 || meant.some((kind) => this.#hasCome(kind))) continue;
      const [later] = meant;
      throw new Error(
        key === version
          ? `cannot enable version ${version} in runtime-config because all the resources have been introduced after the current version ${this.#release}`
          : `cannot enable resource ${version}, Resource=${later!.plural} in runtime-config because it is introduced at ${lifecycleOf(later!)?.introduced} after the current version ${this.#release}`,
      );
    }
  }

  servesPart({ subresources }: WithSubresources, subresource: string): boolean {
    return this.#isGateOn(subresources[subresource]?.gate);
  }

  #isGateOn(gate: GateName | undefined): boolean {
    return gate === undefined || this.#features.enabled(gate);
  }

  #isWanted({ group, version, plural }: Named): boolean {
    const apiVersion = this.#dialect.apiVersion(group, version);
    const level = levelOf(version);
    return (
      this.#named.get(`${apiVersion}/${plural}`) ??
      this.#named.get(apiVersion) ??
      this.#levels.get(level) ??
      this.#all ??
      // Betas older than release 1.22 would be on as well; none of them is left.
      level === 'ga'
    );
  }
}

function levelOf(version: string): Level {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'ga';
}

/** The group versions that may be spoken of. */
class KnownVersions {
  readonly #served: ReadonlySet<string>;
  readonly #removed: ReadonlySet<string>;
  /** Those of objects that are sent, not served. */
  readonly #sent: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;

  constructor(kinds: readonly Named[], dialect: Dialect) {
    const named = ({ group, version }: Pick<Named, 'group' | 'version'>) =>
      dialect.apiVersion(group, version);
    this.#served = new Set(kinds.map(named));
    this.#removed = new Set([...removedVersions.map(named), ...dialect.rules.forgottenVersions]);
    this.#sent = new Set(webhookVersions.map(named));
    this.#groups = new Set([...this.#served, ...this.#removed, ...this.#sent].map(groupIn));
  }

  check(config: RuntimeConfig): void {
    const named = Object.entries(config)
      .filter(([key]) => key !== everything && key !== legacy && !Object.hasOwn(levelWords, key))
      .map(([key, value]) => [versionIn(key), value] as const)
      .filter(([version]) => version !== coreVersion);
    const versions = named.map(([version]) => version);
    const strangers = [...new Set(versions.map(groupIn))].filter((group) => !this.#groups.has(group)).sort();
    if (strangers.length > 0) {
      const meant = nearest(strangers[0]!, this.#groups);
      throw new Error(
        `unknown api groups ${strangers.join(',')}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`,
      );
    }
    // What is not there need not be turned off, and may be.
    const stranger = named.find(
      ([version, value]) =>
        value && ![this.#served, this.#removed, this.#sent].some((known) => known.has(version)),
    )?.[0];
    if (stranger !== undefined) {
      const others = [...this.#served].filter((version) => groupIn(version) === groupIn(stranger));
      throw new Error(
        `group version ${stranger} that has not been registered; available: ${others.sort().join(', ') || 'none'}`,
      );
    }
  }

  /** Those versions that somebody wants and nobody can have any more. */
  removedAmong(named: ReadonlyMap<string, boolean>): string[] {
    const wanted = [...named].filter(([, value]) => value).map(([key]) => versionIn(key));
    return [...new Set(wanted)].filter((version) => this.#removed.has(version) && !this.#served.has(version));
  }
}

const groupIn = (apiVersion: string) => apiVersion.split('/')[0]!;

/** The group version that a key speaks of: `batch/v1` in `batch/v1/jobs`. */
function versionIn(key: string): string {
  const words = key.split('/');
  if (words[0] === 'api' && words[1] === coreVersion) words.shift();
  if (words[0] === coreVersion && words.length <= 2) return coreVersion;
  if (words.length < 2 || words.length > 3) {
    throw new Error(
      `runtime-config invalid key ${key}; use a group version, a resource in it, or api/all, api/ga, api/beta, api/alpha`,
    );
  }
  return `${words[0]}/${words[1]}`;
}
