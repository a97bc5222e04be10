import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { selectsAll } from '../../kind/meta/label-selector-match.ts';
import { selectorText } from '../../kind/meta/label-selector-rules.ts';
import { age, containerCells, labelText, none } from '../../kind/table/cells.ts';
import {
  ageColumn,
  column,
  containerColumns,
  integer,
  nameColumn,
  selectorColumn,
} from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { ControllerRevision } from './controllerrevision.ts';
import type { DaemonSet } from './daemonset.ts';
import type { Deployment } from './deployment.ts';
import type { ReplicaSet } from './replicaset.ts';
import type { StatefulSet } from './statefulset.ts';

/** A selector as a cell shows it. */
export function selectorCell(selector: LabelSelector | undefined): string {
  return !selector || selectsAll(selector) ? none : selectorText(selector);
}

export const controllerRevisionTable: TableLayout<ControllerRevision> = {
  columns: [
    nameColumn,
    column('Controller', 'Whose state it is.'),
    column('Revision', 'Which revision of it.'),
    ageColumn,
  ],
  cells(object, now) {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller);
    return [
      object.metadata.name ?? '',
      owner ? `${qualified(owner)}/${owner.name}` : none,
      object.revision,
      age(object, now),
    ];
  },
};

/** `statefulset.apps`. */
function qualified({ kind, apiVersion }: { kind: string; apiVersion: string }): string {
  const slash = apiVersion.indexOf('/');
  return (slash < 0 ? kind : `${kind}.${apiVersion.slice(0, slash)}`).toLowerCase();
}

export const daemonSetTable: TableLayout<DaemonSet> = {
  columns: [
    nameColumn,
    column('Desired', 'On how many nodes it should run.', integer),
    column('Current', 'On how many it does.', integer),
    column('Ready', 'On how many it is ready.', integer),
    column('Up-to-date', 'On how many it is as the template has it.', integer),
    column('Available', 'On how many it has been ready for long enough.', integer),
    column('Node Selector', 'The labels of the nodes.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(set, now) {
    const { spec, status, metadata } = set;
    return [
      metadata.name ?? '',
      status.desiredNumberScheduled ?? 0,
      status.currentNumberScheduled ?? 0,
      status.numberReady ?? 0,
      status.updatedNumberScheduled ?? 0,
      status.numberAvailable ?? 0,
      labelText(spec.template.spec.nodeSelector),
      age(set, now),
      ...containerCells(spec.template.spec),
      selectorCell(spec.selector),
    ];
  },
};

export const deploymentTable: TableLayout<Deployment> = {
  columns: [
    nameColumn,
    column('Ready', 'How many pods are ready, of how many.'),
    column('Up-to-date', 'How many are as the template has them.'),
    column('Available', 'How many have been ready for long enough.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(deployment, now) {
    const { spec, status, metadata } = deployment;
    return [
      metadata.name ?? '',
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      age(deployment, now),
      ...containerCells(spec.template.spec),
      selectorCell(spec.selector),
    ];
  },
};

export const replicaSetTable: TableLayout<ReplicaSet> = {
  columns: [
    nameColumn,
    column('Desired', 'How many pods there should be.', integer),
    column('Current', 'How many there are.', integer),
    column('Ready', 'How many are ready.', integer),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(set, now) {
    const { spec, status, metadata } = set;
    return [
      metadata.name ?? '',
      spec.replicas ?? 0,
      status.replicas ?? 0,
      status.readyReplicas ?? 0,
      age(set, now),
      ...containerCells(spec.template.spec),
      selectorCell(spec.selector),
    ];
  },
};

export const statefulSetTable: TableLayout<StatefulSet> = {
  columns: [
    nameColumn,
    column('Ready', 'How many pods are ready, of how many.'),
    ageColumn,
    ...containerColumns,
  ],
  cells(set, now) {
    const { spec, status, metadata } = set;
    return [
      metadata.name ?? '',
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      age(set, now),
      ...containerCells(spec.template.spec),
    ];
  },
};
