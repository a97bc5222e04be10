// A server of the API tests.
import type { Client } from '../../src/client/client.ts';
import type { EmbeddedServer } from '../../src/index.ts';

type Common = 'url' | 'kubeconfig' | 'clock' | 'snapshot' | 'restore' | 'reset' | 'stop';

/** As an embedded server, but with the client of controllers, which skips HTTP, authorization and admission. */
export interface ServerUnderTest extends Pick<EmbeddedServer, Common> {
  readonly client: Client;
}
