// orch node: simulated nodes fail and recover.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { type EmbeddedServer, startServer } from '../../src/index.ts';

let server: EmbeddedServer;
before(async () => {
  server = await startServer({ dialect: 'kubernetes', nodes: 1 });
});
after(() => server.stop());

async function node(...args: string[]) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const code = await main(['node', ...args], { out: add, err: add, inColor: false });
  return { code, lines };
}

const annotations = async () =>
  (await server.client.get({ apiVersion: 'v1', kind: 'Node', name: 'node-0' })).metadata.annotations;

test('a node fails and recovers', async () => {
  assert.deepEqual(await node('fail', 'node-0', '-s', server.url), {
    code: 0,
    lines: ['node node-0 failed'],
  });
  assert.deepEqual(await annotations(), { 'simulation.orch.io/failed': 'true' });
  const recovered = { code: 0, lines: ['node node-0 recovered'] };
  assert.deepEqual(await node('recover', 'node-0', '-s', server.url), recovered);
  assert.equal(await annotations(), undefined);
});

test('a missing name, an unknown action and a node that is not simulated are errors', async () => {
  await server.client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'real' } });
  const problem = async (...args: string[]) => {
    const { code, lines } = await node(...args, '-s', server.url);
    assert.equal(code, 1);
    return lines.join('\n');
  };
  assert.equal(await problem('fail'), 'orch: NAME is required: orch node fail NAME');
  assert.equal(await problem('kill', 'node-0'), 'orch: fail or recover is required: orch node fail NAME');
  assert.equal(await problem('fail', 'gone'), 'orch: Node "gone" not found');
  assert.equal(
    await problem('fail', 'real'),
    'orch: node "real" is not simulated: only simulated nodes fail on command',
  );
});
