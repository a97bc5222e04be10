// The kinds of the API group storage.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { csidrivers } from './csidriver-definition.ts';
import { csinodes } from './csinode-definition.ts';
import { csistoragecapacities } from './csistoragecapacity.ts';
import { storageclasses } from './storageclass-definition.ts';
import { volumeattachments } from './volumeattachment-definition.ts';
import { volumeattributesclasses, volumeattributesclassesV1alpha1 } from './volumeattributesclass.ts';

export const storageKinds = (context: KindContext): ResourceDefinition[] => [
  csidrivers(context),
  csinodes(context),
  csistoragecapacities(context),
  storageclasses(context),
  volumeattachments(context),
  volumeattributesclasses(context),
  volumeattributesclassesV1alpha1(context),
];
