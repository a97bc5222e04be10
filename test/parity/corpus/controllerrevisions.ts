import { ask, changed, get, post, put, subject } from '../case.ts';
import { controllerrevisions, object, revision } from './objects.ts';

export const controllerRevisions = subject('controllerrevisions', [
  ask(
    'keep any JSON object as data',
    post(
      controllerrevisions(),
      revision('a', {
        revision: 1,
        data: { z: [1, 2.5, -0.0, 1e21, 'x', null, true], a: {}, nested: { 'k.k': { '': 1 } } },
      }),
    ),
    post(
      controllerrevisions(),
      '{"metadata":{"name":"big"},"revision":9223372036854775807,"data":{"n":12345678901234567890,"f":1.10,"e":1E3}}',
    ),
    post(
      controllerrevisions(),
      '{"metadata":{"name":"kinded"},"revision":2,"data":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x"},"unknown":1}}',
    ),
    post(controllerrevisions(), '{"metadata":{"name":"twice"},"revision":2,"data":{"a":1,"a":2}}'),
    post(
      controllerrevisions('?fieldValidation=Strict'),
      '{"metadata":{"name":"twice-strictly"},"revision":2,"data":{"a":1,"a":2}}',
    ),
    get(controllerrevisions()),
  ),
  ask(
    'data that is none',
    ['null', '[]', '"x"', '1', 'true', '{}'].map((data) =>
      post(controllerrevisions(), `{"metadata":{"name":"a"},"revision":1,"data":${data}}`),
    ),
    post(controllerrevisions(), object('b', { revision: -1, data: {} })),
    post(controllerrevisions(), object('c', { data: {} })),
    post(controllerrevisions(), object('d')),
    post(controllerrevisions(), object('UPPER', { revision: -1 })),
  ),
  ask(
    'data never changes, the revision may',
    post(controllerrevisions(), revision('a', { revision: 1, data: { k: 'v' } }), { as: 'a' }),
    put(controllerrevisions('a'), changed('a', { data: { k: 'changed' } })),
    put(controllerrevisions('a'), changed('a', { data: null })),
    put(controllerrevisions('a'), changed('a', { revision: -5 })),
    put(controllerrevisions('a'), changed('a', { revision: 5 })),
    put(controllerrevisions('a'), object('a', { revision: 5, data: { k: 'v' } }, { labels: { a: 'b' } })),
    get(controllerrevisions('a')),
  ),
]);
