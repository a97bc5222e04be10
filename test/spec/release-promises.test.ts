/** Checks every API version, feature gate, flag and metric against SPEC's rules 3 to 11. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiLifecycles, isReached, lifecycleOf } from '../../src/apis/api-lifecycles.ts';
import { builtinKinds } from '../../src/apis/index.ts';
import { preferredVersion } from '../../src/apis/preferred-version.ts';
import { apiRelease, minorVersion, previousRelease } from '../../src/base/release.ts';
import { httpPort, serverFlags } from '../../src/cli/server-flags.ts';
import { orch } from '../../src/dialect/index.ts';
import { everyFeature } from '../../src/kind/features/everything.fixture.ts';
import { type Gate, type GateName, gateStateAt, gateTable } from '../../src/kind/features/gate-table.ts';
import { FeatureGates } from '../../src/kind/features/gates.ts';
import type { ApiKind, Lifecycle } from '../../src/kind/lifecycle.ts';
import type { Metric } from '../../src/telemetry/metric.ts';
import { metricTable } from '../../src/telemetry/metric-table.ts';
import {
  flagViolations,
  gateViolations,
  isLessStable,
  levelOf,
  metricViolations,
  preferredVersionViolations,
  type ReleaseState,
  sequenceViolations,
  versionViolations,
} from './release-rules.ts';
import { everythingServed } from './support.ts';

const kinds = builtinKinds({ dialect: orch, features: everyFeature });
const gates = Object.entries(gateTable) as [GateName, Gate][];
const minor = (release: string | undefined) => (release === undefined ? undefined : minorVersion(release));

/** Every version of every kind, past ones included. */
const everyVersion: readonly ApiKind[] = [
  ...kinds.map(({ group, version, kind }) => ({ group, version, kind })),
  ...apiLifecycles.flatMap(({ group, version, kinds: named = {} }) =>
    Object.keys(named)
      .filter((kind) => isReached(lifecycleOf({ group, version, kind })?.removed))
      .map((kind) => ({ group, version, kind })),
  ),
];

const lifeOf = (kind: ApiKind): Lifecycle => {
  const life = lifecycleOf(kind);
  assert.ok(life, `${kind.group}/${kind.version} ${kind.kind} has no lifecycle`);
  return life;
};

const named = ({ group, version, kind }: ApiKind) => `${group}/${version} ${kind}`;

/** From this release on, beta versions are off by default and limited in time. */
const bounded = minorVersion('1.22');

test('rules 3 and 4a: no version is replaced by a less stable one, or removed too early', () => {
  assert.ok(everyVersion.length > 120, String(everyVersion.length));
  for (const kind of everyVersion) {
    const { introduced, deprecated, removed, replacement } = lifeOf(kind);
    const broken = versionViolations(
      {
        version: kind.version,
        introduced: minorVersion(introduced),
        deprecated: minor(deprecated),
        removed: minor(removed),
        replacement: replacement && {
          version: replacement.version,
          introduced: minorVersion(lifeOf(replacement).introduced),
        },
      },
      bounded,
    );
    assert.deepEqual(broken, [], named(kind));
  }
});

test('rule 4a: served versions are introduced, not removed, and marked as deprecated when they are', () => {
  for (const definition of kinds) {
    const { introduced, deprecated, removed } = lifeOf(definition);
    assert.ok(isReached(introduced), named(definition));
    assert.ok(!isReached(removed), named(definition));
    assert.equal(definition.deprecation?.since, isReached(deprecated) ? deprecated : undefined);
  }
});

test('beta versions that are served came after release 1.22, so that none is on by default', () => {
  const betas = kinds.filter(({ version }) => levelOf(version) === 'beta');
  assert.ok(betas.length > 0);
  for (const beta of betas) assert.ok(minorVersion(lifeOf(beta).introduced) >= bounded, named(beta));
});

