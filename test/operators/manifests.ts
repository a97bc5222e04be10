import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** The fields of a manifest that the run reads. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

export interface Definition extends Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** An object in a file of a module. */
export interface FoundManifest<T extends Manifest = Manifest> {
  readonly file: string;
  readonly object: T;
}

export interface ManifestsResult {
  readonly found: readonly FoundManifest[];
  /** Files that are not YAML: templates. */
  readonly templates: readonly string[];
}

/** All objects in the YAML files at paths of a folder. */
export function manifestsIn(folder: string, paths: readonly string[]): ManifestsResult {
  const found: FoundManifest[] = [];
  const templates: string[] = [];
  for (const file of paths.flatMap((path) => filesAt(folder, path))) {
    const documents = parseAllDocuments(readFileSync(join(folder, file), 'utf8'), { logLevel: 'error' });
    if (documents.some(({ errors }) => errors.length > 0)) templates.push(file);
    else
      found.push(
        ...documents.flatMap((each) => manifestsOf(each.toJS())).map((object) => ({ file, object })),
      );
  }
  return { found, templates };
}

function filesAt(folder: string, path: string): string[] {
  if (statSync(join(folder, path)).isFile()) return [path];
  return readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

function manifestsOf(value: unknown): Manifest[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('kind' in value && value.kind === 'List' && 'items' in value && Array.isArray(value.items))
    return value.items.flatMap(manifestsOf);
  return 'apiVersion' in value && 'kind' in value && 'metadata' in value ? [value as Manifest] : [];
}
