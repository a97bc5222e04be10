// watch: streams the events of a collection or object.
import { badRequest, expired, notAcceptable } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { Api } from '../../registry/api.ts';
import { readListOptions } from '../../registry/options/list-options.ts';
import { booleanParameter } from '../../registry/options/query.ts';
import type { Target } from '../../registry/target.ts';
import { planWatch, type WatchPlan } from '../../registry/verbs/watch.ts';
import { negotiate, negotiateCollection, type Representation } from '../../serializers/negotiate.ts';
import type { Serializer } from '../../serializers/serializer.ts';
import { Compacted } from '../../store/store.ts';
import type { WatchEnd, WatchFormat, WatchRequest, WatchSink } from '../../store/watch/hub.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { openWatchStream } from '../../transport/watch-response.ts';
import type { WatchStream } from '../../transport/watch-stream.ts';
import { lacksOrigin } from '../../transport/web-socket.ts';
import { shapeOf } from '../responses/transform.ts';
import { ConvertedEvents, unconvertedFormat } from '../responses/watch/converted-events.ts';
import {
  LargeEvents,
  mayTakeLong,
  unwrittenFormat,
  type WrittenEvents,
} from '../responses/watch/large-events.ts';
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
    watchList && announcesState(exchange.query)
      ? negotiate(exchange, exchange.serializers.collectionsButTables)
      : negotiateCollection(exchange, target.resource.definition);
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
  const { watchType, ...events } = eventsOf(api, exchange, target, representation);
  const timeoutMs =
    options.timeoutSeconds && options.timeoutSeconds > 0
      ? options.timeoutSeconds * 1000
      : context.minRequestTimeout * (1 + Math.random());
  const onStarted = () => exchange.seat?.release();
  const { asRead, around } = lateEvents(context, exchange, plan, events);
  const request: WatchRequest = { ...(await toRequest(api, plan, timeoutMs, asRead)), onStarted };
  const stream = await openWatchStream(exchange, watchType);
  await run(api, exchange, request, stream, events.form, around);
}

/** The format in which the hub queues events, and the sink that prepares them where that takes a webhook or a worker. */
function lateEvents(
  { convertedStates }: HandlerContext,
  { serializers, signal }: Exchange,
  { isLate, selectLate: select }: WatchPlan,
  events: WrittenEvents,
): { readonly asRead: WatchFormat; readonly around: (sink: WatchSink) => WatchSink } {
  const { resource, format } = events;
  if (isLate) {
    const terms = { resource, states: convertedStates, format, select };
    return {
      asRead: unconvertedFormat(resource, format, select !== undefined),
      around: (sink) => new ConvertedEvents(terms, sink, signal),
    };
  }
  if (!mayTakeLong(events)) return { asRead: format, around: (sink) => sink };
  return {
    asRead: unwrittenFormat(events),
    around: (sink) => new LargeEvents(serializers, events, sink, signal),
  };
}

/** Throws 406 if the negotiated media type has no watches. */
function eventsOf(api: Api, exchange: Exchange, { resource }: Target, { type, target }: Representation) {
  const shape = shapeOf(resource, target, exchange, exchange.startedAt);
  const form = exchange.serializers.of(type);
  const { watchType } = form;
  if (watchType === undefined) throw notAcceptable(exchange.serializers.watchTypes);
  const format = watchFormat(resource, form, shape, api.dialect, () => api.clock.now());
  return { resource, form, shape, watchType, format };
}

/** Whether a bookmark ends the initial events, which a Table cannot express. */
function announcesState(query: URLSearchParams): boolean {
  const fromStart = ['', '0'].includes(query.get('resourceVersion') ?? '');
  const withState = booleanParameter(query, 'sendInitialEvents') ?? fromStart;
  return withState && booleanParameter(query, 'allowWatchBookmarks') === true;
}

/** The deprecated path `watch/…/{name}` watches one object, as a field selector does. */
function watchQuery(exchange: Exchange, target: Target): URLSearchParams {
  if (target.name === '') return exchange.query;
  const query = new URLSearchParams(exchange.query);
  const given = query.get('fieldSelector') ?? '';
  const named = /(?:^|,)metadata\.name==?([^,]*)/.exec(given)?.[1];
  if (named !== undefined && named !== target.name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  query.set('fieldSelector', `${given ? `${given},` : ''}metadata.name=${target.name}`);
  return query;
}

async function toRequest(
  api: Api,
  plan: WatchPlan,
  timeoutMs: number,
  format: WatchFormat,
): Promise<WatchRequest> {
  const { prefix, under, key, select, bookmarks } = plan;
  const common = { prefix, under, ...(key !== undefined && { key }), ...(select && { select }) };
  const start: WatchRequest['start'] =
    plan.start === 'state'
      ? { page: await api.lists.list(common), announceEnd: plan.announceInitialEnd }
      : plan.start;
  return { ...common, start, bookmarks, timeoutMs, format };
}

function run(
  api: Api,
  exchange: Exchange,
  request: WatchRequest,
  stream: WatchStream,
  form: Serializer,
  around: (sink: WatchSink) => WatchSink,
): Promise<void> {
  return new Promise((resolve) => {
    let stopWatching = () => {};
    const sink: WatchSink = {
      write: (frame) => stream.write(frame),
      buffered: () => stream.buffered(),
      close(reason, error) {
        const told = tellable(request, error);
        if (told) stream.write(errorEvent(form, told));
        stream.close(told || !isBreak(reason) || error instanceof ApiError ? 'complete' : 'broken');
        stopWatching();
        resolve();
      },
    };
    try {
      const watch = api.hub.watch(request, around(sink));
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
      stream.write(errorEvent(form, tooOld(request, error)));
      stream.close('complete');
      resolve();
    }
  });
}

/** Ends that the client must not mistake for a timeout of the watch. */
const isBreak = (reason: WatchEnd) => reason === 'slow' || reason === 'failed';

/** The error that ended the watch, if the client can act on it. */
function tellable(request: WatchRequest, error: unknown): ApiError | undefined {
  if (error instanceof Compacted) return tooOld(request, error);
  // An object that cannot be transformed as negotiated ends the watch without an error event.
  return error instanceof ApiError && error.code !== 406 ? error : undefined;
}

function tooOld({ start }: WatchRequest, { compacted }: Compacted): ApiError {
  const after = typeof start === 'object' && 'after' in start ? start.after : 0;
  return expired(`too old resource version: ${after} (${compacted + 1})`);
}
