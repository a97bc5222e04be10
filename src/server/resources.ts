// The verbs on resources, admission, worker threads, and custom resources.
import { AdmissionChain } from '../admission/admission-chain.ts';
import { AdmissionMetrics } from '../admission/admission-metrics.ts';
import { QuotaLedger } from '../admission/plugins/resource-quota/quota-ledger.ts';
import { createPlugins } from '../admission/plugins.ts';
import { Client } from '../client/client.ts';
import { CustomResourceDefinitionController } from '../controllers/customresourcedefinition/customresourcedefinition-controller.ts';
import { StatusPatcher } from '../controllers/runtime/status-patcher.ts';
import { ConversionWebhooks } from '../crd/conversion/conversion-webhooks.ts';
import { WatchHub } from '../store/watch/hub.ts';
import { EncodingWorker } from '../workers/encoding-worker.ts';
import { WriteExecutor } from '../workers/write-executor.ts';
import type { Components } from './component.ts';
import type { Foundation } from './foundation.ts';
import type { ServerOptions } from './options.ts';
import { createRegistryContext } from './registry-context.ts';
import type { ServerParts } from './server-parts.ts';
import { createWorkerThreads } from './worker-threads.ts';

export type Resources = ReturnType<typeof createResources>;

/** The verbs on resources, admission, worker threads, and custom resources. */
export function createResources(
  options: ServerOptions,
  parts: ServerParts,
  foundation: Foundation,
  components: Components,
) {
  const { clock, logger, dialect, features, registry, metrics, store, informers } = foundation;
  const { authorizer, serviceAllocation } = foundation;
  const admission = new AdmissionChain();
  const apiParts = { dialect, registry, store, clock, authorizer, serviceAllocation, admission };
  const api = createRegistryContext(options, apiParts, components, parts.sharing?.threads ?? 1);
  const hub = components.add(new WatchHub(store, clock));
  const admissionMetrics = new AdmissionMetrics(metrics);
  const quotaLedger = new QuotaLedger(api);
  const { anyThread, servingThread } = createPlugins({
    api,
    features,
    metrics,
    admissionMetrics,
    quotaLedger,
    options,
  });
  admission.use({ anyThread, servingThread: [...(parts.plugins ?? []), ...servingThread] }, admissionMetrics);
  components.add(admission);
  const threads = createWorkerThreads(options, logger, components, parts.sharing === undefined);
  const writeExecutor = new WriteExecutor(api, threads);
  const encodingWorker = threads && new EncodingWorker(threads.encoding);
  const kindContext = { dialect, features, allowPrivileged: options.allowPrivileged };
  const client = new Client(api);
  const crdController = components.add(
    new CustomResourceDefinitionController({
      client,
      informers,
      kinds: registry,
      kindContext,
      clock,
      logger,
      webhooks: new ConversionWebhooks(api, metrics),
      statusPatcher: new StatusPatcher(writeExecutor),
      admission,
      watches: hub,
      isShared: store.isShared,
      isFollower: parts.sharing?.isFollower ?? false,
    }),
  );
  crdController.start();
  return { api, hub, client, quotaLedger, writeExecutor, encodingWorker };
}
