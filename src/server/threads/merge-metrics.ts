// Merges pages in the Prometheus text format, one of each serving thread, to one page.

/**
 * Gauges that count what happens now, on each thread. Other gauges describe the process, the configuration or the store, which
 * all threads share: those of the main thread stay.
 */
const summedGauges =
  /(current_inflight_requests|current_inqueue_requests|longrunning_requests|registered_watchers|current_executing_requests|current_executing_seats|requests_watchers|workqueue_depth)$/;

/** Counters of the process. */
const processMetrics = /^(process_|nodejs_|go_)/;

interface MetricFamily {
  /** The lines `# HELP` and `# TYPE`. */
  readonly comments: string[];
  readonly samples: Map<string, number>;
  isSummed: boolean;
}

/** The first page is that of the main thread. */
export function mergeMetrics(pages: readonly string[]): string {
  if (pages.length === 1) return pages[0]!;
  const families = new Map<string, MetricFamily>();
  for (const page of pages) addPage(families, page);
  return [...families]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { comments, samples }]) =>
      [...comments, ...[...samples].map(([series, value]) => `${series} ${formatValue(value)}`), ''].join(
        '\n',
      ),
    )
    .join('');
}

function addPage(families: Map<string, MetricFamily>, page: string): void {
  let family: MetricFamily | undefined;
  let isNew = false;
  for (const line of page.split('\n')) {
    if (line === '') continue;
    const [, keyword, name = '', type] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      isNew = !families.has(name);
      family = families.get(name) ?? { comments: [], samples: new Map(), isSummed: false };
      families.set(name, family);
    }
    if (!family) continue;
    if (keyword === undefined) addSample(family, isNew, line);
    else if (isNew) family.comments.push(line);
    if (keyword === 'TYPE' && isNew) family.isSummed = isSummed(name, type ?? '');
  }
}

const isSummed = (name: string, type: string) =>
  type === 'gauge' ? summedGauges.test(name) : !processMetrics.test(name);

/** A series that only one thread has is kept in any case. */
function addSample({ samples, isSummed: isAdded }: MetricFamily, isNew: boolean, line: string): void {
  const end = line.lastIndexOf(' ');
  const series = line.slice(0, end);
  const previous = samples.get(series);
  if (previous === undefined) samples.set(series, Number(line.slice(end + 1)));
  else if (isAdded && !isNew) samples.set(series, previous + Number(line.slice(end + 1)));
}

const formatValue = (value: number) => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value));
