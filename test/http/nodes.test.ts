import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { EmbedOptions } from '../../src/index.ts';
import { TestServer } from '../support/client.ts';
import { Kubelet, ownAddress, RawClient } from '../support/kubelet.ts';
import { startServer } from '../support/servers.ts';

let kubelet: Kubelet;
const http = new TestServer();
const pods = '/api/v1/namespaces/default/pods';
const defaultAnswer = (kubelet: Kubelet) => ({ answer: kubelet.answer, upgrade: kubelet.upgrade });
let usual: ReturnType<typeof defaultAnswer>;

async function serverWith(options: Partial<EmbedOptions>): Promise<TestServer> {
  const server = new TestServer();
  server.server = await startServer(options);
  await fill(server);
  return server;
}

async function make(server: TestServer, path: string, object: object): Promise<void> {
  const { code, text } = await server.post(path, object);
  assert.equal(code, 201, text);
}

async function setStatus(server: TestServer, path: string, status: object): Promise<void> {
  const { body } = await server.get(path);
  const { code, text } = await server.put(`${path}/status`, {
    ...body,
    status: { ...(body.status as object), ...status },
  });
  assert.equal(code, 200, text);
}

async function node(
  server: TestServer,
  name: string,
  address: string | undefined,
  port: number,
): Promise<void> {
  await make(server, '/api/v1/nodes', { metadata: { name } });
  await setStatus(server, `/api/v1/nodes/${name}`, {
    addresses: [
      { type: 'ExternalIP', address: '192.0.2.1' },
      ...(address ? [{ type: 'InternalIP', address }] : []),
    ].slice(address ? 0 : 1),
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  });
}

async function pod(
  server: TestServer,
  name: string,
  nodeName: string,
  containers: string[],
  ip?: string,
): Promise<void> {
  const spec = {
    ...(nodeName && { nodeName }),
    containers: containers.map((container) => ({
      name: container,
      image: 'i',
      ports: [{ containerPort: kubelet.podPort }],
    })),
  };
  await make(server, pods, { metadata: { name }, spec });
  if (ip) await setStatus(server, `${pods}/${name}`, { podIP: ip, podIPs: [{ ip }] });
}

async function fill(server: TestServer): Promise<void> {
  await node(server, 'here', '127.0.0.1', kubelet.port);
  await node(server, 'closed', '127.0.0.1', 9);
  await node(server, 'nowhere', undefined, kubelet.port);
  await pod(server, 'one', 'here', ['main'], ownAddress);
  await pod(server, 'two', 'here', ['main', 'side']);
  await pod(server, 'loop', 'here', ['main'], '127.0.0.1');
  await pod(server, 'unbound', '', ['main']);
  await pod(server, 'lost', 'nosuch', ['main']);
  await pod(server, 'closed', 'closed', ['main']);
  await pod(server, 'nowhere', 'nowhere', ['main']);
}

before(async () => {
  kubelet = await Kubelet.start();
  usual = defaultAnswer(kubelet);
  const { certificate, key, authority, tokens } = kubelet.files;
  http.server = await startServer({
    tokenAuthFile: tokens,
    kubeletClientCertificate: certificate,
    kubeletClientKey: key,
    kubeletCertificateAuthority: authority,
  });
  await fill(http);
});
after(async () => {
  await http.server.stop();
  await kubelet.stop();
});
beforeEach(() => {
  Object.assign(kubelet, usual);
  kubelet.seen.length = 0;
});

