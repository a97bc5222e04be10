// watch: streams the events of a collection or object from the watch hub, in the negotiated media type, until the watch
// ends.
import { badRequest, expired, notAcceptable } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import { readListOptions } from '../../registry/options/list-options.ts';
import { booleanParameter } from '../../registry/options/query.ts';
import type { Target } from '../../registry/target.ts';
import type { ListContext } from '../../registry/verb-context.ts';
import { planWatch, type WatchPlan } from '../../registry/verbs/watch.ts';
import { negotiate, negotiateCollection, type Representation } from '../../serializers/negotiate.ts';
import type { Serializer } from '../../serializers/serializer.ts';
import { Compacted } from '../../store/store.ts';
import type { WatchEnd, WatchFormat, WatchHub, WatchRequest, WatchSink } from '../../store/watch/hub.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { openWatchStream } from '../../transport/watch-response.ts';
import type { WatchStream } from '../../transport/watch-stream.ts';
import { lacksOrigin } from '../../transport/web-socket.ts';
import { transformFor } from '../responses/transform.ts';
import { ConvertedEvents, unconvertedFormat } from '../responses/watch/converted-events.ts';
import { PacedSink } from '../responses/watch/paced-sink.ts';
import { errorEvent, watchFormat } from '../responses/watch/watch-format.ts';
import type { HandlerContext, Route } from './context.ts';

/** Runs until the watch times out, the client disconnects or the server stops. */
export async function handleWatch(
  context: HandlerContext,
  exchange: Exchange,
  { target }: Route,
): Promise<void> {
  const { api, watchList } = context;
  const representation =
    watchList && announcesInitialEnd(exchange.query)
      ? negotiate(exchange, exchange.serializers.collectionsButTables)
      : negotiateCollection(exchange, target.resource.definition);
  // As upstream, a WebSocket without an Origin header gets 403 without a body.
  if (lacksOrigin(exchange)) {
    exchange.response.statusCode = 403;
    exchange.response.end();
    return;
  }
  const query = watchQuery(exchange, target);
  const options = readListOptions(query, {
    selectableFields: target.resource.selectableFields,
    metaGroup: api.metaGroup,
    watch: true,
    watchList,
  });
  const plan = await planWatch(api, target, options, watchList);
  const { watchType, serializer, format } = createFormat(api, exchange, target, representation);
  const timeoutMs =
    options.timeoutSeconds && options.timeoutSeconds > 0
      ? options.timeoutSeconds * 1000
      : context.minRequestTimeoutMs * (1 + Math.random());
  // A watch holds its seat of flow control (API Priority and Fairness) until its initial events are sent.
  const onStarted = () => exchange.seat?.release();
  const { queuedFormat, wrapSink } = planEventEncoding(context, exchange, plan, target, format);
  const request: WatchRequest = { ...(await toWatchRequest(api, plan, timeoutMs, queuedFormat)), onStarted };
  const stream = await openWatchStream(exchange, watchType);
  await runWatch(context.hub, exchange, request, stream, serializer, wrapSink);
}

/**
 * The format in which the hub queues events for this watch, and the sink that completes them. Usually the hub queues
 * encoded events; events that need a conversion webhook are queued unencoded, because the hub is synchronous.
 */
function planEventEncoding(
  { conversionCache }: HandlerContext,
  { signal }: Exchange,
  { selectsAfterConversion, selectAfterConversion: select }: WatchPlan,
  { resource }: Target,
  format: WatchFormat,
): { readonly queuedFormat: WatchFormat; readonly wrapSink: (sink: WatchSink) => WatchSink } {
  if (selectsAfterConversion) {
    const options = { resource, conversionCache, format, select };
    return {
      queuedFormat: unconvertedFormat(resource, format, { withPrevious: select !== undefined }),
      wrapSink: (sink) => new ConvertedEvents(options, sink, signal),
    };
  }
  return { queuedFormat: format, wrapSink: (sink) => new PacedSink(sink, signal) };
}

