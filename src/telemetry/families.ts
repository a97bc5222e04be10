// Prometheus metric families: counters, gauges and histograms with labels.
import { flatCopy } from '../base/flat-copy.ts';
import type { Metric } from './metric.ts';

/** Replaces a label value outside its allow-list. */
const unexpected = 'unexpected';

export interface FamilyOptions {
  /** Including the service's prefix, if branded. */
  readonly name: string;
  readonly help: string;
  /** Allow-lists by label; a label without one accepts any value. */
  readonly allowed: readonly (ReadonlySet<string> | undefined)[] | undefined;
  /** Called for every label value outside its allow-list. */
  onUnexpected(): void;
  /** Called on the first recording. */
  onFirstUse(): void;
  /** Takes memory for a new child from the limit of all metrics. Returns false if the limit is reached. */
  reserve(bytes: number): boolean;
}

/** A metric with all its label values. */
export abstract class Family {
  readonly name: string;
  readonly #options: FamilyOptions;
  readonly #type: string;
  /** Label names, in the order in which `child` takes their values. */
  readonly #labels: readonly string[];
  #used = false;

  constructor({ type, labels = [] }: Metric, options: FamilyOptions) {
    this.#type = type;
    this.#labels = labels;
    this.#options = options;
    this.name = options.name;
  }

  render(): string {
    const samples = this.samples();
    if (samples === '') return '';
    return `# HELP ${this.name} ${this.#options.help}\n# TYPE ${this.name} ${this.#type}\n${samples}`;
  }

  /** The lines of all children; empty if there is none. */
  protected abstract samples(): string;

  /** Whether a new child may be created: clients choose names of objects, which are label values. */
  protected reserve(bytes: number): boolean {
    const isReserved = this.#options.reserve(bytes);
    if (!isReserved) this.#options.onUnexpected();
    return isReserved;
  }

  /** The label values for a child. Values outside their allow-list become `unexpected`. */
  protected applyAllowLists(values: readonly string[]): readonly string[] {
    if (!this.#used) {
      this.#used = true;
      this.#options.onFirstUse();
    }
    const { allowed } = this.#options;
    if (allowed === undefined) return values;
    return values.map((value, i) => {
      if (allowed[i]?.has(value) ?? true) return value;
      this.#options.onUnexpected();
      return unexpected;
    });
  }

  /** One line of the text format. `bucketBound` is the label `le` of a histogram's bucket. */
  protected sample(suffix: string, values: readonly string[], value: number, bucketBound?: string): string {
    const pairs = this.#labels.map((label, i) => `${label}="${escapeValue(values[i] ?? '')}"`);
    if (bucketBound !== undefined) pairs.push(`le="${bucketBound}"`);
    return `${this.name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
  }
}

function escapeValue(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

const separator = '\xff';
/** Approximate memory of a child, beside its label values. */
const childBytes = 400;

/** The children of a family (in Prometheus' terms: its time series), by label values. */
class SeriesByLabels<T> {
  readonly #children = new Map<string, { readonly values: readonly string[]; readonly child: T }>();
  readonly #create: () => T;
  readonly #reserve: (bytes: number) => boolean;

  constructor(create: () => T, reserve: (bytes: number) => boolean) {
    this.#create = create;
    this.#reserve = reserve;
  }

  /** Beyond the limit of all metrics, new label values are counted as `unexpected`. */
  getOrCreate(values: readonly string[]): T {
    const key = values.join(separator);
    const entry = this.#children.get(key);
    if (entry !== undefined) return entry.child;
    if (this.#reserve(childBytes + 2 * key.length)) return this.#add(key, values.map(flatCopy));
    const overflow = values.map(() => unexpected);
    const overflowKey = overflow.join(separator);
    return this.#children.get(overflowKey)?.child ?? this.#add(overflowKey, overflow);
  }

  #add(key: string, values: readonly string[]): T {
    const child = this.#create();
    this.#children.set(key, { values, child });
    return child;
  }

  /** Concatenates the samples of all children. */
  render(renderChild: (values: readonly string[], child: T) => string): string {
    let text = '';
    for (const { values, child } of this.#children.values()) text += renderChild(values, child);
    return text;
  }
}

/** A child of a counter or gauge. */
export interface NumberSeries {
  value: number;
}

/** A counter or a gauge. */
export class NumberFamily extends Family {
  readonly #children = new SeriesByLabels<NumberSeries>(
    () => ({ value: 0 }),
    (bytes) => this.reserve(bytes),
  );

  /** The child for these label values; callers add to its `value`, or set it. */
  child(...values: readonly string[]): NumberSeries {
    return this.#children.getOrCreate(this.applyAllowLists(values));
  }

  protected override samples(): string {
    return this.#children.render((values, { value }) => this.sample('', values, value));
  }
}

/** A child of a histogram. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** Observations of each bucket alone, not cumulative; the last bucket has no bound. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let index = 0;
    while (index < this.#bounds.length && value > this.#bounds[index]!) index++;
    this.counts[index]!++;
    this.sum += value;
  }
}

export class HistogramFamily extends Family {
  readonly #bounds: readonly number[];
  readonly #children: SeriesByLabels<Histogram>;

  constructor(metric: Metric, options: FamilyOptions) {
    super(metric, options);
    const bounds = metric.buckets ?? [];
    this.#bounds = bounds;
    this.#children = new SeriesByLabels(
      () => new Histogram(bounds),
      (bytes) => this.reserve(bytes + 8 * bounds.length),
    );
  }

  child(...values: readonly string[]): Histogram {
    return this.#children.getOrCreate(this.applyAllowLists(values));
  }

  protected override samples(): string {
    return this.#children.render((values, { counts, sum }) => {
      let text = '';
      let cumulative = 0;
      for (let i = 0; i < counts.length; i++) {
        cumulative += counts[i]!;
        text += this.sample('_bucket', values, cumulative, formatBound(this.#bounds[i]));
      }
      return text + this.sample('_sum', values, sum) + this.sample('_count', values, cumulative);
    });
  }
}

/** As Go prints it: scientific notation from 1e6 on. */
function formatBound(bound: number | undefined): string {
  if (bound === undefined) return '+Inf';
  return bound >= 1e6 ? bound.toExponential().replace(/e\+(\d)$/, 'e+0$1') : String(bound);
}
