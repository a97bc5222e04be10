import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Connection } from '../../src/cli/cluster/connection.ts';
import type { KeyPair } from '../../src/pki/certificates.ts';
import { createCA, issueServingCertificate } from '../../src/pki/issue.ts';
import { makeCommonNameOnly, makeSelfSigned } from '../support/unusual-certificates.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});

/** Connects to a server with this certificate by the name, trusting a bundle. */
async function ask(shown: KeyPair, name: string, bundle: string): Promise<number> {
  const server = createServer({ cert: shown.certificate, key: shown.key }, (_, response) =>
    response.end('{}'),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = new Connection({
    url: `https://127.0.0.1:${port}`,
    caCertificate: bundle,
    credentials: undefined,
    skipTlsVerify: false,
    namespace: 'default',
    serverName: name,
  });
  try {
    return (await connection.get('/')).code;
  } finally {
    connection.close();
  }
}

const authority = await createCA('authority', Date.now());
const serving = (...hostNames: string[]) =>
  issueServingCertificate(authority, { name: 'one.test', hostNames }, Date.now());

test('a server is trusted by its own certificate in the CA bundle', async () => {
  const shown = await serving('one.test');
  assert.equal(await ask(shown, 'one.test', shown.certificate), 200);
  const alone = await makeSelfSigned('one.test');
  assert.equal(await ask(alone, 'one.test', alone.certificate), 200);
  await assert.rejects(ask(await serving('one.test'), 'one.test', shown.certificate), /is not trusted/);
});

test('only subject alternative names identify a server, not the common name', async () => {
  const bundle = authority.certificate;
  assert.equal(await ask(await serving('two.test', '*.three.test'), 'two.test', bundle), 200);
  assert.equal(await ask(await serving('two.test', '*.three.test'), 'A.three.test', bundle), 200);
  for (const [shown, name] of [
    [await makeCommonNameOnly(authority, 'one.test'), 'one.test'],
    [await serving('two.test'), 'one.test'],
    [await serving('*.three.test'), 'a.b.three.test'],
    [await serving('t*.three.test'), 'two.three.test'],
  ] as const) {
    await assert.rejects(ask(shown, name, bundle), new RegExp(`the certificate is not for ${name}`));
  }
});
