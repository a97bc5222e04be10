// Pseudo-random requests with mutated objects: creates in every format, updates, and every patch type.
import { builtinKinds } from '../../../src/apis/index.ts';
import { encodeCbor, selfDescription } from '../../../src/codec/cbor/encode.ts';
import type { JsonValue } from '../../../src/codec/json/json-value.ts';
import { encodeMessage } from '../../../src/codec/protobuf/encode.ts';
import { writeEnvelope } from '../../../src/codec/protobuf/envelope.ts';
import { kubernetes } from '../../../src/dialect/index.ts';
import { everyFeature } from '../../../src/kind/features/everything.fixture.ts';
import type { Struct } from '../../../src/schema/struct.ts';
import { Random } from '../../faults/proof/random.ts';
import { minimalObjects } from '../../support/minimal-objects.ts';
import { operations } from '../../support/served-resources.ts';
import { type Mutation, mutatedText, randomMutation } from './mutate.ts';

export interface MutatedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly collection: string;
  readonly schema: Struct<unknown>;
  /** A valid object. */
  readonly base: { readonly metadata: { readonly name?: string }; readonly [field: string]: unknown };
  /** Reviews and the like are not stored. */
  readonly isStored: boolean;
  readonly hasFixedName: boolean;
}

export interface MutatedRequest {
  /** Unique among the requests of all kinds. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly accept: string;
  readonly body: Buffer;
}

const baseName = 'attack-base';

/** Every built-in resource that has a minimal object. */
export function mutatedKinds(): MutatedKind[] {
  return builtinKinds({ dialect: kubernetes, features: everyFeature }).flatMap((definition) => {
    const { group, version, kind, plural, namespaced, schema } = definition;
    const groupId = group === '' ? '' : kubernetes.groupName(group);
    const apiVersion = kubernetes.apiVersion(group, version);
    const stored = minimalObjects[`${group} ${plural}`];
    const body = stored?.body ?? operations[plural];
    if (!body) return [];
    const root = groupId === '' ? `/api/${version}` : `/apis/${groupId}/${version}`;
    const own = JSON.parse(JSON.stringify(body).replaceAll('DOMAIN', 'k8s.io')) as Record<string, unknown>;
    const metadata = { ...(stored && { name: stored.name ?? baseName }), ...(own.metadata as object) };
    return {
      apiVersion,
      kind,
      plural,
      collection: `${root}${namespaced ? '/namespaces/default' : ''}/${plural}`,
      schema: schema as Struct<unknown>,
      base: { apiVersion, kind, ...own, metadata },
      isStored: stored !== undefined,
      hasFixedName: stored?.name !== undefined,
    };
  });
}

const formats = [
  ...Array<'json'>(8).fill('json'),
  ...Array<'yaml'>(4).fill('yaml'),
  ...Array<'cbor'>(2).fill('cbor'),
  ...Array<'protobuf'>(2).fill('protobuf'),
  ...Array<'update'>(2).fill('update'),
  ...Array<'merge-patch+json'>(2).fill('merge-patch+json'),
  ...Array<'json-patch+json'>(2).fill('json-patch+json'),
  ...Array<'strategic-merge-patch+json'>(2).fill('strategic-merge-patch+json'),
  ...Array<'apply-patch+yaml'>(2).fill('apply-patch+yaml'),
] as const;
const ofCreate: readonly string[] = ['json', 'yaml', 'cbor', 'protobuf'];
const validations = ['', '&fieldValidation=Ignore', '&fieldValidation=Warn', '&fieldValidation=Strict'];
const protobufType = 'application/vnd.kubernetes.protobuf';
const responseTypes = [
  ...Array<string>(6).fill('application/json'),
  'application/yaml',
  protobufType,
  'application/cbor',
];

export function mutatedRequests(kind: MutatedKind, count: number, seed: number): MutatedRequest[] {
  const text = `${seed} ${kind.apiVersion} ${kind.plural}`;
  const random = new Random([...text].reduce((hash, c) => Math.imul(hash, 31) + c.charCodeAt(0), 7));
  return Array.from({ length: count }, (_, index) => mutatedRequest(kind, random.branch(), index));
}

function mutatedRequest(kind: MutatedKind, random: Random, index: number): MutatedRequest {
  const { apiVersion, plural, collection, hasFixedName, isStored } = kind;
  const format = kind.isStored ? random.pick(formats) : (random.pick(formats.slice(0, 16)) as 'json');
  const isCreate = ofCreate.includes(format);
  const validation = random.pick(validations);
  const base =
    isCreate && isStored && !hasFixedName
      ? { ...kind.base, metadata: { ...kind.base.metadata, name: `attack-${index}` } }
      : kind.base;
  const mutation = randomMutation(random, kind.schema, valuesFor[format] ?? 'wellFormed');
  const body = bodyOf(kind, base, mutation, format, random);
  const shown = `${mutation.path.join('.')} = ${mutation.value.slice(0, 60)}`;
  const isApply = format === 'apply-patch+yaml';
  return {
    name: `${apiVersion} ${plural}: ${format} ${validation.slice(17)} ${shown} #${index}`,
    method: isCreate ? 'POST' : format === 'update' ? 'PUT' : 'PATCH',
    path: `${collection}${isCreate ? '' : `/${kind.base.metadata.name}`}?dryRun=All${validation}${isApply ? '&fieldManager=attack&force=true' : ''}`,
    type:
      format === 'update'
        ? 'application/json'
        : format === 'protobuf'
          ? protobufType
          : `application/${format}`,
    accept: random.pick(responseTypes),
    body,
  };
}

const valuesFor: Readonly<Record<string, 'json' | 'yaml'>> = {
  json: 'json',
  update: 'json',
  'merge-patch+json': 'json',
  yaml: 'yaml',
  'apply-patch+yaml': 'yaml',
};

function bodyOf(kind: MutatedKind, base: object, mutation: Mutation, format: string, random: Random): Buffer {
  switch (format) {
    case 'cbor':
      return damaged(
        Buffer.concat([selfDescription, encodeCbor(JSON.parse(mutatedText(base, mutation)) as JsonValue)]),
        random,
      );
    case 'protobuf':
      return protobufBody(kind, base, mutation, random);
    case 'merge-patch+json':
    case 'strategic-merge-patch+json':
      return Buffer.from(mutatedText({}, mutation));
    case 'json-patch+json': {
      const path = mutation.path
        .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
        .join('');
      const op = random.pick(['add', 'replace', 'test', 'remove']);
      return Buffer.from(`[{"op":"${op}","path":${JSON.stringify(path)},"value":${mutation.value}}]`);
    }
    case 'apply-patch+yaml': {
      const { apiVersion, kind: kindName, metadata } = kind.base;
      return Buffer.from(mutatedText({ apiVersion, kind: kindName, metadata }, mutation));
    }
    default:
      return Buffer.from(mutatedText(base, mutation));
  }
}

/** The mutated object if the schema can hold it, else the valid one; then some bytes are damaged. */
function protobufBody(
  { apiVersion, kind, schema }: MutatedKind,
  base: object,
  mutation: Mutation,
  random: Random,
) {
  const encode = (text: string) => {
    const { object } = schema.decode(JSON.parse(text) as JsonValue);
    return encodeMessage(schema, object);
  };
  let message: Buffer;
  try {
    message = encode(mutatedText(base, mutation));
  } catch {
    message = encode(JSON.stringify(base));
  }
  const magic = kubernetes.protobufMagic;
  if (random.isLucky(0.2)) return damaged(writeEnvelope({ apiVersion, kind, message }, magic), random);
  return writeEnvelope({ apiVersion, kind, message: damaged(message, random) }, magic);
}

/** Half of the bodies stay as they are; others lose, get or change bytes. */
function damaged(bytes: Buffer, random: Random): Buffer {
  if (random.isLucky(0.5)) return bytes;
  const at = random.between(0, bytes.length - 1);
  const byte = random.between(0, 255);
  switch (random.between(0, 3)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    default: {
      const changed = Buffer.from(bytes);
      changed[at] = byte;
      return changed;
    }
  }
}
