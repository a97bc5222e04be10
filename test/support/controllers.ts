import assert from 'node:assert/strict';
import type { Body, TestClient } from './client.ts';

/** Waits until a condition holds; after the timeout it fails with the last state. */
export async function until<T>(look: () => Promise<T>, isGood: (seen: T) => boolean): Promise<T> {
  const end = performance.now() + 120_000;
  for (;;) {
    const seen = await look();
    if (isGood(seen)) return seen;
    if (performance.now() > end) assert.fail(`never came: ${isGood}; but ${JSON.stringify(seen, null, 2)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const untilDeleted = (api: TestClient, path: string) =>
  until(
    () => api.get(path),
    ({ code }) => code === 404,
  );

/** Waits until the controllers of the server are idle. */
export async function controllersIdle(api: TestClient): Promise<void> {
  const depths = async () => (await api.get('/metrics')).text.match(/^workqueue_depth\{.*$/gm) ?? [];
  for (let calm = 0; calm < 3; ) {
    calm = (await depths()).every((line) => line.endsWith(' 0')) ? calm + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Creates a CRD in its own group and waits until it is served. */
export async function customKind(api: TestClient, group: string, scope = 'Namespaced'): Promise<string> {
  const schema = { type: 'object', 'x-orch-preserve-unknown-fields': true };
  const { code, text } = await api.post(definitions, {
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope,
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  assert.equal(code, 201, text);
  await until(
    () => api.get(`/apis/${group}/v1`),
    (response) => response.code === 200,
  );
  return `${definitions}/things.${group}`;
}

const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

export const conditionsOf = ({ status }: Body) =>
  (status as { conditions?: { type: string; status: string; reason: string; message: string }[] })
    .conditions ?? [];
