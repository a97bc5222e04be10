// The live table of a kind: filter, order, namespaces, keys.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Kind, kindKey } from '../api/discovery.ts';
import type { ColumnDefinition } from '../api/table.ts';
import { ageOf } from '../state/age.ts';
import { useApp } from '../state/app.ts';
import type { KeyCommand } from '../state/keyboard.ts';
import { LiveTable, type Row } from '../state/live-table.ts';
import { kindRoute, objectRoute } from '../state/router.ts';
import { Empty, Notice, StatusText } from '../ui/elements.tsx';
import { VirtualRows } from '../ui/virtual-rows.tsx';

const rowHeight = 34;
/** A changed row is marked for this long. */
const flashMs = 700;

export function KindTable({ kind }: { kind: Kind }) {
  const app = useApp();
  const { query } = app.router.route.value;
  const namespace = query.ns ?? '';
  const selector = query.labels ?? '';
  const identity = app.identity.value;
  const table = useMemo(
    () =>
      new LiveTable(app.session, app.stream, kind, namespace, selector ? { labelSelector: selector } : {}),
    [app, kind, namespace, selector, identity],
  );
  useEffect(() => () => table.close(), [table]);
  return <LiveRows key={`${kindKey(kind)} ${namespace} ${selector}`} table={table} namespace={namespace} />;
}

