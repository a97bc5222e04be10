import { ask, get, type JsonObject, post, put, send, subject } from '../case.ts';
import { forms } from './lifecycle.ts';
import { object } from './objects.ts';
import {
  controllers,
  deployments,
  labels,
  replicasets,
  statefulsets,
  template,
  workload,
} from './workloads.ts';

const kinds = {
  deployments: { path: deployments, make: workload() },
  replicasets: { path: replicasets, make: workload() },
  statefulsets: { path: statefulsets, make: workload() },
  replicationcontrollers: {
    path: controllers,
    make: object('a', { spec: { selector: labels, template: template() } }),
  },
};

const scale = (spec: JsonObject, metadata: JsonObject = {}, fields: JsonObject = {}) => ({
  metadata: { name: 'a', ...metadata },
  spec,
  ...fields,
});

export const scaleSubresource = subject('scale', [
  ...Object.entries(kinds).map(([kind, { path, make }]) =>
    ask(
      `${kind}: read and written`,
      post(path(), make, { as: 'parent' }),
      get(path('a/scale'), { as: 'a' }),
      put(path('a/scale'), scale({ replicas: 3 })),
      get(path('a')),
      put(path('a/scale'), (kept) => ({ ...kept.a, spec: { replicas: 4 } })),
      get(path('a/scale'), { as: 'b' }),
      put(path('a/scale'), (kept) => ({ ...kept.b, spec: { replicas: 5 } })),
      put(path('a/scale?dryRun=All'), scale({ replicas: 9 })),
      put(path('a/scale'), scale({ replicas: -1 })),
      put(path('a/scale'), scale({})),
      put(path('a/scale'), scale({ replicas: 2 }, { uid: 'other' })),
      put(path('a/scale'), scale({ replicas: 2 }, { name: 'b' })),
      put(path('a/scale'), scale({ replicas: 2 }, { namespace: 'elsewhere' })),
      put(path('a/scale'), scale({ replicas: 2 }, { labels: { b: 'c' } }, { status: { replicas: 9 } })),
      put(path('a/scale'), scale({ replicas: 2 }, {}, { kind: 'Deployment', apiVersion: 'apps/v1' })),
      put(path('a/scale'), scale({ replicas: 2 }, {}, { kind: 'Scale', apiVersion: 'autoscaling/v1' })),
      put(path('a/scale?fieldValidation=Strict'), scale({ replicas: 2, nope: 1 })),
      put(path('a/scale'), '{"metadata":{"name":"a"},"spec":{"replicas":"x"}}'),
      put(path('nope/scale'), scale({ replicas: 2 }, { name: 'nope' })),
      get(path('nope/scale')),
      get(path('a')),
      send('POST', path('a/scale'), scale({ replicas: 2 })),
      send('DELETE', path('a/scale')),
    ),
  ),
  ask(
    'the selector as text',
    post(
      deployments(),
      workload({
        selector: {
          matchLabels: { z: '1', app: 'a' },
          matchExpressions: [
            { key: 'm', operator: 'In', values: ['y', 'x'] },
            { key: 'one', operator: 'In', values: ['x'] },
            { key: 'b', operator: 'NotIn', values: ['q', 'p'] },
            { key: 'c', operator: 'Exists' },
            { key: 'd', operator: 'DoesNotExist' },
          ],
        },
        template: template({}, { labels: { z: '1', app: 'a', m: 'x', one: 'x', c: '' } }),
      }),
    ),
    get(deployments('a/scale')),
  ),
  ask(
    'in every form',
    post(deployments(), workload()),
    get(deployments('a/scale'), forms.yaml),
    get(deployments('a/scale'), forms.protobuf),
    get(deployments('a/scale'), forms.table),
    get(deployments('a/scale'), forms.metadata),
    get(deployments('a/scale?pretty=true')),
  ),
]);
