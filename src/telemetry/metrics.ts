// The metrics registry: creates families, and renders the Prometheus text format.
import { apiRelease, minorReleasesBetween } from '../base/release.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { orch } from '../dialect/index.ts';
import { type Family, type FamilyOptions, HistogramFamily, NumberFamily } from './families.ts';
import type { Metric, StabilityLevel } from './metric.ts';
import { type MetricName, metricTable } from './metric-table.ts';

export type { Histogram, HistogramFamily, NumberFamily, NumberSeries } from './families.ts';

/** Allow-lists of label values, by metric and label. */
export type AllowedLabels = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

export interface MetricsOptions {
  /** The running release: a deprecated metric is hidden some releases after its deprecation. */
  readonly release: string;
  /** The dialect (the API names that are served) has a metric prefix, and rules for deprecated metrics. */
  readonly dialect: Pick<Dialect, 'metricPrefix' | 'rules'>;
  /** Renders hidden (long deprecated) metrics too. */
  readonly showHidden: boolean;
  /** Names of disabled metrics. */
  readonly disabled: readonly string[];
  readonly allowedLabels: AllowedLabels;
  warn(text: string): void;
}

const defaultMetricsOptions: MetricsOptions = {
  release: apiRelease,
  dialect: orch,
  showHidden: false,
  disabled: [],
  allowedLabels: new Map(),
  warn() {},
};

export interface MetricsSummary {
  /** The registered metrics, by level and deprecating release. */
  readonly registered: readonly { readonly level: StabilityLevel; readonly deprecatedSince: string }[];
  readonly hidden: number;
  readonly disabled: number;
  /** Label values outside their allow-lists. */
  readonly unexpected: number;
}

/** Limit of the memory of all children: about 100,000. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The metrics of one server, as declared in the metric table. Recording is cheap: hot paths keep a child (one set of
 * label values) and add to its number. Hidden and disabled metrics can be recorded too, and are not rendered.
 */
export class Metrics<Name extends string = MetricName> {
  readonly #table: Readonly<Record<Name, Metric>>;
  readonly #settings: MetricsOptions;
  readonly #families: Family[] = [];
  readonly #collectors: (() => void)[] = [];
  readonly #registered: MetricsSummary['registered'][number][] = [];
  #hidden = 0;
  #unexpected = 0;
  #bytes = 0;

  constructor(table: Readonly<Record<Name, Metric>>, settings: Partial<MetricsOptions> = {}) {
    this.#table = table;
    this.#settings = { ...defaultMetricsOptions, ...settings };
  }

  counter(name: Name): NumberFamily {
    return this.#numberFamily(name, 'counter');
  }

  gauge(name: Name): NumberFamily {
    return this.#numberFamily(name, 'gauge');
  }

  histogram(name: Name): HistogramFamily {
    const metric = this.#metric(name, 'histogram');
    return this.#register(new HistogramFamily(metric, this.#familyOptions(name, metric)), metric);
  }

  /** Registers a collector that runs before rendering. */
  onRender(collect: () => void): void {
    this.#collectors.push(collect);
  }

  get summary(): MetricsSummary {
    return {
      registered: this.#registered,
      hidden: this.#hidden,
      disabled: this.#settings.disabled.length,
      unexpected: this.#unexpected,
    };
  }

  /** The Prometheus text format. */
  render(): string {
    for (const collect of this.#collectors) collect();
    return [...this.#families]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((family) => family.render())
      .join('');
  }

  #numberFamily(name: Name, type: Metric['type']): NumberFamily {
    const metric = this.#metric(name, type);
    return this.#register(new NumberFamily(metric, this.#familyOptions(name, metric)), metric);
  }

  /** Throws if the table declares the metric with another type. */
  #metric(name: Name, type: Metric['type']): Metric {
    const metric = this.#table[name];
    if (metric.type !== type) throw new Error(`${name} is a ${metric.type}, not a ${type}`);
    return metric;
  }

  #familyOptions(key: Name, { level, help, branded, deprecated, labels = [] }: Metric): FamilyOptions {
    const { dialect, allowedLabels, warn } = this.#settings;
    const name = branded ? `${dialect.metricPrefix}_${key}` : key;
    const allowed = allowedLabels.get(name);
    const notice = deprecated === undefined ? '' : dialect.rules.deprecatedMetrics.notice(deprecated.since);
    const shownLevel = this.#levelOf(level);
    const helpParts = [shownLevel === 'NONE' ? '' : `[${shownLevel}]`, notice, help];
    return {
      name,
      help: helpParts.filter((part) => part !== '').join(' '),
      allowed: allowed && labels.map((label) => allowed.get(label)),
      onUnexpected: () => {
        this.#unexpected++;
      },
      reserve: (bytes) => {
        if (this.#bytes + bytes > maxBytes) return false;
        this.#bytes += bytes;
        return true;
      },
      onFirstUse: () => {
        if (notice !== '') warn(`metric ${name}: ${notice} ${help}`);
      },
    };
  }

  /** Where the dialect requires a level of every metric, those without one are ALPHA. */
  #levelOf(level: StabilityLevel): StabilityLevel {
    return level === 'NONE' && this.#settings.dialect.rules.everyMetricHasStabilityLevel ? 'ALPHA' : level;
  }

  /** Renders the family from now on, unless it is disabled or hidden. */
  #register<T extends Family>(family: T, { level, deprecated }: Metric): T {
    const { dialect, disabled, showHidden, release } = this.#settings;
    if (disabled.includes(family.name)) return family;
    const isHidden =
      deprecated !== undefined &&
      minorReleasesBetween(deprecated.since, release) >= dialect.rules.deprecatedMetrics.hiddenAfter;
    if (isHidden && !showHidden) {
      this.#hidden++;
      return family;
    }
    this.#registered.push({ level: this.#levelOf(level), deprecatedSince: deprecated?.since ?? '' });
    this.#families.push(family);
    return family;
  }
}

export const createServerMetrics = (settings?: Partial<MetricsOptions>): Metrics =>
  new Metrics(metricTable, settings);
