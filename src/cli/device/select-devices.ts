// `orch device`: evaluates the CEL selectors of a DeviceClass for the devices of all ResourceSlices.
import * as cel from '../../cel/index.ts';
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { groupIntoPools, type Pools } from '../../devices/pools.ts';
import { readSlice } from '../../devices/read-slice.ts';
import { type DeviceSelection, evaluateSelectors } from '../../devices/select.ts';
import { SelectorExpressions } from '../../devices/selector-expressions.ts';
import { dialects } from '../../dialect/index.ts';
import type { Connection } from '../cluster/connection.ts';
import { findResource } from '../cluster/find-resource.ts';
import { itemsOf, textOf } from '../cluster/json-fields.ts';
import { listObjects } from '../cluster/list-objects.ts';
import { readObject } from '../cluster/read-object.ts';

/** The selectors of a DeviceClass, the devices of the cluster, and which of them the selectors match. */
export interface ClassSelection {
  /** CEL expressions. */
  readonly selectors: readonly string[];
  readonly pools: Pools;
  readonly selection: DeviceSelection;
}

export async function selectDevices(connection: Connection, className: string): Promise<ClassSelection> {
  const deviceClass = await readObject(connection, 'deviceclasses', className, '');
  const { group, version, plural } = await findResource(connection, 'resourceslices');
  const slices = await listObjects(connection, `/apis/${group}/${version}/${plural}`);
  const pools = groupIntoPools(slices.map(readSlice));
  const selectors = selectorsOf(deviceClass);
  const expressions = new SelectorExpressions(cel, dialectOfGroup(group));
  return { selectors, pools, selection: evaluateSelectors(expressions, selectors, pools.devices) };
}

/** The dialect of the server, which the name of the group of ResourceSlices reveals. */
function dialectOfGroup(group: string): string {
  const dialect = Object.values(dialects).find((candidate) => candidate.groupName('resource') === group);
  return dialect?.name ?? 'orch';
}

function selectorsOf({ spec }: JsonObject): string[] {
  return itemsOf(isObject(spec) ? spec.selectors : undefined)
    .filter(isObject)
    .map(({ cel: selector }) => textOf(isObject(selector) ? selector.expression : undefined));
}
