// Content negotiation: chooses media type, kind and pretty-printing by Accept, query and user agent.
import { noRepresentation, notAcceptable } from '../errors/catalogue.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import type { HttpRequest } from '../request/http-request.ts';
import type { ConversionTarget, Offer } from './offer.ts';
import type { Serializers } from './serializers.ts';

/** The negotiated form of a response. */
export interface Representation {
  readonly mediaType: string;
  /** The kind to convert to (Table, PartialObjectMetadata); undefined for the object as it is. */
  readonly target: ConversionTarget | undefined;
  readonly pretty: boolean;
}

interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

interface ResourceRequest extends HttpRequest {
  readonly serializers: Serializers;
}

/** Negotiates a response with one object of a resource; throws 406. */
export function negotiateObject(
  exchange: ResourceRequest,
  { isCustom }: Pick<ResourceDefinition, 'isCustom'>,
): Representation {
  const { objects, customObjects } = exchange.serializers;
  return negotiate(exchange, isCustom ? customObjects : objects);
}

/** Negotiates a list or watch of a resource; throws 406. */
export function negotiateCollection(
  exchange: ResourceRequest,
  { isCustom }: Pick<ResourceDefinition, 'isCustom'>,
): Representation {
  const { collections, customCollections } = exchange.serializers;
  return negotiate(exchange, isCustom ? customCollections : collections);
}

/** Negotiates the form of the response; throws 406. */
export function negotiate(exchange: HttpRequest, offer: Offer): Representation {
  const accept = exchange.request.headers.accept;
  const pretty = isPrettyRequested(exchange);
  if (accept === undefined || accept === '' || accept === '*/*' || accept === offer.mediaTypes[0]) {
    return { mediaType: offer.mediaTypes[0]!, target: undefined, pretty };
  }
  if (offer.routeTypes && !matchesRoute(accept, offer.routeTypes)) {
    throw noRepresentation(offer.routeTypes);
  }
  const representation = negotiateAccept(accept, offer);
  if (representation === undefined) throw notAcceptable(offer.mediaTypes);
  return pretty ? { ...representation, pretty } : representation;
}

/** The best offer for an `Accept` header, if one is acceptable. */
export function negotiateAccept(accept: string, offer: Offer): Representation | undefined {
  for (const clause of parseAccept(accept)) {
    for (const mediaType of offer.mediaTypes) {
      if (!matches(clause, mediaType)) continue;
      const target = conversionTargetIn(clause.parameters);
      if (!isServed(offer, mediaType, target)) continue;
      const stream = clause.parameters.get('stream');
      if (stream && (stream !== 'watch' || offer.hasWatch?.(mediaType) === false)) continue;
      return { mediaType, target, pretty: clause.parameters.get('pretty') === '1' };
    }
  }
  return undefined;
}

function isServed(offer: Offer, mediaType: string, target: ConversionTarget | undefined): boolean {
  if (target) return offer.converts?.(target, mediaType) ?? false;
  return !offer.isConvertedOnly && (offer.servesUnconverted?.(mediaType) ?? true);
}

/** By `?pretty`, or by default for curl, Wget and browsers. */
export function isPrettyRequested(exchange: HttpRequest): boolean {
  if (exchange.info.queryOffset >= 0 && exchange.request.url!.includes('pretty', exchange.info.queryOffset)) {
    const value = exchange.query.get('pretty');
    if (value) return ['1', 't', 'T', 'true', 'True', 'TRUE'].includes(value);
  }
  const agent = exchange.request.headers['user-agent'];
  return (
    agent !== undefined &&
    (agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0'))
  );
}

/** The coarse match of upstream's routes: no ranges but `*∕*`, no parameters, case-sensitive. */
function matchesRoute(accept: string, representations: readonly string[]): boolean {
  return accept.split(',').some((clauseText) => {
    const name = clauseText.split(';', 1)[0]!.trim();
    return name === '*/*' || representations.includes(name);
  });
}

/** The media ranges of the header, the preferred first; malformed ones are dropped. */
function parseAccept(accept: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const clauseText of accept.split(',')) {
    const [name = '', ...parameterTexts] = clauseText.split(';');
    const [type = '', subtype, surplus] = name.trim().split('/');
    if (surplus !== undefined || (subtype === undefined && type !== '*')) continue;
    const parameters = new Map<string, string>();
    for (const pair of parameterTexts) {
      const equals = pair.indexOf('=');
      if (equals > 0) parameters.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
    }
    const quality = Number.parseFloat(parameters.get('q') ?? '');
    clauses.push({ type, subtype: subtype ?? '*', quality: Number.isNaN(quality) ? 1 : quality, parameters });
  }
  return clauses.sort((a, b) => b.quality - a.quality || countWildcards(a) - countWildcards(b));
}

function countWildcards({ type, subtype }: AcceptClause): number {
  if (type === '*') return 2;
  return subtype === '*' ? 1 : 0;
}

function matches(clause: AcceptClause, mediaType: string): boolean {
  if (clause.type === '*') return clause.subtype === '*';
  const slash = mediaType.indexOf('/');
  if (clause.type !== mediaType.slice(0, slash)) return false;
  return clause.subtype === '*' || clause.subtype === mediaType.slice(slash + 1);
}

/** The target of `;as=Table;g=meta…;v=v1`; undefined without these parameters. */
function conversionTargetIn(parameters: ReadonlyMap<string, string>): ConversionTarget | undefined {
  const kind = parameters.get('as') ?? '';
  const group = parameters.get('g') ?? '';
  const version = parameters.get('v') ?? '';
  return kind === '' && group === '' && version === '' ? undefined : { kind, group, version };
}
