/**
 * Counters, gauges and histograms, kept so that counting costs next to nothing: whoever counts often holds on to a
 * child (one set of label values) and adds to a number in it. They are put into words only when somebody asks.
 */
export class Meters {
  readonly #families: Family[] = [];
  readonly #collectors: (() => void)[] = [];

  counter(name: string, help: string, labels: readonly string[] = []): Values {
    return this.#add(new Values('counter', name, help, labels));
  }

  gauge(name: string, help: string, labels: readonly string[] = []): Values {
    return this.#add(new Values('gauge', name, help, labels));
  }

  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Histograms {
    return this.#add(new Histograms(name, help, labels, buckets));
  }

  /** Runs before the numbers are read, for those that are looked up rather than counted. */
  onRender(collect: () => void): void {
    this.#collectors.push(collect);
  }

  /** All of it in Prometheus' text format. */
  render(): string {
    for (const collect of this.#collectors) collect();
    return [...this.#families]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((family) => family.render())
      .join('');
  }

  #add<T extends Family>(family: T): T {
    this.#families.push(family);
    return family;
  }
}

abstract class Family {
  readonly name: string;
  readonly #help: string;
  readonly #type: string;
  /** In the order in which values are given. */
  readonly #labels: readonly string[];

  constructor(
    type: 'counter' | 'gauge' | 'histogram',
    name: string,
    help: string,
    labels: readonly string[],
  ) {
    this.#type = type;
    this.name = name;
    this.#help = help;
    this.#labels = labels;
  }

  render(): string {
    const samples = this.samples();
    if (samples === '') return '';
    return `# HELP ${this.name} ${this.#help}\n# TYPE ${this.name} ${this.#type}\n${samples}`;
  }

  protected abstract samples(): string;

  protected sample(suffix: string, values: readonly string[], value: number, bound?: string): string {
    const pairs = this.#labels.map((label, i) => `${label}="${escapeValue(values[i] ?? '')}"`);
    if (bound !== undefined) pairs.push(`le="${bound}"`);
    return `${this.name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
  }
}

function escapeValue(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

/** The members of a family, each under its label values. */
class Children<T> {
  readonly #children = new Map<string, { readonly values: readonly string[]; readonly child: T }>();
  readonly #make: () => T;

  constructor(make: () => T) {
    this.#make = make;
  }

  of(values: readonly string[]): T {
    const key = values.join('\xff');
    let entry = this.#children.get(key);
    if (entry === undefined) {
      entry = { values, child: this.#make() };
      this.#children.set(key, entry);
    }
    return entry.child;
  }

  map(describe: (values: readonly string[], child: T) => string): string {
    let text = '';
    for (const { values, child } of this.#children.values()) text += describe(values, child);
    return text;
  }
}

export interface Value {
  value: number;
}

export class Values extends Family {
  readonly #children = new Children<Value>(() => ({ value: 0 }));

  /** The number for these label values; add to its `value`. */
  child(...values: readonly string[]): Value {
    return this.#children.of(values);
  }

  protected override samples(): string {
    return this.#children.map((values, { value }) => this.sample('', values, value));
  }
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > this.#bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}

export class Histograms extends Family {
  readonly #bounds: readonly number[];
  readonly #children: Children<Histogram>;

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    super('histogram', name, help, labels);
    this.#bounds = bounds;
    this.#children = new Children(() => new Histogram(bounds));
  }

  child(...values: readonly string[]): Histogram {
    return this.#children.of(values);
  }

  protected override samples(): string {
    return this.#children.map((values, { counts, sum }) => {
      let text = '';
      let total = 0;
      for (let i = 0; i < counts.length; i++) {
        total += counts[i]!;
        text += this.sample('_bucket', values, total, boundText(this.#bounds[i]));
      }
      return text + this.sample('_sum', values, sum) + this.sample('_count', values, total);
    });
  }
}

/** As Go writes it: powers of ten from a million on in scientific notation. */
function boundText(bound: number | undefined): string {
  if (bound === undefined) return '+Inf';
  return bound >= 1e6 ? bound.toExponential().replace(/e\+(\d)$/, 'e+0$1') : String(bound);
}
