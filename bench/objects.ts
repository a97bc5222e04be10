// The ConfigMaps of the benchmark loads.
// A ConfigMap has 1 KB of data and three labels. The label `slice` has ten values, so that one value selects a tenth of
// the objects. Numbers have a fixed width, so that the load generator can replace them without changing Content-Length.

export const configMapsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

export const listNamespace = 'bench-list';
export const churnNamespace = 'bench-churn';
export const watchNamespace = 'bench-watch';
export const largeNamespace = 'bench-large';
export const selectorNamespace = 'bench-selectors';
export const leaseNamespace = 'bench-leases';
export const podNamespace = 'bench-pods';
export const memoryNamespace = 'bench-memory';

export const selectTenth = 'labelSelector=slice%3D3';
/** Selects the object that only this watcher watches. */
export const selectWatcher = (watcher: string): string => `labelSelector=watcher%3D${watcher}`;

const numberWidth = 8;
export const tickWidth = 24;

export const nameOf = (index: number, prefix = 'cm'): string =>
  `${prefix}-${String(index).padStart(numberWidth, '0')}`;
/** The time and the sequence number of a write, which watchers read from the event. */
export const tickOf = (microseconds: number, sequence: number): string =>
  String(microseconds).padStart(16, '0') + String(sequence).padStart(tickWidth - 16, '0');

/** `walk.lua` replaces these with the number of the object, the number of the write and the last digit of the former. */
export const nameTemplate = (prefix = 'cm'): string => `${prefix}-${'#'.repeat(numberWidth)}`;
const tickTemplate = '@'.repeat(tickWidth);
const sliceTemplate = '~';

export const tickMarker = '"at":"';

export const payload = 'abcdefghijklmnopqrstuvwxyz012345'.repeat(32).slice(0, 1024 - tickWidth);

function configMapText(
  name: string,
  slice: string,
  tick: string,
  moreLabels: Record<string, string> = {},
): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench', tier: 'load', slice, ...moreLabels } },
    // Servers that sort keys keep this order too: watchers skip the payload after the tick.
    data: { at: tick, payload },
  });
}

export const configMap = (index: number, tick: string, name = nameOf(index)): string =>
  configMapText(name, String(index % 10), tick);

/** An object that one watcher selects. */
export const selectedConfigMap = (index: number, tick: string): string =>
  configMapText(nameOf(index), String(index % 10), tick, { watcher: String(index) });

export const configMapTemplate = (prefix = 'cm'): string =>
  configMapText(nameTemplate(prefix), sliceTemplate, tickTemplate);

export const namespaceBody = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
