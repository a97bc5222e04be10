import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsed, RealServer, tokens } from './real-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';

const server = new RealServer({}, async (server) => {
  for (const name of ['a', 'b']) {
    assert.equal((await server.post(configMaps, { metadata: { name } })).code, 201);
  }
  const secret = { metadata: { name: 'hidden' }, stringData: { key: 'do not show' } };
  assert.equal((await server.post('/api/v1/namespaces/default/secrets', secret)).code, 201);
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  assert.equal((await server.post(pods, pod)).code, 201);
});

/** The request as a user without permissions sees it in the 403: what the server authorizes. */
async function authorized(path: string, method = 'GET'): Promise<string> {
  const response = await server.ask(path, { method, token: tokens.nobody });
  assert.equal(response.code, 403, `${path}: ${response.text}`);
  return String(parsed(response).message);
}

describe('a path that tries to leave its resource', () => {
  const ways = [
    '../secrets/hidden',
    '%2e%2e/secrets/hidden',
    '%2E%2E%2Fsecrets%2Fhidden',
    '..%2fsecrets%2fhidden',
    'a/../../secrets/hidden',
    'a%2f..%2f..%2fsecrets%2fhidden',
    './../secrets/hidden',
    '..;/secrets/hidden',
    '..%00/secrets/hidden',
    '%252e%252e/secrets/hidden',
    '%c0%ae%c0%ae/secrets/hidden',
    '%c0%2e%c0%2e%c0%afsecrets',
    '%ef%bc%8e%ef%bc%8e/secrets/hidden',
    '..\\secrets\\hidden',
    '..%5csecrets%5chidden',
    '/../secrets/hidden',
    'a//../secrets/hidden',
    '%ff/../secrets/hidden',
  ];
  for (const way of ways) {
    test(`configmaps/${way} is rejected as configmaps and returns no Secret`, async () => {
      assert.match(await authorized(`${configMaps}/${way}`), /resource "configmaps(\/[^"]*)?"/);
      const { code, text } = await server.ask(`${configMaps}/${way}`);
      assert.ok(code === 400 || code === 404, `${code} ${text}`);
      assert.ok(
        !text.includes('do not show') && !text.includes(Buffer.from('do not show').toString('base64')),
      );
    });
  }

  for (const path of [
    '/healthz/../metrics',
    '/healthz/..%2fmetrics',
    '/livez/%2e%2e/metrics',
    '/version/../metrics',
    '/apis/../metrics',
    '/openapi/v3/../../metrics',
    '/openapi/v3/%2e%2e%2f%2e%2e%2fmetrics',
    '//metrics',
    '/metrics/',
    '/./metrics',
    '/metrics%00',
    '/metrics;x',
  ]) {
    test(`${path} does not return the metrics`, async () => {
      for (const token of [tokens.nobody, tokens.admin, undefined]) {
        const { code, text } = await server.ask(path, { token });
        assert.ok(code === 403 || code === 404, `${code} ${text}`);
        assert.ok(!text.includes('apiserver_request_total'));
      }
    });
  }
});

describe('authorizer and handler use the same query', { concurrency: true }, () => {
  const names = (text: string) =>
    (JSON.parse(text).items as { metadata: { name: string } }[]).map((i) => i.metadata.name);

  for (const [how, query, named] of [
    ['a selector of a name', 'fieldSelector=metadata.name%3Da', 'a'],
    ['a selector whose parameter has an escape in its name', 'field%53elector=metadata.name%3Da', 'a'],
    ['the first of two selectors', 'fieldSelector=metadata.name%3Da&fieldSelector=metadata.name%3Db', 'a'],
    [
      'a selector that is dropped for its semicolon',
      'fieldSelector=metadata.name%3Da,metadata.namespace!%3D;',
      '',
    ],
    [
      'a selector that is dropped for a broken escape',
      'fieldSelector=metadata.name%3Da,metadata.namespace!%3D%zz',
      '',
    ],
    [
      'a selector behind one that is dropped',
      'fieldSelector=metadata.name%3Db;&fieldSelector=metadata.name%3Da',
      'a',
    ],
    [
      'a name behind an escaped comma',
      'fieldSelector=metadata.namespace!%3Dx%5C,metadata.name%3Da',
      undefined,
    ],
    ['a selector of what the name is not', 'fieldSelector=metadata.name!%3Da', ''],
  ] as const) {
    test(`${how} names the same object to both`, async () => {
      const message = await authorized(`${configMaps}?${query}`);
      const response = await server.ask(`${configMaps}?${query}`);
      if (named === undefined) {
        assert.equal(response.code, 400);
        return;
      }
      assert.equal(/^configmaps "(.*?)" is forbidden/.exec(message)?.[1] ?? '', named);
      if (named !== '') assert.deepEqual(names(response.text), [named]);
      else assert.ok(names(response.text).length >= 1);
    });
  }

  for (const [query, verb] of [
    ['watch=1', 'watch'],
    ['w%61tch=1', 'watch'],
    ['watch', 'watch'],
    ['watch=1;', 'list'],
    ['watch=%zz', 'list'],
    ['watch=false&watch=true', 'list'],
    ['watch=0', 'list'],
    ['x=watch', 'list'],
  ]) {
    test(`?${query} is a ${verb} to both`, async () => {
      assert.match(await authorized(`${configMaps}?${query}`), new RegExp(`cannot ${verb} resource`));
      const { text } = await server.ask(`${configMaps}?${query}&timeoutSeconds=1&resourceVersion=0`);
      assert.equal(text.startsWith('{"type":"ADDED"') ? 'watch' : 'list', verb);
    });
  }
});

