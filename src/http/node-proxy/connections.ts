// pods/exec, attach, portforward, log and the proxy subresources: forwards requests to kubelets, pods and services.
import { posix } from 'node:path';
import type { Endpoints } from '../../apis/core/endpoints.ts';
import type { Node } from '../../apis/core/node.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Service } from '../../apis/core/service.ts';
import { parseField, parseSelected } from '../../codec/json/parse-outline.ts';
import { badRequest, notFound, serviceUnavailable } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Features } from '../../kind/features/features.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeLazily, isCurrentEncoding } from '../../kind/storage/codec.ts';
import { defaultWriteOptions } from '../../registry/options/write-options.ts';
import type { Target } from '../../registry/target.ts';
import { type AdmissionContext, existing } from '../../registry/verb-context.ts';
import { beginAdmission, validateAndRun } from '../../registry/write/admission.ts';
import type { IdentityHeaders } from '../../request/identity-headers.ts';
import type { SimulatedKubelet } from '../../simulation/kubelet/simulated-kubelet.ts';
import type { StoredObject } from '../../store/store.ts';
import { type Exchange, HttpExchange } from '../../transport/exchange.ts';
import { type Backend, escapePath } from '../../transport/proxy/backend.ts';
import { forward } from '../../transport/proxy/forward.ts';
import { forwardedHeaders } from '../../transport/proxy/forwarded-headers.ts';
import { writeHead } from '../../transport/response.ts';
import { type ConnectRequest, fromOptionsObject, toOptionsObject } from './connect-request.ts';
import { selectContainer } from './containers.ts';
import { type KubeletCredentials, kubeletBackend, type NodeAddress } from './kubelet.ts';
import { sendLog } from './log.ts';
import { readLogOptions } from './log-options.ts';
import {
  assertHostAllowed,
  backendAt,
  lookUpAllowed,
  podBackend,
  readProxyName,
  serviceBackend,
} from './proxy-target.ts';
import { portQuery, streamQuery } from './stream-options.ts';

export class NodeProxy {
  readonly #api: AdmissionContext;
  readonly #features: Features;
  readonly #credentials: KubeletCredentials;
  readonly #identityHeaders: IdentityHeaders;
  readonly #simulatedKubelet: SimulatedKubelet | undefined;

  /**
   * `identityHeaders` (X-Remote-User and its like) are removed from proxied requests. `simulatedKubelet` serves the requests
   * for simulated nodes.
   */
  constructor(
    api: AdmissionContext,
    features: Features,
    credentials: KubeletCredentials,
    identityHeaders: IdentityHeaders,
    simulatedKubelet?: SimulatedKubelet,
  ) {
    this.#simulatedKubelet = simulatedKubelet;
    this.#identityHeaders = identityHeaders;
    this.#api = api;
    this.#features = features;
    this.#credentials = credentials;
  }

