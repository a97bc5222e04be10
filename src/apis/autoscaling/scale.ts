// Scale: schema, printer columns and the scale subresource of workload kinds.
import type { ApiObject } from '../../kind/api-object.ts';
import type { Subresource } from '../../kind/definition.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, integer } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

const ScaleSpec = struct(
  'autoscaling/v1.ScaleSpec',
  { replicas: field(1, int32, { doc: 'The desired number of replicas.' }) },
  { doc: 'The desired scale.' },
);

const ScaleStatus = struct(
  'autoscaling/v1.ScaleStatus',
  {
    replicas: field(1, int32, { required: true, doc: 'The actual number of replicas.' }),
    selector: field(2, string, { doc: 'The label selector of the pods, in query string format.' }),
  },
  { doc: 'The actual scale.' },
);

export const Scale = kind(
  'autoscaling/v1.Scale',
  {
    spec: field(2, ScaleSpec, { doc: 'The desired scale. Updating it scales the object.' }),
    status: field(3, ScaleStatus, { doc: 'The actual scale.' }),
  },
  { doc: 'The scale subresource: the number of replicas of an object of any scalable kind.' },
);
export type Scale = Infer<typeof Scale>;

const scaleTable: TableLayout<Scale> = {
  columns: [
    column('Name', 'The name of the scaled object.'),
    column('Desired', 'The desired number of replicas.', integer),
    column('Available', 'The actual number of replicas.', integer),
    ageColumn,
  ],
  cells: (scale, ages) => [
    scale.metadata.name ?? '',
    scale.spec.replicas ?? 0,
    scale.status.replicas,
    age(scale, ages),
  ],
};

/** Accessors for the fields that Scale exposes. */
export interface ScaleAccessors<T extends ApiObject> {
  replicas(object: T): number;
  setReplicas(object: T, replicas: number): void;
  currentReplicas(object: T): number;
  selector(object: T): string;
}

export function scaleSubresource<T extends ApiObject>(accessors: ScaleAccessors<T>): Subresource<T> {
  return {
    verbs: ['get', 'patch', 'update'],
    view: {
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      schema: Scale,
      table: scaleTable,
      // The server sets apiVersion, kind and metadata.
      toView: (parent) => ({
        apiVersion: '',
        kind: '',
        metadata: {},
        spec: { replicas: accessors.replicas(parent) },
        status: { replicas: accessors.currentReplicas(parent), selector: accessors.selector(parent) },
      }),
      validate: (view) => validateNonNegative((view as Scale).spec.replicas, 'spec.replicas'),
      write: (view, parent) => accessors.setReplicas(parent, (view as Scale).spec.replicas ?? 0),
    },
  };
}
