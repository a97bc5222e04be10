// Routes a resource request: finds the served resource, checks path and method as kube-apiserver's routes do, and calls
// the handler of the verb.
import {
  badRequest,
  methodNotAllowed,
  notFound,
  resourceNotServed,
  serviceUnavailable,
  storageFull,
  tooLargeToStore,
} from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { Verb } from '../../kind/definition.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import type { Target } from '../../registry/target.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { InvalidKey, ObjectTooLarge, StorageFull, StorageUnavailable } from '../../store/store.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { sendPageNotFound } from '../../transport/response.ts';
import type { HandlerContext, Route } from './context.ts';
import { handleDelete, handleDeleteCollection } from './delete.ts';
import { handleGet } from './get.ts';
import { handleList } from './list.ts';
import { handlePatch } from './patch.ts';
import { handleAction, handleView } from './subresource.ts';
import { handleVirtual } from './virtual.ts';
import { handleWatch } from './watch.ts';
import { handleWrite } from './write.ts';

export function resourceHandler(context: HandlerContext): (exchange: Exchange) => void | Promise<void> {
  const { registry, store } = context.api;
  return (exchange) => {
    const { group, version, resource } = exchange.info;
    // Another replica may have just established a CustomResourceDefinition that this one has not applied yet.
    if (!registry.find(group, version, resource)) {
      return store.reader.refresh().then(() => routeAndDispatch(context, exchange));
    }
    return routeAndDispatch(context, exchange);
  };
}

function routeAndDispatch(context: HandlerContext, exchange: Exchange): void | Promise<void> {
  const route = findRoute(context.api.registry, exchange.info, exchange.request.method ?? '');
  if (!route) return sendPageNotFound(exchange);
  exchange.isRouted = true;
  if (route.target.resource.deprecationWarning !== '') return dispatchDeprecated(context, exchange, route);
  return dispatch(context, exchange, route);
}

async function dispatch(context: HandlerContext, exchange: Exchange, route: Route): Promise<void> {
  const { api } = context;
  const { resource, subresource } = route.target;
  if (resource.definition.virtual) return handleVirtual(context, exchange, route);
  const subresourceDefinition = resource.subresource(subresource);
  if (subresourceDefinition?.connect) return context.nodeProxy.serve(exchange, route.target);
  // handlePatch serves patches of a view, too.
  if (subresourceDefinition?.view && route.verb !== 'patch')
    return handleView(context, exchange, route, subresourceDefinition.view);
  const perform = subresource === '' ? resource.definition.perform : subresourceDefinition?.action?.perform;
  if (perform) return handleAction(context, exchange, route, resource.kindOf(subresource), perform);
  switch (route.verb) {
    case 'get':
      return handleGet(api, exchange, route);
    case 'list':
      return handleList(context, exchange, route);
    case 'watch':
      return handleWatch(context, exchange, route);
    case 'create':
    case 'update':
      return handleWrite(context, exchange, route, route.verb);
    case 'delete':
      return handleDelete(context, exchange, route);
    case 'deletecollection':
      return handleDeleteCollection(context, exchange, route);
    case 'patch':
      return handlePatch(context, exchange, route);
  }
}

/** A request for a deprecated version gets a Warning header and is recorded, unless its route does not exist. */
async function dispatchDeprecated(context: HandlerContext, exchange: Exchange, route: Route): Promise<void> {
  const { warnings } = exchange;
  const warning = route.target.resource.deprecationWarning;
  warnings.push(warning);
  let isServed = true;
  try {
    await dispatch(context, exchange, route);
  } catch (error) {
    // A router error (404 or 405 of the path itself): no handler ran.
    isServed = !(error instanceof ApiError && error.isRouterError);
    if (!isServed) warnings.splice(warnings.indexOf(warning), 1);
    throw error;
  } finally {
    if (isServed) context.deprecatedApis.record(exchange, route.target);
  }
}

/** The deprecated watch paths: `/api/v1/watch/…`. */
const watchPath = /^\/(?:api|apis\/[^/]+)\/[^/]+\/watch\//;

/**
 * Matches path and method. Undefined if the path has no handler at all (a plain-text 404); throws a Status of 404 or 405
 * otherwise, as upstream's routes do.
 */