describe('log', () => {
  test("comes from the kubelet of the pod's node, with a client certificate", async () => {
    const { code, headers, text } = await http.get(`${pods}/one/log`);
    assert.equal(code, 200);
    assert.equal(headers.get('content-type'), 'text/plain');
    assert.equal(text, 'you asked GET /containerLogs/default/one/main\n');
    assert.equal(kubelet.last().client, 'the-server');
  });

  test('forwards the options of the query', async () => {
    const query =
      'container=side&tailLines=5&limitBytes=9&sinceSeconds=3&timestamps=1&previous=true&follow=false';
    await http.get(`${pods}/two/log?${query}`);
    assert.equal(
      kubelet.last().url,
      '/containerLogs/default/two/side?limitBytes=9&previous=true&sinceSeconds=3&tailLines=5&timestamps=true',
    );
    await http.get(`${pods}/one/log?sinceTime=2026-01-01T01:00:00%2B01:00`);
    assert.equal(kubelet.last().url, '/containerLogs/default/one/main?sinceTime=2026-01-01T00%3A00%3A00Z');
  });

  test('streams line by line, until the client disconnects', async () => {
    let more = (_line: string) => {};
    const hungUp = new Promise((resolve) => {
      kubelet.answer = (_request, response) => {
        more = (line) => response.write(line);
        more('first\n');
        response.once('close', resolve);
      };
    });
    const abort = new AbortController();
    const response = await fetch(`${http.url}${pods}/one/log?follow=true`, { signal: abort.signal });
    const reader = response.body!.getReader();
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
    assert.equal(await read(), 'first\n');
    more('second\n');
    assert.equal(await read(), 'second\n');
    abort.abort();
    await hungUp;
  });

  const refusals: [what: string, path: string, code: number, message: string | undefined][] = [
    ['a pod that does not exist', 'nosuch/log', 404, 'pods "nosuch" not found'],
    ['a pod without a node has no log', 'unbound/log', 204, undefined],
    ['a node that does not exist', 'lost/log', 404, 'pods "nosuch" not found'],
    ['a node without an address', 'nowhere/log', 500, 'no preferred addresses found; known addresses: []'],
    [
      'a kubelet that does not answer',
      'closed/log',
      500,
      'Get "https://127.0.0.1:9/containerLogs/default/closed/main": dial tcp 127.0.0.1:9: connect: connection refused',
    ],
    ['an unknown container', 'one/log?container=x', 400, 'container x is not valid for pod one'],
    [
      'one of several containers',
      'two/log',
      400,
      'a container name must be specified for pod two, choose one of: [main side]',
    ],
    [
      'a negative number of lines',
      'one/log?tailLines=-1',
      422,
      'PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'two beginnings',
      'one/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z',
      422,
      'PodLogOptions "one" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ['no number', 'one/log?limitBytes=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'a stream, unless that is switched on',
      'one/log?stream=Stdout',
      422,
      'PodLogOptions "one" is invalid: stream: Forbidden: may not be specified',
    ],
  ];
  for (const [what, path, code, message] of refusals) {
    test(`${what}: ${code}`, async () => {
      const answer = await http.get(`${pods}/${path}`);
      assert.equal(answer.code, code, answer.text);
      assert.equal(answer.body?.message, message);
      assert.equal(kubelet.seen.length, 0);
    });
  }

  const complaints: [code: number, message: string, reason: string][] = [
    [500, 'Internal error occurred: it is broken\n', 'InternalError'],
    [400, 'it is broken\n', 'BadRequest'],
    [403, 'it is broken\n ( pods/log one)', 'Forbidden'],
    [404, 'the server could not find the requested resource ( pods/log one)', 'NotFound'],
    [
      502,
      'an error on the server ("it is broken\\n") has prevented the request from succeeding ( pods/log one)',
      'InternalError',
    ],
  ];
  for (const [code, message, reason] of complaints) {
    test(`a kubelet that responds with ${code}`, async () => {
      kubelet.answer = (_request, response) => response.writeHead(code).end('it is broken\n');
      const answer = await http.get(`${pods}/one/log`);
      assert.deepEqual([answer.code, answer.body.message, answer.body.reason], [code, message, reason]);
    });
  }

  test('an untrusted kubelet is rejected, unless insecureSkipTLSVerifyBackend is set', async () => {
    const server = await serverWith({ kubeletCertificateAuthority: kubelet.files.otherAuthority });
    try {
      const { code, body } = await server.get(`${pods}/one/log`);
      assert.equal(code, 500);
      assert.match(
        body.message,
        /tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
      );
      assert.equal((await server.get(`${pods}/one/log?insecureSkipTLSVerifyBackend=true`)).code, 200);
    } finally {
      await server.server.stop();
    }
  });

  test('a kubelet is trusted by its own certificate in the CA file', async () => {
    const server = await serverWith({ kubeletCertificateAuthority: kubelet.files.own });
    try {
      const { code, text } = await server.get(`${pods}/one/log`);
      assert.equal(code, 200, text);
    } finally {
      await server.server.stop();
    }
  });
});