/** The given versions in a release, with the preferred one. */
function stateOf(release: string, versions: readonly ApiKind[], preferred: string | undefined): ReleaseState {
  const served = versions.filter((version) => {
    const { introduced, removed } = lifeOf(version);
    return isReached(introduced, release) && !isReached(removed, release);
  });
  return { served: served.map(({ version }) => ({ version })), preferred };
}

test('rule 4b: the storage version of every kind existed in the previous release', () => {
  for (const definition of kinds) {
    const { group, version, kind, conversion } = definition;
    const versions = everyVersion.filter((each) => each.group === group && each.kind === kind);
    const stored = conversion?.storedVersion.version ?? version;
    // A kind that is stored as one of another group is checked there.
    if (conversion && conversion.storedVersion.group !== group) continue;
    const before = stateOf(previousRelease(apiRelease), versions, undefined);
    const now = stateOf(apiRelease, versions, stored);
    assert.deepEqual(preferredVersionViolations([before, now]), [], named(definition));
  }
});

test('rule 4b: the preferred version of every group existed in the previous release', async () => {
  const http = await everythingServed();
  const { groups } = (await http.get('/apis')).body as unknown as {
    groups: { name: string; versions: { version: string }[]; preferredVersion: { version: string } }[];
  };
  assert.ok(groups.length > 20);
  for (const { name, preferredVersion: preferred } of groups) {
    const group = orch.groupId(name) ?? name;
    const versions = everyVersion.filter((each) => each.group === group);
    const before = stateOf(previousRelease(apiRelease), versions, undefined);
    assert.deepEqual(
      preferredVersionViolations([before, stateOf(apiRelease, versions, preferred.version)]),
      [],
      name,
    );
  }
  assert.equal(preferredVersion('resource', ['v1beta2', 'v1beta1', 'v1alpha3']), 'v1beta1');
  assert.equal(preferredVersion('coordination', ['v1beta1', 'v1alpha2']), 'v1beta1');
});

