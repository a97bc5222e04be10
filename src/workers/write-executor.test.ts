import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdmissionChain } from '../admission/admission-chain.ts';
import { NamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { defaultAdmissionOptions } from '../admission/options.ts';
import { servedKinds } from '../apis/served-kinds.ts';
import { systemClock } from '../base/clock.ts';
import { ApiError } from '../errors/status.ts';
import { defaultDeleteOptions } from '../kind/delete-options.ts';
import { defaultWriteOptions } from '../registry/options/write-options.ts';
import type { Target } from '../registry/target.ts';
import type { VerbContext } from '../registry/verb-context.ts';
import { create } from '../registry/verbs/create.ts';
import { deleteObject } from '../registry/verbs/delete.ts';
import { jsonBody } from '../serializers/request-body.ts';
import { defaultOptions } from '../server/options.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import type { PrepareMessage } from './messages.ts';
import { prepareOnWorker } from './prepare-write.ts';
import { openQuestionChannel, ServingThread } from './questions.ts';
import { WorkerCustomResources } from './worker-custom-resources.ts';
import { WriteExecutor } from './write-executor.ts';

const { dialect, features, registry } = servedKinds(defaultOptions);
const parts = {
  dialect,
  registry,
  metaGroup: dialect.groupName('meta'),
  eventTtl: 0,
  namespaceLifecycle: true,
  features,
  admissionOptions: defaultAdmissionOptions,
  // These writes ask nothing.
  servingThread: new ServingThread(openQuestionChannel().worker),
  customResources: new WorkerCustomResources(registry, { dialect, features }),
};
const at = (plural: string, namespace: string, name: string): Target => ({
  resource: registry.kind('', 'v1', plural),
  namespace,
  name,
  subresource: '',
});

/** An API with the namespace `a`, where a write takes another thread as long as `meanwhile` does. */
async function slowlyWriting(meanwhile: (api: VerbContext) => Promise<unknown>) {
  const store = new MemoryStore({ clock: systemClock });
  const lifecycle = new NamespaceLifecycle({ store, dialect }, true);
  const some: Partial<VerbContext> = {
    ...parts,
    store,
    clock: systemClock,
    admission: new AdmissionChain(),
    lifecycle,
  };
  const api = some as VerbContext;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' }, spec: {}, status: {} };
  await create(api, at('namespaces', '', ''), { object }, defaultWriteOptions, []);
  const work = async (message: () => PrepareMessage) => {
    const packed = message();
    await meanwhile(api);
    return prepareOnWorker(parts, packed);
  };
  await new Promise(setImmediate);
  const writing = new WriteExecutor(api, { pool: { start() {}, tryRun: work }, large: { run: work } });
  // No rest for longer than a look at the thread takes, which counts only once its loop has begun.
  for (const begun = performance.now(); performance.now() - begun < 150; );
  return writing;
}

function creation(name: string) {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { much: 'x'.repeat(2_000) },
  };
  const body = jsonBody(Buffer.from(JSON.stringify(object)));
  const target = at('configmaps', 'a', '');
  return { target, options: defaultWriteOptions, input: { verb: 'create', body } as const };
}

test('a write prepared on a worker thread creates the object', async () => {
  const writing = await slowlyWriting(async () => {});
  const { object, created } = await writing.execute(creation('b'), []);
  assert.deepEqual(
    [object.key, created, writing.counts],
    ['configmaps/a/b', true, { servingThread: 0, workerThreads: 1 }],
  );
});

test('no object is created in a namespace that was deleted while a worker thread prepared it', async () => {
  const writing = await slowlyWriting((api) =>
    deleteObject(api, at('namespaces', '', 'a'), defaultDeleteOptions),
  );
  await assert.rejects(
    writing.execute(creation('b'), []),
    (error) => error instanceof ApiError && error.code === 403 && /being terminated/.test(error.message),
  );
  assert.deepEqual(writing.counts, { servingThread: 0, workerThreads: 2 });
});
