// PodMetrics v1beta1: schema, printer columns and resource definition. It is computed on every read and never stored.
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { addQuantities, type Quantity } from '../../schema/quantity.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { mustParseQuantity } from '../core/resource-list.ts';
import { measuredInterval, usageList } from './usage.ts';

const ContainerMetrics = struct(
  'metrics/v1beta1.ContainerMetrics',
  {
    name: field(1, string, { required: true, doc: 'The name of the container.' }),
    usage: field(2, usageList, { required: true, doc: 'The CPU and memory that the container uses.' }),
  },
  { doc: 'The resource usage of a container.' },
);
type ContainerMetrics = Infer<typeof ContainerMetrics>;

const PodMetrics = kind(
  'metrics/v1beta1.PodMetrics',
  {
    ...measuredInterval,
    containers: field(4, list(ContainerMetrics, { type: 'atomic' }), {
      required: true,
      doc: 'The usage of each running container.',
    }),
  },
  { doc: 'The resource usage of a pod.' },
);
export type PodMetrics = Infer<typeof PodMetrics>;

const podMetricsTable: TableLayout<PodMetrics> = {
  columns: [
    nameColumn,
    column('cpu', 'The CPU that all containers use.'),
    column('memory', 'The memory that all containers use.'),
    column('Window', 'The length of the interval in which the usage was measured.'),
  ],
  cells: ({ metadata, containers, window }) => [
    metadata.name ?? '',
    sumOf(containers, 'cpu'),
    sumOf(containers, 'memory'),
    window ?? '',
  ],
};

function sumOf(containers: readonly ContainerMetrics[] = [], name: string): string {
  const amounts = containers.flatMap(({ usage }) => usage?.[name] ?? []).map(mustParseQuantity);
  const sum = amounts.reduce<Quantity | undefined>(
    (total, amount) => (total ? addQuantities(total, amount) : amount),
    undefined,
  );
  return sum?.text ?? '';
}

export const podMetrics = () =>
  resource<PodMetrics>({
    group: 'metrics',
    version: 'v1beta1',
    kind: 'PodMetrics',
    plural: 'pods',
    singular: 'pod',
    verbs: ['get', 'list'],
    storagePrefix: 'podmetrics',
    isServedByDefault: true,
    schema: PodMetrics,
    table: podMetricsTable,
    strategy: { validateName: nameIsPathSegment },
    virtual: {
      nameInErrors: 'podmetrics',
      list: async ({ metricsSource }, scope) =>
        ((await metricsSource?.podMetrics(scope)) ?? []) as PodMetrics[],
    },
  });
