// A table of a kind that follows the server: listed once, then kept current by a watch. Events are applied once a frame.
import { signal } from '@preact/signals';
import { collectionPath, type Kind } from '../api/discovery.ts';
import { RequestError, type Session } from '../api/session.ts';
import {
  type ColumnDefinition,
  type ObjectMetadata,
  queryOf,
  type Table,
  type TableQuery,
  type TableRow,
  tablePages,
  tableType,
} from '../api/table.ts';
import type { WatchEvent, WatchStream } from '../api/watch-stream.ts';
import { compareCells } from './column-order.ts';
import { OrderedRows } from './ordered-rows.ts';
import { parseFilter, type RowFilter } from './row-filter.ts';

/** A row as views show it. */
export interface Row {
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly cells: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly metadata: ObjectMetadata;
  /** When an event last changed it, in milliseconds of the page's clock; 0 if it was listed. */
  readonly changedAt: number;
}

export interface RowOrder {
  /** The index of a column, or the namespace. */
  readonly column: number | 'namespace';
  readonly descending: boolean;
}

/** Column names whose cells are ages, which the page computes itself: they change without an event. */
const ageColumn = 'Age';

export class LiveTable {
  /** Counts the changes of rows, columns and state. */
  readonly version = signal(0);
  readonly kind: Kind;
  columns: readonly ColumnDefinition[] = [];
  isLoading = true;
  error: RequestError | undefined;
  revision = '';
  readonly #rows = new Map<string, Row>();
  readonly #shown: OrderedRows<Row>;
  readonly #session: Session;
  readonly #path: string;
  readonly #query: TableQuery;
  readonly #abort = new AbortController();
  #filter: RowFilter = () => true;
  #order: RowOrder = { column: 0, descending: false };
  #pending: WatchEvent<Table>[] = [];
  #frame = 0;
  #unsubscribe = () => {};
  #isClosed = false;
  /** The history that the watch needs is compacted. */
  #mustList = false;

  constructor(session: Session, stream: WatchStream, kind: Kind, namespace: string, query: TableQuery = {}) {
    this.#session = session;
    this.kind = kind;
    this.#query = query;
    this.#path = collectionPath(kind, namespace);
    this.#shown = new OrderedRows(this.#comparison());
    void this.#run(stream);
  }

  /** The rows that match the filter, in order. */
  get rows(): readonly Row[] {
    return this.#shown.items;
  }

  get total(): number {
    return this.#rows.size;
  }

