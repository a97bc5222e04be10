import { apiRelease, releasesFrom } from '../base/release.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { orch } from '../dialect/index.ts';
import { type Family, type FamilyTraits, Histograms, Values } from './families.ts';
import type { Metric, StabilityLevel } from './metric.ts';
import { type MetricName, metricTable } from './metric-table.ts';

export type { Histogram, Histograms, Value, Values } from './families.ts';

/** By metric and label, the values that are shown as they are. */
export type AllowedLabels = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

export interface MeterSettings {
  /** Metrics grow old by it. */
  readonly release: string;
  /** Whose names and rules they follow. */
  readonly dialect: Pick<Dialect, 'metricPrefix' | 'rules'>;
  /** Also those that were deprecated so long ago that they are about to go. */
  readonly showHidden: boolean;
  /** Names of metrics that are not wanted. */
  readonly disabled: readonly string[];
  readonly allowedLabels: AllowedLabels;
  warn(text: string): void;
}

const usual: MeterSettings = {
  release: apiRelease,
  dialect: orch,
  showHidden: false,
  disabled: [],
  allowedLabels: new Map(),
  warn() {},
};

/** What there is to say of the metrics themselves. */
export interface MeterTally {
  /** Those that are shown, by level and the release that deprecated them. */
  readonly shown: readonly { readonly level: StabilityLevel; readonly deprecatedSince: string }[];
  readonly hidden: number;
  readonly disabled: number;
  /** How often a label value was not one of those allowed. */
  readonly unexpected: number;
}

/**
 * The metrics of one server, each as its row in the table says. Counting costs next to nothing: whoever counts often
 * holds on to a child (one set of label values) and adds to a number in it. They are put into words only when somebody
 * asks. What is hidden or turned off can be counted too, and is not shown.
 */
export class Metrics<Name extends string = MetricName> {
  readonly #table: Readonly<Record<Name, Metric>>;
  readonly #settings: MeterSettings;
  readonly #families: Family[] = [];
  readonly #collectors: (() => void)[] = [];
  readonly #shown: MeterTally['shown'][number][] = [];
  #hidden = 0;
  #unexpected = 0;

  constructor(table: Readonly<Record<Name, Metric>>, settings: Partial<MeterSettings> = {}) {
    this.#table = table;
    this.#settings = { ...usual, ...settings };
  }

  counter(name: Name): Values {
    return this.#values(name, 'counter');
  }

  gauge(name: Name): Values {
    return this.#values(name, 'gauge');
  }

  histogram(name: Name): Histograms {
    const metric = this.#row(name, 'histogram');
    return this.#add(new Histograms(metric, this.#traits(name, metric)), metric);
  }

  /** Runs before the numbers are read, for those that are looked up rather than counted. */
  onRender(collect: () => void): void {
    this.#collectors.push(collect);
  }

  get tally(): MeterTally {
    return {
      shown: this.#shown,
      hidden: this.#hidden,
      disabled: this.#settings.disabled.length,
      unexpected: this.#unexpected,
    };
  }

  /** All of it in Prometheus' text format. */
  render(): string {
    for (const collect of this.#collectors) collect();
    return [...this.#families]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((family) => family.render())
      .join('');
  }

  #values(name: Name, type: Metric['type']): Values {
    const metric = this.#row(name, type);
    return this.#add(new Values(metric, this.#traits(name, metric)), metric);
  }

  #row(name: Name, type: Metric['type']): Metric {
    const metric = this.#table[name];
    if (metric.type !== type) throw new Error(`${name} is a ${metric.type}, not a ${type}`);
    return metric;
  }

  #traits(key: Name, { level, help, branded, deprecated, labels = [] }: Metric): FamilyTraits {
    const { dialect, allowedLabels, warn } = this.#settings;
    const name = branded ? `${dialect.metricPrefix}_${key}` : key;
    const allowed = allowedLabels.get(name);
    const notice = deprecated === undefined ? '' : dialect.rules.deprecatedMetrics.notice(deprecated.since);
    return {
      name,
      help: [this.#levelOf(level) === 'NONE' ? '' : `[${this.#levelOf(level)}]`, notice, help]
        .filter((part) => part !== '')
        .join(' '),
      allowed: allowed && labels.map((label) => allowed.get(label)),
      onUnexpected: () => {
        this.#unexpected++;
      },
      onFirstUse: () => {
        if (notice !== '') warn(`metric ${name}: ${notice} ${help}`);
      },
    };
  }

  /** ALPHA promises nothing, as no level does. */
  #levelOf(level: StabilityLevel): StabilityLevel {
    return level === 'NONE' && this.#settings.dialect.rules.everyMetricHasLevel ? 'ALPHA' : level;
  }

  #add<T extends Family>(family: T, { level, deprecated }: Metric): T {
    const { dialect, disabled, showHidden, release } = this.#settings;
    if (disabled.includes(family.name)) return family;
    const age = deprecated === undefined ? -1 : releasesFrom(deprecated.since, release);
    if (age >= dialect.rules.deprecatedMetrics.hiddenAfter && !showHidden) {
      this.#hidden++;
      return family;
    }
    this.#shown.push({ level: this.#levelOf(level), deprecatedSince: deprecated?.since ?? '' });
    this.#families.push(family);
    return family;
  }
}

/** The metrics that a server has. */
export const serverMeters = (settings?: Partial<MeterSettings>): Metrics =>
  new Metrics(metricTable, settings);