describe('exec, attach and portforward', () => {
  const spdy = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.orch.io' };

  test('connect the client to the kubelet, over any protocol', async () => {
    const client = new RawClient(http.url);
    client.send('POST', `${pods}/one/exec?command=ls&command=-l&stdin=1&stdout=true&stderr=0&tty=1`, {
      ...spdy,
      authorization: 'Bearer secret',
      'x-remote-user': 'somebody',
    });
    const head = await client.until('\r\n\r\n');
    assert.match(head, /^HTTP\/1.1 101 Switching Protocols\r\n/);
    assert.match(head, /Upgrade: SPDY\/3.1/);
    await client.until('ready\n');
    client.socket.write('some words');
    assert.equal(await client.until('WORDS'), 'SOME WORDS');
    const { method, url, headers, client: shown } = kubelet.last();
    assert.deepEqual(
      [method, url, shown],
      ['POST', '/exec/default/one/main?command=ls&command=-l&input=1&output=1&tty=1', 'the-server'],
    );
    assert.equal(headers['x-stream-protocol-version'], 'v4.channel.orch.io');
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers.authorization, undefined);
    assert.equal(headers['x-remote-user'], undefined);
    client.socket.destroy();
  });

  test('close one side when the other ends', async () => {
    let kubelets: Duplex | undefined;
    kubelet.upgrade = (request, socket) => {
      kubelets = socket;
      usual.upgrade(request, socket);
    };
    const first = new RawClient(http.url);
    first.send('POST', `${pods}/one/portforward?ports=80&ports=81`, spdy);
    await first.until('ready\n');
    assert.equal(kubelet.last().url, '/portForward/default/one?port=80%2C81');
    const gone = once(kubelets!, 'close');
    first.socket.destroy();
    await gone;
    const second = new RawClient(http.url);
    second.send('GET', `${pods}/one/attach?stdout=1`, spdy);
    await second.until('ready\n');
    assert.equal(kubelet.last().url, '/attach/default/one/main?output=1');
    kubelets!.destroy();
    await second.closed();
  });

  test('a WebSocket is proxied without the bearer token subprotocol', async () => {
    const client = new RawClient(http.url);
    const token = Buffer.from('secret').toString('base64url');
    client.send('GET', `${pods}/one/exec?command=ls&stdout=1`, {
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': `v4.channel.orch.io, base64url.bearer.authorization.orch.io.${token}`,
    });
    await client.until('ready\n');
    assert.equal(kubelet.last().headers['sec-websocket-protocol'], 'v4.channel.orch.io');
    client.socket.destroy();
  });

  test('a rejection by the kubelet reaches the client', async () => {
    kubelet.upgrade = (_request, socket) => {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nno\n');
    };
    const client = new RawClient(http.url);
    client.send('POST', `${pods}/one/exec?command=ls&stdout=1`, spdy);
    assert.match(await client.until('no\n'), /^HTTP\/1.1 403 Forbidden\r\nContent-Type: text\/plain\r\n/);
    await client.closed();
  });

  const refusals: [path: string, code: number, message: string][] = [
    ['unbound/exec?command=ls&stdout=1', 400, 'pod unbound does not have a host assigned'],
    [
      'two/exec?command=ls',
      400,
      'a container name must be specified for pod two, choose one of: [main side]',
    ],
    ['nowhere/attach', 500, 'no preferred addresses found; known addresses: []'],
    [
      'closed/exec?command=ls',
      500,
      'error dialing backend: dial tcp 127.0.0.1:9: connect: connection refused',
    ],
    [
      'one/portforward?ports=x',
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing \\"x\\": invalid syntax',
    ],
  ];
  for (const [path, code, message] of refusals) {
    test(`${path} is ${code}`, async () => {
      const client = new RawClient(http.url);
      client.send('POST', `${pods}/${path}`, spdy);
      const answer = await client.until('}\n');
      assert.match(answer, new RegExp(`^HTTP/1.1 ${code} `));
      assert.ok(answer.includes(`"message":"${message}"`), answer);
    });
  }

  test('a request without an upgrade is rejected', async () => {
    for (const path of ['one/exec?command=ls', 'one/attach', 'one/portforward']) {
      const { code, body } = await http.post(`${pods}/${path}`, '');
      assert.deepEqual([code, body.message], [400, 'Upgrade request required']);
    }
  });

  test('a server shutdown closes them', async () => {
    const server = await serverWith({});
    const client = new RawClient(server.url);
    client.send('POST', `${pods}/one/exec?command=ls&stdout=1`, spdy);
    try {
      await client.until('ready\n');
    } finally {
      await server.server.stop();
    }
    await client.closed();
  });
});