function LiveRows({ table, namespace }: { table: LiveTable; namespace: string }) {
  const app = useApp();
  const { kind } = table;
  const selectedKey = useSignal('');
  const filterField = useRef<HTMLInputElement>(null);
  const { query } = app.router.route.value;
  const filter = query.q ?? '';
  useEffect(() => table.setFilter(filter), [table, filter]);
  // Renders once for every frame with changes.
  void table.version.value;
  const columns = shownColumns(table.columns);
  const hasNamespaces = kind.isNamespaced && namespace === '';
  const selected = useSelectedIndex(table, selectedKey.value);
  const open = (row: Row, tab = '') =>
    app.router.go(objectRoute(kindKey(kind), row.namespace, row.name, { tab }));
  useEffect(() => {
    const move = (index: number) => {
      const row = table.rows[Math.max(0, Math.min(table.rows.length - 1, index))];
      if (row) selectedKey.value = row.key;
      return true;
    };
    const onCommand = (command: KeyCommand): boolean => {
      const current = table.rows.findIndex(({ key }) => key === selectedKey.value);
      if (command === 'down') return move(current + 1);
      if (command === 'up') return move(current - 1);
      if (command === 'first') return move(0);
      if (command === 'last') return move(table.rows.length - 1);
      if (command === 'search') {
        filterField.current?.focus();
        return true;
      }
      const row = table.rows[current];
      if (row && (command === 'open' || command === 'edit')) {
        open(row, command === 'edit' ? 'edit' : '');
        return true;
      }
      return false;
    };
    app.onCommand = onCommand;
    return () => {
      if (app.onCommand === onCommand) app.onCommand = undefined;
    };
  });
  const widths = [
    ...(hasNamespaces ? ([[8, 0.7]] as const) : []),
    ...columns.map(({ column }) => widthOf(column)),
  ];
  return (
    <section class="page table-page" aria-label={kind.kind}>
      <header class="page-head">
        <h1>{kind.kind}</h1>
        <span class="muted">
          {kind.group || 'core'}/{kind.version}
        </span>
        <RowCount shown={table.rows.length} total={table.total} isLoading={table.isLoading} />
        <div class="spacer" />
        {kind.isNamespaced && <NamespaceField namespace={namespace} />}
        <input
          ref={filterField}
          type="search"
          class="filter"
          placeholder="Filter:  words, key=value, -not"
          aria-label="Filter rows"
          value={filter}
          onInput={({ currentTarget }) => app.router.setQuery({ q: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            if (event.key === 'Escape') app.router.setQuery({ q: '' });
            event.currentTarget.blur();
          }}
        />
        {kind.verbs.includes('create') && (
          <a class="button" href={`#/create/${kindKey(kind)}${namespace ? `?ns=${namespace}` : ''}`}>
            Create
          </a>
        )}
      </header>
      {table.error && (
        <Notice tone="bad">
          {table.error.code === 403 ? 'You may not list these objects: ' : ''}
          {table.error.message}
        </Notice>
      )}
      {!table.error && !table.isLoading && table.rows.length === 0 ? (
        <NoRows table={table} filter={filter} namespace={namespace} />
      ) : (
        <VirtualRows
          count={table.rows.length}
          rowHeight={rowHeight}
          label={`${kind.kind} objects`}
          columnCount={columns.length + (hasNamespaces ? 1 : 0)}
          selected={selected}
          widths={widths}
          header={<HeaderCells table={table} columns={columns} hasNamespaces={hasNamespaces} />}
          renderRow={(index) => {
            const row = table.rows[index]!;
            return (
              <TableRowView
                key={row.key}
                row={row}
                index={index}
                columns={columns}
                hasNamespace={hasNamespaces}
                isSelected={row.key === selectedKey.value}
                href={objectRoute(kindKey(kind), row.namespace, row.name)}
                onSelect={() => {
                  selectedKey.value = row.key;
                }}
              />
            );
          }}
        />
      )}
    </section>
  );
}

function useSelectedIndex(table: LiveTable, key: string): number {
  if (key === '') return -1;
  return table.rows.findIndex((row) => row.key === key);
}

interface ShownColumn {
  readonly column: ColumnDefinition;
  readonly index: number;
}

/** Columns of priority 0, as `kubectl get` shows them without `-o wide`. */
const shownColumns = (columns: readonly ColumnDefinition[]): readonly ShownColumn[] =>
  columns.map((column, index) => ({ column, index })).filter(({ column }) => column.priority === 0);

/** The smallest width of a column in rem, and its share of the rest. */
function widthOf({ name, type }: ColumnDefinition): readonly [number, number] {
  if (name === 'Name') return [14, 2];
  if (name === 'Age' || type === 'integer' || type === 'number') return [5, 0.5];
  return [7, 1];
}

function RowCount({ shown, total, isLoading }: { shown: number; total: number; isLoading: boolean }) {
  const text = shown === total ? `${total}` : `${shown} of ${total}`;
  return (
    <output class="count" aria-label="Number of rows">
      {isLoading && total === 0 ? 'loading…' : text}
    </output>
  );
}

function NoRows({ table, filter, namespace }: { table: LiveTable; filter: string; namespace: string }) {
  const { kind } = table;
  if (table.total > 0)
    return <Empty title="No row matches the filter">{`“${filter}” hides ${table.total} rows.`}</Empty>;
  return (
    <Empty title={`No ${kind.kind} objects${namespace ? ` in namespace ${namespace}` : ''}`}>
      New ones appear here by themselves.
    </Empty>
  );
}

interface HeaderCellsProps {
  readonly table: LiveTable;
  readonly columns: readonly ShownColumn[];
  readonly hasNamespaces: boolean;
}

function HeaderCells({ table, columns, hasNamespaces }: HeaderCellsProps) {
  const headers: { id: number | 'namespace'; label: string; about: string }[] = [
    ...(hasNamespaces ? [{ id: 'namespace' as const, label: 'Namespace', about: '' }] : []),
    ...columns.map(({ column, index }) => ({ id: index, label: column.name, about: column.description })),
  ];
  return (
    <>
      {headers.map(({ id, label, about }, position) => {
        const isCurrent = table.order.column === id;
        const direction = table.order.descending ? 'descending' : 'ascending';
        return (
          <div
            key={id}
            role="columnheader"
            aria-colindex={position + 1}
            aria-sort={isCurrent ? direction : 'none'}
          >
            <button
              type="button"
              title={about}
              onClick={() => table.setOrder({ column: id, descending: isCurrent && !table.order.descending })}
            >
              {label}
              {isCurrent && <span aria-hidden="true">{table.order.descending ? ' ↓' : ' ↑'}</span>}
            </button>
          </div>
        );
      })}
    </>
  );
}

interface TableRowProps {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly ShownColumn[];
  readonly hasNamespace: boolean;
  readonly isSelected: boolean;
  readonly href: string;
  readonly onSelect: () => void;
}

function TableRowView({ row, index, columns, hasNamespace, isSelected, href, onSelect }: TableRowProps) {
  const isChanged = row.changedAt > 0 && performance.now() - row.changedAt < flashMs;
  const classes = [
    'row',
    index % 2 ? 'odd' : '',
    isChanged ? 'changed' : '',
    row.metadata.deletionTimestamp ? 'deleting' : '',
  ];
  return (
    <div
      class={classes.join(' ')}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onClick={onSelect}
    >
      {hasNamespace && (
        <div role="gridcell" class="muted">
          {row.namespace}
        </div>
      )}
      {columns.map(({ column, index: position }) => (
        <div role="gridcell" key={position} title={row.cells[position] ?? ''}>
          {position === 0 ? (
            <a href={href}>{row.cells[position]}</a>
          ) : column.name === 'Age' ? (
            <Age
              key={row.metadata.creationTimestamp}
              timestamp={row.metadata.creationTimestamp}
              fallback={row.cells[position] ?? ''}
            />
          ) : (
            <StatusText text={row.cells[position] ?? ''} />
          )}
        </div>
      ))}
    </div>
  );
}

/** Renders by itself once a second, without its row. */
function Age({ timestamp, fallback }: { timestamp: string | undefined; fallback: string }) {
  const app = useApp();
  const text = useComputed(() => (timestamp ? ageOf(timestamp, app.now.value) : fallback));
  return <>{text}</>;
}

function NamespaceField({ namespace }: { namespace: string }) {
  const app = useApp();
  const { segments } = app.router.route.value;
  return (
    <>
      <input
        class="namespace"
        list="namespaces"
        aria-label="Namespace"
        placeholder="all namespaces"
        value={namespace}
        onChange={({ currentTarget }) => {
          const { query } = app.router.route.value;
          app.router.go(kindRoute(segments[0] ?? 'pods', { ...query, ns: currentTarget.value.trim() }));
        }}
      />
      <datalist id="namespaces">
        {app.namespaces.value.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
