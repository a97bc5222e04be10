// Mutated objects of every kind, in every format and patch type: each response is a well-formed object or Status.
import { decodeYaml } from '../../src/codec/yaml/decode.ts';
import type { Server } from '../parity/client.ts';
import { referenceKit, type StartedServer, startOrch, startReference, type Undo } from '../parity/servers.ts';
import { ask, type Received } from './ask.ts';
import { type AttackClass, attackOfTries, type Side } from './attack.ts';
import {
  type MutatedKind,
  type MutatedRequest,
  mutatedKinds,
  mutatedRequests,
} from './mutations/mutated-requests.ts';

const triesPerKind = 240;
const warmUpTries = 20;
/** One of this many accepted objects is also created, and read in every format. */
const createdOf = 10;

export const mutatedObjects: AttackClass = {
  name: 'mutated objects',
  sides: ['orch', 'reference'],
  accepted: [
    {
      tries: /: protobuf /,
      answers: /^400, /,
      reason: 'Orch rejects strings that are not UTF-8, which Go keeps in Protobuf',
    },
    {
      tries: /: protobuf /,
      answers: /^(?:201|422), reference 400/,
      reason: 'in a damaged envelope with two TypeMeta Go merges them',
    },
    { tries: /: cbor /, answers: /^400, /, reason: 'Orch rejects more of what is damaged in CBOR' },
    {
      tries: /(?:capacity|limits|podFixed|requests|hard)\S* = 1{60}/,
      answers: /^400, /,
      reason: 'the digits of a quantity are limited',
    },
    {
      tries: /v1 bindings: .* metadata\.name/,
      answers: /^404, reference 400/,
      reason: 'the pod is looked up first',
    },
  ],
  async prepare({ side, undo, seed }) {
    const server = await startWithEverything(side, undo);
    const answers = new Map<string, number>();
    const kinds = mutatedKinds();
    for (const { collection, base, isStored } of kinds) {
      if (isStored) await ask(server, 'POST', collection, { body: base });
    }
    // Compiled code and caches of every kind are no leak.
    for (const kind of kinds) {
      for (const request of mutatedRequests(kind, warmUpTries, seed + 1))
        await attempt(server, kind, request, new Map()).catch(() => {});
    }
    const attacks = kinds.map((kind) =>
      attackOfTries(
        `mutated ${kind.plural} of ${kind.apiVersion}`,
        mutatedRequests(kind, triesPerKind, seed),
        (request) => attempt(server, kind, request, answers),
      ),
    );
    return { target: server, attacks, answers };
  },
};

/** All 88 resources, and CBOR, are behind feature gates and API versions that are off by default. */
function startWithEverything(side: Side, undo: Undo): Promise<StartedServer> {
  return side === 'orch'
    ? startOrch('memory', 'everything', undo)
    : startReference(referenceKit()!, 'everything', undo);
}

async function attempt(
  server: Server,
  kind: MutatedKind,
  request: MutatedRequest,
  answers: Map<string, number>,
): Promise<void> {
  const { name, method, path, type, accept, body } = request;
  const received = await ask(server, method, path, { body, type, headers: { accept } });
  answers.set(name, received.status);
  const object = objectOf(received);
  const problem = malformation(kind, received.status, object);
  if (problem) throw new Error(`${name}: ${problem}: ${received.status} ${received.text.slice(0, 200)}`);
  if (received.status === 201 && isHarmless(kind) && object?.metadata?.name && answers.size % createdOf === 0)
    await createAndRead(server, kind, request);
}

interface ReadObject {
  readonly kind?: unknown;
  readonly code?: unknown;
  readonly polluted?: unknown;
  readonly metadata?: { readonly name?: string };
}

function objectOf({ text }: Pick<Received, 'text'>): ReadObject | undefined {
  try {
    // JSON is YAML.
    const value = text.startsWith('{') ? (JSON.parse(text) as unknown) : decodeYaml(Buffer.from(text)).value;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function malformation(
  { kind }: MutatedKind,
  status: number,
  object: ReadObject | undefined,
): string | undefined {
  if (!object) return 'the response cannot be read';
  if (object.polluted) return 'the prototype is polluted';
  if (status < 300) return object.kind === kind ? undefined : 'the response is of another kind';
  return object.kind === 'Status' && object.code === status ? undefined : 'the response is no Status';
}

/** Kinds whose objects have no effect on other requests. */
const isHarmless = ({ collection, isStored }: MutatedKind) =>
  isStored &&
  !/admission|apiregistration|apiextensions|flowcontrol|namespaces$|quotas$|ranges$|classes$|cidrs$|ipaddresses$/.test(
    collection,
  );

async function createAndRead(
  server: Server,
  { collection, kind }: MutatedKind,
  { name, path, type, body }: MutatedRequest,
): Promise<void> {
  const creation = await ask(server, 'POST', path.replace('dryRun=All', ''), { body, type });
  // Quotas and the like of other tries may reject it now.
  if (creation.status !== 201) return;
  // A generated name is not that of the dry run.
  const created = objectOf(creation)?.metadata?.name ?? '';
  const own = `${collection}/${encodeURIComponent(created)}`;
  for (const accept of ['json', 'yaml', 'vnd.kubernetes.protobuf', 'cbor']) {
    const received = await ask(server, 'GET', own, { headers: { accept: `application/${accept}` } });
    const object = objectOf(received);
    if (received.status !== 200 || object?.kind !== kind || object.metadata?.name !== created)
      throw new Error(`${name}: was created, and is not read as ${accept}: ${received.text.slice(0, 200)}`);
  }
  await ask(server, 'DELETE', `${own}?gracePeriodSeconds=0`);
}