describe('proxy', { skip: ownAddress === undefined && 'this machine has no address but loopback' }, () => {
  before(async () => {
    await node(http, 'reachable', ownAddress, kubelet.port);
    const service = { ports: [{ name: 'web', port: 80, targetPort: kubelet.podPort }] };
    await make(http, '/api/v1/namespaces/default/services', { metadata: { name: 'shop' }, spec: service });
    await make(http, '/api/v1/namespaces/default/endpoints', {
      metadata: { name: 'shop' },
      subsets: [
        {
          addresses: [
            { ip: ownAddress, targetRef: { kind: 'Pod', namespace: 'default', name: 'one' } },
            { ip: '192.0.2.7', targetRef: { kind: 'Pod', namespace: 'default', name: 'one' } },
            { ip: '192.0.2.8' },
          ],
          ports: [{ name: 'web', port: kubelet.podPort }],
        },
      ],
    });
  });

  test('reaches the first port of a pod, with path, query and headers', async () => {
    const headers = {
      authorization: 'Bearer secret',
      'x-mine': '1',
      'x-remote-group': 'system:masters',
      'impersonate-user': 'bob',
      'impersonate-group': 'system:masters',
    };
    const { code, text } = await http.get(`${pods}/one/proxy/some//path/../x%20y/?a=b%20c`, headers);
    assert.equal(code, 200);
    assert.equal(text, 'you asked GET /some/x%20y/?a=b%20c\n');
    const seen = kubelet.last();
    assert.equal(seen.headers['x-mine'], '1');
    for (const identity of ['x-remote-group', 'authorization', 'impersonate-user', 'impersonate-group']) {
      assert.equal(seen.headers[identity], undefined);
    }
    assert.equal(seen.headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(seen.headers['x-forwarded-uri'], `${pods}/one/proxy/some/x%20y/`);
    assert.equal(seen.headers.host, new URL(http.url).host);
  });

  test('forwards every method, with its body', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { code } = await http.request(method, `${pods}/one:${kubelet.podPort}/proxy/x`, 'the body');
      assert.equal(code, 200);
      assert.deepEqual([kubelet.last().method, kubelet.last().body], [method, 'the body']);
    }
    assert.equal((await http.request('HEAD', `${pods}/one/proxy/x`)).code, 200);
    assert.equal((await http.request('OPTIONS', `${pods}/one/proxy/x`)).code, 200);
  });

  test('reaches a kubelet, another port of a node, and an endpoint of a Service', async () => {
    assert.equal((await http.get('/api/v1/nodes/reachable/proxy/metrics')).code, 200);
    assert.equal(kubelet.last().client, 'the-server');
    assert.equal((await http.get(`/api/v1/nodes/reachable:${kubelet.podPort}/proxy/x`)).code, 200);
    assert.equal(kubelet.last().client, undefined);
    for (const name of ['shop:web', 'shop:80', 'http:shop:web']) {
      assert.equal((await http.get(`/api/v1/namespaces/default/services/${name}/proxy/x`)).code, 200);
    }
    assert.equal((await http.get(`${pods}/https:one:${kubelet.port}/proxy/x`)).code, 200);
  });

  test('redirects a path without a trailing slash', async () => {
    const response = await fetch(`${http.url}${pods}/one/proxy?a=b`, { redirect: 'manual' });
    assert.equal(response.status, 301);
    assert.equal(response.headers.get('location'), `${pods}/one/proxy/?a=b`);
  });

  test('rewrites links and redirects of the backend', async () => {
    const own = `http://${ownAddress}:${kubelet.podPort}/c`;
    kubelet.answer = (_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.write('<html><a href="/a">ü</a><img class=x src=\'/b.p');
      response.end(`ng'><a href="c">c</a><a href="${own}">d</a><a href="http://other/d">e</a> 1 < 2`);
    };
    const below = `${pods}/one/proxy`;
    assert.equal(
      (await http.get(`${below}/page`)).text,
      `<html><a href="${below}/a">ü</a><img class=x src='${below}/b.png'>` +
        `<a href="c">c</a><a href="${below}/c">d</a><a href="http://other/d">e</a> 1 < 2`,
    );
    kubelet.answer = (_request, response) => response.writeHead(302, { location: '/there?x=1' }).end();
    const response = await fetch(`${http.url}${below}/here`, { redirect: 'manual' });
    assert.equal(response.headers.get('location'), `${below}/there?x=1`);
  });

  test('forwards errors of the backend', async () => {
    kubelet.answer = (_request, response) => response.writeHead(500, { 'x-why': 'because' }).end('broken\n');
    const { code, headers, text } = await http.get(`${pods}/one/proxy/x`);
    assert.deepEqual([code, headers.get('x-why'), text], [500, 'because', 'broken\n']);
  });

  test('forwards an upgrade', async () => {
    const client = new RawClient(http.url);
    client.send('GET', `${pods}/one/proxy/socket`, { upgrade: 'chat' });
    await client.until('ready\n');
    client.socket.write('hello');
    await client.until('HELLO');
    assert.equal(kubelet.last().url, '/socket');
    client.socket.destroy();
  });

  const services = '/api/v1/namespaces/default/services';
  const refusals: [path: string, code: number, message: string][] = [
    [`${pods}/loop/proxy/x`, 400, 'address not allowed'],
    [`${pods}/unbound/proxy/x`, 400, 'address not allowed'],
    ['/api/v1/nodes/here/proxy/x', 400, 'address not allowed'],
    ['/api/v1/nodes/nosuch/proxy/x', 404, 'nodes "nosuch" not found'],
    [`${pods}/ftp:one:80/proxy/x`, 400, 'invalid pod request "ftp:one:80"'],
    [
      `${pods}/one:9/proxy/x`,
      503,
      `error trying to reach service: dial tcp ${ownAddress}:9: connect: connection refused`,
    ],
    [`${services}/nosuch/proxy/x`, 404, 'services "nosuch" not found'],
    [`${services}/shop:81/proxy/x`, 503, 'no service port 81 found for service "shop"'],
    [`${services}/shop/proxy/x`, 503, 'no endpoints available for service "shop"'],
    [`${services}/a:b:c:d/proxy/x`, 400, 'invalid service request "a:b:c:d"'],
  ];
  for (const [path, code, message] of refusals) {
    test(`${path} is ${code}`, async () => {
      const answer = await http.get(path);
      assert.deepEqual([answer.code, answer.body.message], [code, message]);
    });
  }
});
