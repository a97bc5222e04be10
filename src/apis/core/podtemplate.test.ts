import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { podtemplates } from './podtemplate.ts';

const definition = podtemplates({ dialect: orch, features: everyFeature });
const container = { name: 'c', image: 'i:1' };
const template = (spec: object, metadata: object = {}) => ({
  template: { metadata, spec: { containers: [container], ...spec } },
});
const tryTemplate = (spec: object, metadata?: object) => tryCreate(definition, template(spec, metadata));

/** Validation errors without their common path prefix. */
const problemsOf = (spec: object, metadata?: object) =>
  tryTemplate(spec, metadata).problems.map((problem) => problem.replace(/^template\.(spec\.)?/, ''));
const ofContainer = (fields: object, others: object = {}) =>
  problemsOf({ containers: [{ ...container, ...fields }], ...others }).map((problem) =>
    problem.replace('containers[0].', ''),
  );

test('a template leaves open what only pods need', () => {
  const { spec } = tryTemplate({ hostNetwork: true, terminationGracePeriodSeconds: -1 }).object.template;
  assert.equal(spec.enableServiceLinks, undefined);
  assert.equal(spec.terminationGracePeriodSeconds, -1);
  assert.equal(spec.schedulerName, 'default-scheduler');
  assert.deepEqual(spec.securityContext, {});
});

test('a change of the template is another generation', () => {
  const { object } = tryUpdate(definition, template({}), template({ hostname: 'h' }));
  assert.equal(object.metadata.generation, 2);
  assert.equal(tryUpdate(definition, template({}), template({})).object.metadata.generation, 1);
});

