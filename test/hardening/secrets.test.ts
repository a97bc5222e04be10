import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import WebSocket from 'ws';
import { orch } from '../../src/dialect/index.ts';
import { RealServer, tokens } from './real-server.ts';

const server = new RealServer();
const configMaps = '/api/v1/namespaces/default/configmaps';

/** One secret for each place where a client may send one. */
const secret = {
  right: tokens.admin,
  wrong: 'wrong-bearer-0f3a',
  basic: Buffer.from('someone:basic-password-91c2').toString('base64'),
  cookie: 'cookie-secret-7d1e',
  parameter: 'query-token-5b8f',
  socket: 'socket-token-c4d9',
  proxy: 'proxy-secret-aa10',
  content: 'the-secret-content-63ee',
};

describe('no secret reaches the log at the highest verbosity, nor the metrics', () => {
  test('for every request and failure', async () => {
    const bearer = { authorization: `Bearer ${secret.wrong}` };
    await server.ask(configMaps);
    await server.ask(configMaps, { headers: bearer });
    await server.ask(configMaps, { headers: { authorization: `Basic ${secret.basic}` } });
    await server.ask(configMaps, { headers: { authorization: secret.wrong } });
    await server.ask(configMaps, { headers: { authorization: `Bearer  ${secret.wrong}` } });
    await server.ask(configMaps, { headers: { cookie: `session=${secret.cookie}` } });
    await server.ask(configMaps, { headers: { 'proxy-authorization': `Basic ${secret.proxy}` } });
    for (const name of ['token', 'access_token', 'TOKEN', 'id_token', 'password']) {
      await server.ask(`${configMaps}?a=b&${name}=${secret.parameter}`, { headers: bearer });
    }
    await server.ask(`/nothing?token=${secret.parameter}`);
    await server.ask(`/api/v1/watch?token=${secret.parameter}`);
    await server.ask(`/%zz?token=${secret.parameter}`);
    await server.ask(configMaps, { headers: { 'impersonate-group': secret.wrong.slice(0, 5) } });
    await server.post(configMaps, `{"data": {"password": "${secret.content}" `);
    await server.post('/api/v1/namespaces/default/secrets', {
      metadata: { name: 'Not A Name' },
      stringData: { password: secret.content },
    });
    await server.post('/api/v1/namespaces/default/secrets', {
      metadata: { name: 'kept' },
      stringData: { password: secret.content },
    });
    await server.post(`/apis/${orch.groupName('authentication')}/v1/tokenreviews`, {
      spec: { token: secret.wrong },
    });
    const account = await server.post('/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'robot' },
    });
    assert.equal(account.code, 201);
    const made = await server.post('/api/v1/namespaces/default/serviceaccounts/robot/token', { spec: {} });
    const { token } = JSON.parse(made.text).status as { token: string };
    assert.ok(token.length > 100, made.text);
    assert.equal((await server.ask(configMaps, { token })).code, 403);
    assert.equal((await server.ask(configMaps, { token: `${token.slice(0, -4)}AAAA` })).code, 401);

    const prefix = orch.headers.bearerProtocolPrefix;
    const socket = new WebSocket(
      `wss://127.0.0.1:${server.securePort}${configMaps}?watch=1`,
      [`${prefix}${Buffer.from(secret.socket).toString('base64url')}`, 'base64.binary'],
      { ca: server.ca, origin: 'https://127.0.0.1' },
    );
    await new Promise((resolve) => socket.once('error', resolve).once('open', resolve));
    socket.terminate();

    const { text: metrics } = await server.ask('/metrics');
    const log = server.log.join('');
    assert.ok(server.log.length > 20, 'there is a line for every request');
    const signature = token.split('.')[2]!;
    for (const [what, value] of Object.entries({
      ...secret,
      account: signature,
      socketText: Buffer.from(secret.socket).toString('base64url'),
    })) {
      assert.ok(
        !log.includes(value),
        `${what} is in the log: ${server.log.find((line) => line.includes(value))}`,
      );
      assert.ok(!metrics.includes(value), `${what} is in the metrics`);
    }
  });

  test('also after an internal error', async () => {
    // A body that cannot be read because the client has disconnected.
    const socket = await server.raw();
    socket.write(
      `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret.right}\r\nContent-Length: 100\r\n\r\n{"password":"${secret.content}"`,
    );
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    assert.equal((await server.ask(configMaps)).code, 200);
    const log = server.log.join('');
    assert.ok(!log.includes(secret.right) && !log.includes(secret.content));
  });
});

test('tokens are looked up by digest, so that no comparison leaks timing', () => {
  // A comparison with an earlier token of the same connection reveals nothing new to the client.
  const allowed = [/last\?\.token === token/, /token === ''/, /[!=]== undefined/];
  for (const file of globSync('src/auth/**/*.ts')) {
    if (file.endsWith('.test.ts')) continue;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const compares =
        /(?:\b(?:token|secret|password)\b\s*[!=]==|[!=]==\s*(?:\w+\.)?(?:token|secret|password)\b)/.test(
          line,
        );
      if (compares)
        assert.ok(
          allowed.some((known) => known.test(line)),
          `${file}: ${line.trim()}`,
        );
    }
  }
});

test('the token file is kept as digests, and its errors contain no token', async () => {
  const { TokenFileAuthenticator } = await import('../../src/auth/token-file.ts');
  const { inspect } = await import('node:util');
  const file = new TokenFileAuthenticator(`${secret.right},admin,1\n`, 'tokens');
  assert.ok(!inspect(file, { depth: 10, showHidden: true }).includes(secret.right));
  assert.throws(
    () => new TokenFileAuthenticator(`${secret.right},admin,1\n${secret.right},other,2\n`, 'tokens'),
    (error: Error) => !error.message.includes(secret.right),
  );
});
