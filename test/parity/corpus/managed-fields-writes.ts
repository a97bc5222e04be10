import { ask, del, get, type JsonObject, post, put, remade, type Step, send, subject } from '../case.ts';
import { apply, configMapIntent, intent, patchBy } from './applies.ts';
import { configMap, configmaps, leases, limitranges, object, paths } from './objects.ts';

const a = configmaps('a');
const made = post(configmaps(), configMap('a', { k: 'v' }, { labels: { l: 'm' } }), { as: 'a' });
const jsonPatch = (path: string, steps: JsonObject[]): Step =>
  send('PATCH', path, JSON.stringify(steps), { headers: { 'content-type': 'application/json-patch+json' } });
const written = (agent: string | null, name: string) =>
  post(configmaps(), configMap(name), { headers: { 'user-agent': agent } });
const autoscalers = (version: string) =>
  `/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`;
const quotas = paths('/api/v1/namespaces/{ns}/resourcequotas');
const scaleTargetRef = { kind: 'Deployment', name: 'd' };
/** Names in the order of the times, which tell apart only those of different seconds. */
const nth = (i: number) => `n${String(i).padStart(2, '0')}`;
const many = (count: number, from = 0): Step[] =>
  Array.from({ length: count }, (_, i) => patchBy(nth(from + i), a, { data: { [nth(from + i)]: 'v' } }));

const job = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const workload = {
  selector: { matchLabels: { a: 'b' } },
  template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
};

