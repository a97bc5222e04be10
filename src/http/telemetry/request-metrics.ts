// Request metrics: apiserver_request_total, durations, response sizes and requests in flight.
import { flatCopy } from '../../base/flat-copy.ts';
import type { Registry } from '../../kind/registry.ts';
import { type RequestClass, type RequestInfo, requestClassOf } from '../../request/request-info.ts';
import type { Histogram, Metrics, NumberSeries } from '../../telemetry/metrics.ts';
import type { HttpExchange } from '../../transport/exchange.ts';
import type { RequestObserver } from '../filters/chain.ts';

/** The non-resource paths that have series. */
const countedPaths = new Set(['/healthz', '/livez', '/readyz']);

/** The `verb` label of an API verb. */
const verbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
};

/** The series of requests with the same labels. */
interface RequestSeries {
  readonly duration: Histogram;
  /** The duration without the latency of webhooks and queues. */
  readonly sliDuration: Histogram;
  readonly size: Histogram;
  readonly longRunning: NumberSeries;
  readonly codes: Map<number, NumberSeries>;
  readonly labels: readonly string[];
}

/** Limit of the cached series: custom resources come and go. */
const maxCachedSeries = 20_000;

/** Only served paths have series: labels that clients invent could exhaust memory. */
export class RequestMetrics implements RequestObserver {
  readonly #registry: Pick<Registry, 'find'>;
  readonly #series = new Map<string, RequestSeries>();
  readonly #families;
  readonly #inFlight: Readonly<Record<RequestClass, NumberSeries>>;

  constructor(metrics: Metrics, registry: Pick<Registry, 'find'>) {
    this.#registry = registry;
    this.#families = {
      total: metrics.counter('apiserver_request_total'),
      duration: metrics.histogram('apiserver_request_duration_seconds'),
      sliDuration: metrics.histogram('apiserver_request_sli_duration_seconds'),
      size: metrics.histogram('apiserver_response_sizes'),
      longRunning: metrics.gauge('apiserver_longrunning_requests'),
    };
    const inFlight = metrics.gauge('apiserver_current_inflight_requests');
    this.#inFlight = { readOnly: inFlight.child('readOnly'), mutating: inFlight.child('mutating') };
  }

  started(exchange: HttpExchange, longRunning: boolean): void {
    if (!longRunning) {
      this.#inFlight[requestClassOf(exchange.info)].value++;
      return;
    }
    const series = this.#seriesOf(exchange);
    if (series) series.longRunning.value++;
  }

  finished(exchange: HttpExchange, longRunning: boolean): void {
    if (!longRunning) this.#inFlight[requestClassOf(exchange.info)].value--;
    const series = this.#seriesOf(exchange);
    if (!series) return;
    // A watch whose response has started is counted without a status code.
    const code = exchange.stream ? 0 : exchange.response.statusCode;
    let count = series.codes.get(code);
    if (count === undefined) {
      count = this.#families.total.child(String(code), ...series.labels);
      series.codes.set(code, count);
    }
    count.value++;
    if (longRunning) {
      series.longRunning.value--;
      return;
    }
    const seconds = exchange.elapsedMs / 1000;
    series.duration.observe(seconds);
    series.sliDuration.observe(Math.max(0, seconds - exchange.externalLatencyMs / 1000));
    series.size.observe(exchange.bytesSent);
  }

  /** Undefined if requests of this kind are not counted. */
  #seriesOf(exchange: HttpExchange): RequestSeries | undefined {
    const { info } = exchange;
    const dryRun = dryRunOf(exchange);
    const scope = scopeOf(info);
    const key = info.isResource
      ? `${info.verb} ${info.group}/${info.version}/${info.resource}/${info.subresource} ${scope} ${dryRun}`
      : `${info.verb} ${info.path}`;
    const existing = this.#series.get(key);
    if (existing) return existing;
    if (!this.#isCounted(info)) return undefined;
    const series = this.#makeSeries(info, scope, dryRun);
    if (this.#series.size === maxCachedSeries) this.#series.clear();
    this.#series.set(key, series);
    return series;
  }

  #isCounted(info: RequestInfo): boolean {
    if (!info.isResource) return countedPaths.has(info.path) && (info.verb === 'get' || info.verb === 'post');
    if (verbs[info.verb] === undefined) return false;
    const resource = this.#registry.find(info.group, info.version, info.resource);
    return (
      resource !== undefined &&
      (info.subresource === '' || resource.subresource(info.subresource) !== undefined)
    );
  }

  #makeSeries(info: RequestInfo, scope: string, dryRun: string): RequestSeries {
    const component = info.isResource ? 'apiserver' : '';
    const subresource = flatCopy(info.isResource ? info.subresource : info.path);
    const verb = verbs[info.verb] ?? info.verb.toUpperCase();
    // Copies: they are parts of the URL.
    const [group, resource, version] = [info.group, info.resource, info.version].map(flatCopy) as [
      string,
      string,
      string,
    ];
    const labelsWithoutDryRun = [component, group, resource, scope, subresource, verb, version];
    const labels = [component, dryRun, group, resource, scope, subresource, verb, version];
    return {
      duration: this.#families.duration.child(...labels),
      sliDuration: this.#families.sliDuration.child(...labelsWithoutDryRun),
      size: this.#families.size.child(...labelsWithoutDryRun),
      longRunning: this.#families.longRunning.child(...labelsWithoutDryRun),
      codes: new Map(),
      labels,
    };
  }
}

/** The `scope` label; '' for paths that are no resources. */
function scopeOf(info: RequestInfo): string {
  if (!info.isResource) return '';
  if (info.name !== '' || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}

/** The `dry_run` label of a write: '', `All` or `invalid`. */
function dryRunOf(exchange: HttpExchange): string {
  const { info, request } = exchange;
  if (info.verb === 'get' || info.verb === 'list' || info.verb === 'watch') return '';
  if (info.queryOffset < 0 || !request.url!.includes('dryRun', info.queryOffset)) return '';
  const values = exchange.query.getAll('dryRun').filter((value) => value !== '');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}
