import { ask, get, type JsonObject, type Kept, post, put, type Step, subject } from '../case.ts';
import { namespaces, object, paths } from './objects.ts';
import { container, pod, podSpec, pods, podtemplates, withAccount } from './pod-spec-cases.ts';

const prefix = 'pod-security.kubernetes.io/';
const asking = (asked: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(asked).map(([mode, value]) => [prefix + mode, value]));
const label = (asked: JsonObject): Step =>
  put('/api/v1/namespaces/{ns}', (kept: Kept) => relabelled(kept, asked));
const relabelled = (kept: Kept, asked: JsonObject): JsonObject => {
  const { metadata, ...rest } = kept.space ?? {};
  const { resourceVersion: _, labels, ...others } = metadata as JsonObject;
  return { ...rest, metadata: { ...others, labels: { ...(labels as JsonObject), ...asking(asked) } } };
};
/** A namespace that asks this of its pods, once the reference has heard of it. */
const space = (asked: JsonObject): Step[] => [
  withAccount,
  get('/api/v1/namespaces/{ns}', { as: 'space' }),
  label(asked),
  get('/api/v1/namespaces/{ns}', { after: 1 }),
];

/** What is said of a pod like this: by its template, for pods themselves are refused for more. */
const say = (spec: JsonObject, annotations: JsonObject = {}): Step =>
  post(
    podtemplates('?dryRun=All'),
    object('t', { template: { metadata: { annotations }, spec: podSpec(spec) } }),
  );
const context = (securityContext: JsonObject): JsonObject => ({ securityContext });
/** Two containers with the same fields, and an init container. */
const two = (fields: JsonObject): JsonObject => ({
  containers: [container({ name: 'a', ...fields }), container({ name: 'b', ...fields })],
});
const three = (fields: JsonObject): JsonObject => ({
  ...two(fields),
  initContainers: [container({ name: 'i', ...fields })],
});
const one = (fields: JsonObject): JsonObject => ({ containers: [container(fields)] });
const volumes = (...all: [string, JsonObject][]): JsonObject => ({
  volumes: all.map(([type, source], i) => ({ name: `v${i}`, [type]: source })),
});
const sysctls = (...names: string[]): JsonObject =>
  context({ sysctls: names.map((name) => ({ name, value: '1' })) });
const hostPath: [string, JsonObject] = ['hostPath', { path: '/' }];
const nfs: [string, JsonObject] = ['nfs', { server: 's', path: '/' }];
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } };
const unconfined = { type: 'Unconfined' };
const seLinux = (fields: JsonObject): JsonObject => ({ seLinuxOptions: fields });

const dropping: JsonObject = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const quiet: JsonObject = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
/** A spec that meets every standard unless the fields say otherwise. */
const good = (fields: JsonObject = {}): JsonObject => ({
  securityContext: quiet,
  ...one(context(dropping)),
  ...fields,
});
const goodWith = (ofPod: JsonObject, ofContainers: JsonObject = {}): JsonObject => ({
  securityContext: { ...quiet, ...ofPod },
  ...two(context({ ...dropping, ...ofContainers })),
});
const without = (part: string, ofContainers: JsonObject = {}): JsonObject => {
  const { [part]: _, ...rest } = quiet;
  return { securityContext: rest, ...two(context({ ...dropping, ...ofContainers })) };
};

const versions = [
  'v1.0',
  'v1.7',
  'v1.8',
  'v1.18',
  'v1.19',
  'v1.21',
  'v1.22',
  'v1.23',
  'v1.24',
  'v1.25',
].concat([
  'v1.26',
  'v1.27',
  'v1.28',
  'v1.29',
  'v1.30',
  'v1.31',
  'v1.32',
  'v1.33',
  'v1.34',
  'v1.99',
  'latest',
]);
const maker = (path: string, name: string, spec: JsonObject): Step =>
  post(`${paths(path)()}?dryRun=All`, object(name, { spec }), { pick: (body) => body.kind ?? '' });
const template: JsonObject = {
  metadata: { labels: { a: 'b' } },
  spec: podSpec({ hostPID: true }),
};
const selector = { matchLabels: { a: 'b' } };
const dry = (fields: JsonObject, metadata: JsonObject = {}): Step =>
  post(pods('?dryRun=All'), pod('a', fields, metadata));
const change = (name: string, part: string, fields: JsonObject): Step =>
  put(pods(part), (kept: Kept) => {
    const { metadata, spec, ...rest } = kept[name] ?? {};
    const { resourceVersion: _, ...others } = metadata as JsonObject;
    return { ...rest, metadata: others, spec: { ...(spec as JsonObject), ...fields } };
  });
