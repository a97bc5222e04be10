// The server: requests, latencies, flow control, watchers, store, queues, webhooks, replicas.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { sum, sumBy } from '../api/metrics.ts';
import { ageOf, formatAge } from '../state/age.ts';
import { useApp } from '../state/app.ts';
import { type Plot, plots, ServerSeries } from '../state/server-series.ts';
import { Empty, Notice } from '../ui/elements.tsx';
import type { LinePlot } from '../ui/line-plot.ts';

export function ServerView() {
  const app = useApp();
  const series = useMemo(() => new ServerSeries(app.session), [app]);
  useEffect(() => () => series.close(), [series]);
  void series.version.value;
  if (series.error.value) {
    return (
      <section class="page" aria-label="Server">
        <h1>Server</h1>
        <Notice tone="bad">{series.error.value.message}</Notice>
      </section>
    );
  }
  if (series.latest.size === 0) return <Empty title="Reading the metrics…" />;
  const startedAt = sum(series.latest, 'process_start_time_seconds') * 1000;
  return (
    <section class="page" aria-label="Server">
      <header class="page-head">
        <h1>Server</h1>
        <span class="muted">
          Orch {app.session.info.version}, up {formatAge(app.now.value - startedAt)},{' '}
          {sum(series.latest, 'apiserver_storage_objects')} objects
        </span>
      </header>
      <div class="plots">
        {plots.map((plot) => (
          <PlotView key={plot.id} plot={plot} series={series} />
        ))}
      </div>
      <div class="columns">
        <PriorityLevels series={series} />
        <Queues series={series} />
        <Replicas series={series} />
      </div>
    </section>
  );
}

function PlotView({ plot, series }: { plot: Plot; series: ServerSeries }) {
  const host = useRef<HTMLDivElement>(null);
  const line = useRef<LinePlot | undefined>(undefined);
  const lines = series.values.get(plot.id)!;
  useEffect(() => {
    let isClosed = false;
    void import('../ui/line-plot.ts').then(({ openPlot }) => {
      if (isClosed || !host.current) return;
      line.current = openPlot(host.current, plot.lines);
      line.current.setData(series.times, lines);
    });
    return () => {
      isClosed = true;
      line.current?.destroy();
      line.current = undefined;
    };
  }, [plot, series, lines]);
  useEffect(() => line.current?.setData(series.times, lines), [series.version.value]);
  return (
    <figure class="plot">
      <figcaption>
        <strong>{plot.title}</strong> <span class="muted">{plot.unit}</span>
        <ul>
          {plot.lines.map((name, index) => (
            <li key={name} class={`plot-line-${index}`}>
              {name} <span class="plot-value">{formatValue(lines[index]?.at(-1))}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot-canvas" ref={host} aria-hidden="true" />
    </figure>
  );
}

function formatValue(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10);
}

function PriorityLevels({ series }: { series: ServerSeries }) {
  const levels = series.levels();
  return (
    <div>
      <h2>Priority levels</h2>
      {levels.length === 0 ? (
        <p class="muted">Priority and fairness is off.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Level</th>
              <th scope="col">Seats</th>
              <th scope="col">Queued</th>
              <th scope="col">Rejected</th>
            </tr>
          </thead>
          <tbody>
            {levels.map(({ name, limit, executing, queued, rejected }) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">
                  {executing} of {limit}
                </td>
                <td class="number">{queued}</td>
                <td class="number">{rejected}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function Queues({ series }: { series: ServerSeries }) {
  const queues = series.queues().slice(0, 12);
  return (
    <div>
      <h2>Controllers</h2>
      {queues.length === 0 ? (
        <p class="muted">No controller has had work yet.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Queue</th>
              <th scope="col">Waiting</th>
              <th scope="col">Added</th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ name, depth, adds }) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">{depth}</td>
                <td class="number">{adds}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

interface Lease {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: { readonly holderIdentity?: string; readonly renewTime?: string };
}

/** Leader elections and identities of API servers, which are Leases outside of the nodes' namespace. */
function Replicas({ series }: { series: ServerSeries }) {
  const app = useApp();
  const leases = useSignal<readonly Lease[]>([]);
  const kind = app.kinds.value.find(({ kind: name }) => name === 'Lease');
  useEffect(() => {
    if (!kind) return;
    app.session.json<{ items: Lease[] | null }>(`/apis/${kind.group}/${kind.version}/leases`).then(
      ({ items }) => {
        leases.value = (items ?? []).filter(({ metadata }) => !metadata.namespace.endsWith('node-lease'));
      },
      () => {},
    );
  }, [app, kind, series.times.length % 5]);
  const leading = [...sumBy(series.latest, 'leader_election_master_status', 'name')];
  return (
    <div>
      <h2>Replicas and leaders</h2>
      {leading.map(([name, value]) => (
        <p key={name}>
          {name}: {value === 1 ? 'this server leads' : 'another server leads'}
        </p>
      ))}
      {leases.value.length === 0 ? (
        <p class="muted">One server, without leader election.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Lease</th>
              <th scope="col">Holder</th>
              <th scope="col">Renewed</th>
            </tr>
          </thead>
          <tbody>
            {leases.value.map(({ metadata, spec }) => (
              <tr key={`${metadata.namespace}/${metadata.name}`}>
                <td>{metadata.name}</td>
                <td>{spec?.holderIdentity ?? ''}</td>
                <td class="number">{spec?.renewTime ? `${ageOf(spec.renewTime, app.now.value)} ago` : ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
