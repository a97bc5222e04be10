import { badRequest, expired } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { Api, Target } from '../../resource/api.ts';
import { readListOptions } from '../../resource/options/list-options.ts';
import type { ServedResource } from '../../resource/registry.ts';
import { planWatch, type WatchPlan } from '../../resource/watch.ts';
import { Compacted } from '../../store/store.ts';
import type { WatchEnd, WatchFormat, WatchRequest, WatchSink } from '../../store/watch/hub.ts';
import { jsonType } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { negotiate } from '../negotiate.ts';
import { openWatchStream, type WatchStream } from '../watch-stream.ts';
import { lacksOrigin } from '../web-socket.ts';
import { answerForms } from './forms.ts';
import type { ResourceContext } from './handle.ts';
import type { Route } from './route.ts';
import { jsonFormat } from './watch-format.ts';

/** Serves a watch until its time is up, its reader is gone or the server stops. */
export async function serveWatch(
  context: ResourceContext,
  exchange: Exchange,
  { target }: Route,
): Promise<void> {
  const { api } = context;
  negotiate(exchange, answerForms);
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
  });
  const plan = await planWatch(api, target, options);
  const timeoutMs =
    options.timeoutSeconds && options.timeoutSeconds > 0
      ? options.timeoutSeconds * 1000
      : context.minRequestTimeout * (1 + Math.random());
  const request = await toRequest(api, plan, timeoutMs, context.formatOf(target.resource));
  const stream = await openWatchStream(exchange, jsonType);
  await run(api, exchange, request, stream);
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

function run(api: Api, exchange: Exchange, request: WatchRequest, stream: WatchStream): Promise<void> {
  return new Promise((resolve) => {
    const sink: WatchSink = {
      write: (frame) => stream.write(frame),
      buffered: () => stream.buffered(),
      close(reason, error) {
        const told = tellable(request, error);
        if (told) stream.write(errorEvent(told));
        stream.close(told || !isBreak(reason) ? 'complete' : 'broken');
        resolve();
      },
    };
    try {
      const watch = api.hub.watch(request, sink);
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
      stream.write(errorEvent(tooOld(request, error)));
      stream.close('complete');
      resolve();
    }
  });
}

/** Ends that the client must not take for the end of the watch's time. */
const isBreak = (reason: WatchEnd) => reason === 'slow' || reason === 'failed';

/** What ended the watch, as far as a client can make something of it. */
function tellable(request: WatchRequest, error: unknown): ApiError | undefined {
  if (error instanceof Compacted) return tooOld(request, error);
  return error instanceof ApiError ? error : undefined;
}

function tooOld({ start }: WatchRequest, { compacted }: Compacted): ApiError {
  const after = typeof start === 'object' && 'after' in start ? start.after : 0;
  return expired(`too old resource version: ${after} (${compacted + 1})`);
}

function errorEvent(error: ApiError): Buffer {
  return Buffer.from(`${JSON.stringify({ type: 'ERROR', object: error.toStatus() })}\n`);
}

/** One format per kind, so that its watchers share their events. */
export function watchFormats(
  api: Pick<Api, 'dialect' | 'registry'>,
): (resource: ServedResource) => WatchFormat {
  const formats = new Map(
    api.registry.resources.map((resource) => [resource, jsonFormat(resource, api.dialect)] as const),
  );
  return (resource) => formats.get(resource) ?? jsonFormat(resource, api.dialect);
}
