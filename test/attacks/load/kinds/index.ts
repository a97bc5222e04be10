// All kinds of attacks of the load test.
import type { LoadKind } from '../attacker.ts';
import { connections } from './connections.ts';
import { customResources } from './definitions.ts';
import { largeObjects } from './large-objects.ts';
import { lists } from './lists.ts';
import { accessReviews } from './reviews.ts';
import { watches } from './watches.ts';

export const kinds: readonly LoadKind[] = [
  ...largeObjects,
  ...accessReviews,
  ...customResources,
  ...lists,
  ...watches,
  ...connections,
];