/** Throws 406 if watches cannot use the negotiated media type. */
function createFormat(
  api: ListContext,
  exchange: Exchange,
  { resource }: Target,
  { mediaType, target }: Representation,
) {
  const { serializers } = exchange;
  const transform = transformFor(resource, target, exchange, exchange.receivedAtMs);
  const serializer = serializers.forMediaType(mediaType);
  const { watchType } = serializer;
  if (watchType === undefined) throw notAcceptable(serializers.watchTypes);
  const { dialect, clock } = api;
  const now = () => clock.now();
  const encoding = { resource, serializer, transform, dialect, now, serializers, owner: exchange };
  return { serializer, watchType, format: watchFormat(encoding) };
}

/** Whether a bookmark announces the end of the initial events, which a Table cannot express. */
function announcesInitialEnd(query: URLSearchParams): boolean {
  const startsFromState = ['', '0'].includes(query.get('resourceVersion') ?? '');
  const sendsInitialEvents = booleanParameter(query, 'sendInitialEvents') ?? startsFromState;
  return sendsInitialEvents && booleanParameter(query, 'allowWatchBookmarks') === true;
}

/** The deprecated path `watch/…/{name}` watches one object, as a field selector does. */
function watchQuery(exchange: Exchange, target: Target): URLSearchParams {
  if (target.name === '') return exchange.query;
  const query = new URLSearchParams(exchange.query);
  const fieldSelector = query.get('fieldSelector') ?? '';
  const selectedName = /(?:^|,)metadata\.name==?([^,]*)/.exec(fieldSelector)?.[1];
  if (selectedName !== undefined && selectedName !== target.name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  query.set('fieldSelector', `${fieldSelector ? `${fieldSelector},` : ''}metadata.name=${target.name}`);
  return query;
}

async function toWatchRequest(
  api: ListContext,
  plan: WatchPlan,
  timeoutMs: number,
  format: WatchFormat,
): Promise<WatchRequest> {
  const { prefix, keyPrefix, key, select, bookmarks } = plan;
  const common = { prefix, keyPrefix, ...(key !== undefined && { key }), ...(select && { select }) };
  const start: WatchRequest['start'] =
    plan.start === 'state'
      ? { page: await api.lists.list(common), announceEnd: plan.sendsInitialEventsEnd }
      : plan.start;
  return { ...common, start, bookmarks, timeoutMs, format };
}

/** Resolves when the watch has ended. An error that the client can act on is sent as an ERROR event. */
function runWatch(
  hub: WatchHub,
  exchange: Exchange,
  request: WatchRequest,
  stream: WatchStream,
  serializer: Serializer,
  wrapSink: (sink: WatchSink) => WatchSink,
): Promise<void> {
  return new Promise((resolve) => {
    let stopWatching = () => {};
    const sink: WatchSink = {
      write: (frame) => stream.write(frame),
      buffered: () => stream.buffered(),
      close(reason, error) {
        const reportedError = clientError(request, error);
        if (reportedError) stream.write(errorEvent(serializer, reportedError));
        const isBroken = isAbnormal(reason) && !reportedError && !(error instanceof ApiError);
        stream.close(isBroken ? 'broken' : 'complete');
        stopWatching();
        resolve();
      },
    };
    try {
      const watch = hub.watch(request, wrapSink(sink));
      stopWatching = () => watch.stop();
      const { signal } = exchange;
      const stop = () => {
        watch.stop();
        resolve();
      };
      if (signal.aborted) {
        stream.close('complete');
        stop();
      } else signal.addEventListener('abort', stop);
    } catch (error) {
      if (!(error instanceof Compacted)) throw error;
      stream.write(errorEvent(serializer, expiredError(request, error)));
      stream.close('complete');
      resolve();
    }
  });
}

/** The client must not mistake these ends for a timeout of the watch, so they break the connection. */
const isAbnormal = (reason: WatchEnd) => reason === 'slow' || reason === 'failed';

/** The error that ended the watch; undefined if there is none that the client can act on. */
function clientError(request: WatchRequest, error: unknown): ApiError | undefined {
  if (error instanceof Compacted) return expiredError(request, error);
  // An object that cannot be transformed as negotiated ends the watch without an error event.
  return error instanceof ApiError && error.code !== 406 ? error : undefined;
}

function expiredError({ start }: WatchRequest, { compacted }: Compacted): ApiError {
  const after = typeof start === 'object' && 'after' in start ? start.after : 0;
  return expired(`too old resource version: ${after} (${compacted + 1})`);
}
