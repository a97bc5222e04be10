import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { pods } from './pod-definition.ts';

const definition = pods({ dialect: kubernetes, features: everyFeature });
const container = { name: 'c', image: 'i:1' };
const pod = (spec: object = {}, metadata: object = {}) => ({
  metadata,
  spec: { containers: [container], serviceAccountName: 'default', ...spec },
});
const problemsOf = (spec: object, metadata?: object) => tryCreate(definition, pod(spec, metadata)).problems;

test('a new pod gets what was left open', () => {
  const { object, problems } = tryCreate(definition, pod());
  assert.deepEqual(problems, []);
  const { spec, status, metadata } = object;
  assert.equal(metadata.generation, 1);
  assert.equal(spec.restartPolicy, 'Always');
  assert.equal(spec.terminationGracePeriodSeconds, 30);
  assert.equal(spec.dnsPolicy, 'ClusterFirst');
  assert.equal(spec.serviceAccount, 'default');
  assert.equal(spec.enableServiceLinks, true);
  assert.equal(spec.containers![0]!.imagePullPolicy, 'IfNotPresent');
  assert.deepEqual(status, { phase: 'Pending', qosClass: 'BestEffort' });
});

test('on the network of the node, ports are those of the node', () => {
  const { object } = tryCreate(
    definition,
    pod({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] }),
  );
  assert.equal(object.spec.containers![0]!.ports![0]!.hostPort, 80);
  const [problem] = problemsOf({
    hostNetwork: true,
    containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 81 }] }],
  });
  assert.match(problem!, /^spec\.containers\[0\]\.ports\[0\]\.hostPort: .*must match `containerPort`/);
});

test('requests come from limits, and those of the whole pod from its containers', () => {
  const { object } = tryCreate(
    definition,
    pod({
      resources: { limits: { cpu: '2' } },
      containers: [
        { ...container, resources: { limits: { cpu: '500m', memory: '1Gi' } } },
        { ...container, name: 'd', resources: { limits: { cpu: '700m' } } },
      ],
    }),
  );
  assert.deepEqual({ ...object.spec.containers![0]!.resources.requests }, { cpu: '500m', memory: '1Gi' });
  assert.deepEqual({ ...object.spec.resources!.requests }, { cpu: '1200m', memory: '1Gi' });
});

test('a pod behind gates says that nobody looks for a node', () => {
  const { object } = tryCreate(definition, pod({ schedulingGates: [{ name: 'example.com/a' }] }));
  const [condition] = object.status.conditions!;
  assert.equal(condition!.type, 'PodScheduled');
  assert.equal(condition!.reason, 'SchedulingGated');
  assert.deepEqual(problemsOf({ schedulingGates: [{ name: 'a' }], nodeName: 'n' }), [
    'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
  ]);
});

test('labels of its own go into the selectors that ask for them', () => {
  const term = { topologyKey: 'zone', labelSelector: {}, matchLabelKeys: ['a', 'constructor'] };
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const { object } = tryCreate(
    definition,
    pod({ affinity: { podAffinity: { [required]: [term] } } }, { labels: { a: 'b' } }),
  );
  assert.deepEqual(object.spec.affinity!.podAffinity![required]![0]!.labelSelector!.matchExpressions, [
    { key: 'a', operator: 'In', values: ['b'] },
  ]);
});

test('a profile in an annotation becomes a field, and a field an annotation', () => {
  const name = kubernetes.annotations.containerAppArmorPrefix;
  const annotated = tryCreate(definition, pod({}, { annotations: { [`${name}c`]: 'localhost/x' } }));
  assert.deepEqual(annotated.object.spec.containers![0]!.securityContext!.appArmorProfile, {
    type: 'Localhost',
    localhostProfile: 'x',
  });
  assert.equal(annotated.warnings.length, 1);
  const field = tryCreate(definition, pod({ securityContext: { appArmorProfile: { type: 'Unconfined' } } }));
  assert.equal(field.object.metadata.annotations![`${name}c`], 'unconfined');
  assert.deepEqual(field.warnings, []);
});

test('containers have names of their own, images, and nothing that belongs to others', () => {
  assert.deepEqual(problemsOf({ containers: [] }), ['spec.containers: Required value']);
  assert.deepEqual(problemsOf({ containers: [container, container] }), [
    'spec.containers[1].name: Duplicate value: "c"',
  ]);
  assert.deepEqual(problemsOf({ containers: [{ ...container, restartPolicy: 'Always' }] }), [
    'spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers',
  ]);
  assert.deepEqual(problemsOf({ containers: [{ name: 'c', image: ' x' }] }), [
    'spec.containers[0].image: Invalid value: " x": must not have leading or trailing whitespace',
  ]);
  assert.deepEqual(problemsOf({ ephemeralContainers: [{ name: 'e', image: 'x' }] }), [
    'spec.ephemeralContainers: Forbidden: cannot be set on create',
  ]);
});

test('sidecars have probes, other init containers do not', () => {
  const livenessProbe = { tcpSocket: { port: 80 } };
  const init = { name: 'i', image: 'x', livenessProbe };
  assert.deepEqual(problemsOf({ initContainers: [{ ...init, restartPolicy: 'Always' }] }), []);
  assert.deepEqual(problemsOf({ initContainers: [init] }), [
    'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
  ]);
});

