// Forged continue tokens and resource versions: no response has an item outside of the listed range.
import type { Server } from '../parity/client.ts';
import { ask, type Received, setUpObject } from './ask.ts';
import { type AttackClass, attackOfTries } from './attack.ts';

const namespace = 'attack-list';
/** Its name starts with that of the listed namespace. */
const neighbour = `${namespace}-2`;
const hidden = 'attack-hidden';
const label = 'attack-listed';
const names = ['a', 'b', 'c'];

export const continueTokens: AttackClass = {
  name: 'continue tokens',
  sides: ['orch', 'reference'],
  accepted: [
    {
      tries: /huge revision|highest int64|9223372036854775807/,
      reason: 'etcd rejects future revisions with 500; Orch lists the latest state, or responds 504 or 400',
    },
    { tries: /lowest int64/, reason: 'Orch rejects revisions beyond 2^53' },
    { tries: /a small exponent/, reason: 'in JavaScript 1e0 is an integer' },
    { tries: /in capitals/, reason: 'Go ignores the case of JSON names' },
    { tries: /with a line break/, reason: "Go's base64 ignores line breaks" },
    { tries: /^one object/, reason: 'a selector by name needs no position in Orch' },
    {
      tries: /: 00|: 0 |: 01|: 1&|resourceVersion 0/,
      reason: "the reference's watch cache, which Orch does not have",
    },
  ],
  async prepare({ server, undo }) {
    undo.push(async () => {
      for (const name of [namespace, neighbour]) await ask(server, 'DELETE', `/api/v1/namespaces/${name}`);
    });
    const revision = await prepareObjects(server);
    const answers = new Map<string, string>();
    return {
      target: server,
      answers,
      attacks: ranges.flatMap((range) => [
        attackOfTries(`start keys of ${range.name}`, forgedStarts(revision), (forged) =>
          attempt(server, answers, range, forged),
        ),
        attackOfTries(`other tokens of ${range.name}`, forgedTokens(revision), (forged) =>
          attempt(server, answers, range, forged),
        ),
        attackOfTries(`resource versions of ${range.name}`, forgedVersions(revision), (forged) =>
          attempt(server, answers, range, forged),
        ),
      ]),
    };
  },
};

/** What a request reads, and which objects it may return. */
interface Range {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly namespaces: readonly string[];
}

const core = '/api/v1/namespaces';
const ranges: readonly Range[] = [
  {
    name: 'a namespace',
    method: 'GET',
    path: `${core}/${namespace}/configmaps?limit=2`,
    namespaces: [namespace],
  },
  {
    name: 'all namespaces',
    method: 'GET',
    path: `/api/v1/configmaps?limit=2&labelSelector=${label}`,
    namespaces: [namespace],
  },
  {
    name: 'one object',
    method: 'GET',
    path: `${core}/${namespace}/configmaps?fieldSelector=metadata.name%3Da`,
    namespaces: [namespace],
  },
  {
    name: 'deletecollection',
    method: 'DELETE',
    path: `${core}/${namespace}/configmaps?dryRun=All`,
    namespaces: [namespace],
  },
];

interface Forged {
  readonly name: string;
  readonly query: string;
}

/** Creates what may be listed, and hidden objects beside it; resolves to a revision at which all exist. */
async function prepareObjects(server: Server): Promise<number> {
  for (const name of [namespace, neighbour]) {
    await setUpObject(server, 'POST', core, { metadata: { name } });
    await setUpObject(server, 'POST', `${core}/${name}/secrets`, { metadata: { name: hidden } });
  }
  for (const name of names)
    await setUpObject(server, 'POST', `${core}/${namespace}/configmaps`, {
      metadata: { name, labels: { [label]: '' } },
    });
  await setUpObject(server, 'POST', `${core}/${neighbour}/configmaps`, { metadata: { name: hidden } });
  const { metadata } = await setUpObject(server, 'GET', `${core}/${namespace}/configmaps`);
  return Number(metadata?.resourceVersion);
}

const encode = (text: string) => Buffer.from(text).toString('base64url');
const apiVersion = 'meta.k8s.io/v1';

function tokenOf(name: string, fields: unknown): Forged {
  return { name, query: `&continue=${encode(JSON.stringify(fields))}` };
}

