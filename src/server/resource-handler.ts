// The HTTP handler of all resources that this server stores.
import type { HandlerContext } from '../http/handlers/context.ts';
import { DeprecatedApis } from '../http/handlers/deprecated-apis.ts';
import { resourceHandler } from '../http/handlers/dispatch.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { KubeletCredentials } from '../http/node-proxy/kubelet.ts';
import { EncodedChunkCache } from '../http/responses/list/encoded-chunk-cache.ts';
import type { JoinedItems } from '../http/responses/list/joined-items.ts';
import type { RowTemplates } from '../http/responses/list/row-templates.ts';
import { readCABundle, readServingFiles } from '../pki/serving-files.ts';
import { ConversionCache } from '../registry/verbs/conversion-cache.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { BufferPool } from '../transport/chunked-body.ts';
import type { ServerOptions } from './options.ts';

type RequestHandler = ConstructorParameters<typeof HttpServer>[0]['handleResource'];

/** Size of the cache of protobuf-encoded list items, of all serving threads together. */
const protobufCacheBytes = 64 * 1024 * 1024;
/** Size of the cache of Table rows, likewise. */
const tableRowCacheBytes = 32 * 1024 * 1024;

export function newResourceHandler(
  parts: Pick<
    HandlerContext,
    | 'api'
    | 'hub'
    | 'tokens'
    | 'storageHealth'
    | 'metricsSource'
    | 'authorizer'
    | 'authenticators'
    | 'nodeProxy'
    | 'writeExecutor'
    | 'watchList'
  >,
  { minRequestTimeout }: ServerOptions,
  metrics: Metrics,
  threads: number,
): RequestHandler {
  return resourceHandler({
    ...parts,
    deprecatedApis: new DeprecatedApis(metrics, parts.api.dialect),
    minRequestTimeoutMs: minRequestTimeout,
    bufferPool: new BufferPool(parts.api.clock),
    encodedItems: new EncodedChunkCache<JoinedItems>(protobufCacheBytes / threads),
    tableRows: new EncodedChunkCache<RowTemplates>(tableRowCacheBytes / threads),
    conversionCache: new ConversionCache(),
  });
}

/** Empty without --kubelet-client-certificate and --kubelet-certificate-authority. */
export async function readKubeletCredentials(options: ServerOptions): Promise<KubeletCredentials> {
  const { kubeletClientCertificate, kubeletClientKey, kubeletCertificateAuthority } = options;
  const clientCertificate =
    kubeletClientCertificate !== undefined && kubeletClientKey !== undefined
      ? await readServingFiles(kubeletClientCertificate, kubeletClientKey)
      : undefined;
  return {
    ...clientCertificate,
    ...(kubeletCertificateAuthority !== undefined && {
      caBundle: await readCABundle(kubeletCertificateAuthority),
    }),
  };
}
