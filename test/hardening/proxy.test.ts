import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Kubelet, ownAddress } from '../support/kubelet.ts';
import { RealServer, requestOver, tokens } from './real-server.ts';

const pods = '/api/v1/namespaces/default/pods';

describe('a proxy', { skip: ownAddress === undefined && 'this machine has no address but loopback' }, () => {
  let backend: Kubelet;
  const server = RealServer.unstarted();
  let usual: Kubelet['answer'];

  async function pod(name: string, ip: string): Promise<void> {
    const ports = [{ containerPort: backend.podPort }];
    const made = await server.post(pods, {
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'i', ports }] },
    });
    assert.equal(made.code, 201, made.text);
    const object = JSON.parse(made.text);
    const status = { ...object.status, podIP: ip, podIPs: [{ ip }] };
    const { code, text } = await server.send('PUT', `${pods}/${name}/status`, { ...object, status });
    assert.equal(code, 200, text);
  }

  before(async () => {
    [backend] = await Promise.all([Kubelet.start(), server.start()]);
    usual = backend.answer;
    await pod('one', ownAddress!);
  });
  after(async () => {
    await server.stop();
    await backend.stop();
  });
  beforeEach(() => {
    backend.answer = usual;
    backend.seen.length = 0;
  });

  for (const ip of [
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'ff02::1',
  ]) {
    test(`to a pod with the address ${ip} is rejected`, async () => {
      const name = `at-${ip.replaceAll(/[.:]/g, '-')}x`;
      await pod(name, ip);
      for (const asked of [name, `${name}:${backend.podPort}`, `http:${name}:22`]) {
        const { code, text } = await server.ask(`${pods}/${asked}/proxy/x`);
        assert.equal(code, 400, text);
        assert.equal(JSON.parse(text).message, 'address not allowed');
      }
      assert.deepEqual(backend.seen, []);
    });
  }

  test('to a pod dials the address as it was validated, not as octal digits', async () => {
    await pod('octal', '0177.0.0.1');
    const connections: string[] = [];
    const loopback = createServer((socket) => {
      connections.push(socket.remoteAddress ?? '');
      socket.end();
    });
    await new Promise<void>((resolve) => loopback.listen(0, '127.0.0.1', resolve));
    const { port } = loopback.address() as AddressInfo;
    try {
      // 177.0.0.1 does not answer: the request ends with the first of the two.
      await Promise.race([server.ask(`${pods}/octal:${port}/proxy/x`), setTimeout(1000)]).catch(() => {});
      assert.deepEqual(connections, []);
    } finally {
      loopback.close();
    }
  });

  test('to a node at a special address, or a name that resolves to one, is rejected', async () => {
    for (const [name, type, address] of [
      ['loop', 'InternalIP', '127.0.0.1'],
      ['link', 'InternalIP', '169.254.169.254'],
      ['mapped', 'InternalIP', '::ffff:127.0.0.1'],
      ['named', 'Hostname', 'localhost'],
    ]) {
      const { text } = await server.post('/api/v1/nodes', { metadata: { name } });
      const status = {
        addresses: [{ type, address }],
        daemonEndpoints: { kubeletEndpoint: { Port: backend.port } },
      };
      await server.send('PUT', `/api/v1/nodes/${name}/status`, { ...JSON.parse(text), status });
      for (const asked of [name, `${name}:${backend.podPort}`, `https:${name}:443`]) {
        const answer = await server.ask(`/api/v1/nodes/${asked}/proxy/x`);
        assert.equal(answer.code, 400, `${asked}: ${answer.text}`);
      }
    }
    assert.deepEqual(backend.seen, []);
  });

  test('to a Service connects only to its pods', async () => {
    const services = '/api/v1/namespaces/default/services';
    await server.post(services, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    const endpoints = (ip: string, targetRef?: object) =>
      server.post('/api/v1/namespaces/default/endpoints', {
        metadata: { name: 's' },
        subsets: [
          { addresses: [{ ip, ...(targetRef && { targetRef }) }], ports: [{ port: backend.podPort }] },
        ],
      });
    for (const ip of ['127.0.0.1', '169.254.169.254', '224.0.0.1', '::1']) {
      assert.equal((await endpoints(ip)).code, 422, ip);
    }
    assert.equal((await endpoints(ownAddress!)).code, 201);
    assert.equal((await server.ask(`${services}/s/proxy/x`)).code, 503);
    await server.ask('/api/v1/namespaces/default/endpoints/s', { method: 'DELETE' });
    assert.equal(
      (await endpoints('192.0.2.9', { kind: 'Pod', namespace: 'default', name: 'one' })).code,
      201,
    );
    assert.equal((await server.ask(`${services}/s/proxy/x`)).code, 503);
    assert.deepEqual(backend.seen, []);
  });

  test('to a pod that switches protocols unasked is an error without a stack trace in the log', async () => {
    backend.answer = (_request, { socket }) =>
      void socket!.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    const { code, text } = await server.ask(`${pods}/one:${backend.podPort}/proxy/x`);
    assert.equal(code, 500, text);
    assert.equal(JSON.parse(text).message, 'backend tried to switch protocol "x" when "" was requested');
    assert.deepEqual(
      server.log.filter((line) => line.includes('\\n    at ')),
      [],
    );
  });

  test('through the plain port of a development server is in a sandbox', async () => {
    const path = `${pods}/one:${backend.podPort}/proxy/x`;
    const plain = await server.ask(path, { plain: true });
    assert.equal(plain.headers['content-security-policy'], 'sandbox');
    const secure = await server.ask(path);
    assert.equal(secure.code, plain.code);
    assert.equal(secure.headers['content-security-policy'], undefined);
  });

  test('forwards no credentials of the client, over HTTP/1.1 and HTTP/2', async () => {
    const headers = {
      authorization: `Bearer ${tokens.admin}`,
      'proxy-authorization': 'Basic x',
      'x-remote-user': 'root',
      'x-remote-group': 'system:masters',
      'x-remote-extra-scopes': 'all',
      'impersonate-user': 'bob',
      'impersonate-group': 'system:masters',
      'impersonate-uid': '1',
      'impersonate-extra-scopes': 'all',
      'x-mine': 'kept',
    };
    assert.equal((await server.ask(`${pods}/one/proxy/x`, { headers })).code, 200);
    const session = server.session();
    assert.equal((await requestOver(session, { ':path': `${pods}/one/proxy/x`, ...headers })).code, 200);
    session.destroy();
    assert.equal(backend.seen.length, 2);
    for (const seen of backend.seen) {
      assert.equal(seen.headers['x-mine'], 'kept');
      for (const name of Object.keys(seen.headers))
        assert.doesNotMatch(name, /authorization|^x-remote-|^impersonate-/);
    }
  });

  test('removes CORS headers of a backend', async () => {
    backend.answer = (_, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      response.setHeader('Access-Control-Allow-Methods', 'PUT');
      response.setHeader('Access-Control-Allow-Headers', 'x');
      response.end('ok');
    };
    const { code, headers } = await server.ask(`${pods}/one/proxy/x`, {
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(code, 200);
    for (const name of Object.keys(headers)) assert.doesNotMatch(name, /^access-control-allow/);
  });

  test('forwards headers of a backend whatever their names', async () => {
    backend.answer = (_, response) => {
      for (const name of ['constructor', '__proto__', 'toString', 'valueOf']) response.setHeader(name, 'x');
      response.end('ok');
    };
    assert.equal((await server.ask(`${pods}/one/proxy/x`)).code, 200);
    assert.deepEqual(await server.ask2({ ':path': `${pods}/one/proxy/x` }), { code: 200, text: 'ok' });
  });

  test('never leaves the backend by its path', async () => {
    for (const path of [
      '../../../secrets',
      '%2e%2e/%2e%2e/secrets',
      '..%2f..%2f..',
      '/../..//x',
      '%2f%2fevil.example/x',
    ]) {
      backend.seen.length = 0;
      const { code } = await server.ask(`${pods}/one/proxy/${path}`);
      assert.equal(code, 200);
      assert.match(backend.last().url, /^\/(?!\/|\.\.)/);
    }
  });

  test('an object name that contains a target is rejected', async () => {
    for (const name of [
      'one@evil.example:80',
      'one:80@evil.example',
      'http:evil.example:80:1',
      'ftp:one:21',
      'one:80%2f..',
      'one:99999',
      'one:-1',
      'one:0x50',
    ]) {
      const { code } = await server.ask(`${pods}/${encodeURIComponent(name)}/proxy/x`);
      assert.ok(code >= 400 && code <= 503, `${name}: ${code}`);
    }
    assert.deepEqual(backend.seen, []);
  });

  test('an HTML page with endless tags does not block the server', async () => {
    backend.answer = (_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<a'.repeat(1_000_000));
    };
    const { text } = await server.ask(`${pods}/one/proxy/x`);
    assert.equal(text.length, 2_000_000);
  });
});