const starts = [
  'a\0',
  'b\0',
  'c\0',
  '',
  '\0',
  '/',
  '/\0',
  '//',
  '//a\0',
  '/a\0',
  'a',
  '.',
  '..',
  './a\0',
  'a/../b\0',
  'a/./b\0',
  '../\0',
  '../..',
  `../${neighbour}/\0`,
  `../${neighbour}/${hidden}`,
  `/../${neighbour}/${hidden}`,
  `/../../secrets/${namespace}/\0`,
  `../../secrets/${namespace}/${hidden}`,
  `../../../registry/secrets/${namespace}/${hidden}`,
  '..%2fsecrets%2f\0',
  '..\\secrets\\\0',
  '/registry/secrets/\0',
  `/registry/configmaps/${neighbour}/\0`,
  `${neighbour}/${hidden}`,
  `${namespace}/a\0`,
  `${namespace}-2/\0`,
  `-2/${hidden}\0`,
  '\uffff\0',
  '\u{10ffff}',
  '~\0',
  ' \0',
  '\n',
  '-\0',
  '%00',
  'A\0',
  '__proto__',
  'constructor',
  'x'.repeat(10_000),
  `${'a/'.repeat(5_000)}\0`,
  `${'../'.repeat(500)}`,
];

/** Every start key with a valid revision, with "the latest", and with one that does not exist. */
function forgedStarts(revision: number): Forged[] {
  return starts.flatMap((start) =>
    Object.entries({ valid: revision, latest: -1, huge: 2 ** 50 }).map(([name, rv]) =>
      tokenOf(`${JSON.stringify(start.slice(0, 60))} at the ${name} revision`, { v: apiVersion, rv, start }),
    ),
  );
}

/** Tokens with other fields, types, versions and encodings. */
function forgedTokens(rv: number): Forged[] {
  const start = 'a\0';
  const v = apiVersion;
  const valid = JSON.stringify({ v, rv, start });
  const fields: Record<string, unknown> = {
    'revision 0': { v, rv: 0, start },
    'revision 1': { v, rv: 1, start },
    'revision -1': { v, rv: -1, start },
    'revision -2': { v, rv: -2, start },
    'the lowest int64': `{"v":"${v}","rv":-9223372036854775808,"start":"a"}`,
    'the highest int64': `{"v":"${v}","rv":9223372036854775807,"start":"a"}`,
    'above int64': `{"v":"${v}","rv":9223372036854775808,"start":"a"}`,
    'an exponent': `{"v":"${v}","rv":1e400,"start":"a"}`,
    'a small exponent': `{"v":"${v}","rv":1e0,"start":"a"}`,
    'a fraction': { v, rv: 1.5, start },
    'a revision as text': { v, rv: `${rv}`, start },
    'a revision as list': { v, rv: [rv], start },
    'a revision as null': { v, rv: null, start },
    'no revision': { v, start },
    'no start': { v, rv },
    'start null': { v, rv, start: null },
    'start a number': { v, rv, start: 1 },
    'start an object': { v, rv, start: {} },
    'start a list': { v, rv, start: [start] },
    'no version': { rv, start },
    'version null': { v: null, rv, start },
    'another version': { v: 'meta.k8s.io/v2', rv, start },
    'the version of the other dialect': { v: 'meta.orch.io/v1', rv, start },
    'version v1': { v: 'v1', rv, start },
    'the version in capitals': { v: 'META.K8S.IO/V1', rv, start },
    'a version of Object.prototype': { v: '__proto__', rv, start },
    'names in capitals': { V: v, RV: rv, START: start },
    'a duplicate start': `{"v":"${v}","rv":${rv},"start":"a\\u0000","start":"../secrets"}`,
    'a duplicate start in capitals': `{"v":"${v}","rv":${rv},"start":"a\\u0000","Start":"../secrets"}`,
    'a duplicate revision': `{"v":"${v}","rv":${rv},"rv":-1,"start":"a"}`,
    'unknown fields': { v, rv, start, prefix: '/registry/secrets', limit: 9 },
    '__proto__ as a field': `{"__proto__":{"v":"${v}","rv":${rv},"start":"a"}}`,
    'an escaped surrogate': `{"v":"${v}","rv":${rv},"start":"\\ud800"}`,
    'a list': [],
    'a list with the token': [{ v, rv, start }],
    null: 'null',
    'a number': '1',
    'a text': '"a"',
    'an empty object': {},
    'deep nesting': `{"v":"${v}","rv":${rv},"start":${'['.repeat(20_000)}`,
    'data after the object': `${valid}{}`,
    'space around the object': ` \n${valid}\t`,
    'a byte order mark': `\ufeff${valid}`,
    'an unfinished object': valid.slice(0, -1),
  };
  const texts: Record<string, string> = {
    'with padding': Buffer.from(valid)
      .toString('base64url')
      .padEnd(4 * Math.ceil((valid.length / 3) * 1), '='),
    'in the standard alphabet': encodeURIComponent(Buffer.from(`${valid}???>>>`).toString('base64')),
    'encoded twice': encode(encode(valid)),
    'not encoded': encodeURIComponent(valid),
    'with a line break': `${encode(valid).slice(0, 8)}%0A${encode(valid).slice(8)}`,
    'with a space': `${encode(valid).slice(0, 8)}%20${encode(valid).slice(8)}`,
    'with a NUL': `${encode(valid)}%00`,
    'with invalid UTF-8 in it': Buffer.concat([
      Buffer.from(`{"v":"${v}","rv":${rv},"start":"`),
      Buffer.from([0xff, 0xfe, 0xc0, 0xaf]),
      Buffer.from('"}'),
    ]).toString('base64url'),
    'one character': 'A',
    'a NUL': '%00',
    'the empty object': 'e30',
    underscores: '____',
    'a percent sign': '%25',
    long: 'Ww'.repeat(20_000),
    'with trailing bits': `${encode(valid).slice(0, -1)}_`,
    twice: `${encode(valid)}&continue=${encode(JSON.stringify({ v, rv, start: '../x' }))}`,
    empty: '',
  };
  return [
    ...Object.entries(fields).map(([name, value]) =>
      typeof value === 'string' ? { name, query: `&continue=${encode(value)}` } : tokenOf(name, value),
    ),
    ...Object.entries(texts).map(([name, text]) => ({ name, query: `&continue=${text}` })),
    ...['0', '1', `${rv}`, '-1', 'x'].flatMap((version) =>
      ['', 'Exact', 'NotOlderThan', 'x'].map((match) => ({
        name: `a token and resourceVersion ${version === `${rv}` ? 'now' : version} ${match}`,
        query: `&continue=${encode(valid)}&resourceVersion=${version}${match && `&resourceVersionMatch=${match}`}`,
      })),
    ),
  ];
}

