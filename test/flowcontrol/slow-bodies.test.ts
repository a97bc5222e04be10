// Request bodies that arrive slowly hold no seats of flow control.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedServer, startServer } from '../../src/index.ts';

const path = '/api/v1/namespaces/default/configmaps';
const tokens = { writer: 'writer' };

/** A user whose requests are limited: those of admins are not. */
async function grantWrites({ client }: EmbeddedServer): Promise<void> {
  const apiGroup = 'rbac.authorization.orch.io';
  await client.create({
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'writer' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup, kind: 'User', name: 'writer' }],
  });
}

describe('slow bodies leave seats for others', () => {
  for (const enablePriorityAndFairness of [true, false]) {
    test(`with priority and fairness ${enablePriorityAndFairness ? 'on' : 'off'}`, async (t) => {
      const limits = { maxRequestsInflight: 2, maxMutatingRequestsInflight: 2 };
      const server = await startServer({ enablePriorityAndFairness, ...limits, auth: { tokens } });
      t.after(() => server.stop());
      await grantWrites(server);
      const post = (name: string) =>
        fetch(server.url + path, {
          method: 'POST',
          headers: { authorization: 'Bearer writer', 'content-type': 'application/json' },
          body: JSON.stringify({ metadata: { name } }),
        });
      const body = JSON.stringify({ metadata: { name: 'slow' } });
      const slow = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
          await once(socket, 'connect');
          const content = body.replace('slow', `slow-${index}`);
          const head = [
            `host: ${new URL(server.url).host}`,
            'authorization: Bearer writer',
            'content-type: application/json',
          ];
          socket.write(
            `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\ncontent-length: ${content.length}\r\n\r\n{`,
          );
          return { socket, content };
        }),
      );
      // The first ones give their seats back, and then the others.
      for (let index = 0; ; index++) {
        const { status } = await post(`quick-${index}`);
        if (status === 201) break;
        assert.equal(status, 429);
        await sleep(20);
      }
      const answers = await Promise.all(
        slow.map(async ({ socket, content }) => {
          socket.write(content.slice(1));
          const [answer] = (await once(socket, 'data')) as [Buffer];
          socket.destroy();
          return answer.toString('latin1').slice(9, 12);
        }),
      );
      assert.ok(answers.includes('201'), 'a slow body is handled once it has arrived');
      assert.deepEqual(
        answers.filter((code) => code !== '201' && code !== '429'),
        [],
      );
      assert.equal((await post('last')).status, 201);
    });
  }
});

test('the bytes of slow bodies are bounded for each user', async (t) => {
  const server = await startServer({ auth: { tokens } });
  t.after(() => server.stop());
  await grantWrites(server);
  const content = JSON.stringify({ metadata: { name: 'large' }, data: { value: 'v'.repeat(2_900_000) } });
  const { host, port } = new URL(server.url);
  const sockets = await Promise.all(
    Array.from({ length: 14 }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      const head = [`host: ${host}`, 'authorization: Bearer writer', 'content-type: application/json'];
      socket.write(
        `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\ncontent-length: ${content.length}\r\n\r\n{`,
      );
      return socket;
    }),
  );
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await sleep(100);
  const codes: string[] = [];
  const rejected = new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.on('data', (answer: Buffer) => {
        codes.push(answer.toString('latin1').slice(9, 12));
        if (codes.length === 3) resolve();
      });
      // All but the last byte.
      socket.write(content.slice(1, -1));
    }
  });
  await rejected;
  assert.deepEqual(codes, ['429', '429', '429']);
});
