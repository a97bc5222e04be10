import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const ranges = kind(http, '/api/v1/namespaces/default/limitranges');
const of = (...limits: object[]) => ({ spec: { limits } });

test('LimitRange: limits hold default, defaultRequest, max, min and maxLimitRequestRatio by resource name', async () => {
  const item = {
    type: 'Container',
    max: { cpu: '4' },
    min: { cpu: '1' },
    default: { cpu: '3' },
    defaultRequest: { cpu: '2' },
    maxLimitRequestRatio: { cpu: '4' },
  };
  assert.deepEqual((await ranges.valid(of(item))).spec.limits, [item]);
});

test('LimitRange: an item has a type', async () => {
  await ranges.invalid(of({ max: { cpu: '1' } }), 'spec.limits[0].type');
});

test('LimitRange: amounts are quantities', async () => {
  await ranges.unreadable(of({ type: 'Pod', max: { cpu: 'much' } }), /quantities must match/);
});

/** A namespace with one LimitRange, and the response to a pod whose container has these resources. */
async function limitedBy(...limits: object[]) {
  const pods = await http.namespace('pods');
  const made = await http.post(pods.replace(/pods$/, 'limitranges'), {
    metadata: { name: 'l' },
    ...of(...limits),
  });
  assert.equal(made.code, 201, made.text);
  return (resources: object) =>
    http.post(`${pods}?dryRun=All`, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i', resources }] },
    });
}

test('LimitRange: containers that omit a limit or a request get the default of the resource', async () => {
  const item = { type: 'Container', default: { cpu: '2', memory: '2Gi' }, defaultRequest: { cpu: '1' } };
  const answer = await limitedBy(item);
  const { body } = await answer({ limits: { memory: '1Gi' } });
  const [container] = body.spec.containers as { resources: object }[];
  assert.deepEqual(container?.resources, {
    limits: { cpu: '2', memory: '1Gi' },
    requests: { cpu: '1', memory: '1Gi' },
  });
});

test('LimitRange: max is the default limit of a container, and the default limit its default request', async () => {
  const { spec } = await ranges.valid(of({ type: 'Container', max: { cpu: '2' } }));
  assert.deepEqual(spec.limits, [
    { type: 'Container', max: { cpu: '2' }, default: { cpu: '2' }, defaultRequest: { cpu: '2' } },
  ]);
});

test('LimitRange: max and min bound the resources of a container', async () => {
  const answer = await limitedBy({ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' } });
  const using = async (request: string, limit: string) =>
    (await answer({ requests: { cpu: request }, limits: { cpu: limit } })).code;
  assert.equal(await using('1', '2'), 201);
  assert.equal(await using('500m', '2'), 403);
  assert.equal(await using('1', '3'), 403);
});

test('LimitRange: maxLimitRequestRatio needs a request and a limit, whose ratio is at most that', async () => {
  const answer = await limitedBy({ type: 'Container', maxLimitRequestRatio: { cpu: '2' } });
  const using = async (resources: object) => (await answer(resources)).code;
  assert.equal(await using({ requests: { cpu: '1' }, limits: { cpu: '2' } }), 201);
  assert.equal(await using({ requests: { cpu: '1' }, limits: { cpu: '2001m' } }), 403);
  assert.equal(await using({ requests: { cpu: '1' } }), 403);
  assert.equal(await using({ requests: { cpu: '0' }, limits: { cpu: '2' } }), 403);
  assert.equal(await using({}), 403);
});

test('LimitRange: a ratio of limit to request is at least 1', async () => {
  await ranges.valid(of({ type: 'Pod', maxLimitRequestRatio: { cpu: '1' } }));
  await ranges.invalid(
    of({ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }),
    'spec.limits[0].maxLimitRequestRatio[cpu]',
  );
});

test('LimitRange: limits are required, and may be empty', async () => {
  await ranges.valid(of());
  await ranges.invalid({ spec: { limits: null } }, 'spec.limits', /Required value/);
  await ranges.invalid({ spec: null }, 'spec.limits', /Required value/);
});
