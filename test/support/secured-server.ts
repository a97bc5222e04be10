import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { TestClient } from './client.ts';
import { runServer } from './servers.ts';

/** A server with its own CA, on both ports: started before the tests of the file and stopped after them. */
export class SecuredServer extends TestClient {
  readonly clock = new MovableClock();
  server!: RunningServer;

  constructor() {
    super();
    let certDir: string;
    before(async () => {
      certDir = await mkdtemp(join(tmpdir(), 'orch-secured-'));
      this.server = await runServer(
        { ...defaultOptions, storage: 'memory', httpPort: 0, securePort: 0, certDir },
        { clock: this.clock, logger: silentLogger },
      );
    });
    after(async () => {
      await this.server.stop();
      await rm(certDir, { recursive: true });
    });
  }

  get url(): string {
    return this.server.url;
  }
}
