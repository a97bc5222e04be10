// The OpenAPI v2 paths and definitions of aggregated API servers, for /openapi/v2.
import type { RemoteOpenApi } from '../aggregation/remote-openapi.ts';
import type { Schema } from './builder/document.ts';
import type { DocumentFormat } from './builder/document-encoding.ts';
import { encodings2 } from './builder/encoding.ts';
import type { PathItem2 } from './builder/v2.ts';
import type { CompressedPart2 } from './custom-resource-parts.ts';
import { compressPart } from './document-parts.ts';

/** Compresses the part of each aggregated group version once. */
export class AggregatedParts {
  readonly #parts = new WeakMap<
    RemoteOpenApi,
    Partial<Record<DocumentFormat, Promise<CompressedPart2 | undefined>>>
  >();

  /**
   * The paths and definitions of an aggregated API server; undefined without a usable v2 document. Omits the definitions
   * in `existingNames`, which this server's document has already.
   */
  compressedPart(
    remote: RemoteOpenApi,
    format: DocumentFormat,
    existingNames: ReadonlySet<string>,
  ): Promise<CompressedPart2 | undefined> {
    const byFormat = this.#parts.get(remote) ?? {};
    this.#parts.set(remote, byFormat);
    byFormat[format] ??= this.#compress(remote, format, existingNames);
    return byFormat[format];
  }

  async #compress(
    { version2 }: RemoteOpenApi,
    format: DocumentFormat,
    existingNames: ReadonlySet<string>,
  ): Promise<CompressedPart2 | undefined> {
    if (!version2) return undefined;
    const newDefinitions = Object.entries(version2.definitions).filter(([name]) => !existingNames.has(name));
    const definitions = Object.fromEntries(newDefinitions) as Record<string, Schema>;
    const paths = version2.paths as Readonly<Record<string, PathItem2>>;
    try {
      return { ...(await compressPart(encodings2[format], paths, definitions)), parameters: new Map() };
    } catch {
      // The document of an aggregated server is not validated, so encoding it may fail.
      return undefined;
    }
  }
}
