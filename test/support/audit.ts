import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbedOptions } from '../../src/index.ts';
import { TestClient } from './client.ts';
import { startServer } from './servers.ts';

/** The fields of audit events that tests read. */
export interface AuditEvent {
  readonly kind: string;
  readonly apiVersion: string;
  readonly level: string;
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username?: string; readonly groups?: readonly string[] };
  readonly impersonatedUser?: { readonly username: string; readonly groups: readonly string[] };
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: Readonly<Record<string, string>>;
  readonly responseStatus?: Readonly<Record<string, unknown>>;
  readonly requestObject?: { readonly metadata: Record<string, unknown>; readonly data?: unknown };
  readonly responseObject?: { readonly kind: string; readonly metadata: Record<string, unknown> };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

const tokens = 'admin-token,admin,admin-uid,system:masters\nbob-token,bob,,dev\n';

/** A client of a server with an audit log. */
export class AuditedClient extends TestClient {
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
  }

  /** A request with an Audit-Id, by which its events are found. */
  async as(who: string, id: string, method: string, path: string, body?: unknown, headers = {}) {
    const credentials = who === '' ? {} : { authorization: `Bearer ${who}-token` };
    return this.request(method, path, body, {
      'audit-id': id,
      'user-agent': 'test/1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...credentials,
      ...headers,
    });
  }
}

export interface AuditLog {
  readonly text: string;
  readonly files: readonly string[];
  readonly events: readonly AuditEvent[];
  /** The events of a request, by its Audit-Id. */
  of(id: string): AuditEvent[];
}

/** Runs a server with an audit policy during `use`, and returns the log. */
export async function runAudited(
  policy: string,
  use: (client: AuditedClient) => Promise<void>,
  options: Partial<EmbedOptions> = {},
): Promise<AuditLog> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-audit-'));
  try {
    const path = join(folder, 'audit.log');
    writeFileSync(join(folder, 'tokens.csv'), tokens);
    writeFileSync(join(folder, 'policy.yaml'), `apiVersion: audit.orch.io/v1\nkind: Policy\n${policy}\n`);
    const server = await startServer({
      auditPolicyFile: join(folder, 'policy.yaml'),
      auditLogPath: path,
      tokenAuthFile: join(folder, 'tokens.csv'),
      ...options,
    });
    try {
      await use(new AuditedClient(server.url));
    } finally {
      await server.stop();
    }
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const events = text.startsWith('{')
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as AuditEvent)
      : [];
    const files = readdirSync(folder).filter((name) => name.startsWith('audit'));
    return { text, files, events, of: (id) => events.filter(({ auditID }) => auditID === id) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
