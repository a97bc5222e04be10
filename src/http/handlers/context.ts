// The dependencies that the handlers of resource requests share, and the route that dispatch.ts finds for a request.
import type { Verb, VirtualContext } from '../../kind/definition.ts';
import type { Target } from '../../registry/target.ts';
import type { RegistryContext } from '../../registry/verb-context.ts';
import type { ConversionCache } from '../../registry/verbs/conversion-cache.ts';
import type { AuthenticatorChain } from '../../request/authenticator.ts';
import type { Authorizer } from '../../request/authorizer.ts';
import type { TokenIssuer } from '../../request/token-issuer.ts';
import type { WatchHub } from '../../store/watch/hub.ts';
import type { WriteExecutor } from '../../workers/write-executor.ts';
import type { NodeProxy } from '../node-proxy/connections.ts';
import type { ListResponseContext } from '../responses/send-list.ts';
import type { DeprecatedApis } from './deprecated-apis.ts';

/** The services that all handlers share. A handler also gets the exchange: the request and its response. */
export interface HandlerContext extends ListResponseContext {
  readonly api: RegistryContext;
  readonly hub: WatchHub;
  /** Issues the tokens of TokenRequests. */
  readonly tokens: TokenIssuer;
  readonly storageHealth: VirtualContext['storageHealth'];
  readonly metricsSource: VirtualContext['metricsSource'];
  readonly authorizer: Authorizer;
  readonly authenticators: AuthenticatorChain;
  /** A watch without `timeoutSeconds` lasts between this and twice as long. */
  readonly minRequestTimeoutMs: number;
  /** Whether the feature gate WatchList (streaming lists) is enabled. */
  readonly watchList: boolean;
  /** Objects of watch events that a conversion webhook has converted. */
  readonly conversionCache: ConversionCache;
  readonly nodeProxy: NodeProxy;
  readonly deprecatedApis: DeprecatedApis;
  readonly writeExecutor: WriteExecutor;
}

/** The verb and the object or collection that a request path and method name. */
export interface Route {
  readonly verb: Verb;
  readonly target: Target;
}