  find(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  all(): Iterable<Row> {
    return this.#rows.values();
  }

  setFilter(text: string): void {
    this.#filter = parseFilter(text);
    this.#reorder();
  }

  setOrder(order: RowOrder): void {
    this.#order = order;
    this.#reorder();
  }

  get order(): RowOrder {
    return this.#order;
  }

  close(): void {
    this.#isClosed = true;
    this.#abort.abort();
    this.#unsubscribe();
    cancelAnimationFrame(this.#frame);
  }

  async #run(stream: WatchStream): Promise<void> {
    await this.#list();
    if (this.#isClosed || this.error || this.#query.exactRevision || !this.kind.verbs.includes('watch'))
      return;
    this.#unsubscribe = stream.subscribe<Table>({
      path: () => {
        const parameters = queryOf(this.#query);
        parameters.set('watch', 'true');
        parameters.set('allowWatchBookmarks', 'true');
        parameters.set('resourceVersion', this.revision);
        return `${this.#path}?${parameters}`;
      },
      accept: tableType(this.#session),
      onEvents: (events) => this.#enqueue(events),
      onEnd: (code, message) => this.#onEnd(code, message, stream),
    });
  }

  /** Rows that are shown stay until the whole list has arrived: a list after a lost connection does not empty the table. */
  async #list(): Promise<void> {
    const listed = new Map<string, Row>();
    try {
      for await (const page of tablePages(this.#session, this.#path, this.#query, this.#abort.signal)) {
        if (page.columnDefinitions?.length) this.columns = page.columnDefinitions;
        for (const row of page.rows ?? []) {
          const shown = toRow(row, 0);
          listed.set(shown.key, shown);
          // The first list appears page by page.
          if (this.revision === '') this.#rows.set(shown.key, shown);
        }
        if (this.revision === '') this.#reorder();
        if (!page.metadata.continue) this.revision = page.metadata.resourceVersion;
      }
      this.#rows.clear();
      for (const [key, row] of listed) this.#rows.set(key, row);
      this.error = undefined;
    } catch (error) {
      if (this.#isClosed) return;
      this.error = error instanceof RequestError ? error : new RequestError(0, { message: String(error) });
    }
    this.isLoading = false;
    this.#reorder();
  }

  #onEnd(code: number, message: string, stream: WatchStream): boolean {
    if (this.#isClosed) return false;
    if (code === 410 || this.#mustList) {
      this.#mustList = false;
      void this.#run(stream);
      return false;
    }
    if (code === 200 || code >= 500 || code === 429) return true;
    this.error = new RequestError(code, { message });
    this.version.value++;
    return false;
  }

  #enqueue(events: readonly WatchEvent<Table>[]): void {
    for (const event of events) {
      // The server ends the watch after an error.
      if (event.type === 'ERROR') this.#mustList = true;
      else this.#pending.push(event);
    }
    // A hidden tab has no frames.
    if (document.hidden) this.#apply();
    else this.#frame ||= requestAnimationFrame(() => this.#apply());
  }

  #apply(): void {
    this.#frame = 0;
    const events = this.#pending;
    this.#pending = [];
    const now = performance.now();
    for (const { type, object } of events) {
      if (object.metadata?.resourceVersion) this.revision = object.metadata.resourceVersion;
      if (object.columnDefinitions?.length && this.columns.length === 0)
        this.columns = object.columnDefinitions;
      for (const row of object.rows ?? []) {
        const { resourceVersion } = row.object.metadata;
        if (resourceVersion) this.revision = resourceVersion;
        if (type !== 'BOOKMARK') this.#put(toRow(row, now), type === 'DELETED');
      }
    }
    if (events.length > 0) this.version.value++;
  }

  #put(row: Row, isDeleted: boolean): void {
    const previous = this.#rows.get(row.key);
    if (previous && this.#filter(previous)) this.#shown.remove(previous);
    if (isDeleted) {
      this.#rows.delete(row.key);
      return;
    }
    this.#rows.set(row.key, row);
    if (this.#filter(row)) this.#shown.insert(row);
  }

  #reorder(): void {
    const rows = [...this.#rows.values()].filter(this.#filter);
    this.#shown.reset(rows, this.#comparison());
    this.version.value++;
  }

  #comparison(): (one: Row, other: Row) => number {
    const { column, descending } = this.#order;
    const sign = descending ? -1 : 1;
    const isAge = column !== 'namespace' && this.columns[column]?.name === ageColumn;
    const cellOf = (row: Row) => (column === 'namespace' ? row.namespace : (row.cells[column] ?? ''));
    const compare = isAge
      ? (one: Row, other: Row) => (other.metadata.creationTimestamp > one.metadata.creationTimestamp ? 1 : -1)
      : (one: Row, other: Row) => compareCells(cellOf(one), cellOf(other));
    return (one, other) => {
      if (one.key === other.key) return 0;
      const isSameAge = isAge && one.metadata.creationTimestamp === other.metadata.creationTimestamp;
      return sign * (isSameAge ? 0 : compare(one, other)) || (one.key < other.key ? -1 : 1);
    };
  }
}

function toRow({ cells, object: { metadata } }: TableRow, changedAt: number): Row {
  const { name, namespace = '', labels = {} } = metadata;
  const texts = cells.map((cell) => (cell === null || cell === undefined ? '' : String(cell)));
  return { key: `${namespace}/${name}`, name, namespace, labels, metadata, cells: texts, changedAt };
}