test('versions are removed in the release that SPEC names, and their replacements exist', () => {
  const removed: readonly (readonly [release: string, group: string, version: string, ...kinds: string[]])[] =
    [
      ['1.32', 'flowcontrol.apiserver', 'v1beta3', 'FlowSchema', 'PriorityLevelConfiguration'],
      ['1.29', 'flowcontrol.apiserver', 'v1beta2', 'FlowSchema', 'PriorityLevelConfiguration'],
      ['1.27', 'storage', 'v1beta1', 'CSIStorageCapacity'],
      ['1.26', 'flowcontrol.apiserver', 'v1beta1', 'FlowSchema', 'PriorityLevelConfiguration'],
      ['1.26', 'autoscaling', 'v2beta2', 'HorizontalPodAutoscaler'],
      ['1.25', 'batch', 'v1beta1', 'CronJob'],
      ['1.25', 'discovery', 'v1beta1', 'EndpointSlice'],
      ['1.25', 'events', 'v1beta1', 'Event'],
      ['1.25', 'autoscaling', 'v2beta1', 'HorizontalPodAutoscaler'],
      ['1.25', 'policy', 'v1beta1', 'PodDisruptionBudget', 'PodSecurityPolicy'],
      ['1.25', 'node', 'v1beta1', 'RuntimeClass'],
      [
        '1.22',
        'admissionregistration',
        'v1beta1',
        'MutatingWebhookConfiguration',
        'ValidatingWebhookConfiguration',
      ],
      ['1.22', 'apiextensions', 'v1beta1', 'CustomResourceDefinition'],
      ['1.22', 'apiregistration', 'v1beta1', 'APIService'],
      ['1.22', 'authentication', 'v1beta1', 'TokenReview'],
      ['1.22', 'authorization', 'v1beta1', 'SubjectAccessReview', 'LocalSubjectAccessReview'],
      ['1.22', 'authorization', 'v1beta1', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview'],
      ['1.22', 'certificates', 'v1beta1', 'CertificateSigningRequest'],
      ['1.22', 'coordination', 'v1beta1', 'Lease'],
      ['1.22', 'networking', 'v1beta1', 'Ingress', 'IngressClass'],
      ['1.22', 'extensions', 'v1beta1', 'Ingress'],
      ['1.22', 'rbac.authorization', 'v1beta1', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
      ['1.22', 'scheduling', 'v1beta1', 'PriorityClass'],
      ['1.22', 'storage', 'v1beta1', 'CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
      ['1.16', 'extensions', 'v1beta1', 'NetworkPolicy', 'DaemonSet'],
      ['1.16', 'apps', 'v1beta2', 'DaemonSet'],
    ];
  for (const [release, group, version, ...names] of removed) {
    for (const kind of names) {
      assert.equal(lifeOf({ group, version, kind }).removed, release, `${group}/${version} ${kind}`);
      if (kind === 'PodSecurityPolicy') continue;
      const later = kinds.find(
        (each) => each.kind === kind && !isLessStable(levelOf(each.version), 'stable'),
      );
      assert.ok(later, `nothing takes the place of ${kind}`);
    }
  }
});

test('the illustrative sequence of releases follows the rules, and no step of it can be earlier', () => {
  assert.deepEqual(sequenceViolations(sequence), []);
  const changed = (at: number, change: (release: ReleaseState) => ReleaseState) =>
    sequenceViolations(sequence.map((release, i) => (i === at ? change(release) : release)));
  const without = (version: string) => (release: ReleaseState) => ({
    ...release,
    served: release.served.filter((each) => each.version !== version),
  });
  const preferring = (preferred: string) => (release: ReleaseState) => ({ ...release, preferred });
  // A beta that is removed two releases after its deprecation, or never deprecated; a stable version that is removed.
  assert.deepEqual(changed(5, without('v1beta1')), ['rule 4a: v1beta1']);
  assert.deepEqual(changed(14, without('v2beta2')), ['rule 4a: v2beta2']);
  assert.ok(changed(15, without('v1')).includes('rule 4a: v1'));
  // The preferred version changes in the release that introduces the new one.
  assert.deepEqual(changed(3, preferring('v1beta2')), ['rule 4b: v1beta2']);
  assert.deepEqual(changed(5, preferring('v1')), ['rule 4b: v1']);
  assert.deepEqual(changed(12, preferring('v2')), ['rule 4b: v2']);
  assert.ok(changed(6, preferring('v1beta1')).includes('preferred but not served: v1beta1'));
  // Deprecated without an equally stable replacement.
  const lonely = (release: ReleaseState) => ({
    ...release,
    served: release.served.map((each) => (each.version === 'v1' ? { ...each, deprecated: true } : each)),
  });
  assert.deepEqual(changed(8, lonely), ['rule 3: v1']);
});

/** As `v1beta2 v1beta1- > v1beta1`: the served versions, deprecated ones with a minus, and the preferred one. */
const sequence: readonly ReleaseState[] = [
  'v1alpha1 > v1alpha1',
  'v1alpha2 > v1alpha2',
  'v1beta1 > v1beta1',
  'v1beta2 v1beta1- > v1beta1',
  'v1beta2 v1beta1- > v1beta2',
  'v1 v1beta1- v1beta2- > v1beta2',
  'v1 v1beta2- > v1',
  'v1 v1beta2- > v1',
  'v2alpha1 v1 > v1',
  'v2alpha2 v1 > v1',
  'v2beta1 v1 > v1',
  'v2beta2 v2beta1- v1 > v1',
  'v2 v2beta2- v2beta1- v1- > v1',
  'v2 v2beta1- v2beta2- v1- > v2',
  'v2 v2beta2- v1- > v2',
  'v2 v1- > v2',
].map((line) => {
  const [served = '', preferred = ''] = line.split(' > ');
  return {
    served: served.split(' ').map((word) => ({
      version: word.replace('-', ''),
      deprecated: word.endsWith('-'),
    })),
    preferred,
  };
});

test('rules 5 and 8: a flag is replaced only by an existing flag that is as stable, and keeps working for a while', () => {
  const flags = [httpPort, ...serverFlags];
  for (const { name, deprecated, stage = 'stable' } of flags) {
    if (deprecated === undefined) continue;
    const instead = flags.find((other) => deprecated.advice.includes(`--${other.name}`));
    assert.ok(instead && !isLessStable(instead.stage ?? 'stable', stage), name);
    assert.deepEqual(
      flagViolations(stage, { introduced: 0, deprecated: minorVersion(deprecated.since) }),
      [],
      name,
    );
  }
  assert.deepEqual(flagViolations('stable', { introduced: 1, removed: 9 }), ['rule 5b']);
  assert.deepEqual(flagViolations('beta', { introduced: 1, deprecated: 9, removed: 9 }), ['rule 5b']);
  assert.deepEqual(flagViolations('stable', { introduced: 1, deprecated: 8, removed: 9 }), []);
  assert.deepEqual(flagViolations('alpha', { introduced: 1, removed: 2 }), []);
});

test('rule 9: every feature gate passes its stages in order, and is locked only at GA', () => {
  assert.equal(gates.length, 191);
  for (const [name, gate] of gates) {
    const history = gate.map((state) => ({ ...state, since: minorVersion(state.since) }));
    assert.deepEqual(gateViolations(history), [], name);
  }
  const beta = { stage: 'beta', default: true, locked: false, since: 30 } as const;
  const stable = { stage: 'stable', default: true, locked: true, since: 32 } as const;
  assert.deepEqual(gateViolations([beta, stable], 33), ['rule 9']);
  assert.deepEqual(gateViolations([beta, stable], 34), []);
  assert.deepEqual(gateViolations([beta], 30), ['rule 9']);
  assert.deepEqual(gateViolations([{ ...beta, locked: true }]), ['rule 9: locked while it is being tried']);
  assert.deepEqual(gateViolations([stable, { ...beta, since: 33 }]), ['order of stages']);
});

test('rules 9 and 10: every feature gate without effect rejects the other value, and deprecated ones warn', () => {
  for (const [name, gate] of gates) {
    const { stage, default: value, locked } = gateStateAt(gate)!;
    const warned = new FeatureGates({ [name]: value }).warnings.length > 0;
    assert.equal(warned, stage === 'stable' || stage === 'deprecated', name);
    if (locked) assert.throws(() => new FeatureGates({ [name]: !value }), /feature is locked to/, name);
    else assert.equal(new FeatureGates({ [name]: !value }).enabled(name), !value, name);
  }
});

test('rule 11: every metric has a stability level, and a deprecated one lives as long as its level promises', () => {
  for (const [name, { level, deprecated, labels = [] }] of Object.entries<Metric>(metricTable)) {
    assert.ok(['ALPHA', 'BETA', 'STABLE', 'INTERNAL', 'NONE'].includes(level), name);
    assert.deepEqual([...labels].sort(), labels, `the labels of ${name} are in order`);
    if (deprecated === undefined) continue;
    const [introduced, since] = [minorVersion(deprecated.introduced), minorVersion(deprecated.since)];
    // Hidden after three releases, removed after one more.
    assert.deepEqual(
      metricViolations(level, { introduced, deprecated: since, removed: since + 4 }),
      [],
      name,
    );
    assert.ok(minorVersion(apiRelease) < since + 4, `${name} should be gone`);
  }
  assert.deepEqual(metricViolations('STABLE', { introduced: 1, deprecated: 2, removed: 4 }), [
    'rule 11a',
    'rule 11b',
  ]);
  assert.deepEqual(metricViolations('STABLE', { introduced: 1, deprecated: 2, removed: 5 }), []);
  assert.deepEqual(metricViolations('BETA', { introduced: 1, deprecated: 2, removed: 2 }), [
    'rule 11a',
    'rule 11b',
  ]);
  assert.deepEqual(metricViolations('BETA', { introduced: 1, deprecated: 2, removed: 3 }), []);
  assert.deepEqual(metricViolations('BETA', { introduced: 1, removed: 9 }), ['rule 11b']);
  assert.deepEqual(metricViolations('ALPHA', { introduced: 1, removed: 1 }), []);
});