const versions = [
  '',
  '0',
  '00',
  '01',
  '-0',
  '+1',
  '%2B1',
  '-1',
  '-9223372036854775808',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '18446744073709551616',
  '1'.repeat(1_000),
  '1.0',
  '1e3',
  '0x1',
  '1_0',
  '%20',
  '1%20',
  '%00',
  'null',
  'NaN',
  'Infinity',
  '__proto__',
  '%D9%A1',
  '%EF%BC%91',
  '1,2',
  '1&resourceVersion=-1',
];

function forgedVersions(revision: number): Forged[] {
  return [...versions, `${revision}`].flatMap((version) =>
    ['', 'Exact', 'NotOlderThan', 'exact', '%00', 'Exact&resourceVersionMatch=NotOlderThan'].map((match) => ({
      name: `${version === `${revision}` ? 'now' : version.slice(0, 40)} ${match}`,
      query: `&resourceVersion=${version}${match && `&resourceVersionMatch=${match}`}`,
    })),
  );
}

async function attempt(
  server: Server,
  answers: Map<string, string>,
  range: Range,
  forged: Forged,
): Promise<void> {
  const { method, path, name } = range;
  const received = await ask(server, method, `${path}${forged.query}`);
  answers.set(`${name}: ${forged.name}`, answerOf(received));
  const { status, json } = received;
  if (status !== 200 && (status < 400 || status >= 500) && status !== 504)
    throw new Error(`${forged.name}: ${status}`);
  for (const { metadata } of json.items ?? []) {
    const isListed =
      range.namespaces.includes(metadata?.namespace ?? '') && names.includes(metadata?.name ?? '');
    if (!isListed) throw new Error(`${forged.name}: ${metadata?.namespace}/${metadata?.name} is returned`);
  }
}

/** The status and the names of the items, which are the same on both servers. */
function answerOf({ status, json }: Received): string {
  const items = json.items?.map(({ metadata }) => metadata?.name) ?? [];
  return [status, ...items].join(' ');
}