test('probes get their numbers, and requests their path and scheme', () => {
  const probed = {
    ...container,
    livenessProbe: { httpGet: { port: 80 } },
    startupProbe: { grpc: { port: 1 } },
  };
  const { spec } = tryTemplate({ containers: [probed] }).object.template;
  const { livenessProbe, startupProbe } = spec.containers![0]!;
  assert.deepEqual(livenessProbe, {
    httpGet: { port: 80, path: '/', scheme: 'HTTP' },
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  assert.equal(startupProbe!.grpc!.service, '');
});

test('a probe has one handler, and a sensible one', () => {
  const probe = (livenessProbe: object) => ofContainer({ livenessProbe });
  assert.deepEqual(probe({}), ['livenessProbe: Required value: must specify a handler type']);
  assert.deepEqual(probe({ exec: { command: ['x'] }, tcpSocket: { port: 1 } }), [
    'livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ]);
  assert.deepEqual(probe({ tcpSocket: { port: 70000 } }), [
    'livenessProbe.tcpSocket.port: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ]);
  assert.deepEqual(probe({ tcpSocket: { port: 1 }, successThreshold: 2 }), [
    'livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ]);
});

test('nobody sleeps longer than the pod has to end', () => {
  assert.deepEqual(ofContainer({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }), [
    'lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
  ]);
});

test('ports have names and numbers, and no two the same port of the node', () => {
  const port = (fields: object) => ofContainer({ ports: [fields] });
  assert.deepEqual(port({ containerPort: 0 }), ['ports[0].containerPort: Required value']);
  assert.deepEqual(port({ containerPort: 80, name: 'a--b' }), [
    'ports[0].name: Invalid value: "a--b": must not contain consecutive hyphens',
  ]);
  const shared = { containerPort: 80, hostPort: 80 };
  assert.deepEqual(ofContainer({ ports: [shared, shared] }), [
    'ports[1].hostPort: Duplicate value: "TCP//80"',
  ]);
});

test('a variable has a value, or one source of it', () => {
  const env = (...variables: object[]) => ofContainer({ env: variables });
  const fieldRef = { fieldPath: 'metadata.name' };
  assert.deepEqual(env({ name: 'A', valueFrom: { fieldRef } }), []);
  assert.deepEqual(env({ name: 'A', value: 'x', valueFrom: { fieldRef } }), [
    'env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ]);
  assert.match(env({ name: 'A', valueFrom: {} })[0]!, /must specify one of: `fieldRef`/);
  assert.match(env({ name: 'a=b' })[0]!, /printable ASCII characters other than '='/);
  assert.match(
    env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.x' } } })[0]!,
    /not supported: spec.x/,
  );
});

test('only good volumes can be mounted, and each place once', () => {
  const volumes = [
    { name: 'v', emptyDir: {} },
    { name: 'W', emptyDir: {} },
  ];
  const mount = (...volumeMounts: object[]) => ofContainer({ volumeMounts }, { volumes });
  assert.deepEqual(mount({ name: 'v', mountPath: '/a' }, { name: 'v', mountPath: '/a' }).slice(1), [
    'volumeMounts[1].mountPath: Invalid value: "/a": must be unique',
  ]);
  assert.ok(mount({ name: 'W', mountPath: '/a' }).includes('volumeMounts[0].name: Not found: "W"'));
  assert.ok(mount({ name: 'v', mountPath: '/a', subPath: '../b' }).at(-1)!.endsWith("must not contain '..'"));
});

test('requests stay within limits, and huge pages are whole', () => {
  const resources = (fields: object) => ofContainer({ resources: fields });
  assert.deepEqual(resources({ limits: { cpu: '1' }, requests: { cpu: '2' } }), [
    'resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ]);
  assert.deepEqual(resources({ limits: { 'hugepages-2Mi': '3Mi', cpu: '1' } }), [
    'resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
  ]);
  assert.deepEqual(resources({ requests: { 'example.com/x': '1' } }), [
    'resources.limits: Required value: Limit must be set for non overcommitable resources',
  ]);
});

test('what the whole pod asks for covers its containers', () => {
  const containers = [{ ...container, resources: { requests: { cpu: '2' } } }];
  assert.deepEqual(problemsOf({ containers, resources: { requests: { cpu: '1' } } }), [
    'resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
  ]);
  assert.match(problemsOf({ resources: { limits: { storage: '1' } } })[0]!, /Unsupported value: storage/);
});

test('profiles on the node are named, and no others', () => {
  const seccomp = (seccompProfile: object) => problemsOf({ securityContext: { seccompProfile } });
  assert.deepEqual(seccomp({ type: 'Localhost', localhostProfile: 'a/b' }), []);
  assert.deepEqual(seccomp({ type: 'Localhost' }), [
    'securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
  ]);
  assert.match(
    seccomp({ type: 'Nope' })[0]!,
    /supported values: "Localhost", "RuntimeDefault", "Unconfined"$/,
  );
  const annotations = { [orch.annotations.podSeccomp]: 'runtime/default' };
  assert.deepEqual(
    problemsOf({ securityContext: { seccompProfile: { type: 'Unconfined' } } }, { annotations }),
    ['securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match'],
  );
});

test('each system has options that the other does not', () => {
  assert.deepEqual(problemsOf({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }), [
    'securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
  ]);
  assert.deepEqual(problemsOf({ os: { name: 'windows' }, hostPID: true }), [
    'hostPID: Forbidden: cannot be set for a windows pod',
  ]);
  assert.match(problemsOf({ os: { name: 'bsd' } })[0]!, /supported values: "linux", "windows"$/);
});

test('names on Windows have at most one domain', () => {
  const user = (runAsUserName: string) =>
    ofContainer({ securityContext: { windowsOptions: { runAsUserName } } });
  assert.deepEqual(user('NT AUTHORITY\\SYSTEM'), []);
  assert.match(user('a\\b\\c')[0]!, /cannot contain more than one backslash$/);
  assert.match(user('')[0]!, /cannot be an empty string$/);
});

test('names are looked up somewhere', () => {
  assert.deepEqual(problemsOf({ dnsPolicy: 'None' }), [
    'dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
  ]);
  const searches = (...names: string[]) => problemsOf({ dnsConfig: { searches: names } });
  assert.deepEqual(searches('.', 'a_b.c.'), []);
  assert.equal(searches('A').length, 1);
  assert.match(problemsOf({ dnsConfig: { nameservers: ['x'] } })[0]!, /must be a valid IP address/);
});

test('nodes are chosen by operators that exist, with the values they need', () => {
  const termErrors = (matchExpressions: object[]) =>
    problemsOf({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
        },
      },
    }).map((problem) => problem.replace(/^.*matchExpressions\[0\]\./, ''));
  assert.deepEqual(termErrors([{ key: 'a', operator: 'Gt', values: ['1'] }]), []);
  assert.deepEqual(termErrors([{ key: 'a', operator: 'Gt' }]), [
    "values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
  ]);
  assert.deepEqual(termErrors([{ key: 'a', operator: 'Like' }]), [
    'operator: Invalid value: "Like": not a valid selector operator',
  ]);
});

test('a toleration of everything says so', () => {
  assert.deepEqual(problemsOf({ tolerations: [{ operator: 'Exists' }] }), []);
  assert.match(problemsOf({ tolerations: [{}] })[0]!, /operator must be Exists when `key` is empty/);
  assert.match(
    problemsOf({ tolerations: [{ key: 'a', tolerationSeconds: 1 }] })[0]!,
    /effect must be 'NoExecute' when `tolerationSeconds` is set/,
  );
});

test('pods are spread by one constraint of a kind', () => {
  const evenly = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };
  assert.deepEqual(problemsOf({ topologySpreadConstraints: [evenly] }), []);
  assert.deepEqual(problemsOf({ topologySpreadConstraints: [evenly, evenly] }), [
    'topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
  ]);
});

test('warnings tell of what is good but hardly meant', () => {
  const spec = {
    nodeSelector: { [orch.deprecatedNodeLabels[0]!.label]: 'x' },
    imagePullSecrets: [{}],
    containers: [
      {
        ...container,
        env: [{ name: 'A' }, { name: 'A' }],
        ports: [{ containerPort: 1 }, { containerPort: 1 }],
      },
    ],
  };
  const { warnings } = tryTemplate(spec);
  assert.equal(warnings.length, 4);
  assert.match(warnings[0]!, /^template\.spec\.nodeSelector\[.*\]: deprecated since/);
  assert.match(warnings[1]!, /invalid empty name ""$/);
  assert.match(warnings[2]!, /env\[1\]: hides previous definition of "A"/);
  assert.match(warnings[3]!, /ports\[1\]: duplicate port definition with/);
});

test('keys from clients cannot change a prototype', () => {
  const nodeSelector = JSON.parse('{"__proto__":"x","constructor":"y"}') as object;
  const { object, problems } = tryTemplate({ nodeSelector });
  assert.deepEqual(Object.keys(object.template.spec.nodeSelector!).sort(), ['__proto__', 'constructor']);
  assert.equal(problems.length, 1);
});