describe('scope', () => {
  for (const [method, path] of [
    ['GET', '/api/v1/namespaces/default/namespaces/default'],
    ['DELETE', '/api/v1/namespaces/default/namespaces/default'],
    ['PUT', '/api/v1/namespaces/default/namespaces/default/finalize'],
    ['GET', '/api/v1/namespaces/default/namespaces/default/status'],
    ['GET', '/api/v1/namespaces/default/namespaces'],
    ['POST', '/api/v1/namespaces/default/namespaces'],
    ['GET', '/api/v1/namespaces/default/nodes'],
    ['GET', '/api/v1/namespaces/default/nodes/n/proxy/pods'],
    ['POST', '/api/v1/namespaces/default/persistentvolumes'],
    ['GET', '/apis/rbac.authorization.orch.io/v1/namespaces/default/clusterroles/cluster-admin'],
    ['POST', '/apis/rbac.authorization.orch.io/v1/namespaces/default/clusterrolebindings'],
    ['DELETE', '/apis/apiextensions.orch.io/v1/namespaces/default/customresourcedefinitions'],
    ['GET', '/api/v1/watch/namespaces/default/nodes'],
  ] as const) {
    test(`${method} ${path} does not reach a cluster-scoped object through a namespace`, async () => {
      const { code, text } = await server.send(method, path, {});
      assert.equal(code, 404, text);
      assert.equal(JSON.parse(text).message, 'the server could not find the requested resource');
    });
  }

  for (const [method, path, refused] of [
    ['GET', '/api/v1/secrets/hidden', 404],
    ['PUT', '/api/v1/secrets/hidden', 404],
    ['DELETE', '/api/v1/secrets/hidden', 404],
    ['POST', '/api/v1/secrets', 405],
    ['DELETE', '/api/v1/secrets', 405],
    ['POST', '/api/v1/namespaces//secrets', 405],
    ['DELETE', '/api/v1/namespaces//secrets', 405],
    ['GET', '/api/v1/namespaces//secrets/hidden', 400],
  ] as const) {
    test(`${method} ${path} does not reach a namespaced object without its namespace`, async () => {
      assert.match(await authorized(path, method), /at the cluster scope/);
      const body = { metadata: { name: 'hidden', namespace: 'default' } };
      const { code, text } = await server.send(method, path, body);
      assert.equal(code, refused, text);
    });
  }

  test('an object is created in the namespace of its path, whatever its body says', async () => {
    const body = { metadata: { name: 'elsewhere', namespace: 'other' } };
    const { code, text } = await server.post(configMaps, body);
    assert.equal(code, 400, text);
    assert.equal((await server.ask('/api/v1/namespaces/other/configmaps/elsewhere')).code, 404);
  });
});

describe('a group without a name', () => {
  for (const path of [
    '/apis//',
    '/apis//v1',
    '/apis//v1/secrets',
    '/apis//v1/namespaces/default/secrets/hidden',
    '/apis//v1/watch/secrets',
    '/apis//apps/v1/deployments',
  ]) {
    test(`${path} is not served`, async () => {
      const { code, headers, text } = await server.ask(path);
      assert.deepEqual([code, text], [404, '404 page not found\n']);
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    });
  }
});

