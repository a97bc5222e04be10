// The Events about an object, newest first.
import { useEffect, useMemo } from 'preact/hooks';
import type { ApiObject } from '../api/objects.ts';
import { useApp } from '../state/app.ts';
import { LiveTable, type Row } from '../state/live-table.ts';
import { Empty, Notice, StatusText } from '../ui/elements.tsx';

export function ObjectEvents({ object }: { object: ApiObject }) {
  const app = useApp();
  const kind = app.kindsByKey.value.get('events');
  const { uid, namespace = 'default' } = object.metadata;
  const table = useMemo(
    () =>
      kind &&
      new LiveTable(app.session, app.stream, kind, namespace, { fieldSelector: `involvedObject.uid=${uid}` }),
    [app, kind, namespace, uid],
  );
  useEffect(() => () => table?.close(), [table]);
  if (!table) return <Empty title="The server serves no Events" />;
  void table.version.value;
  if (table.error) return <Notice tone="bad">{table.error.message}</Notice>;
  const rows = [...table.rows].sort(newestFirst);
  if (rows.length === 0) {
    return (
      <Empty title={table.isLoading ? 'Reading events…' : 'No events'}>
        {table.isLoading ? undefined : 'Events are kept for an hour.'}
      </Empty>
    );
  }
  const shown = table.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.priority === 0 && column.name !== 'Object');
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Events">
      <table class="plain">
        <thead>
          <tr>
            {shown.map(({ column }) => (
              <th key={column.name} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {shown.map(({ index }) => (
                <td key={index}>
                  <StatusText text={row.cells[index] ?? ''} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const newestFirst = (one: Row, other: Row) =>
  other.metadata.creationTimestamp.localeCompare(one.metadata.creationTimestamp);