function findRoute(registry: Registry, info: RequestInfo, method: string): Route | undefined {
  const target = findTarget(registry, info);
  if (!target) return undefined;
  const { resource } = target;
  const verb = info.verb as Verb;
  const isWatchPath = verb === 'watch' && watchPath.test(info.path);
  // A watch path is authorized as watch of the resource: it must not lead to a subresource.
  if (isWatchPath && info.subresource !== '') throw resourceNotServed();
  if (info.subresource === 'proxy' && proxiedMethods.has(method)) return { verb, target };
  const allowedVerbs = resource.verbsOf(info.subresource);
  const isListOnly = allowedVerbs.includes('list') && !allowedVerbs.includes('watch');
  // `?watch=true` on the list path of a resource without watch is a route: its handler rejects the request.
  if (verb === 'watch' && method === 'GET' && isListOnly) {
    if (isWatchPath) throw resourceNotServed();
    return { verb, target };
  }
  const isAllowedMethod = method === 'GET' || (verb !== 'watch' && method !== 'HEAD');
  if (!isAllowedMethod || !allowedVerbs.includes(verb) || !isVerbOfPath(verb, target)) {
    throw methodNotAllowed();
  }
  if (target.name !== '') assertValidName(target.name);
  return { verb, target };
}

/** The object, collection or subresource of a path. Undefined if the path has no handler; throws 404 if it is not served. */
function findTarget(registry: Registry, info: RequestInfo): Target | undefined {
  // An empty first segment, or an empty group: no route has one.
  if (info.path.startsWith('//') || info.path.startsWith('/apis//')) return undefined;
  const resource = registry.find(info.group, info.version, info.resource);
  if (!resource) {
    if (!registry.hasGroup(info.group)) return undefined;
    throw resourceNotServed();
  }
  // `info.name` may come from `fieldSelector=metadata.name=…`.
  const nameInPath = info.isNameInPath ? info.name : '';
  const namespace = resource.definition.namespaced ? info.namespace : '';
  const target: Target = { resource, namespace, name: nameInPath, subresource: info.subresource };
  const isServedPath = info.isRoutable && info.verb !== 'proxy' && isReachable(resource, info, target);
  if (resource.definition.isCustom) {
    // Upstream serves custom resources with a handler of their own, whose errors for unknown paths differ.
    if (isServedPath && crossesNamespaces(info, target)) return undefined;
    if (!isServedPath && info.subresource === '') return undefined;
    if (!isServedPath) throw notFound(resource.subject, nameInPath);
  } else if (!isServedPath) throw resourceNotServed();
  return target;
}

/** Whether the path names an object, collection or subresource that the resource has. Throws 400 for an empty namespace. */
function isReachable(resource: ServedResource, info: RequestInfo, target: Target): boolean {
  const { namespaced } = resource.definition;
  if (!namespaced && info.isInNamespace) return false;
  if (namespaced && info.namespace === '' && target.name !== '') {
    if (info.isInNamespace) throw badRequest('Namespace parameter required.');
    return false;
  }
  // Resources that only support create (reviews) have no paths of objects.
  if (target.name !== '' && target.subresource === '' && !resource.verbsOf('').some(isObjectVerb))
    return false;
  return target.subresource === '' || resource.subresource(target.subresource) !== undefined;
}

/** A verb other than list and watch on a namespaced resource, without a namespace in the path. */
function crossesNamespaces({ verb }: RequestInfo, { resource, namespace }: Target): boolean {
  return resource.definition.namespaced && namespace === '' && verb !== 'list' && verb !== 'watch';
}

/** The proxy subresource forwards these methods, some of which have no verb. */
const proxiedMethods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

const collectionVerbs: ReadonlySet<Verb> = new Set(['list', 'watch', 'create', 'deletecollection']);

const isObjectVerb = (verb: Verb) => !collectionVerbs.has(verb);

/** Whether the path (of an object, a collection, or a collection across namespaces) can have the verb. */
function isVerbOfPath(verb: Verb, target: Target): boolean {
  const isAcrossNamespaces = target.resource.definition.namespaced && target.namespace === '';
  if (isAcrossNamespaces) return verb === 'list' || verb === 'watch';
  if (target.name === '') return collectionVerbs.has(verb);
  // The deprecated watch path of one object; the POST of a subresource, such as an eviction.
  return verb === 'watch' || isObjectVerb(verb) || (verb === 'create' && target.subresource !== '');
}

/** Throws 400 for a name that cannot be a path segment. */
function assertValidName(name: string): void {
  const problem = pathSegmentProblem(name);
  if (problem) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);
}

/** path.IsValidPathSegmentName of apimachinery: undefined if the name is valid. */
function pathSegmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  if (name.includes('/')) return "may not contain '/'";
  return name.includes('%') ? "may not contain '%'" : undefined;
}

/** The API error for an error of the store; undefined for other errors. */
export function storeErrorToApiError(error: unknown): ApiError | undefined {
  if (error instanceof StorageFull) return storageFull(error.message);
  if (error instanceof StorageUnavailable) return serviceUnavailable(error.message);
  if (error instanceof InvalidKey) return badRequest(error.message);
  if (error instanceof ObjectTooLarge) return tooLargeToStore(error.message);
  return undefined;
}
