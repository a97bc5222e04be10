// NodeMetrics v1beta1: schema, printer columns and resource definition. It is computed on every read and never stored.
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { measuredInterval, usageList } from './usage.ts';

const NodeMetrics = kind(
  'metrics/v1beta1.NodeMetrics',
  {
    ...measuredInterval,
    usage: field(4, usageList, { required: true, doc: 'The CPU and memory that the node uses.' }),
  },
  { doc: 'The resource usage of a node.' },
);
export type NodeMetrics = Infer<typeof NodeMetrics>;

const nodeMetricsTable: TableLayout<NodeMetrics> = {
  columns: [
    nameColumn,
    column('cpu', 'The CPU that the node uses.'),
    column('memory', 'The memory that the node uses.'),
    column('Window', 'The length of the interval in which the usage was measured.'),
  ],
  cells: ({ metadata, usage, window }) => [
    metadata.name ?? '',
    usage?.cpu ?? '',
    usage?.memory ?? '',
    window ?? '',
  ],
};

export const nodeMetrics = () =>
  resource<NodeMetrics>({
    group: 'metrics',
    version: 'v1beta1',
    kind: 'NodeMetrics',
    plural: 'nodes',
    singular: 'node',
    namespaced: false,
    verbs: ['get', 'list'],
    storagePrefix: 'nodemetrics',
    isServedByDefault: true,
    schema: NodeMetrics,
    table: nodeMetricsTable,
    strategy: { validateName: nameIsPathSegment },
    virtual: {
      nameInErrors: 'nodemetrics',
      list: async ({ metricsSource }, scope) =>
        ((await metricsSource?.nodeMetrics(scope)) ?? []) as NodeMetrics[],
    },
  });
