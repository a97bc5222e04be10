import { ask, type JsonObject, subject } from '../case.ts';
import { template } from './pod-spec-cases.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const node = (...matchExpressions: JsonObject[]) =>
  template({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions }] } } } });
const nodeField = (...matchFields: JsonObject[]) =>
  template({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchFields }] } } } });
const podTerm = (term: JsonObject) => template({ affinity: { podAffinity: { [required]: [term] } } });
const antiTerm = (weight: number, podAffinityTerm: JsonObject) =>
  template({ affinity: { podAntiAffinity: { [preferred]: [{ weight, podAffinityTerm }] } } });
const tolerate = (...tolerations: JsonObject[]) => template({ tolerations });
const spread = (...topologySpreadConstraints: JsonObject[]) => template({ topologySpreadConstraints });
const evenly: JsonObject = {
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { a: 'b' } },
};
const app = { matchLabels: { app: 'x' } };

export const podPlacement = subject('pod-spec-placement', [
  ask(
    'nodes by label and by name',
    template({ nodeSelector: { a: 'b' } }),
    template({ nodeSelector: { 'a b': 'c d' } }),
    template({ nodeName: 'A' }),
    template({ nodeName: 'a' }),
    template({ affinity: { nodeAffinity: { [required]: {} } } }),
    template({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [{}] } } } }),
    node({ key: 'a', operator: 'In', values: ['b'] }, { key: 'a', operator: 'Gt', values: ['1'] }),
    node({ key: 'a', operator: 'In' }),
    node({ key: 'a', operator: 'Exists', values: ['b'] }),
    node({ key: 'a', operator: 'Lt', values: ['1', '2'] }),
    node({ key: 'a', operator: 'Lt', values: ['x'] }),
    node({ key: 'a', operator: 'Nope' }),
    node({ key: '', operator: '' }),
    node({ key: 'a b', operator: 'In', values: ['c d'] }),
    nodeField({ key: 'metadata.name', operator: 'In', values: ['a'] }),
    nodeField({ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }),
    nodeField({ key: 'metadata.name', operator: 'NotIn', values: ['A'] }),
    nodeField({ key: 'metadata.name', operator: 'Exists' }),
    nodeField({ key: 'metadata.uid', operator: 'In', values: ['a'] }),
    template({
      affinity: {
        nodeAffinity: {
          [preferred]: [
            { weight: 0, preference: {} },
            { weight: 101, preference: { matchExpressions: [{ key: 'a', operator: 'x' }] } },
          ],
        },
      },
    }),
    template({ affinity: { nodeAffinity: { [preferred]: [{ weight: 1, preference: {} }] } } }),
  ),
  ask(
    'nearness to other pods',
    podTerm({ topologyKey: 'zone', labelSelector: app }),
    podTerm({ topologyKey: 'zone' }),
    podTerm({ labelSelector: app }),
    podTerm({ topologyKey: 'a b', labelSelector: app }),
    podTerm({ topologyKey: 'zone', labelSelector: { matchExpressions: [{ key: 'a', operator: 'x' }] } }),
    podTerm({
      topologyKey: 'zone',
      namespaceSelector: { matchLabels: { 'a b': 'c' } },
      namespaces: ['A', 'b'],
    }),
    podTerm({ topologyKey: 'zone', labelSelector: app, matchLabelKeys: ['x'], mismatchLabelKeys: ['y'] }),
    podTerm({ topologyKey: 'zone', labelSelector: app, matchLabelKeys: ['x'], mismatchLabelKeys: ['x'] }),
    podTerm({ topologyKey: 'zone', labelSelector: app, matchLabelKeys: ['app'] }),
    podTerm({ topologyKey: 'zone', labelSelector: app, matchLabelKeys: ['a b'] }),
    podTerm({ topologyKey: 'zone', labelSelector: app, matchLabelKeys: ['x', 'x'] }),
    podTerm({ topologyKey: 'zone', matchLabelKeys: ['x'] }),
    podTerm({ topologyKey: 'zone', mismatchLabelKeys: ['x'] }),
    antiTerm(1, { topologyKey: 'zone', labelSelector: app }),
    antiTerm(0, { topologyKey: '', labelSelector: app }),
    antiTerm(101, { topologyKey: 'zone', labelSelector: app, namespaces: ['_'] }),
  ),
  ask(
    'tolerations',
    tolerate(
      { operator: 'Exists' },
      { key: 'a', value: 'b' },
      { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' },
    ),
    tolerate({}),
    tolerate({ key: 'a b' }),
    tolerate({ key: 'a', value: 'b b' }),
    tolerate({ key: 'a', operator: 'Exists', value: 'b' }),
    tolerate({ key: 'a', operator: 'Exists', value: 'b', effect: 'NoExecute', tolerationSeconds: 1 }),
    tolerate({ key: 'a', operator: 'Nope' }),
    tolerate({ key: 'a', effect: 'Nope' }),
    tolerate({ key: 'a', tolerationSeconds: 1 }),
    tolerate({ key: 'a', tolerationSeconds: -1, effect: 'NoExecute' }),
    tolerate({ operator: 'Equal' }),
    tolerate({ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }),
  ),
  ask(
    'spreading over the nodes',
    spread(evenly),
    spread({}),
    spread({ ...evenly, maxSkew: -1 }),
    spread({ ...evenly, topologyKey: 'a b' }),
    spread({ ...evenly, whenUnsatisfiable: 'Nope' }),
    spread(evenly, evenly),
    spread(evenly, evenly, evenly),
    spread({ ...evenly, minDomains: 0 }),
    spread({ ...evenly, minDomains: 2 }),
    spread({ ...evenly, minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway' }),
    spread({ ...evenly, nodeAffinityPolicy: 'Nope', nodeTaintsPolicy: 'Nope' }),
    spread({ ...evenly, nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' }),
    spread({ ...evenly, matchLabelKeys: ['x'] }),
    spread({ ...evenly, matchLabelKeys: ['a'] }),
    spread({ ...evenly, matchLabelKeys: ['a b'] }),
    spread({ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['x'] }),
    spread({ ...evenly, labelSelector: { matchLabels: { a: 'b b' } } }),
  ),
  ask(
    'gates, classes and deadlines',
    template({ readinessGates: [{ conditionType: 'example.com/x' }] }),
    template({ readinessGates: [{ conditionType: 'a b' }, { conditionType: '' }] }),
    template({ schedulingGates: [{ name: 'example.com/x' }] }),
    template({ schedulingGates: [{ name: 'a b' }, { name: 'a' }, { name: 'a' }] }),
    template({ schedulingGates: [{}] }),
    template({ schedulerName: 'A B' }),
    template({ priorityClassName: 'A' }),
    template({ priorityClassName: 'a' }),
    template({ priority: 5 }),
    template({ preemptionPolicy: 'Nope' }),
    template({ preemptionPolicy: '' }),
    template({ preemptionPolicy: 'Never' }),
    template({ runtimeClassName: '' }),
    template({ runtimeClassName: 'A' }),
    template({ runtimeClassName: 'a' }),
    template({ activeDeadlineSeconds: 0 }),
    template({ activeDeadlineSeconds: 2147483648 }),
    template({ activeDeadlineSeconds: 1 }),
    template({ terminationGracePeriodSeconds: -1 }),
    template({ terminationGracePeriodSeconds: 0 }),
    template({ restartPolicy: 'Nope' }),
    template({ serviceAccountName: 'A' }),
    template({ overhead: { cpu: '1' } }),
    template({ overhead: { cpu: '-1' } }),
    template({ overhead: { nope: '1' } }),
    template({ imagePullSecrets: [{ name: 'a' }, { name: 'a' }] }),
    template({ imagePullSecrets: [{}] }),
    template({ imagePullSecrets: [{ name: 'A B' }] }),
  ),
  ask(
    'claims to devices',
    template({
      resourceClaims: [
        { name: 'a', resourceClaimName: 'b' },
        { name: 'c', resourceClaimTemplateName: 'd' },
      ],
    }),
    template({ resourceClaims: [{ name: 'a' }] }),
    template({ resourceClaims: [{ name: 'a', resourceClaimName: 'b', resourceClaimTemplateName: 'd' }] }),
    template({ resourceClaims: [{ name: '', resourceClaimName: 'b' }] }),
    template({
      resourceClaims: [
        { name: 'a', resourceClaimName: 'b' },
        { name: 'a', resourceClaimName: 'b' },
      ],
    }),
    template({ resourceClaims: [{ name: 'A', resourceClaimName: 'B' }] }),
    template({ resourceClaims: [{ name: 'a', resourceClaimTemplateName: '' }] }),
  ),
  ask(
    'resources of the whole pod',
    template({ resources: { limits: { cpu: '1' } } }),
    template({ resources: { requests: { cpu: '1', memory: '1Gi' } } }),
    template({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
    template({ resources: { limits: { 'ephemeral-storage': '1' } } }),
    template({ resources: { limits: { 'example.com/x': '1' } } }),
    template({ resources: { requests: { nope: '1' } } }),
    template({ resources: { claims: [{ name: 'a' }] } }),
    template({
      resources: { requests: { cpu: '1' } },
      containers: [{ name: 'a', image: 'b', resources: { requests: { cpu: '2' } } }],
    }),
    template({
      resources: { limits: { cpu: '1' } },
      containers: [{ name: 'a', image: 'b', resources: { limits: { cpu: '2' } } }],
    }),
    template({ resources: { limits: { 'hugepages-2Mi': '2Mi', cpu: '1' } } }),
    template({ resources: { limits: { 'hugepages-2Mi': '2Mi' } } }),
    template({ resources: { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' } } }),
    template({ resources: { limits: { cpu: '-1' } } }),
    template({ resources: { limits: { cpu: '1' } }, os: { name: 'windows' } }),
    template({ resources: {} }),
  ),
  ask(
    'what random specs have shown',
    template({
      affinity: {
        nodeAffinity: {
          [preferred]: [
            {
              weight: 1,
              preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b b', 'ok'] }] },
            },
          ],
        },
      },
    }),
    spread({ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['a b'] }),
    podTerm({ topologyKey: 'z', matchLabelKeys: ['a b'], mismatchLabelKeys: ['a b'] }),
    podTerm({
      topologyKey: 'z',
      labelSelector: { matchLabels: { a: 'x' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      matchLabelKeys: ['q', 'a'],
    }),
    template({ containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'A_' } }] }] }),
    template({
      containers: [
        {
          name: 'c',
          image: 'i',
          env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['A b']" } } }],
        },
      ],
    }),
    template({
      containers: [
        { name: 'c', image: 'i', resources: { claims: [{ name: 'a' }, { name: 'a', request: 'X X' }] } },
      ],
      resourceClaims: [{ name: 'a', resourceClaimName: 'x' }],
    }),
    template({
      containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'b' }] } }],
      resourceClaims: [{ name: '', resourceClaimName: 'x' }],
    }),
    template({ containers: [{ name: 'c', image: 'i', lifecycle: { stopSignal: 'x' } }], os: { name: 'x' } }),
  ),
]);
