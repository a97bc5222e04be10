import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type EmbeddedServer, startServer } from '../index.ts';

/** A write that the reference was asked for, and what it answered. Names it made up are `GEN` there. */
interface Recorded {
  readonly resource: string;
  readonly body: string;
  /** The object that a PUT of `body` replaces, or whose subresource it replaces. */
  readonly replacing?: string;
  readonly subresource?: string;
  readonly code: number;
  readonly message?: string;
  readonly causes?: string[];
  readonly object?: unknown;
  readonly warnings?: string[];
}

interface Answer {
  kind: string;
  message?: string;
  details?: { causes?: { reason: string; field: string }[] };
  metadata: Record<string, unknown>;
}

const recorded: Recorded[] = JSON.parse(
  readFileSync(new URL('./testdata/recorded-answers.json', import.meta.url), 'utf8'),
);
const namespace = 'schm';
const name = 'recorded';

let server: EmbeddedServer;
before(async () => {
  server = await startServer({
    dialect: 'kubernetes',
    // As the reference was started.
    featureGates: { AllAlpha: true, AllBeta: true },
  });
  await send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }));
});
after(() => server.stop());

function send(method: string, path: string, body: string): Promise<Response> {
  return fetch(server.url + path, { method, body, headers: { 'content-type': 'application/json' } });
}

function collectionOf(resource: string): string {
  const [apiVersion, plural] = resource.split(' ');
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return plural === 'namespaces' ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

for (const kind of new Set(recorded.map(({ resource }) => resource))) {
  test(`writes of ${kind} are answered as the reference answered them`, async () => {
    const fresh = server.snapshot();
    for (const each of recorded.filter(({ resource }) => resource === kind)) {
      assert.deepEqual(await ask(each), expected(each), `${each.subresource ?? ''} ${each.body}`);
      if (each.replacing) server.restore(fresh);
    }
  });
}

async function ask(each: Recorded) {
  const collection = collectionOf(each.resource);
  const path = each.subresource ? `${collection}/${name}/${each.subresource}` : `${collection}/${name}`;
  if (each.replacing) await send('POST', collection, each.replacing.replaceAll('NAME', name));
  const response = each.replacing
    ? await send('PUT', `${path}?dryRun=All`, each.body.replaceAll('NAME', name))
    : await send('POST', `${collection}?dryRun=All`, each.body);
  const result = (await response.json()) as Answer;
  const warnings = [...(response.headers.get('warning') ?? '').matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)]
    .map(([, text]) => JSON.parse(text!) as string)
    .filter((text) => !text.includes(' is deprecated in v1.'));
  return comparable(response.status, result, warnings);
}

function comparable(code: number, response: Answer, warnings: string[]) {
  const causes = (response.details?.causes ?? []).map(
    ({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`,
  );
  if (response.kind === 'Status')
    return { code, message: withoutChance(response.message ?? ''), causes, warnings };
  const metadata = { ...response.metadata };
  for (const field of ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields'])
    delete metadata[field];
  if (metadata.generateName) {
    const labels = (metadata.labels ?? {}) as Record<string, string>;
    for (const key in labels) if (labels[key] === metadata.name) labels[key] = 'NAME';
    delete metadata.name;
  }
  return { code, object: { ...response, metadata }, warnings };
}

function expected({ code, message, causes = [], object, warnings = [] }: Recorded) {
  return object ? { code, object, warnings } : { code, message, causes, warnings };
}

/** Addresses in memory and generated names differ from run to run. */
function withoutChance(message: string): string {
  return message
    .replace(/0x[0-9a-f]{8,}/g, '0xADDR')
    .replace(/"(A_|a\.b-|Ab-|a{58})[a-z0-9]{5}"/g, '"$1GEN"');
}
