import { ask, del, type JsonObject, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { ingressclasses, object } from './objects.ts';

const tried = (spec: JsonObject, metadata: JsonObject = {}): Step =>
  post(ingressclasses('?dryRun=All'), object('{name}', { spec }, metadata));
const parameters = (fields: JsonObject): Step =>
  tried({ controller: 'a.b/c', parameters: { kind: 'Config', name: 'x', ...fields } });

export const ingressClassRules = subject('ingressclasses', [
  ask(
    'controllers',
    ['', 'a.b/c', 'c', 'a.b/c/d', 'UPPER/c', 'a.b/', '/c', `a.b/${'c'.repeat(250)}`, 'a.b/c d'].map(
      (controller) => tried({ controller }),
    ),
    tried({}),
    post(ingressclasses('?dryRun=All'), object('UPPER', { spec: { controller: 'a.b/c' } })),
  ),
  ask(
    'parameters',
    parameters({}),
    parameters({ kind: '', name: '' }),
    parameters({ kind: 'a/b', name: 'a/b', apiGroup: 'UPPER' }),
    parameters({ apiGroup: '' }),
    parameters({ scope: 'Cluster' }),
    parameters({ scope: 'Cluster', namespace: 'x' }),
    parameters({ scope: 'Namespace' }),
    parameters({ scope: 'Namespace', namespace: '' }),
    parameters({ scope: 'Namespace', namespace: 'UPPER' }),
    parameters({ scope: 'Namespace', namespace: 'x' }),
    parameters({ scope: 'Nope' }),
    parameters({ scope: '' }),
    parameters({ namespace: 'x' }),
  ),
  ask(
    'updates',
    post(ingressclasses(), object('{name}', { spec: { controller: 'a.b/c' } }), { as: 'a' }),
    put(ingressclasses('{name}'), withChange('a', { spec: { controller: 'a.b/d' } })),
    put(ingressclasses('{name}'), withChange('a', { spec: { controller: '' } })),
    put(ingressclasses('{name}'), withChange('a', { spec: { parameters: { kind: 'x', name: '' } } })),
    del(ingressclasses('{name}')),
  ),
  ...lifecycle(ingressclasses, object('{name}', { spec: { controller: 'a.b/c' } }), {
    name: 'plain',
    change: { spec: { parameters: { kind: 'Config', name: 'x' } } },
  }),
  ...lifecycle(
    ingressclasses,
    object('{name}', {
      spec: {
        controller: 'a.b/c',
        parameters: {
          apiGroup: 'a.b',
          kind: 'Config',
          name: 'x',
          scope: 'Namespace',
          namespace: 'default',
        },
      },
    }),
    { name: 'with parameters', change: { spec: { parameters: null } } },
  ),
]);
