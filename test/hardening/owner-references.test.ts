// Objects with very many owner references of unknown kinds must not make every later CRD expensive: the garbage collector
// looks at an object again only when the kind that it waits for is served.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { turnLimit } from './event-loop-limits.ts';
import { MeasuredLoop } from './measured-loop.ts';
import { RealServer } from './real-server.ts';

const objects = 20;
const references = 5_000;
/** The maximum CPU time of one turn of the event loop, in milliseconds. */
const longest = 50;

const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
const configMaps = '/api/v1/namespaces/default/configmaps';

let loop: MeasuredLoop;
const server = new RealServer({ verbosity: 0 }, async (server) => {
  loop = new MeasuredLoop(server);
});
after(() => loop?.stop());

/** The kind of the first reference is the one that the object waits for. */
const ownerReferences = Array.from({ length: references }, (_, index) => ({
  apiVersion: 'planted.example.com/v1',
  kind: index === references - 1 ? 'Second' : 'First',
  name: 'o',
  uid: `u${index}`,
}));

async function serve(group: string, kind: string): Promise<number> {
  const plural = `${kind.toLowerCase()}s`;
  const body = JSON.stringify({
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  });
  const created = await loop.ask({ method: 'POST', path: definitions, body });
  assert.equal(created.code, 201, created.text);
  let { turn } = created;
  for (let code = 0; code !== 200; ) {
    const served = await loop.ask({ path: `/apis/${group}/v1/${plural}` });
    code = served.code;
    turn = Math.max(turn, served.turn);
  }
  return Math.max(turn, await untilIdle());
}

const series = async (name: string) => {
  const { text } = await server.ask('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(name) && each.includes('attempt_to_delete'));
  return Number(line?.split(' ').at(-1) ?? 0);
};

/** The longest turn until the garbage collector has nothing to do. */
async function untilIdle(): Promise<number> {
  let turn = 0;
  for (let calm = 0; calm < 5; ) {
    turn = Math.max(turn, (await loop.ask({ path: '/version' })).turn);
    const [adds, done] = [
      await series('workqueue_adds_total'),
      await series('workqueue_work_duration_seconds_count'),
    ];
    calm = adds === done ? calm + 1 : 0;
  }
  return turn;
}

test('objects with very many owner references of unknown kinds are created', async () => {
  for (let index = 0; index < objects; index++) {
    const body = JSON.stringify({ metadata: { name: `planted-${index}`, ownerReferences } });
    const { code, text } = await loop.ask({ method: 'POST', path: configMaps, body });
    assert.equal(code, 201, text);
  }
  await untilIdle();
  assert.ok((await series('workqueue_adds_total')) >= objects);
});

test('a CRD of another kind makes the garbage collector look at none of them', async () => {
  const before = await series('workqueue_adds_total');
  const turn = await serve('other.example.com', 'Other');
  assert.equal(await series('workqueue_adds_total'), before);
  assert.ok(turn < turnLimit(longest), `${turn.toFixed(1)} ms in one turn`);
});

test('the kind that they wait for makes it look at each of them once', async () => {
  const before = await series('workqueue_adds_total');
  const turn = await serve('planted.example.com', 'First');
  assert.equal(await series('workqueue_adds_total'), before + objects);
  assert.ok(turn < turnLimit(longest), `${turn.toFixed(1)} ms in one turn`);
});

test('once all kinds are served, the objects are deleted: none of their owners exists', async () => {
  const turn = await serve('planted.example.com', 'Second');
  assert.equal((await server.ask(`${configMaps}/planted-0`)).code, 404);
  assert.ok(turn < turnLimit(longest), `${turn.toFixed(1)} ms in one turn`);
});
