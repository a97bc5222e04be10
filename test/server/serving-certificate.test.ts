// The names and addresses in the serving certificate that the server creates.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from 'node:tls';
import { defaultOptions } from '../../src/server/options.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { runServer } from '../support/servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-certificate-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function servedNames(options: object): Promise<string[]> {
  const settings = { storage: 'memory', certDir: folder, httpPort: 0, securePort: 0 } as const;
  const server = await runServer({ ...defaultOptions, ...settings, ...options }, { logger: silentLogger });
  try {
    const { port } = new URL(server.secureUrl!);
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { subjectaltname = '' } = socket.getPeerCertificate();
    socket.destroy();
    return subjectaltname.split(', ');
  } finally {
    await server.stop();
  }
}

test('it has the addresses of the Service, and is issued again for --tls-san and --advertise-address', async () => {
  const names = await servedNames({ serviceClusterIpRange: ['10.7.0.0/24'] });
  assert.ok(names.includes('IP Address:10.7.0.1'), `${names}`);
  assert.ok(!names.includes('DNS:a.example.com'));
  const more = await servedNames({ tlsSan: ['a.example.com', '10.8.0.1'], advertiseAddress: '10.9.0.1' });
  for (const name of ['DNS:a.example.com', 'IP Address:10.8.0.1', 'IP Address:10.9.0.1']) {
    assert.ok(more.includes(name), `${more}`);
  }
});
