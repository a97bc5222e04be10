// CSINode: the resource definition, with the strategy that runs on writes.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { CSINode } from './csinode.ts';
import { csiNodeTable } from './csinode-table.ts';
import { validateCsiNode, validateCsiNodeUpdate } from './csinode-validation.ts';

export const csinodes = (context: KindContext) =>
  resource<CSINode>({
    group: 'storage',
    version: 'v1',
    kind: 'CSINode',
    plural: 'csinodes',
    namespaced: false,
    schema: CSINode,
    table: csiNodeTable,
    strategy: {
      validateName: nameIsSubdomain,
      deleteReturnsObject: true,
      validate: (object) => validateCsiNode(object, context),
      validateUpdate: (object, old) => validateCsiNodeUpdate(object, old, context),
    },
  });
