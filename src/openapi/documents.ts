import { createHash } from 'node:crypto';
import type { Dialect } from '../dialect/dialect.ts';
import type { Registry } from '../resource/registry.ts';
import { pathsOf } from './paths.ts';

/** The OpenAPI v3 documents of a server: one per group version, and an index that names each with a hash of its content. */
export class OpenApiDocuments {
  /** JSON of `/openapi/v3`. */
  readonly index: string;
  readonly #documents = new Map<string, OpenApiDocument>();

  constructor(registry: Registry, dialect: Dialect) {
    const index: Record<string, { serverRelativeURL: string }> = {};
    for (const apiVersion of new Set(registry.resources.map((resource) => resource.apiVersion))) {
      const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
      const json = JSON.stringify({
        openapi: '3.0.0',
        info: { title: 'Orch', version: 'v1' },
        paths: pathsOf(registry.ofVersion(apiVersion), dialect),
      });
      const hash = createHash('sha512').update(json).digest('hex').toUpperCase();
      this.#documents.set(path, { json, hash });
      index[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
    }
    this.index = JSON.stringify({ paths: index });
  }

  /** The document of `api/v1`, `apis/apps/v1` and so on. */
  find(path: string): OpenApiDocument | undefined {
    return this.#documents.get(path);
  }
}

export interface OpenApiDocument {
  readonly json: string;
  readonly hash: string;
}
