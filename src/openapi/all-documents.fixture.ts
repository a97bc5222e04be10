// Builds the OpenAPI documents of all built-in kinds in all versions, for tests.
import { builtinKinds } from '../apis/index.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import { Registry } from '../kind/registry.ts';
import type { Document } from './builder/document.ts';
import { type Document2, toVersion2 } from './builder/v2.ts';
import { documentBuilders } from './v3.ts';

/** The v3 documents of a server that serves every version of every kind, by name. */
export function everyDocument(dialect: Dialect): Map<string, Document> {
  const kinds = builtinKinds({ dialect, features: everyFeature });
  const registry = new Registry(kinds, dialect, { serves: () => true, servesSubresource: () => true });
  const makers = documentBuilders(registry.resources, {
    dialect,
    release: '1.33',
    cbor: true,
    publishEnums: true,
  });
  return new Map([...makers].map(([name, make]) => [name, make()]));
}

/** The v3 documents converted to one v2 document. */
export function version2Of(
  documents: Iterable<Document>,
): Pick<Document2, 'paths' | 'definitions' | 'parameters'> {
  const parts = [...documents].map((document) => toVersion2(document));
  return {
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)),
    definitions: Object.assign({}, ...parts.map(({ definitions }) => definitions)),
    parameters: Object.fromEntries(parts.flatMap(({ parameters }) => [...parameters])),
  };
}