/** Who comes to own what by writing it. */
export const managedFieldsWrites = subject('managed-fields-writes', [
  ask(
    'every write but an apply owns what it changes',
    made,
    put(
      configmaps('a?fieldManager=p'),
      remade('a', { labels: { l: 'n', x: 'y' } }, { data: { k: 'v', n: 'w' } }),
    ),
    jsonPatch(`${a}?fieldManager=j`, [{ op: 'add', path: '/data/j', value: 'x' }]),
    patchBy('m', a, { data: { m: 'x', n: null } }),
    patchBy('s', a, { metadata: { annotations: { s: 't' } } }, 'strategic-merge-patch+json'),
    get(a),
    del(`${a}?fieldManager=d`),
  ),
  ask(
    'a write that changes nothing leaves owners and their times',
    made,
    put(configmaps('a?fieldManager=p'), remade('a', {}), { after: 1.1 }),
    patchBy('m', a, { data: { k: 'v' } }),
    patchBy('m', a, { data: { k: 'w' } }),
    { ...patchBy('m', a, { data: { k: 'x' } }), after: 1.1 },
    patchBy('m', a, { data: { l: 'y' } }),
    { ...patchBy('m', a, { data: { l: 'y' } }), after: 1.1 },
    get(a),
  ),
  ask(
    'a value that is written as it was is not owned',
    made,
    patchBy('m', a, { data: { k: 'v', other: 'x' } }),
    put(configmaps('a?fieldManager=p'), configMap('a', { k: 'v', other: 'y' })),
    put(configmaps('a?fieldManager=p'), configMap('a', {})),
    put(configmaps('a?fieldManager=q'), object('a')),
    put(configmaps('a?fieldManager=r'), object('a', { data: {}, binaryData: {} })),
    get(a),
  ),
  ask(
    'an amount that is written otherwise is the same, but not in a list that is owned as one',
    post(
      limitranges('?fieldManager=maker'),
      object('a', { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } }),
    ),
    put(
      limitranges('a?fieldManager=second'),
      object('a', { spec: { limits: [{ type: 'Pod', max: { cpu: '1000m' } }] } }),
    ),
    post(quotas('?fieldManager=maker'), object('a', { spec: { hard: { cpu: '1' } } })),
    put(quotas('a?fieldManager=second'), object('a', { spec: { hard: { cpu: '1000m' } } })),
    apply(quotas('a'), intent('v1', 'ResourceQuota', 'a', { spec: { hard: { cpu: '1' } } }), { by: 'one' }),
    apply(quotas('a'), intent('v1', 'ResourceQuota', 'a', { spec: { hard: { cpu: '1000m' } } }), {
      by: 'two',
    }),
    apply(quotas('a'), intent('v1', 'ResourceQuota', 'a', { spec: { hard: { cpu: '1.0' } } }), {
      by: 'one',
      force: true,
    }),
  ),
  ask(
    'a manager is the first word of the User-Agent',
    written('kubectl/v1.33.0 (linux/amd64)', 'a'),
    written('noslash', 'b'),
    written('', 'c'),
    written(null, 'd'),
    written('/leading', 'e'),
    written('two words/1.0', 'f'),
    written('x'.repeat(128), 'g'),
    written('x'.repeat(129), 'h'),
    written(`${'x'.repeat(200)}/1.0`, 'i'),
    written('tab\there/1', 'j'),
    written('\u00fcber/1', 'k'),
    written('a\u00adb\u00a0c/1', 'l'),
    written('\u00c3\u00bcber/1', 'm'),
    written(' spaces /1', 'n'),
    written(`${'\u00c3\u00bc'.repeat(70)}/1`, 'o'),
    written('Mozilla/5.0 (X11)', 'p'),
    get(configmaps()),
  ),
  ask(
    'a named manager comes before the User-Agent',
    post(configmaps('?fieldManager=named'), configMap('a'), { headers: { 'user-agent': 'agent/1' } }),
    patchBy('', a, { data: { k: 'w' } }),
    { ...apply(a, configMapIntent('a', { x: 'y' }), { headers: { 'user-agent': 'agent/1' } }) },
    patchBy('with%20space', a, { data: { k: 'x' } }),
    put(configmaps('a?fieldManager=%C3%BC'), configMap('a', { k: 'y' })),
    put(configmaps('a?fieldManager=a%0Ab'), configMap('a', { k: 'y' })),
  ),
  ask(
    'more than ten owners by update: the oldest become one',
    post(configmaps('?fieldManager=maker'), configMap('a')),
    ...many(12),
    ...many(3, 12),
    { ...patchBy(nth(0), a, { data: { [nth(0)]: 'w' } }), after: 1.1 },
    apply(a, configMapIntent('a', { x: 'y' }), { by: 'one' }),
    apply(a, configMapIntent('a', { [nth(1)]: 'other' }), { by: 'one' }),
    get(a),
  ),
  ask(
    'more than ten in two versions: the oldest of each become one',
    post(
      `${autoscalers('v2')}?fieldManager=maker`,
      object('a', { spec: { maxReplicas: 2, scaleTargetRef } }),
    ),
    ...Array.from({ length: 14 }, (_, i) =>
      patchBy(nth(i), `${autoscalers(i % 3 === 0 ? 'v1' : 'v2')}/a`, {
        metadata: { annotations: { [nth(i)]: 'v' } },
      }),
    ),
    get(`${autoscalers('v1')}/a`),
  ),
  ask(
    'what nobody owns has owners only once it is applied to',
    post(configmaps('?fieldManager=maker'), object('a')),
    patchBy('later', a, { data: { k: 'v' } }),
    put(configmaps('a?fieldManager=p'), configMap('a', { k: 'w', l: 'x' })),
    apply(a, configMapIntent('a', { k: 'other' }), { by: 'one' }),
    apply(a, configMapIntent('a', { x: 'y' }), { by: 'one' }),
    patchBy('later', a, { data: { k: 'v' } }),
    apply(a, configMapIntent('a', { l: 'other' }), { by: 'one' }),
    get(a),
  ),
  ask(
    'a name that is not there, created by an update',
    put(leases('a?fieldManager=p'), object('a', { spec: { holderIdentity: 'x' } })),
    put(leases('a?fieldManager=q'), object('a', { spec: { holderIdentity: 'y' } })),
    put(configmaps('nope?fieldManager=p'), configMap('nope')),
    put('/api/v1/namespaces/{ns}/services/a?fieldManager=p', object('a', { spec: { ports: [{ port: 1 }] } })),
    put(
      '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/a?fieldManager=p',
      object('a', { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }),
    ),
  ),
  ask(
    'dry runs say who would own it',
    post(configmaps('?fieldManager=maker&dryRun=All'), configMap('a')),
    made,
    put(configmaps('a?fieldManager=p&dryRun=All'), configMap('a', { k: 'w' })),
    send(
      'PATCH',
      `${a}?fieldManager=m&dryRun=All`,
      { data: { x: 'y' } },
      {
        headers: { 'content-type': 'application/merge-patch+json' },
      },
    ),
    get(a),
  ),
  ask(
    'generated names and metadata',
    post(configmaps('?fieldManager=maker'), {
      metadata: { generateName: 'gen-', labels: {}, annotations: { a: '' } },
    }),
    post(
      configmaps('?fieldManager=maker'),
      configMap('a', { 'b.c': 'd', '..e': 'f' }, { finalizers: ['example.com/a'] }),
    ),
    post(
      configmaps('?fieldManager=maker'),
      configMap(
        'a',
        { 'b.c': 'd', 'e-f_g': 'h' },
        {
          labels: { 'example.com/l': 'm', '': 'x' },
          annotations: { 'example.com/a': '"quoted"' },
        },
      ),
    ),
    post(
      configmaps('?fieldManager=maker'),
      configMap(
        'b',
        { 'b.c': 'd', 'e-f_g': 'h' },
        {
          labels: { 'example.com/l': 'm' },
          annotations: { 'example.com/a': '"quoted"' },
          ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u"v' }],
          finalizers: ['example.com/a', 'example.com/"b'],
        },
      ),
    ),
    post(
      configmaps('?fieldManager=maker'),
      configMap(
        'c',
        {},
        {
          ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u"v<&>' }],
          finalizers: ['example.com/a'],
        },
      ),
    ),
  ),
  ask(
    'what the server itself makes',
    get('/api/v1/namespaces/default', { pick: owners }),
    get('/api/v1/namespaces/kube-system', { pick: owners }),
    get('/api/v1/namespaces/default/services/kubernetes', { pick: owners }),
    get('/apis/networking.k8s.io/v1/servicecidrs/kubernetes', { pick: owners }),
    get('/apis/networking.k8s.io/v1/ipaddresses/10.0.0.1', { pick: owners }),
  ),
  ask(
    'owners of events, which come in two versions',
    post('/api/v1/namespaces/{ns}/events?fieldManager=core', {
      metadata: { name: 'a' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
      count: 1,
    }),
    get('/apis/events.k8s.io/v1/namespaces/{ns}/events/a'),
    send(
      'PATCH',
      '/apis/events.k8s.io/v1/namespaces/{ns}/events/a?fieldManager=new',
      { note: 'n' },
      {
        headers: { 'content-type': 'application/merge-patch+json' },
      },
    ),
    get('/api/v1/namespaces/{ns}/events/a'),
  ),
  ask(
    'defaults are owned by who creates, not what the server fills in later',
    post(
      '/api/v1/namespaces/{ns}/services?fieldManager=maker',
      object('a', { spec: { ports: [{ port: 1 }] } }),
    ),
    post('/apis/batch/v1/namespaces/{ns}/jobs?fieldManager=maker', object('a', { spec: { template: job } })),
    post('/api/v1/namespaces?fieldManager=maker', object('{name}')),
    post(
      paths('/apis/apps/v1/namespaces/{ns}/deployments')('?fieldManager=maker'),
      object('a', { spec: workload }),
    ),
  ),
]);

function owners({ metadata }: JsonObject): JsonObject {
  const { name = null, managedFields = null } = (metadata ?? {}) as JsonObject;
  return { metadata: { name, managedFields } };
}
