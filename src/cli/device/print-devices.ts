// `orch device`: prints for each device whether the DeviceClass selects it, as a table or a document.
import type { JsonObject } from '../../codec/json/json-value.ts';
import type { PooledDevice } from '../../devices/pools.ts';
import { alignColumns } from '../columns.ts';
import type { Terminal } from '../command.ts';
import type { ClassSelection } from './select-devices.ts';

export function printDevicesAsTable(
  { selectors, pools, selection }: ClassSelection,
  terminal: Terminal,
): void {
  const { evaluations, failure } = selection;
  const rows = evaluations.map(({ device, matches, failedSelectorIndex }) => [
    qualifiedName(device),
    matches ? 'yes' : 'no',
    failedSelectorIndex === undefined ? '' : `not ${shortenToOneLine(selectors[failedSelectorIndex]!)}`,
  ]);
  if (failure) rows.push([qualifiedName(failure.device), 'error', firstLine(failure.problem)]);
  for (const line of alignColumns([['DEVICE', 'MATCHES', 'REASON'], ...rows])) terminal.out(line);
  for (const pool of pools.incompletePools)
    terminal.err(`Warning: pool ${pool} is incomplete: some of its ResourceSlices are missing.`);
  if (pools.outdatedDeviceCount > 0) {
    terminal.err(`Warning: devices of older pool generations were skipped: ${pools.outdatedDeviceCount}`);
  }
}

export function devicesDocument(
  className: string,
  { selectors, pools, selection: { evaluations, failure } }: ClassSelection,
): JsonObject {
  const nameFields = ({ driver, pool, name }: PooledDevice) => ({ driver, pool, device: name });
  return {
    class: className,
    selectors: [...selectors],
    devices: evaluations.map(({ device, matches, failedSelectorIndex }) => ({
      ...nameFields(device),
      matches,
      ...(failedSelectorIndex !== undefined && { failedSelector: failedSelectorIndex }),
    })),
    ...(failure && {
      error: { ...nameFields(failure.device), selector: failure.selectorIndex, message: failure.problem },
    }),
    incompletePools: [...pools.incompletePools],
    outdatedDevices: pools.outdatedDeviceCount,
  };
}

const qualifiedName = ({ driver, pool, name }: PooledDevice) => `${driver}/${pool}/${name}`;

const maxExpressionLength = 80;

function shortenToOneLine(expression: string): string {
  const line = expression.trim().replace(/\s+/g, ' ');
  return line.length > maxExpressionLength ? `${line.slice(0, maxExpressionLength - 1)}…` : line;
}

const firstLine = (text: string) => text.split('\n', 1)[0]!;