const remark = (name: string, fields: JsonObject): Step =>
  put(pods(name), (kept: Kept) => {
    const { metadata, ...rest } = kept[name] ?? {};
    const { resourceVersion: _, ...others } = metadata as JsonObject;
    return { ...rest, metadata: { ...others, ...fields } };
  });

export const podStandards = subject('podsecurity', [
  ask(
    'labels of namespaces say a level and a version',
    ...[
      { enforce: 'strict' },
      { 'enforce-version': '1.2', audit: 'x', 'warn-version': 'v1.x' },
      { enforce: '', 'enforce-version': '', audit: '', 'audit-version': 'v2.3', warn: 'Baseline' },
      { 'warn-version': 'v1.033' },
      { 'warn-version': 'v1.' },
      { 'warn-version': 'Latest' },
      { enforce: 'baseline', 'enforce-version': 'v1.99', other: 'x', audit: 'privileged' },
      { enforce: 'restricted', 'enforce-version': 'latest', 'audit-version': 'v1.0' },
    ].map((asked) =>
      post(namespaces('?dryRun=All'), object('{name}', {}, { labels: asking(asked as JsonObject) })),
    ),
  ),
  ask(
    'labels that say something else are refused when they change, too',
    ...space({}),
    label({ enforce: 'bogus' }),
    label({ 'warn-version': 'v1' }),
    label({ enforce: 'baseline' }),
  ),
  ask(
    'baseline: what is shared with the node',
    ...space({ warn: 'baseline' }),
    say({}),
    say({ hostNetwork: true }),
    say({ hostPID: true }),
    say({ hostIPC: true }),
    say({ hostNetwork: true, hostPID: true, hostIPC: true }),
    say(volumes(hostPath)),
    say(volumes(hostPath, nfs, hostPath)),
    say(volumes(nfs, ['emptyDir', {}])),
    say(one({ ports: [{ containerPort: 80, hostPort: 80 }] })),
    say(
      one({
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 9 },
        ],
      }),
    ),
    say(three({ ports: [{ containerPort: 80, hostPort: 80 }] })),
    say(one({ ports: [{ containerPort: 80 }] })),
    say(sysctls('kernel.msgmax', 'net.ipv4.ip_local_port_range', 'a.b')),
    say(sysctls('kernel.msgmax')),
    say(sysctls('kernel.shm_rmid_forced', 'net.ipv4.tcp_syncookies', 'net.ipv4.ping_group_range')),
    say(sysctls('net.ipv4.ip_unprivileged_port_start', 'net.ipv4.tcp_rmem')),
    say(one({ livenessProbe: { httpGet: { port: 80, host: 'x' } } })),
  ),
  ask(
    'baseline: capabilities',
    ...space({ warn: 'baseline' }),
    say(one(context({ capabilities: { add: ['FOO'] } }))),
    say(three(context({ capabilities: { add: ['SYS_TIME', 'CHOWN', 'NET_ADMIN', 'CAP_CHOWN', 'ALL'] } }))),
    say(
      one(
        context({
          capabilities: {
            add: ['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD'].concat([
              'NET_BIND_SERVICE',
              'SETFCAP',
              'SETGID',
              'SETPCAP',
              'SETUID',
              'SYS_CHROOT',
            ]),
          },
        }),
      ),
    ),
  ),
  ask(
    'baseline: profiles',
    ...space({ warn: 'baseline' }),
    say(context({ appArmorProfile: unconfined })),
    say({ ...context({ appArmorProfile: unconfined }), ...three(context({ appArmorProfile: unconfined })) }),
    say(one(context({ appArmorProfile: unconfined }))),
    say(one(context({ appArmorProfile: { type: 'Localhost', localhostProfile: 'x' } }))),
    say(context({ appArmorProfile: { type: 'RuntimeDefault' } })),
    say({}, { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' }),
    say({}, { 'container.apparmor.security.beta.kubernetes.io/c': 'localhost/x' }),
    say({}, { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' }),
    say(two({}), {
      'container.apparmor.security.beta.kubernetes.io/a': 'unconfined',
      'container.apparmor.security.beta.kubernetes.io/b': 'unconfined',
    }),
    say(
      { ...context({ appArmorProfile: unconfined }), ...one(context({ appArmorProfile: unconfined })) },
      { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' },
    ),
    say(context({ seccompProfile: unconfined })),
    say(one(context({ seccompProfile: unconfined }))),
    say({ ...context({ seccompProfile: unconfined }), ...three(context({ seccompProfile: unconfined })) }),
    say(context({ seccompProfile: { type: 'Localhost', localhostProfile: 'x' } })),
    say({}, { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' }),
    say(context(seLinux({ type: 'bogus', user: 'u', role: 'r', level: 'l' }))),
    say(context(seLinux({ type: 'container_t', level: 'l' }))),
    say(context(seLinux({ type: 'container_engine_t' }))),
    say({
      ...context(seLinux({ type: 'container_kvm_t' })),
      ...two(context(seLinux({ type: 'container_init_t' }))),
    }),
    say(three(context(seLinux({ type: 'spc_t' })))),
    say({ ...context(seLinux({ type: 'zz' })), ...two(context(seLinux({ type: 'aa', user: 'x' }))) }),
    say(one(context(seLinux({ role: 'x' })))),
    say(one(context(seLinux({ user: 'x' })))),
  ),
  ask(
    'restricted: volumes',
    ...space({ warn: 'restricted' }),
    say(good()),
    say(
      good(
        volumes(
          ['emptyDir', {}],
          ['configMap', { name: 'x' }],
          ['secret', { secretName: 'x' }],
          ['downwardAPI', {}],
          ['projected', {}],
          ['persistentVolumeClaim', { claimName: 'x' }],
          ['ephemeral', { volumeClaimTemplate: { spec: claim } }],
          ['csi', { driver: 'x' }],
          ['image', { reference: 'r' }],
        ),
      ),
    ),
    say(good(volumes(nfs))),
    say(good(volumes(hostPath))),
    say(
      good(
        volumes(
          hostPath,
          nfs,
          ['gcePersistentDisk', { pdName: 'x' }],
          ['awsElasticBlockStore', { volumeID: 'x' }],
          ['iscsi', { targetPortal: 'x', iqn: 'iqn.2001-04.com.example:storage.kube.sys1.xyz', lun: 0 }],
          ['rbd', { monitors: ['x'], image: 'y' }],
          ['cephfs', { monitors: ['x'] }],
          ['fc', { targetWWNs: ['x'], lun: 1 }],
          ['azureFile', { secretName: 'x', shareName: 'y' }],
          ['azureDisk', { diskName: 'x', diskURI: 'https://x' }],
          ['vsphereVolume', { volumePath: 'x' }],
          ['portworxVolume', { volumeID: 'x' }],
          ['flexVolume', { driver: 'x' }],
          ['cinder', { volumeID: 'x' }],
          ['quobyte', { registry: 'x:1', volume: 'y' }],
          ['scaleIO', { gateway: 'x', system: 'y', secretRef: { name: 'z' }, volumeName: 'v' }],
          ['storageos', { volumeName: 'x' }],
          ['glusterfs', { endpoints: 'x', path: 'y' }],
          ['flocker', { datasetName: 'x' }],
          ['photonPersistentDisk', { pdID: 'x' }],
        ),
      ),
    ),
  ),
  ask(
    'restricted: privileges',
    ...space({ warn: 'restricted' }),
    say({}),
    say(three({})),
    say(good(two(context({ capabilities: { drop: ['ALL'] } })))),
    say(good(one(context({ allowPrivilegeEscalation: true, capabilities: { drop: ['ALL'] } })))),
    say(goodWith({}, { capabilities: { drop: ['CHOWN'], add: ['NET_BIND_SERVICE'] } })),
    say(goodWith({}, { capabilities: { drop: ['ALL'], add: ['SYS_TIME', 'NET_BIND_SERVICE', 'CHOWN'] } })),
    say(
      good({
        containers: [
          container({
            name: 'a',
            ...context({ ...dropping, capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
          }),
          container({ name: 'b', ...context({ allowPrivilegeEscalation: false }) }),
        ],
      }),
    ),
    say(good({ hostUsers: false, ...one(context({ capabilities: { add: ['SYS_ADMIN'] } })) })),
    say(good({ os: { name: 'windows' }, securityContext: { runAsNonRoot: true }, ...one({}) })),
    say(good({ os: { name: 'windows' }, securityContext: {}, ...one({}) })),
    say(good({ os: { name: 'linux' }, securityContext: { runAsNonRoot: true }, ...one({}) })),
  ),
  ask(
    'restricted: users',
    ...space({ warn: 'restricted' }),
    say(without('runAsNonRoot')),
    say(goodWith({ runAsNonRoot: false })),
    say(goodWith({ runAsNonRoot: false }, { runAsNonRoot: true })),
    say(goodWith({}, { runAsNonRoot: false })),
    say(goodWith({ runAsNonRoot: false }, { runAsNonRoot: false })),
    say(without('runAsNonRoot', { runAsNonRoot: true })),
    say({
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        container({ name: 'a', ...context({ ...dropping, runAsNonRoot: true }) }),
        container({ name: 'b', ...context(dropping) }),
        container({ name: 'd', ...context({ ...dropping, runAsNonRoot: false }) }),
      ],
    }),
    say(goodWith({ runAsUser: 0 })),
    say(goodWith({}, { runAsUser: 0 })),
    say(goodWith({ runAsUser: 0 }, { runAsUser: 0 })),
    say(goodWith({ runAsUser: 0 }, { runAsUser: 1 })),
    say(goodWith({ runAsUser: 1000 })),
    say({ hostUsers: false, ...without('runAsNonRoot', { runAsUser: 0 }) }),
  ),
  ask(
    'restricted: seccomp',
    ...space({ warn: 'restricted' }),
    say(without('seccompProfile')),
    say({ ...context({ runAsNonRoot: true }), ...one(context(dropping)) }),
    say(without('seccompProfile', { seccompProfile: { type: 'RuntimeDefault' } })),
    say(goodWith({ seccompProfile: unconfined })),
    say(goodWith({}, { seccompProfile: unconfined })),
    say(goodWith({ seccompProfile: unconfined }, { seccompProfile: { type: 'RuntimeDefault' } })),
    say(goodWith({ seccompProfile: unconfined }, { seccompProfile: unconfined })),
  ),
  ask(
    'restricted has all of the baseline, but what it asks more strictly',
    ...space({ warn: 'restricted' }),
    say({
      hostNetwork: true,
      ...volumes(hostPath),
      ...context({
        ...seLinux({ type: 'x' }),
        appArmorProfile: unconfined,
        runAsUser: 0,
        sysctls: [{ name: 'a.b', value: '1' }],
      }),
      ...one({
        ports: [{ containerPort: 1, hostPort: 1 }],
        ...context({ capabilities: { add: ['FOO'] }, seccompProfile: unconfined }),
      }),
    }),
  ),
  ...versions.flatMap((version) =>
    (['baseline', 'restricted'] as const).map((level) =>
      ask(
        `${level} as ${version} has it`,
        ...space({ warn: level, 'warn-version': version }),
        say({}),
        say({ hostPID: true, ...volumes(hostPath) }),
        say(one(context({ capabilities: { add: ['CHOWN', 'FOO'] }, seccompProfile: unconfined }))),
        say(goodWith({ runAsUser: 0, ...seLinux({ type: 'container_engine_t' }) }, { runAsUser: 0 })),
        say({}, { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' }),
        say(two({}), {
          'seccomp.security.alpha.kubernetes.io/pod': 'localhost/x',
          'container.seccomp.security.alpha.kubernetes.io/a': 'unconfined',
          'container.seccomp.security.alpha.kubernetes.io/b': 'unconfined',
        }),
        say(sysctls('net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_wmem')),
        say({ os: { name: 'windows' }, ...one({}) }),
      ),
    ),
  ),
  ask(
    'what is not met is refused, and then not warned of',
    ...space({ enforce: 'restricted', warn: 'baseline', audit: 'baseline' }),
    dry({}),
    dry({ hostPID: true }),
    dry(good()),
    dry({ ...good(), hostPID: true }),
    dry({ containers: [container({ name: 'Bad' })] }),
  ),
  ask(
    'what is met but not all that one would like is warned of',
    ...space({
      enforce: 'baseline',
      'enforce-version': 'v1.99',
      warn: 'restricted',
      'warn-version': 'v1.20',
    }),
    dry({}),
    dry({ hostPID: true }),
    dry(good()),
  ),
  ask(
    'without a level for warnings, the one that is enforced is warned of',
    ...space({ enforce: 'baseline' }),
    say({ hostPID: true }),
    label({ enforce: 'restricted', 'enforce-version': 'v1.30', 'warn-version': 'v1.20' }),
    { ...say({}), after: 1 },
    label({ enforce: 'restricted', warn: 'privileged' }),
    { ...say({}), after: 1 },
    label({ 'enforce-version': 'v1.20', enforce: 'privileged' }),
    { ...say({}), after: 1 },
  ),
  ask(
    'whatever makes pods is warned of, and made',
    ...space({ enforce: 'baseline' }),
    maker('/apis/apps/v1/namespaces/{ns}/deployments', 'a', { selector, template }),
    maker('/apis/apps/v1/namespaces/{ns}/replicasets', 'a', { selector, template }),
    maker('/apis/apps/v1/namespaces/{ns}/daemonsets', 'a', { selector, template }),
    maker('/apis/apps/v1/namespaces/{ns}/statefulsets', 'a', { selector, template, serviceName: 's' }),
    maker('/api/v1/namespaces/{ns}/replicationcontrollers', 'a', { selector: { a: 'b' }, template }),
    maker('/apis/batch/v1/namespaces/{ns}/jobs', 'a', {
      template: { ...template, spec: podSpec({ hostPID: true, restartPolicy: 'Never' }) },
    }),
    maker('/apis/batch/v1/namespaces/{ns}/cronjobs', 'a', {
      schedule: '* * * * *',
      jobTemplate: {
        spec: { template: { ...template, spec: podSpec({ hostPID: true, restartPolicy: 'Never' }) } },
      },
    }),
    say({ hostPID: true }),
  ),
  ask(
    'changes of what makes pods are warned of as well, but not of its scale or status',
    ...space({ warn: 'baseline' }),
    post('/apis/apps/v1/namespaces/{ns}/replicasets', object('r', { spec: { selector, template } }), {
      as: 'r',
    }),
    put(
      '/apis/apps/v1/namespaces/{ns}/replicasets/r',
      (kept) => ({
        ...kept.r,
        metadata: { ...(kept.r?.metadata as JsonObject), labels: { x: 'y' } },
      }),
      { as: 'r' },
    ),
    put(
      '/apis/apps/v1/namespaces/{ns}/replicasets/r/scale',
      object('r', { spec: { replicas: 3 } }, { namespace: '{ns}' }),
    ),
    get('/apis/apps/v1/namespaces/{ns}/replicasets/r', { as: 's' }),
    put('/apis/apps/v1/namespaces/{ns}/replicasets/r/status', (kept) => ({
      ...kept.s,
      status: { replicas: 1 },
    })),
  ),
  ask(
    'a pod that is there may change in what does not matter',
    withAccount,
    post(
      pods(),
      pod('p', { hostPID: true, containers: [container({ resources: { requests: { cpu: '1' } } })] }),
      { as: 'p' },
    ),
    get('/api/v1/namespaces/{ns}', { as: 'space' }),
    label({ enforce: 'baseline' }),
    { ...remark('p', { labels: { a: 'b' } }), after: 1 },
    remark('p', { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } }),
    change('p', 'p', { activeDeadlineSeconds: 99 }),
    change('p', 'p/resize', { containers: [container({ resources: { requests: { cpu: '2' } } })] }),
    change('p', 'p/ephemeralcontainers', { ephemeralContainers: [{ name: 'e', image: 'i:1' }] }),
    change('p', 'p', { containers: [container({ image: 'other:1' })] }),
    change('p', 'p/status', {}),
  ),
  ask(
    'a container that is added to a pod is held to the standard',
    ...space({ enforce: 'baseline', warn: 'restricted' }),
    post(pods(), pod('p', good()), { as: 'p' }),
    change('p', 'p/ephemeralcontainers', {
      ephemeralContainers: [
        { name: 'e', image: 'i:1', ...context({ capabilities: { add: ['SYS_ADMIN'] } }) },
      ],
    }),
    change('p', 'p/ephemeralcontainers', { ephemeralContainers: [{ name: 'e', image: 'i:1' }] }),
  ),
  ask(
    'a namespace that asks for more hears which of its pods do not meet it',
    ...space({}),
    post(pods(), pod('a')),
    post(pods(), pod('b', { hostPID: true })),
    post(pods(), pod('c', good())),
    post(pods(), pod('d', volumes(hostPath))),
    post(pods(), pod('e', { hostIPC: true })),
    post(pods(), pod('f')),
    post(pods(), pod('g', { hostNetwork: true })),
    { ...label({ enforce: 'baseline' }), after: 1 },
    label({ enforce: 'baseline', 'enforce-version': 'v1.20' }),
    label({ enforce: 'baseline', 'enforce-version': 'v1.20', warn: 'restricted' }),
    label({ enforce: 'restricted' }),
    label({ enforce: 'restricted', 'enforce-version': 'v1.30' }),
    label({ enforce: 'baseline', 'enforce-version': 'v1.30' }),
    label({ enforce: 'privileged', 'enforce-version': 'v1.20' }),
    label({ warn: 'restricted', audit: 'restricted' }),
    put('/api/v1/namespaces/{ns}?dryRun=All', (kept) => relabelled(kept, { enforce: 'restricted' })),
  ),
]);