  /** Runs CONNECT admission, which may change the options of the request, and forwards the request. */
  async serve(exchange: Exchange, target: Target): Promise<void> {
    const { path } = splitProxyPath(exchange);
    const request: ConnectRequest = { query: exchange.query, path };
    const { resource, subresource } = target;
    const needsAdmission =
      resource.subresource(subresource)?.connect?.options !== undefined &&
      this.#api.admission.handles({ resource, subresource, operation: 'CONNECT' });
    if (!needsAdmission) return this.#connect(exchange, target, request);
    // Rejects invalid ports before admission sees them.
    if (subresource === 'portforward') portQuery(exchange.query);
    const object = toOptionsObject(resource.kindOf(subresource), request);
    const options = { ...defaultWriteOptions, user: exchange.user, request: exchange };
    const { warnings } = exchange;
    const admission = beginAdmission(this.#api, target, 'CONNECT', { object }, options, warnings);
    if (!admission) return this.#connect(exchange, target, request);
    const admitted = (await admission.mutate())!;
    const admittedRequest = admitted === object ? request : fromOptionsObject(admitted);
    await validateAndRun(admission, admitted, () => this.#connect(exchange, target, admittedRequest));
  }

  #connect(exchange: Exchange, target: Target, request: ConnectRequest): Promise<void> {
    const { resource, subresource } = target;
    switch (`${resource.definition.plural}/${subresource}`) {
      case 'pods/log':
        return this.#sendLog(exchange, target);
      case 'pods/exec':
        return this.#stream(exchange, target, 'exec', request);
      case 'pods/attach':
        return this.#stream(exchange, target, 'attach', request);
      case 'pods/portforward':
        return this.#portForward(exchange, target, request);
      case 'pods/proxy':
        if (this.#answerSimulated(exchange, target, request.path)) return Promise.resolve();
        return this.#proxy(exchange, this.#podProxy(target), request);
      case 'services/proxy':
        return this.#proxyService(exchange, target, request);
      case 'nodes/proxy':
        if (this.#answerSimulated(exchange, target, request.path)) return Promise.resolve();
        return this.#proxy(exchange, this.#nodeProxy(target), request);
      default:
        throw new Error(`unknown subresource ${resource.definition.plural}/${subresource}`);
    }
  }

  async #sendLog(exchange: Exchange, target: Target): Promise<void> {
    const options = readLogOptions(exchange.query, target.name, this.#features);
    const pod = this.#readPod(target);
    const container = selectContainer(pod, options.container);
    // A pod that is not scheduled has no log yet.
    if (!pod.spec.nodeName) {
      writeHead(exchange, 204, []);
      exchange.response.end();
      return;
    }
    const node = this.#nodeOf(pod, target);
    if (this.#simulatedKubelet && this.#isSimulated(node)) {
      const query = new URLSearchParams(options.kubeletQuery);
      const reread = () => this.#findPod(target);
      return this.#simulatedKubelet.sendLog(exchange, { pod, container }, query, reread);
    }
    const kubelet = kubeletBackend(nodeAddressIn(node), this.#credentials);
    const backend = options.insecure
      ? { ...kubelet, tls: { ...kubelet.tls, rejectUnauthorized: false } }
      : kubelet;
    const path = `/containerLogs/${kubeletPath(pod, container)}${options.kubeletQuery}`;
    await sendLog(exchange, { backend, path, pod: target.name, clock: this.#api.clock });
  }

  async #stream(
    exchange: Exchange,
    target: Target,
    subresource: 'exec' | 'attach',
    request: ConnectRequest,
  ): Promise<void> {
    const pod = this.#readPod(target);
    const container = selectContainer(pod, request.query.get('container') ?? '');
    const node = this.#nodeOf(pod, target);
    const query = streamQuery(request.query, subresource);
    if (this.#simulatedKubelet && this.#isSimulated(node)) {
      return this.#simulatedKubelet[subresource](exchange, { pod, container }, new URLSearchParams(query));
    }
    const backend = kubeletBackend(nodeAddressIn(node), this.#credentials);
    await this.#upgrade(exchange, backend, `/${subresource}/${kubeletPath(pod, container)}${query}`);
  }

  async #portForward(exchange: Exchange, target: Target, request: ConnectRequest): Promise<void> {
    const query = portQuery(request.query);
    const pod = this.#readPod(target);
    const node = this.#nodeOf(pod, target);
    if (this.#simulatedKubelet && this.#isSimulated(node)) {
      return this.#simulatedKubelet.portForward(exchange, pod, new URLSearchParams(query));
    }
    const backend = kubeletBackend(nodeAddressIn(node), this.#credentials);
    await this.#upgrade(exchange, backend, `/portForward/${kubeletPath(pod)}${query}`);
  }

  async #upgrade(exchange: Exchange, backend: Backend, path: string): Promise<void> {
    if (!(exchange instanceof HttpExchange && exchange.upgrade)) throw badRequest('Upgrade request required');
    await forward({
      exchange,
      backend,
      request: { method: exchange.request.method ?? '', path, headers: this.#headers(exchange) },
      clock: this.#api.clock,
      unreachable: (message) => new ApiError(500, '', `error dialing backend: ${message}`),
      rejectUpgrade,
    });
  }

  /** Whether the target of a proxy request is a simulated node or on one: then the request is answered. */
  #answerSimulated(exchange: Exchange, target: Target, path: string): boolean {
    if (!this.#simulatedKubelet) return false;
    const kind = target.resource.definition.plural === 'nodes' ? 'node' : 'pod';
    const named = { ...target, name: readProxyName(target.name, kind).name };
    const pod = kind === 'pod' ? this.#readPod(named) : undefined;
    if (pod && !pod.spec.nodeName) return false;
    const node = pod ? this.#nodeOf(pod, named) : this.#node(named);
    if (!this.#isSimulated(node)) return false;
    if (pod) this.#simulatedKubelet.proxyPod(exchange, pod, path);
    else this.#simulatedKubelet.proxyNode(exchange, path);
    return true;
  }

  async #proxy(exchange: Exchange, backendLookup: Promise<Backend>, { path }: ConnectRequest): Promise<void> {
    const { method = '' } = exchange.request;
    const { prefix } = splitProxyPath(exchange);
    const backend = await backendLookup;
    const isUpgrade = exchange instanceof HttpExchange && exchange.upgrade !== undefined;
    const query =
      exchange.info.queryOffset < 0 ? '' : `?${exchange.request.url!.slice(exchange.info.queryOffset)}`;
    // Without the slash at the end, relative links of the backend's page would miss the proxy path.
    if (path === '' && !isUpgrade && (method === 'GET' || method === 'HEAD')) {
      writeHead(exchange, 301, ['Location', `${escapePath(`${prefix}/`)}${query}`]);
      exchange.response.end();
      return;
    }
    const headers = this.#headers(exchange);
    if (!isUpgrade) headers['x-forwarded-uri'] = escapePath(prefix + path);
    await forward({
      exchange,
      backend,
      request: { method, path: `${escapePath(path || '/')}${query}`, headers },
      clock: this.#api.clock,
      unreachable: (message) =>
        isUpgrade
          ? new ApiError(500, '', `error dialing backend: ${message}`)
          : serviceUnavailable(`error trying to reach service: ${message}`),
      rejectUpgrade,
      linkPrefix: escapePath(prefix),
    });
  }

  async #podProxy(target: Target): Promise<Backend> {
    const proxyName = readProxyName(target.name, 'pod');
    return podBackend(this.#readPod({ ...target, name: proxyName.name }), proxyName);
  }

  async #proxyService(exchange: Exchange, target: Target, request: ConnectRequest): Promise<void> {
    const { backend, pod } = await this.#serviceProxy(target);
    if (this.#simulatedKubelet && pod.spec.nodeName && this.#isSimulated(this.#nodeOf(pod, target))) {
      this.#simulatedKubelet.proxyPod(exchange, pod, request.path);
      return;
    }
    await this.#proxy(exchange, Promise.resolve(backend), request);
  }

  /** An endpoint of a service, and its pod. */
  #serviceProxy(target: Target): ReturnType<typeof serviceBackend> {
    const proxyName = readProxyName(target.name, 'service');
    const service = selectedFields<Service>(
      target.resource,
      existing(this.#api, { ...target, name: proxyName.name }),
      serviceFields,
    );
    const { registry } = this.#api;
    const endpointsTarget = {
      ...target,
      resource: registry.kind('', 'v1', 'endpoints'),
      name: proxyName.name,
    };
    const endpoints = decodeLazily(
      endpointsTarget.resource,
      existing(this.#api, endpointsTarget),
    ) as Endpoints;
    const pods = registry.kind('', 'v1', 'pods');
    return serviceBackend(service, endpoints, proxyName, target.name, (namespace, name) =>
      this.#findPod({ resource: pods, namespace, name }),
    );
  }

  async #nodeProxy(target: Target): Promise<Backend> {
    const { scheme, name, port } = readProxyName(target.name, 'node');
    const kubelet = kubeletBackend(nodeAddressIn(this.#node({ ...target, name })), this.#credentials);
    await assertHostAllowed(kubelet.host);
    const backend = port === '' || port === kubelet.port ? kubelet : backendAt(scheme, kubelet.host, port);
    return { ...backend, lookup: lookUpAllowed };
  }

  /** Throws 400 if the pod is not scheduled. As upstream, the 404 for a missing node names a pod. */
  #nodeOf(pod: Pod, target: Target): StoredNode {
    const { nodeName } = pod.spec;
    if (!nodeName) throw badRequest(`pod ${target.name} does not have a host assigned`);
    const resource = this.#api.registry.kind('', 'v1', 'nodes');
    const stored = this.#api.store.get(resource.key('', nodeName));
    if (!stored) throw notFound(target.resource.subject, nodeName);
    return { resource, stored };
  }

  #headers(exchange: Exchange) {
    return forwardedHeaders(exchange, this.#api.dialect.headers.bearerProtocolPrefix, this.#identityHeaders);
  }

  #node(target: Target): StoredNode {
    return { resource: target.resource, stored: existing(this.#api, target) };
  }

  #isSimulated({ resource, stored }: StoredNode): boolean {
    return this.#simulatedKubelet?.serves(decodeLazily(resource, stored) as Node) ?? false;
  }

  #readPod(target: Target): Pod {
    return this.#decodePod(target.resource, existing(this.#api, target));
  }

  #findPod({ resource, namespace, name }: Pick<Target, 'resource' | 'namespace' | 'name'>): Pod | undefined {
    const stored = this.#api.store.get(resource.key(namespace, name));
    return stored && this.#decodePod(resource, stored);
  }

  /** The simulated kubelet reads more than connections need. */
  #decodePod(resource: ServedResource, stored: StoredObject): Pod {
    return this.#simulatedKubelet
      ? (decodeLazily(resource, stored) as Pod)
      : selectedFields<Pod>(resource, stored, podFields);
  }
}

/** `<namespace>/<pod>` or `<namespace>/<pod>/<container>`, with which the kubelet's paths end. */
const kubeletPath = ({ metadata }: Pod, ...container: string[]) =>
  [metadata.namespace, metadata.name, ...container]
    .map((segment) => encodeURIComponent(segment ?? ''))
    .join('/');

/** The path of the proxy subresource (`prefix`), and the path after it, which the backend gets. */
function splitProxyPath({ info }: Exchange): { prefix: string; path: string } {
  // The slash after /api/v1/namespaces/{namespace}/pods/{name}/proxy is the 8th, after /api/v1/nodes/{name}/proxy the 6th.
  const slashes = info.isInNamespace ? 8 : 6;
  let offset = -1;
  for (let slash = 0; slash < slashes; slash++) {
    offset = info.path.indexOf('/', offset + 1);
    if (offset < 0) return { prefix: info.path, path: '' };
  }
  return { prefix: info.path.slice(0, offset), path: posix.join('/', info.path.slice(offset)) };
}

const rejectUpgrade = (message: string) => new ApiError(500, '', message);

interface StoredNode {
  readonly resource: ServedResource;
  readonly stored: StoredObject;
}

/** What connections need of a pod and of a service. Other fields may be very long. */
const podFields = {
  metadata: ['name', 'namespace'],
  spec: ['containers', 'ephemeralContainers', 'initContainers', 'nodeName'],
  status: ['podIPs'],
};
const serviceFields = { metadata: ['name', 'namespace'], spec: ['ports'] };

function selectedFields<T extends ApiObject>(
  resource: ServedResource,
  stored: StoredObject,
  fields: Readonly<Record<string, readonly string[]>>,
): T {
  if (!isCurrentEncoding(resource.stored, stored.schemaFingerprint))
    return decodeLazily(resource, stored) as T;
  const { metadata = {}, spec = {}, status = {} } = parseSelected(stored.json.toString(), fields);
  return { metadata, spec, status } as unknown as T;
}

/** Parses no other fields: a Node may have a capacity of very many resources. */
function nodeAddressIn({ resource, stored }: StoredNode): NodeAddress {
  if (!isCurrentEncoding(resource.stored, stored.schemaFingerprint))
    return decodeLazily(resource, stored) as Node;
  const text = stored.json.toString();
  const status = {
    addresses: parseField(text, 'status', 'addresses'),
    daemonEndpoints: parseField(text, 'status', 'daemonEndpoints'),
  };
  return { status: status as NodeAddress['status'] };
}
