import type { Subject } from '../case.ts';
import { configMaps } from './configmaps.ts';
import { decoding } from './decoding.ts';
import { deleteCollection, deletion } from './delete.ts';
import { fieldValidation } from './field-validation.ts';
import { listResourceVersion, lists, paging } from './list.ts';
import { metadata } from './metadata.ts';
import { names } from './names.ts';
import { selectors } from './selectors.ts';
import { update } from './update.ts';

export const corpus: Subject[] = [
  configMaps,
  decoding,
  fieldValidation,
  names,
  metadata,
  update,
  deletion,
  deleteCollection,
  lists,
  listResourceVersion,
  paging,
  selectors,
];
