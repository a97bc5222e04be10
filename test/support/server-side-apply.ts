import assert from 'node:assert/strict';
import type { TestClient, TestResponse } from './client.ts';

/** An entry of managedFields. */
export interface OwnerEntry {
  manager: string;
  operation: string;
  apiVersion: string;
  time?: string;
  fieldsType: string;
  fieldsV1: object;
  subresource?: string;
}

export interface ApplyOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly headers?: Record<string, string>;
}

/** Applies a configuration as a field manager. A string is sent verbatim. */
export function apply(
  server: TestClient,
  path: string,
  manager: string,
  intent: object | string,
  { force = false, dryRun = false, headers = {} }: ApplyOptions = {},
): Promise<TestResponse> {
  const query = new URLSearchParams({ fieldManager: manager });
  if (force) query.set('force', 'true');
  if (dryRun) query.set('dryRun', 'All');
  const type = { 'content-type': 'application/apply-patch+yaml', ...headers };
  return server.request('PATCH', `${path}?${query}`, intent, type);
}

export function ownersIn({ body }: TestResponse): readonly OwnerEntry[] {
  return (body.metadata as { managedFields?: OwnerEntry[] }).managedFields ?? [];
}

/** Field ownership in short: `manager Operation[/subresource]` and the fields. */
export function owned(answer: TestResponse): Record<string, object> {
  return Object.fromEntries(
    ownersIn(answer).map(({ manager, operation, subresource, fieldsV1 }) => [
      `${manager} ${operation}${subresource ? `/${subresource}` : ''}`,
      fieldsV1,
    ]),
  );
}

export function mergePatch(
  server: TestClient,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return server.request('PATCH', path, body, { 'content-type': 'application/merge-patch+json', ...headers });
}

export function ok(answer: TestResponse, code = 200): TestResponse {
  assert.equal(answer.code, code, answer.text);
  return answer;
}

let count = 0;
/** A new object with a unique name: its path, and configurations for it. */
export function configMap() {
  const name = `settings-${count++}`;
  const collection = '/api/v1/namespaces/default/configmaps';
  const intent = (more: object = {}, metadata: object = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
    ...more,
  });
  return { path: `${collection}/${name}`, collection, intent };
}

/** The same for a Deployment: a complete configuration, and others for its spec. */
export function deployment() {
  const name = `web-${count++}`;
  const whole = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'nginx' }] },
      },
    },
  };
  const of = (spec: object) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec });
  return { path: `/apis/apps/v1/namespaces/default/deployments/${name}`, whole, of };
}
