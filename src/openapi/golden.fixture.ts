// Compares the built OpenAPI documents with golden files.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetes } from '../dialect/index.ts';
import { everyDocument } from './all-documents.fixture.ts';
import {
  type Document,
  type MediaTypeObjects,
  methods,
  type Operation,
  type Parameter,
  type Schema,
} from './builder/document.ts';

/**
 * One golden file for each group version, with its paths and the schemas of its own types, and one file for shared types.
 * A line has everything about a property or an operation except its description.
 *
 *   node src/openapi/golden.fixture.ts --write      writes the golden files
 */
const folder = join(import.meta.dirname, 'testdata');

const refPrefix = '#/components/schemas/';
/** Types that belong to no group version of their own. */
const sharedFile = 'shared.txt';

/** The expected content of the golden files, by file name. */
export function goldenFiles(): Map<string, string> {
  const documents = everyDocument(kubernetes);
  const fileBySchema = new Map<string, string>();
  for (const [name, document] of documents) {
    for (const schema of Object.keys(document.components.schemas ?? {})) {
      if (schema.endsWith('List') || !fileBySchema.has(schema)) fileBySchema.set(schema, sharedFile);
      if (belongsTo(schema, name)) fileBySchema.set(schema, fileOf(name));
    }
  }
  const files = new Map<string, string>();
  const shared = new Map<string, string>();
  for (const [name, document] of documents) {
    const schemas = Object.entries(document.components.schemas ?? {}).map(
      ([schema, value]) => [schema, schemaText(schema, value)] as const,
    );
    const file = fileOf(name);
    const ownSchemas = schemas.filter(([schema]) => fileBySchema.get(schema) === file);
    for (const [schema, text] of schemas)
      if (fileBySchema.get(schema) === sharedFile) shared.set(schema, text);
    const paths = pathsText(document);
    if (file === sharedFile) shared.set(`${Object.keys(document.paths)}`, paths);
    else files.set(file, `${paths}\n${ownSchemas.map(([, text]) => text).join('\n')}`);
  }
  const sorted = [...shared].sort(([a], [b]) => (a < b ? -1 : 1));
  return files.set(sharedFile, sorted.map(([, text]) => text).join('\n'));
}

/** The stored content of the golden files, by file name. */
export function writtenFiles(): Map<string, string> {
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** `api/v1` is `core.v1.txt`, `apis/apps/v1` is `apps.v1.txt`. */
function fileOf(name: string): string {
  const [api, group, version] = name === 'api/v1' ? ['apis', 'core', 'v1'] : name.split('/');
  return api === 'apis' && version !== undefined ? `${group}.${version}.txt` : sharedFile;
}

/** Whether a type belongs to a group version. */
function belongsTo(schema: string, name: string): boolean {
  const [group = '', version = ''] = name === 'api/v1' ? ['core', 'v1'] : name.split('/').slice(1);
  // Packages that are named differently from their group.
  const packages: Readonly<Record<string, string>> = { internal: 'apiserverinternal' };
  const groupId = group.split('.')[0]!;
  return schema.includes(`.${packages[groupId] ?? groupId}.${version}.`);
}

/** The paths with their operations, and above them each shape of an operation once, numbered `#1`, `#2`. */
function pathsText({ paths }: Document): string {
  const shapes = new Map<string, string>();
  const lines = Object.entries(paths).flatMap(([path, item]) => {
    const operations = methods.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const shape = shapeOf(operation, item.parameters ?? []);
      if (!shapes.has(shape)) shapes.set(shape, `#${shapes.size + 1}`);
      return [`  ${method} ${operation.operationId} ${shapes.get(shape)}${groupVersionKindText(operation)}`];
    });
    return [path, ...operations];
  });
  const legend = [...shapes].map(([shape, name]) => `${name} ${shape}`);
  return `${[...legend, '', ...lines].join('\n')}\n`;
}

/** The parameters, body and responses of an operation, with its kind as KIND: equal for the same verb of many kinds. */
function shapeOf(operation: Operation, shared: readonly Parameter[]): string {
  const kind = kindOf(operation);
  const parameters = [...shared, ...(operation.parameters ?? [])]
    .map(({ name, in: location, schema }) => `${location === 'path' ? '/' : ''}${name}:${schema.type}`)
    .sort();
  const body = operation.requestBody;
  const responses = Object.entries(operation.responses).map(([code, { content }]) =>
    `${code} ${contentText(content, kind)}`.trimEnd(),
  );
  return [
    `${extensionOf(operation, 'action') ?? 'read'} (${operation.tags})`,
    ...(parameters.length > 0 ? [parameters.join(' ')] : []),
    ...(body ? [`body${body.required ? '*' : ''} ${contentText(body.content, kind)}`] : []),
    ...responses,
  ].join('\n   ');
}

function contentText(content: MediaTypeObjects | undefined, kind: string): string {
  const [mediaTypeObject] = Object.values(content ?? {});
  if (!mediaTypeObject) return '';
  const name =
    mediaTypeObject.schema.$ref?.slice(mediaTypeObject.schema.$ref.lastIndexOf('.') + 1) ??
    mediaTypeObject.schema.type ??
    '';
  const generalName = name === kind ? 'KIND' : name === `${kind}List` ? 'KINDList' : name;
  return `${generalName} as ${Object.keys(content!).join(' ').replaceAll('application/', '')}`;
}

function kindOf(operation: Operation): string {
  return (extensionOf(operation, 'group-version-kind') as { kind?: string } | undefined)?.kind ?? '';
}

function groupVersionKindText(operation: Operation): string {
  const subject = extensionOf(operation, 'group-version-kind');
  return subject ? ` ${Object.values(subject).join('/')}` : '';
}

function extensionOf(operation: Operation, name: string): unknown {
  return (operation as unknown as Record<string, unknown>)[kubernetes.extensionPrefix + name];
}

function schemaText(name: string, { properties, required, description: _, ...rest }: Schema): string {
  const propertyLines = Object.entries(properties ?? {}).map(([field, property]) => {
    const star = required?.includes(field) ? '*' : '';
    return `  ${field}${star}: ${typeText(property)}`;
  });
  return `${[`${name} ${typeText(rest)}`, ...propertyLines].join('\n')}\n`;
}

function typeText(schema: Schema): string {
  const { $ref, allOf, oneOf, type, format, items, additionalProperties, description: _, ...rest } = schema;
  const reference = $ref ?? allOf?.[0]?.$ref;
  const base = reference?.slice(refPrefix.length) ?? oneOf?.map(typeText).join('|') ?? type ?? 'anything';
  const words = [
    items
      ? `[${typeText(items)}]`
      : typeof additionalProperties === 'object'
        ? `{${typeText(additionalProperties)}}`
        : base,
    ...(format === undefined ? [] : [`(${format})`]),
    ...Object.entries(rest)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key.replace(kubernetes.extensionPrefix, '')}=${JSON.stringify(value)}`),
  ];
  return words.join(' ');
}

if (process.argv[1] === import.meta.filename && process.argv.includes('--write')) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [file, text] of goldenFiles()) writeFileSync(join(folder, file), text);
}
