// `orch device`: evaluates the CEL selectors of a DeviceClass for the devices of all ResourceSlices.
import * as cel from '../../cel/index.ts';
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { type Pools, poolsOf } from '../../devices/pools.ts';
import { readSlice } from '../../devices/read-slice.ts';
import { type DeviceSelection, select } from '../../devices/select.ts';
import { SelectorExpressions } from '../../devices/selector-expressions.ts';
import { dialects } from '../../dialect/index.ts';
import type { Connection } from '../cluster/connection.ts';
import { findResource } from '../cluster/find-resource.ts';
import { itemsOf, textOf } from '../cluster/json-fields.ts';
import { listObjects } from '../cluster/list-objects.ts';
import { readObject } from '../cluster/read-object.ts';

export interface ClassSelection {
  readonly selectors: readonly string[];
  readonly pools: Pools;
  readonly selected: DeviceSelection;
}

export async function selectDevices(connection: Connection, className: string): Promise<ClassSelection> {
  const deviceClass = await readObject(connection, 'deviceclasses', className, '');
  const { group, version, plural } = await findResource(connection, 'resourceslices');
  const slices = await listObjects(connection, `/apis/${group}/${version}/${plural}`);
  const pools = poolsOf(slices.map(readSlice));
  const selectors = selectorsOf(deviceClass);
  // The group tells the dialect of the server.
  const { name: dialectName = 'orch' } =
    Object.values(dialects).find((dialect) => dialect.groupName('resource') === group) ?? {};
  return {
    selectors,
    pools,
    selected: select(new SelectorExpressions(cel, dialectName), selectors, pools.devices),
  };
}

function selectorsOf({ spec }: JsonObject): string[] {
  return itemsOf(isObject(spec) ? spec.selectors : undefined)
    .filter(isObject)
    .map(({ cel: selector }) => textOf(isObject(selector) ? selector.expression : undefined));
}