describe('the deprecated watch paths', () => {
  for (const [method, path] of [
    ['GET', '/api/v1/watch/namespaces/default/pods/p/proxy/x'],
    ['POST', '/api/v1/watch/namespaces/default/pods/p/proxy'],
    ['GET', '/api/v1/watch/namespaces/default/pods/p/log'],
    ['GET', '/api/v1/watch/namespaces/default/pods/p/exec?command=id'],
    ['GET', '/api/v1/watch/namespaces/default/pods/p/status'],
    ['GET', '/api/v1/proxy/namespaces/default/pods/p'],
    ['POST', '/api/v1/watch/namespaces/default/pods/p'],
  ]) {
    test(`${method} ${path} does nothing but watch`, async () => {
      const { code, text } = await server.send(method!, path!, {});
      assert.ok(code === 404 || code === 405, `${code} ${text}`);
      assert.notEqual(JSON.parse(text).details?.name, 'p');
    });
  }

  test('watch the object of the path and no other, whatever the field selector adds', async () => {
    const watch = (selector: string) =>
      server.ask(`/api/v1/watch/namespaces/default/configmaps/a?timeoutSeconds=1&fieldSelector=${selector}`);
    for (const selector of ['metadata.name%3Db', 'metadata.namespace!%3Dx%5C', 'metadata.name!%3Dx%5C']) {
      const { code, text } = await watch(selector);
      assert.equal(code, 400, text);
    }
    const { text } = await watch('metadata.name!%3Db');
    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).object.metadata.name),
      ['a'],
    );
  });
});

describe('names of Object.prototype', () => {
  for (const path of [
    '/api/v1/constructor',
    '/api/v1/__proto__',
    '/api/__proto__',
    '/api/constructor/pods',
    '/apis/__proto__',
    '/apis/__proto__/v1/constructor',
    '/apis/apps/__proto__/deployments',
    '/apis/apps/v1/hasOwnProperty',
    '/apis/apps/v1/namespaces/default/toString/x',
    '/toString',
    '/healthz/__proto__',
    '/openapi/v3/constructor',
    '/openapi/v3/apis/__proto__/v1',
  ]) {
    test(`${path} is not found`, async () => {
      const { code, text } = await server.ask(path);
      assert.equal(code, 404, text);
    });
  }
  for (const subresource of ['__proto__', 'constructor', 'toString', 'valueOf']) {
    test(`pods/${subresource} is not a subresource`, async () => {
      assert.equal((await server.ask(`${pods}/p/${subresource}`)).code, 404);
    });
  }
  for (const method of ['constructor', '__proto__', 'toString', 'get', 'GET\u00a0']) {
    test(`${JSON.stringify(method)} is not a method`, async () => {
      const { code, text } = await server
        .ask2({ ':method': method, ':path': `${configMaps}/a` })
        .catch(() => ({ code: 0, text: '' }));
      assert.ok(code === 0 || code === 405, `${code} ${text}`);
    });
  }
  test('are ordinary names of absent namespaces and objects', async () => {
    for (const name of ['__proto__', 'constructor']) {
      assert.equal((await server.ask(`${configMaps}/${name}`)).code, 404);
      assert.deepEqual(parsed(await server.ask(`/api/v1/namespaces/${name}/configmaps`)).items, []);
    }
  });
});

test('an HTTP/2 path without a leading slash is not found', async () => {
  for (const path of ['api/v1/namespaces/default/secrets/hidden', 'metrics', '*', '']) {
    const headers = { ':scheme': 'other', ':path': path };
    const { code, text } = await server.ask2(headers).catch(() => ({ code: 0, text: '' }));
    assert.ok(code === 0 || code === 400 || code === 404, `${path}: ${code} ${text}`);
  }
});

test('an absolute-form request target is its path', async () => {
  const ask = async (target: string) => {
    const socket = await server.raw();
    socket.write(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${tokens.admin}\r\n\r\n`,
    );
    let text = '';
    for await (const chunk of socket) text += chunk;
    return text;
  };
  assert.match(await ask(`http://evil.example${configMaps}/a`), /^HTTP\/1\.1 200 /);
  assert.match(await ask('https://evil.example//metrics'), /^HTTP\/1\.1 404 /);
  assert.match(await ask('evil.example/metrics'), /^HTTP\/1\.1 400 /);
});
