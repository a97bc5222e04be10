// TLS: renegotiation, and the certificate chains that clients send.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { id_kp_clientAuth as clientAuth, id_kp_serverAuth as serverAuth } from '@peculiar/asn1-x509';
import type { KeyPair } from '../../src/pki/certificates.ts';
import { createCA } from '../../src/pki/issue.ts';
import { issueUnusual, makeIntermediate } from '../support/unusual-certificates.ts';
import { RealServer } from './real-server.ts';

describe('a client that renegotiates TLS 1.2', { timeout: 30_000 }, () => {
  const server = new RealServer();

  for (const protocol of ['http/1.1', 'h2']) {
    test(`is refused over ${protocol}, and others are served`, async () => {
      const socket = connect({
        port: server.securePort,
        host: '127.0.0.1',
        ca: server.ca,
        maxVersion: 'TLSv1.2',
        ALPNProtocols: [protocol],
      });
      await once(socket, 'secureConnect');
      socket.resume();
      assert.equal(socket.getProtocol(), 'TLSv1.2');
      assert.match(await renegotiate(socket), /no renegotiation/);
      socket.destroy();
      assert.equal((await server.ask('/version')).code, 200);
    });
  }
});

/** The error of a renegotiation; '' if the server accepts it. */
function renegotiate(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('error', (error) => resolve(error.message));
    socket.renegotiate({}, (error) => resolve(error?.message ?? ''));
  });
}

// With a CA for authenticating proxies, the server distinguishes which CA a chain ends at.
for (const hasProxyCa of [false, true]) {
  describe(`a client certificate behind intermediate CAs, ${hasProxyCa ? 'with' : 'without'} a proxy CA`, () => {
    const folder = mkdtemp(join(tmpdir(), 'orch-chains-'));
    const server = RealServer.unstarted();
    let root: KeyPair;
    let stranger: KeyPair;
    let department: KeyPair;
    before(async () => {
      const dir = await folder;
      root = await createCA('clients', Date.now());
      stranger = await createCA('strangers', Date.now());
      department = await makeIntermediate(root, 'department');
      const clientCaFile = join(dir, 'clients.crt');
      const requestheaderClientCaFile = join(dir, 'proxies.crt');
      await writeFile(clientCaFile, root.certificate);
      await writeFile(requestheaderClientCaFile, (await createCA('proxies', Date.now())).certificate);
      await server.start({ clientCaFile, ...(hasProxyCa && { requestheaderClientCaFile }) });
    });
    after(async () => {
      await server.stop();
      await rm(await folder, { recursive: true });
    });

    const leaf = (authority: KeyPair, extendedKeyUsage = [clientAuth]) =>
      issueUnusual(authority, 'erin', { extendedKeyUsage });

    async function codeFor(...chain: KeyPair[]): Promise<number> {
      const certificate = chain.map((each) => each.certificate).join('\n');
      const cert = { certificate, key: chain[0]!.key };
      return (await server.ask('/api', { token: undefined, cert })).code;
    }

    test('is accepted with the chain that the client sends', async () => {
      const team = await makeIntermediate(department, 'team');
      assert.equal(await codeFor(await leaf(department), department), 200);
      assert.equal(await codeFor(await leaf(department), department, root), 200);
      assert.equal(await codeFor(await leaf(team), team, department), 200);
      // Node reports no issuers after one that the client sent last: the order of TLS matters where this server needs them.
      assert.equal(await codeFor(await leaf(team), department, team), hasProxyCa ? 401 : 200);
      assert.equal(await codeFor(await leaf(department), stranger, department, department), 200);
    });

    test('is rejected without the intermediates', async () => {
      const team = await makeIntermediate(department, 'team');
      assert.equal(await codeFor(await leaf(department)), 401);
      assert.equal(await codeFor(await leaf(team), team), 401);
      assert.equal(await codeFor(await leaf(team), department), 401);
    });

    test('is rejected if the chain ends at another CA, or an intermediate has only the name of another', async () => {
      const theirs = await makeIntermediate(stranger, 'department');
      assert.equal(await codeFor(await leaf(theirs), theirs), 401);
      assert.equal(await codeFor(await leaf(theirs), theirs, stranger), 401);
      assert.equal(await codeFor(await leaf(theirs), department), 401);
      assert.equal(await codeFor(await leaf(theirs), theirs, department), 401);
    });

    const keyCertSign = 32;
    const intermediates = {
      'that has expired': { isCa: true, hours: [-3, -1] },
      'that is not yet valid': { isCa: true, hours: [1, 24] },
      'that is no CA': {},
      'that may not sign certificates': { isCa: true, keyUsage: 1 },
      'for servers only': { isCa: true, keyUsage: keyCertSign, extendedKeyUsage: [serverAuth] },
    } as const;
    for (const [what, properties] of Object.entries(intermediates)) {
      test(`is rejected with an intermediate ${what}`, async () => {
        const intermediate = await issueUnusual(root, 'intermediate', properties);
        assert.equal(await codeFor(await leaf(intermediate), intermediate), 401);
      });
    }

    test('is rejected if the path is longer than a CA allows', async () => {
      const last = await issueUnusual(root, 'last', { isCa: true, pathLength: 0 });
      assert.equal(await codeFor(await leaf(last), last), 200);
      const below = await issueUnusual(last, 'below', { isCa: true });
      assert.equal(await codeFor(await leaf(below), below, last), 401);
    });

    test('is rejected if it is for servers only', async () => {
      assert.equal(await codeFor(await leaf(department, [serverAuth]), department), 401);
    });

    test('is accepted on the second connection of a client that resumes TLS sessions', async () => {
      const shown = await leaf(department);
      const cert = `${shown.certificate}\n${department.certificate}`;
      const agent = new Agent({ keepAlive: false, ca: server.ca, cert, key: shown.key });
      const get = () =>
        new Promise<number>((resolve, reject) => {
          const sent = request({ host: '127.0.0.1', port: server.securePort, path: '/api', agent });
          sent.once('error', reject);
          sent.once('response', (response) => {
            response.resume().once('end', () => resolve(response.statusCode ?? 0));
          });
          sent.end();
        });
      assert.deepEqual([await get(), await get()], [200, 200]);
    });
  });
}
