// The dialects: the sets of names that the server can use for API groups, labels, namespaces and headers.
import type { Dialect } from './dialect.ts';
import { kubernetes } from './kubernetes.ts';
import { orch } from './orch.ts';

export type { Dialect } from './dialect.ts';
export { kubernetes, orch };

export const dialects: Readonly<Record<Dialect['name'], Dialect>> = { orch, kubernetes };
