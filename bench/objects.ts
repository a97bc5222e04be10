/**
 * The objects every load is made of: ConfigMaps with 1 KB of data and three labels, one of which
 * (`slice`) takes ten values, so that selecting one finds a tenth of them.
 *
 * Numbers have a fixed width, so that the load generator can put other digits in the same place
 * without touching Content-Length.
 */
export const configMapsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

export const listNamespace = 'bench-list';
export const churnNamespace = 'bench-churn';
export const watchNamespace = 'bench-watch';
export const memoryNamespace = 'bench-memory';

export const selectTenth = 'labelSelector=slice%3D3';

const numberWidth = 8;
export const tickWidth = 24;

export const nameOf = (index: number, prefix = 'cm'): string =>
  `${prefix}-${String(index).padStart(numberWidth, '0')}`;
/** What a write leaves in the object to be told apart from the write before it. */
export const tickOf = (microseconds: number, sequence: number): string =>
  String(microseconds).padStart(16, '0') + String(sequence).padStart(tickWidth - 16, '0');

/** What `walk.lua` replaces by the number of the name, the count of the write and the last digit. */
export const nameTemplate = (prefix = 'cm'): string => `${prefix}-${'#'.repeat(numberWidth)}`;
const tickTemplate = '@'.repeat(tickWidth);
const sliceTemplate = '~';

export const tickMarker = '"at":"';

export const payload = 'abcdefghijklmnopqrstuvwxyz012345'.repeat(32).slice(0, 1024 - tickWidth);

function configMapText(name: string, slice: string, tick: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench', tier: 'load', slice } },
    // In this order whether a server sorts the keys or keeps them: watchers skip what follows the tick.
    data: { at: tick, payload },
  });
}

export const configMap = (index: number, tick: string): string =>
  configMapText(nameOf(index), String(index % 10), tick);

export const configMapTemplate = (prefix = 'cm'): string =>
  configMapText(nameTemplate(prefix), sliceTemplate, tickTemplate);

export const namespaceBody = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
