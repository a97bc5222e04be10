// ComponentStatus (deprecated): schema, printer columns, and the health probes of the control plane components.
import type { ComponentHealth, VirtualContext } from '../../kind/definition.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { conditionStatus } from './condition-status.ts';

const ComponentCondition = struct(
  'core/v1.ComponentCondition',
  {
    type: field(1, named('core/v1.ComponentConditionType', openEnum('Healthy')), {
      required: true,
      doc: 'The type of the condition.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    message: field(3, string, { doc: "The response of the component's health check." }),
    error: field(4, string, { doc: 'The error of a failed health check.' }),
  },
  { doc: 'A condition of a control plane component.' },
);

export const ComponentStatus = kind(
  'core/v1.ComponentStatus',
  {
    conditions: field(
      2,
      list(ComponentCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the component.' },
    ),
  },
  {
    doc: 'The health of a control plane component. It is not stored: the server probes the component on every read. Deprecated in favour of the health endpoints.',
  },
);
export type ComponentStatus = Infer<typeof ComponentStatus>;

/** Secure ports where kube-scheduler and kube-controller-manager serve /healthz. */
const schedulerPort = 10259;
const controllerManagerPort = 10257;

/** The health probe of each component, by the name of its ComponentStatus. */
const components: Readonly<Record<string, (server: VirtualContext) => Promise<ComponentHealth>>> = {
  'controller-manager': (server) => server.componentHealth(controllerManagerPort),
  scheduler: (server) => server.componentHealth(schedulerPort),
  // kube-apiserver names the first etcd endpoint `etcd-0`; clients expect that name.
  'etcd-0': (server) => server.storageHealth(),
};

const toComponentStatus = (name: string, { healthy, message }: ComponentHealth): ComponentStatus => ({
  kind: 'ComponentStatus',
  apiVersion: 'v1',
  metadata: { name },
  conditions: [{ type: 'Healthy', status: healthy ? 'True' : 'False', message }],
});

const componentStatusTable: TableLayout<ComponentStatus> = {
  columns: [
    nameColumn,
    column('Status', 'Whether the component is healthy.'),
    column('Message', 'The response of the health check.'),
    column('Error', 'The error of the health check.'),
  ],
  cells({ metadata, conditions = [] }) {
    const healthy = conditions.find(({ type }) => type === 'Healthy');
    const statusTexts: Record<string, string> = { True: 'Healthy', False: 'Unhealthy' };
    return [
      metadata.name ?? '',
      statusTexts[healthy?.status ?? ''] ?? 'Unknown',
      healthy?.message ?? '',
      healthy?.error ?? '',
    ];
  },
};

export const componentstatuses = () =>
  resource<ComponentStatus>({
    group: '',
    version: 'v1',
    kind: 'ComponentStatus',
    plural: 'componentstatuses',
    shortNames: ['cs'],
    namespaced: false,
    verbs: ['get', 'list'],
    schema: ComponentStatus,
    table: componentStatusTable,
    strategy: { validateName: nameIsPathSegment },
    virtual: {
      nameInErrors: 'componentstatus',
      list(server, { names }) {
        const requested = Object.entries(components).filter(
          ([component]) => names === undefined || names.includes(component),
        );
        return Promise.all(
          requested.map(async ([component, probe]) => toComponentStatus(component, await probe(server))),
        );
      },
    },
  });
