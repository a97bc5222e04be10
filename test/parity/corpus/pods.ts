import { ask, del, get, type JsonObject, type Kept, post, put, type Step, subject, watch } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { container, pod, pods, quietSpec, withAccount } from './pod-spec-cases.ts';

const dry = (fields: JsonObject, metadata: JsonObject = {}): Step =>
  post(pods('?dryRun=All'), pod('a', fields, metadata));
const change = (fields: JsonObject): Step => put(pods('a?dryRun=All'), withChange('a', { spec: fields }));
const status = (fields: JsonObject): Step =>
  put(pods('a/status?dryRun=All'), withChange('a', { status: fields }));
/** The pod with other fields of its first container. */
const changeContainer = (fields: JsonObject): Step =>
  put(pods('a?dryRun=All'), (kept: Kept) => {
    const a = kept.a ?? {};
    const spec = a.spec as JsonObject;
    const [first, ...rest] = spec.containers as JsonObject[];
    return { ...a, spec: { ...spec, containers: [{ ...first, ...fields }, ...rest] } };
  });
const remark = (metadata: JsonObject): Step =>
  put(pods('a?dryRun=All'), (kept: Kept) => ({
    ...kept.a,
    metadata: { ...(kept.a?.metadata as JsonObject), ...metadata },
  }));
const make = (fields: JsonObject = {}, metadata: JsonObject = {}): Step[] => [
  withAccount,
  post(pods(), pod('a', fields, metadata), { as: 'a' }),
];
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const exists = (key: string) => ({ key, operator: 'Exists' });
const nodeTerms = (...terms: JsonObject[]) => ({
  affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: terms } } },
});
const one: JsonObject = { limits: { cpu: '1', memory: '1Gi' } };
const state = (name: string, fields: JsonObject): JsonObject => ({
  name,
  image: 'i',
  imageID: 'x',
  ready: false,
  restartCount: 0,
  state: fields,
});
const withSteps = (cases: ReturnType<typeof lifecycle>) =>
  cases.map((each) => ({ ...each, steps: [withAccount, ...each.steps] }));