test('privileged containers need leave', () => {
  const privileged = { containers: [{ ...container, securityContext: { privileged: true } }] };
  assert.deepEqual(problemsOf(privileged), [
    'spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
  ]);
  const generous = pods({ dialect: kubernetes, features: everyFeature, allowPrivileged: true });
  assert.deepEqual(tryCreate(generous, pod(privileged)).problems, []);
});

test('what is switched off is dropped from a new pod, and kept in an old one', () => {
  const plain = pods({ dialect: kubernetes, features: { enabled: () => false } });
  const spec = { resources: { limits: { cpu: '1' } }, hostUsers: false };
  const { object } = tryCreate(plain, pod(spec));
  assert.equal(object.spec.resources, undefined);
  assert.equal(object.spec.hostUsers, undefined);
});

test('images and deadlines of a running pod can change, and the generation counts it', () => {
  const { object, problems } = tryUpdate(
    definition,
    pod(),
    pod({ containers: [{ name: 'c', image: 'i:2' }], activeDeadlineSeconds: 5 }),
  );
  assert.deepEqual(problems, []);
  assert.equal(object.metadata.generation, 2);
});

test('other changes are refused with what they are', () => {
  const [problem] = tryUpdate(definition, pod(), pod({ hostname: 'x' })).problems;
  assert.match(problem!, /^spec: Forbidden: pod updates may not change fields other than /);
  assert.match(problem!, /\n- \tHostname: +"",\n\+ \tHostname: +"x",\n/);
});

test('tolerations are only added, and gates only taken away', () => {
  const tolerations = [{ key: 'a', operator: 'Exists' }];
  assert.deepEqual(tryUpdate(definition, pod(), pod({ tolerations })).problems, []);
  assert.deepEqual(tryUpdate(definition, pod({ tolerations }), pod()).problems, [
    'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
  ]);
  const gates = (...names: string[]) => pod({ schedulingGates: names.map((name) => ({ name })) });
  assert.deepEqual(tryUpdate(definition, gates('a', 'b'), gates('b')).problems, []);
  assert.deepEqual(tryUpdate(definition, gates('a'), gates('a', 'c')).problems, [
    "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'",
  ]);
});

test('behind gates, where a pod may run can be narrowed down but not moved', () => {
  const gated = (nodeSelector: object) => pod({ schedulingGates: [{ name: 'g' }], nodeSelector });
  assert.deepEqual(tryUpdate(definition, gated({ a: 'b' }), gated({ a: 'b', c: 'd' })).problems, []);
  assert.deepEqual(tryUpdate(definition, gated({ a: 'b' }), gated({ a: 'x' })).problems, [
    'spec.nodeSelector: Invalid value: map[string]string{"a":"x"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
  ]);
});

test('the status is written through its own path, and the rest is not', () => {
  const status = { phase: 'Running', podIP: '10.0.0.1' };
  const written = tryUpdate(definition, pod(), { ...pod({ hostname: 'x' }), status }, 'status');
  assert.deepEqual(written.problems, []);
  assert.equal(written.object.spec.hostname, undefined);
  assert.deepEqual(written.object.status.podIPs, [{ ip: '10.0.0.1' }]);
  assert.equal(written.object.status.qosClass, 'BestEffort');
  const problems = { ...pod(), status: { qosClass: 'Guaranteed' } };
  assert.deepEqual(tryUpdate(definition, pod(), problems, 'status').problems, [
    'status.qosClass: Invalid value: "Guaranteed": field is immutable',
  ]);
});

test('resources of a container change through resize, as long as they stay and only cpu and memory', () => {
  const sized = (requests: object, limits: object = { memory: '2Gi' }) =>
    pod({ containers: [{ ...container, resources: { requests, limits } }] });
  const old = sized({ cpu: '1', memory: '1Gi' });
  const resize = (now: object) => tryUpdate(definition, old, now, 'resize').problems;
  assert.deepEqual(resize(sized({ cpu: '2', memory: '1Gi' })), []);
  assert.deepEqual(resize(sized({ memory: '1Gi' })), [
    'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
  ]);
  assert.deepEqual(resize(sized({ cpu: '1', memory: '1Gi' }, { memory: '1Gi' })), [
    'spec.containers[0].resources.limits[memory]: Forbidden: memory limits cannot be decreased unless resizePolicy is RestartContainer',
  ]);
  assert.deepEqual(resize(sized({ cpu: '1', memory: '1Gi', 'ephemeral-storage': '1' })), [
    'spec: Forbidden: only cpu and memory resources are mutable',
  ]);
});

test('ephemeral containers come by their own path and look like containers', () => {
  const looking = (...ephemeralContainers: object[]) => pod({ ephemeralContainers });
  const added = tryUpdate(definition, pod(), looking({ name: 'e', image: 'x' }), 'ephemeralcontainers');
  assert.deepEqual(added.problems, []);
  assert.equal(added.object.metadata.generation, 2);
  const problems = looking({ name: 'c', image: 'x', ports: [{ containerPort: 1 }] });
  assert.deepEqual(tryUpdate(definition, pod(), problems, 'ephemeralcontainers').problems, [
    'spec.ephemeralContainers[0].name: Duplicate value: "c"',
    'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
  ]);
});

test('names that make poor host names are warned of', () => {
  const { warnings } = tryCreate(definition, pod({}, { name: 'a.b' }));
  assert.match(warnings[0]!, /^metadata\.name: this is used in the Pod's hostname/);
});
