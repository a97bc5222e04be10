// `orch device`: prints devices as a table or JSON.
import type { PooledDevice } from '../../devices/pools.ts';
import { alignColumns } from '../columns.ts';
import type { Terminal } from '../command.ts';
import type { ClassSelection } from './select-devices.ts';

const idOf = ({ driver, pool, name }: PooledDevice) => `${driver}/${pool}/${name}`;

export function printDevicesAsTable(
  { selectors, pools, selected }: ClassSelection,
  terminal: Terminal,
): void {
  const { evaluations, aborted } = selected;
  const rows = evaluations.map(({ device, matches, failed }) => [
    idOf(device),
    matches ? 'yes' : 'no',
    failed === undefined ? '' : `not ${shortened(selectors[failed]!)}`,
  ]);
  if (aborted) rows.push([idOf(aborted.device), 'error', firstLine(aborted.problem)]);
  for (const line of alignColumns([['DEVICE', 'MATCHES', 'WHY'], ...rows])) terminal.out(line);
  for (const pool of pools.incomplete)
    terminal.err(`Warning: pool ${pool} is incomplete: some of its ResourceSlices are missing.`);
  if (pools.outdated > 0) {
    terminal.err(`Warning: devices of older pool generations were skipped: ${pools.outdated}`);
  }
}

export function printDevicesAsJson(
  className: string,
  { selectors, pools, selected: { evaluations, aborted } }: ClassSelection,
  terminal: Terminal,
): void {
  const nameFields = ({ driver, pool, name }: PooledDevice) => ({ driver, pool, device: name });
  const data = {
    class: className,
    selectors,
    devices: evaluations.map(({ device, matches, failed }) => ({
      ...nameFields(device),
      matches,
      ...(failed !== undefined && { failedSelector: failed }),
    })),
    ...(aborted && {
      error: { ...nameFields(aborted.device), selector: aborted.selector, message: aborted.problem },
    }),
    incompletePools: pools.incomplete,
    outdatedDevices: pools.outdated,
  };
  terminal.out(JSON.stringify(data));
}

const maxExpressionLength = 80;

/** Shortens an expression to one line. */
function shortened(expression: string): string {
  const line = expression.trim().replace(/\s+/g, ' ');
  return line.length > maxExpressionLength ? `${line.slice(0, maxExpressionLength - 1)}…` : line;
}

const firstLine = (text: string) => text.split('\n', 1)[0]!;