export const podRules = subject('pods', [
  ...withSteps(
    lifecycle(pods, pod('a'), {
      full: pod(
        'full',
        {
          hostname: 'h',
          subdomain: 's',
          nodeSelector: { a: 'b' },
          initContainers: [container({ name: 'i', restartPolicy: 'Always' })],
          containers: [
            container({ resources: one, ports: [{ containerPort: 80 }], env: [{ name: 'A', value: 'b' }] }),
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
          schedulingGates: [{ name: 'g' }],
        },
        { labels: { a: 'b' } },
      ),
      change: { spec: { activeDeadlineSeconds: 5 } },
      status: { phase: 'Running', podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
  ),
  ask(
    'what a new pod gets beyond a template',
    withAccount,
    dry({}),
    dry({ hostNetwork: true, containers: [container({ ports: [{ containerPort: 80 }] })] }),
    dry({ containers: [container({ resources: one })] }),
    dry({ containers: [container({ resources: { limits: { cpu: '1' }, requests: { memory: '1' } } })] }),
    dry({ initContainers: [container({ name: 'i', resources: one })] }),
    dry({ enableServiceLinks: false, terminationGracePeriodSeconds: -3 }),
    dry({ schedulingGates: [{ name: 'a' }] }),
    dry({ resources: { limits: { cpu: '2' } }, containers: [container({ resources: one })] }),
    dry({ resources: { requests: { cpu: '2' } } }),
    dry({
      resources: { limits: { cpu: '1' } },
      containers: [container({ resources: { limits: { cpu: '500m', 'hugepages-2Mi': '2Mi' } } })],
    }),
    dry({ serviceAccountName: '', serviceAccount: 'default' }),
    post(pods('?dryRun=All'), { ...pod('a'), status: { phase: 'Running', podIP: '1.2.3.4' } }),
    post(pods('?dryRun=All'), { metadata: { generateName: 'g-' }, spec: quietSpec() }),
  ),
  ask(
    'how safe a pod is from being thrown out',
    withAccount,
    [
      one,
      { limits: { cpu: '1' } },
      { requests: { cpu: '1', memory: '1' } },
      { requests: { cpu: '0' } },
      { limits: { cpu: '1', memory: '1' }, requests: { cpu: '1', memory: '1000m' } },
      { limits: { 'example.com/x': '1' } },
      { limits: { cpu: '1', memory: '2' }, requests: { cpu: '1', memory: '1' } },
    ].map((resources) => dry({ containers: [container({ resources })] })),
    dry({ initContainers: [container({ name: 'i' })], containers: [container({ resources: one })] }),
    dry({ resources: one }),
    dry({ resources: { limits: { cpu: '1' } } }),
  ),
  ask(
    'a pod that cannot be made',
    withAccount,
    dry({ containers: [] }),
    dry({ schedulingGates: [{ name: 'a' }], nodeName: 'n' }),
    dry({ ephemeralContainers: [container({ name: 'e' })] }),
    dry({
      containers: [container({ image: ' a ' })],
      initContainers: [container({ name: 'i', image: 'b ' })],
    }),
    dry({}, { name: 'A' }),
    dry({}, { name: 'a'.repeat(254) }),
    dry({}, { labels: { 'a b': 'c' }, finalizers: ['x'] }),
    dry({}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'x' } }),
    dry({ restartPolicy: 'Nope', dnsPolicy: 'Nope' }),
    post(pods('?dryRun=All'), { metadata: { name: 'a' } }),
    post(pods('?dryRun=All'), { metadata: {}, spec: quietSpec() }),
  ),
  ask(
    'warnings',
    withAccount,
    dry({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
    dry({}, { name: 'a.b' }),
    dry({}, { name: 'a'.repeat(64) }),
    dry({ hostname: 'h' }, { name: 'a'.repeat(64) }),
    dry({}, { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } }),
    dry({ terminationGracePeriodSeconds: -1 }),
    dry({
      containers: [
        container({
          env: [{ name: 'A' }, { name: 'A' }],
          ports: [{ containerPort: 1 }, { containerPort: 1 }],
        }),
      ],
    }),
    dry({ volumes: [{ name: 'v', gitRepo: { repository: 'x' } }], imagePullSecrets: [{}] }),
  ),
  ask(
    'profiles are said by annotation and field alike',
    withAccount,
    dry({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'localhost/x' } }),
    dry({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' } }),
    dry({
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
      initContainers: [
        container({
          name: 'i',
          securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'z' } },
        }),
      ],
    }),
    dry(
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
      { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } },
    ),
    dry(
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
      { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' } },
    ),
    dry(
      { os: { name: 'windows' } },
      { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } },
    ),
  ),
  ask(
    'labels of its own in selectors',
    withAccount,
    dry(
      {
        affinity: {
          podAffinity: {
            [required]: [
              {
                topologyKey: 'z',
                labelSelector: { matchLabels: { app: 'x' } },
                matchLabelKeys: ['a', 'zz'],
                mismatchLabelKeys: ['b'],
              },
            ],
          },
        },
      },
      { labels: { a: '1', b: '2' } },
    ),
    dry(
      {
        affinity: {
          podAntiAffinity: {
            [required]: [
              { topologyKey: 'z', labelSelector: { matchLabels: { a: 'x' } }, matchLabelKeys: ['a'] },
            ],
          },
        },
      },
      { labels: { a: '1' } },
    ),
  ),
  ask(
    'what of a pod can be changed',
    make(
      {
        tolerations: [...(quietSpec().tolerations as JsonObject[]), { key: 'k', operator: 'Exists' }],
        initContainers: [container({ name: 'i' })],
      },
      { labels: { q: 'r' } },
    ),
    changeContainer({ image: 'x:2' }),
    changeContainer({ image: '' }),
    changeContainer({ image: ' x' }),
    change({ activeDeadlineSeconds: 10 }),
    change({ activeDeadlineSeconds: 0 }),
    change({ activeDeadlineSeconds: -1 }),
    change({
      tolerations: [
        ...(quietSpec().tolerations as JsonObject[]),
        { key: 'k', operator: 'Exists' },
        { operator: 'Exists' },
      ],
    }),
    change({
      tolerations: [
        ...(quietSpec().tolerations as JsonObject[]),
        { key: 'k', operator: 'Exists', effect: 'NoExecute' },
      ],
    }),
    change({ tolerations: [...(quietSpec().tolerations as JsonObject[])] }),
    change({ schedulingGates: [{ name: 'a' }] }),
    change({ initContainers: [] }),
    change({ containers: [container(), container({ name: 'd' })] }),
    remark({ labels: { q: 's' }, annotations: { x: 'y' } }),
    remark({ generation: 7 }),
    remark({ annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    remark({ annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } }),
    put(pods('a?dryRun=All'), withChange('a', { status: { phase: 'Running' } })),
    put(pods('a?dryRun=All'), pod('a')),
  ),
  ask(
    'what of a pod cannot be changed',
    make(),
    change({ hostname: 'x' }),
    change({ hostname: 'x', nodeName: 'n' }),
    change({ hostNetwork: true }),
    changeContainer({ command: ['a', 'b'] }),
    changeContainer({ env: [{ name: 'A', value: 'b' }] }),
    changeContainer({ name: 'z' }),
    changeContainer({ workingDir: '/x', tty: true }),
    changeContainer({ securityContext: { runAsUser: 5 } }),
    change({ volumes: [{ name: 'v', emptyDir: {} }] }),
    change({ nodeSelector: { a: 'b' } }),
    change({ terminationGracePeriodSeconds: 5 }),
    change({ restartPolicy: 'Never' }),
    change({ serviceAccountName: 'x', serviceAccount: 'x' }),
    change({ schedulerName: 'x' }),
    change({ priority: 5 }),
    change({ dnsPolicy: 'Default', subdomain: 'y' }),
    changeContainer({ resources: { requests: { cpu: '1' } } }),
  ),
  ask(
    'what of a larger pod cannot be changed',
    make({
      initContainers: [container({ name: 'i' }), container({ name: 'j', restartPolicy: 'Always' })],
      containers: [
        container({
          env: [
            { name: 'A', value: '1' },
            { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
            { name: 'C' },
          ],
          ports: [{ containerPort: 80, name: 'web' }],
          livenessProbe: { httpGet: { port: 80 } },
          readinessProbe: { tcpSocket: { port: 'web' } },
          lifecycle: { preStop: { exec: { command: ['x'] } } },
          resources: one,
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
          securityContext: { runAsUser: 1, capabilities: { add: ['X'] } },
        }),
        container({ name: 'd', args: ['a', 'b', 'c'] }),
      ],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', configMap: { name: 'x' } },
      ],
      nodeSelector: { a: 'b', c: 'd' },
      securityContext: { fsGroup: 5, supplementalGroups: [1, 2] },
      affinity: {
        podAffinity: { [required]: [{ topologyKey: 'z', labelSelector: { matchLabels: { a: 'b' } } }] },
      },
      hostAliases: [{ ip: '1.2.3.4', hostnames: ['h'] }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'z',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { a: 'b' } },
        },
      ],
      os: { name: 'linux' },
    }),
    changeContainer({
      env: [
        { name: 'A', value: '2' },
        { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        { name: 'C' },
      ],
    }),
    changeContainer({ env: [{ name: 'A', value: '1' }] }),
    changeContainer({ env: [] }),
    changeContainer({ ports: [{ containerPort: 81, name: 'web' }] }),
    changeContainer({ livenessProbe: { httpGet: { port: 81 } } }),
    changeContainer({ livenessProbe: { httpGet: { port: 'web' }, periodSeconds: 5 } }),
    changeContainer({ readinessProbe: null as never }),
    changeContainer({ lifecycle: { preStop: { exec: { command: ['x', 'y'] } } } }),
    changeContainer({ lifecycle: { preStop: { sleep: { seconds: 5 } } } }),
    changeContainer({ resources: { limits: { cpu: '2', memory: '1Gi' } } }),
    changeContainer({ resources: {} }),
    changeContainer({ volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }] }),
    changeContainer({ securityContext: { runAsUser: 2, capabilities: { add: ['X', 'Y'] } } }),
    changeContainer({ securityContext: {} }),
    changeContainer({
      workingDir: '/a/very/long/path/that/goes/on/and/on/to/be/longer/than/any/line/of/eighty/letters/can/be',
    }),
    change({
      volumes: [
        { name: 'v', emptyDir: { medium: 'Memory' } },
        { name: 'w', configMap: { name: 'x' } },
      ],
    }),
    change({
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', configMap: { name: 'x' } },
        { name: 'x', hostPath: { path: '/x' } },
      ],
    }),
    change({ volumes: [{ name: 'v', emptyDir: {} }] }),
    change({ nodeSelector: { a: 'z', e: 'f' } }),
    change({ nodeSelector: {} }),
    change({ securityContext: { fsGroup: 6, supplementalGroups: [1, 2] } }),
    change({ securityContext: { fsGroup: 5, supplementalGroups: [1, 2, 3] } }),
    change({ securityContext: {} }),
    change({
      affinity: {
        podAffinity: { [required]: [{ topologyKey: 'y', labelSelector: { matchLabels: { a: 'b' } } }] },
      },
    }),
    change({ affinity: null as never }),
    change({ hostAliases: [{ ip: '1.2.3.4', hostnames: ['h', 'i'] }] }),
    change({
      topologySpreadConstraints: [
        {
          maxSkew: 2,
          topologyKey: 'z',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { a: 'b' } },
        },
      ],
    }),
    change({ os: { name: 'windows' } }),
    change({ os: null as never }),
    change({ overhead: { cpu: '1', memory: '250Mi' } }),
    change({ dnsConfig: { nameservers: ['1.2.3.4'], options: [{ name: 'x', value: 'y' }] } }),
    change({
      imagePullSecrets: [{ name: 'x' }],
      readinessGates: [{ conditionType: 'a/b' }],
      resourceClaims: [{ name: 'r', resourceClaimName: 's' }],
    }),
    change({
      hostname: 'a',
      subdomain: 'b',
      hostPID: true,
      schedulerName: 'c',
      priority: 7,
      runtimeClassName: 'd',
      setHostnameAsFQDN: true,
    }),
  ),
  ask(
    'a pod behind gates can be narrowed down',
    make({
      schedulingGates: [{ name: 'a' }, { name: 'b' }],
      nodeSelector: { x: 'y' },
      ...nodeTerms({ matchExpressions: [exists('a')] }),
    }),
    change({ schedulingGates: [{ name: 'b' }] }),
    change({ schedulingGates: [] }),
    change({ schedulingGates: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
    change({ nodeSelector: { x: 'y', z: 'q' } }),
    change({ nodeSelector: {} }),
    change({ nodeSelector: { x: 'z' } }),
    change(nodeTerms({ matchExpressions: [exists('a'), exists('b')] })),
    change(
      nodeTerms({
        matchExpressions: [exists('a')],
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }],
      }),
    ),
    change(nodeTerms({ matchExpressions: [exists('b')] })),
    change(nodeTerms({ matchExpressions: [exists('a')] }, { matchExpressions: [exists('b')] })),
    change({ affinity: {} }),
  ),
  ask(
    'the status',
    make(),
    status({
      phase: 'Running',
      podIP: '1.2.3.4',
      hostIP: '5.6.7.8',
      hostIPs: [{ ip: '5.6.7.8' }],
      startTime: '2024-01-01T00:00:00Z',
      containerStatuses: [state('c', { running: { startedAt: '2024-01-01T00:00:00Z' } })],
    }),
    status({}),
    status({ phase: 'Nope' }),
    status({ qosClass: 'Guaranteed' }),
    status({ podIP: '1.2.3.4', podIPs: [{ ip: '1.2.3.5' }] }),
    status({ podIPs: [{ ip: '1.2.3.5' }, { ip: '::1' }] }),
    status({ podIPs: [{ ip: '1.2.3.5' }, { ip: '1.2.3.6' }] }),
    status({ podIPs: [{ ip: 'x' }] }),
    status({ hostIP: '1.1.1.1', hostIPs: [{ ip: '1.1.1.2' }] }),
    status({ hostIP: 'x', hostIPs: [{ ip: 'x' }] }),
    status({ conditions: [{ type: 'a b', status: 'Nope', observedGeneration: -1 }] }),
    status({ nominatedNodeName: 'A_' }),
    status({ observedGeneration: -1 }),
    status({ resourceClaimStatuses: [{ name: 'a' }] }),
    status({
      containerStatuses: [
        { ...state('c', {}), user: { linux: { uid: -1, gid: -1, supplementalGroups: [-1] } } },
      ],
    }),
    status({
      containerStatuses: [
        {
          ...state('c', {}),
          allocatedResourcesStatus: [{ name: 'x', resources: [{ resourceID: 'a', health: 'Nope' }] }],
        },
      ],
    }),
    put(
      pods('a/status?dryRun=All'),
      withChange('a', { status: { phase: 'Running' }, spec: { hostname: 'x' } }),
    ),
    get(pods('a/status')),
    status({ podIPs: [{ ip: '2001:DB8::1' }], hostIP: '2001:DB8::1', hostIPs: [{ ip: '2001:DB8::1' }] }),
    status({ hostIP: '', hostIPs: [{ ip: '' }, { ip: '::1' }] }),
    status({ resourceClaimStatuses: [{ name: 'b', resourceClaimName: 'X' }] }),
    status({
      ephemeralContainerStatuses: [{ ...state('e', {}), allocatedResourcesStatus: [{ name: 'x' }] }],
    }),
    status({ containerStatuses: [{ ...state('c', {}), allocatedResourcesStatus: [{ name: 'claim:a' }] }] }),
    status({ containerStatuses: [{ ...state('z', {}), allocatedResourcesStatus: [{ name: 'x' }] }] }),
    status({
      containerStatuses: [{ ...state('c', {}), allocatedResources: { cpu: '1' }, stopSignal: 'SIGTERM' }],
    }),
  ),
  ask(
    'what has ended for good stays ended',
    make({
      restartPolicy: 'Never',
      initContainers: [container({ name: 'i' }), container({ name: 's', restartPolicy: 'Always' })],
    }),
    put(
      pods('a/status'),
      withChange('a', {
        status: {
          phase: 'Running',
          observedGeneration: 1,
          initContainerStatuses: [
            state('i', { terminated: { exitCode: 1 } }),
            state('s', { terminated: { exitCode: 1 } }),
          ],
          containerStatuses: [state('c', { terminated: { exitCode: 1 } })],
        },
      }),
      { as: 'a' },
    ),
    status({
      containerStatuses: [state('c', { running: {} })],
      initContainerStatuses: [state('i', { running: {} }), state('s', { running: {} })],
    }),
    status({ phase: 'Running' }),
  ),
  ask(
    'deleted with time to end',
    make({ nodeName: 'n' }),
    del(pods('a?dryRun=All')),
    del(pods('a')),
    del(pods('a')),
    del(pods('a?gracePeriodSeconds=40')),
    del(pods('a?gracePeriodSeconds=5'), undefined, { as: 'b' }),
    put(pods('a/status'), withChange('b', { status: { phase: 'Running' } })),
    get(pods('a')),
    del(pods('a'), { gracePeriodSeconds: 0 }),
    get(pods('a')),
  ),
  ask(
    'deleted at once',
    make(),
    post(pods(), pod('b', { nodeName: 'n' }), { as: 'b' }),
    post(pods(), pod('c', { nodeName: 'n', terminationGracePeriodSeconds: 0 })),
    post(pods(), pod('d', {}, { finalizers: ['example.com/x'] })),
    post(pods(), pod('e', { nodeName: 'n' }, { finalizers: ['example.com/x'] }), { as: 'e' }),
    put(pods('b/status'), withChange('b', { status: { phase: 'Succeeded' } })),
    watch(pods('?watch=true&resourceVersion={a.rv}&fieldSelector=metadata.name=a'), {
      events: 2,
      during: [del(pods('a'))],
    }),
    del(pods('b')),
    del(pods('c?gracePeriodSeconds=-1')),
    del(pods('c?gracePeriodSeconds=0')),
    del(pods('d')),
    del(pods('d?gracePeriodSeconds=0')),
    del(pods('e'), undefined, { as: 'e' }),
    put(pods('e'), (kept: Kept) => ({
      ...kept.e,
      metadata: { ...(kept.e?.metadata as JsonObject), finalizers: [] },
    })),
    del(pods('e?gracePeriodSeconds=0')),
    del(pods('?gracePeriodSeconds=0')),
  ),
  ask(
    'selected by fields',
    make({ nodeName: 'n' }),
    post(pods(), pod('b', { hostNetwork: true, restartPolicy: 'Never', schedulerName: 's' })),
    [
      'spec.nodeName=n',
      'spec.nodeName=',
      'spec.hostNetwork=true',
      'spec.hostNetwork=false',
      'spec.restartPolicy=Never',
      'spec.schedulerName=s',
      'spec.serviceAccountName=default',
      'status.phase=Pending',
      'status.phase!=Pending',
      'status.podIP=',
      'status.podIPs=',
      'status.podIPs=1.2.3.4',
      'status.nominatedNodeName=',
      'spec.host=n',
      'spec.nope=x',
      'metadata.name=a,status.phase=Pending',
    ].map((selector) =>
      get(pods(`?fieldSelector=${encodeURIComponent(selector)}`), {
        pick: (body) =>
          body.items ? (body.items as JsonObject[]).map((item) => (item.metadata as JsonObject).name!) : body,
      }),
    ),
  ),
]);
