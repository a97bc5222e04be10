import { ask, get, type Json, type JsonObject, post, type Step, send, subject } from '../case.ts';
import { object } from './objects.ts';
import { version2, version3 } from './openapi.ts';

const group = '{name}.example.com';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const x = (extension: string) => `x-kubernetes-${extension}`;

const version = (name: string, schema: Json, changes: JsonObject = {}): JsonObject => ({
  ...{ name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: schema } },
  ...changes,
});

const make = (plural: string, names: JsonObject, versions: JsonObject[], scope = 'Namespaced') =>
  post(
    definitions,
    object(`${plural}.${group}`, { spec: { group, scope, names: { plural, ...names }, versions } }),
    { pick: () => 'made' },
  );

/** Operations are called after the group, and that after the case. */
const unnamed = (value: Json): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(/[pP]arity[A-Za-z0-9]*?Name(?=ExampleCom)/g, '<name>')) as Json;

const names = (body: JsonObject, part: string) => Object.keys((body[part] ?? {}) as JsonObject);

/** The v3 document of a version, once it has a path that ends like this. */
const document3 = (of: string, plural: string): Step =>
  get(`/openapi/v3/apis/${group}/${of}`, {
    until: (body) => names(body, 'paths').some((path) => path.endsWith(`/${plural}`)),
    pick: (body) => unnamed(version3(body)),
  });

/** What the v2 document says of kinds that no other case has. */
const document2 = (plurals: readonly string[], kinds: readonly string[]): Step =>
  get('/openapi/v2', {
    until: (body) =>
      kinds.every((kind) => names(body, 'definitions').some((name) => name.endsWith(`.${kind}`))),
    pick: ({ paths = {}, definitions = {}, parameters = {} }) => {
      const own = Object.entries(paths as JsonObject).filter(([path]) =>
        path.split('/').some((step) => plurals.includes(step)),
      );
      const types = Object.entries(definitions as JsonObject).filter(([name]) =>
        kinds.includes(name.slice(name.lastIndexOf('.') + 1)),
      );
      const { parameters: _, ...shown } = version2({
        paths: Object.fromEntries(own),
        definitions: Object.fromEntries(types),
        parameters,
      });
      return unnamed(shown);
    },
  });

/** Every word that a schema may have. */
const words: JsonObject = {
  color: {
    type: 'string',
    enum: ['red', 'blue'],
    default: 'red',
    title: 'colour',
  },
  size: {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 10,
    exclusiveMinimum: true,
    exclusiveMaximum: true,
    multipleOf: 2,
    default: 4,
  },
  weight: {
    type: 'number',
    format: 'double',
    minimum: 0.5,
  },
  replicas: {
    type: 'integer',
    minimum: 0,
  },
  name: {
    type: 'string',
    minLength: 1,
    maxLength: 63,
    pattern: '^[a-z]+$',
    format: 'hostname',
    example: 'abc',
  },
  when: {
    type: 'string',
    format: 'date-time',
  },
  raw: {
    type: 'string',
    format: 'byte',
  },
  nul: {
    type: 'string',
    nullable: true,
    default: null,
  },
  nulobj: {
    type: 'object',
    nullable: true,
    properties: {
      a: {
        type: 'string',
      },
    },
  },
  ios: {
    [x('int-or-string')]: true,
  },
  ios2: {
    [x('int-or-string')]: true,
    anyOf: [
      {
        type: 'integer',
      },
      {
        type: 'string',
      },
    ],
    description: 'p',
    pattern: '^[0-9]+%$',
  },
  ios3: {
    [x('int-or-string')]: true,
    allOf: [
      {
        anyOf: [
          {
            type: 'integer',
          },
          {
            type: 'string',
          },
        ],
      },
      {
        maximum: 5,
      },
    ],
  },
  list: {
    type: 'array',
    items: {
      type: 'string',
      maxLength: 3,
    },
    maxItems: 4,
    minItems: 1,
    [x('list-type')]: 'set',
  },
  atom: {
    type: 'array',
    items: {
      type: 'integer',
    },
    [x('list-type')]: 'atomic',
    default: [1, 2],
  },
  maplist: {
    type: 'array',
    [x('list-type')]: 'map',
    [x('list-map-keys')]: ['key'],
    items: {
      type: 'object',
      required: ['key'],
      properties: {
        key: {
          type: 'string',
        },
        value: {
          type: 'string',
          nullable: true,
        },
      },
    },
  },
  map: {
    type: 'object',
    additionalProperties: {
      type: 'string',
      nullable: true,
    },
  },
  mapobj: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        x: {
          type: 'boolean',
          default: true,
        },
      },
    },
    [x('map-type')]: 'atomic',
  },
  anymap: {
    type: 'object',
    additionalProperties: true,
  },
  nomap: {
    type: 'object',
    additionalProperties: false,
  },
  openmap: {
    type: 'object',
    properties: {
      a: {
        type: 'string',
      },
    },
    additionalProperties: true,
  },
  gran: {
    type: 'object',
    [x('map-type')]: 'granular',
    properties: {
      a: {
        type: 'string',
      },
    },
  },
  preserve: {
    type: 'object',
    [x('preserve-unknown-fields')]: true,
  },
  preserve2: {
    [x('preserve-unknown-fields')]: true,
  },
  preserve3: {
    type: 'object',
    [x('preserve-unknown-fields')]: true,
    description: 'p3',
    properties: {
      a: {
        type: 'string',
        nullable: true,
      },
    },
  },
  preservearr: {
    type: 'array',
    items: {
      [x('preserve-unknown-fields')]: true,
    },
  },
  embedded: {
    type: 'object',
    [x('embedded-resource')]: true,
    [x('preserve-unknown-fields')]: true,
  },
  embedded2: {
    type: 'object',
    [x('embedded-resource')]: true,
    description: 'em2',
    properties: {
      apiVersion: {
        type: 'string',
        description: 'own av',
        pattern: 'x',
      },
      kind: {
        type: 'string',
      },
      metadata: {
        type: 'object',
        properties: {
          name: {
            type: 'string',
            maxLength: 4,
          },
        },
      },
      spec: {
        type: 'object',
        properties: {
          q: {
            type: 'integer',
          },
        },
      },
    },
  },
  any: {
    type: 'object',
    properties: {
      a: {
        type: 'string',
      },
      b: {
        type: 'string',
      },
    },
    anyOf: [
      {
        required: ['a'],
      },
      {
        required: ['b'],
      },
    ],
  },
  one: {
    type: 'object',
    properties: {
      a: {
        type: 'string',
      },
      b: {
        type: 'string',
      },
    },
    oneOf: [
      {
        required: ['a'],
      },
      {
        properties: {
          b: {
            minLength: 3,
          },
        },
      },
    ],
  },
  all: {
    type: 'object',
    properties: {
      a: {
        type: 'string',
      },
      b: {
        type: 'string',
      },
    },
    allOf: [
      {
        required: ['a'],
      },
      {
        not: {
          required: ['b'],
        },
      },
    ],
  },
  not: {
    type: 'string',
    not: {
      enum: ['x'],
    },
  },
  rules: {
    type: 'object',
    properties: {
      a: {
        type: 'integer',
      },
    },
    [x('validations')]: [
      {
        rule: 'self.a > 1 || oldSelf.hasValue()',
        messageExpression: "'x'",
        optionalOldSelf: true,
      },
    ],
  },
  enumn: {
    type: 'integer',
    enum: [1, 2],
  },
  deep: {
    type: 'array',
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          n: {
            type: 'string',
            nullable: true,
          },
        },
      },
    },
  },
  empty: {
    type: 'object',
  },
  defobj: {
    type: 'object',
    default: {},
    properties: {
      a: {
        type: 'string',
        default: 'x',
      },
      b: {
        type: 'array',
        items: {
          type: 'string',
        },
        default: ['q'],
      },
    },
  },
  defbool: {
    type: 'boolean',
    default: false,
  },
  defnum: {
    type: 'number',
    default: 1.5,
  },
  defempty: {
    type: 'string',
    default: '',
  },
};

/** What v2 cannot say, and what v3 says differently. */
const mixtures: JsonObject = {
  p_req: {
    type: 'object',
    [x('preserve-unknown-fields')]: true,
    required: ['a'],
    properties: {
      a: {
        type: 'string',
      },
    },
    minProperties: 1,
    [x('map-type')]: 'atomic',
  },
  p_map: {
    type: 'object',
    [x('preserve-unknown-fields')]: true,
    additionalProperties: {
      type: 'string',
    },
  },
  n_map: {
    type: 'object',
    nullable: true,
    additionalProperties: {
      type: 'string',
      minLength: 1,
    },
    description: 'd',
    title: 't',
    minProperties: 1,
    required: ['q'],
    [x('map-type')]: 'atomic',
  },
  n_arr: {
    type: 'array',
    nullable: true,
    items: {
      type: 'string',
    },
    maxItems: 3,
    [x('list-type')]: 'set',
    default: ['a'],
  },
  n_str: {
    type: 'string',
    nullable: true,
    enum: ['a', null],
    minLength: 1,
    pattern: 'a',
    default: 'a',
  },
  n_emb: {
    type: 'object',
    nullable: true,
    [x('embedded-resource')]: true,
    properties: {
      spec: {
        type: 'object',
      },
    },
  },
  e_pres: {
    type: 'object',
    [x('embedded-resource')]: true,
    [x('preserve-unknown-fields')]: true,
    properties: {
      spec: {
        type: 'object',
      },
    },
    required: ['spec'],
  },
  e_req: {
    type: 'object',
    [x('embedded-resource')]: true,
    required: ['spec', 'kind'],
    properties: {
      spec: {
        type: 'object',
      },
    },
  },
  e_arr: {
    type: 'array',
    items: {
      type: 'object',
      [x('embedded-resource')]: true,
      properties: {
        spec: {
          type: 'object',
        },
      },
    },
  },
  e_map: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      [x('embedded-resource')]: true,
      properties: {
        spec: {
          type: 'object',
        },
      },
    },
  },
  e_in_e: {
    type: 'object',
    [x('embedded-resource')]: true,
    properties: {
      spec: {
        type: 'object',
        properties: {
          t: {
            type: 'object',
            [x('embedded-resource')]: true,
            properties: {
              x: {
                type: 'integer',
              },
            },
          },
        },
      },
    },
  },
  p_in: {
    type: 'object',
    properties: {
      a: {
        type: 'object',
        [x('preserve-unknown-fields')]: true,
        properties: {
          e: {
            type: 'object',
            [x('embedded-resource')]: true,
            properties: {
              x: {
                type: 'string',
              },
            },
          },
        },
      },
    },
  },
  ios_n: {
    [x('int-or-string')]: true,
    nullable: true,
  },
  ios_f: {
    [x('int-or-string')]: true,
    default: 5,
    title: 'x',
  },
  ios_all: {
    [x('int-or-string')]: true,
    allOf: [
      {
        anyOf: [
          {
            type: 'integer',
          },
          {
            type: 'string',
          },
        ],
      },
      {
        pattern: 'a',
      },
    ],
  },
  ios_one: {
    [x('int-or-string')]: true,
    oneOf: [
      {
        minimum: 2,
      },
      {
        pattern: 'x',
      },
    ],
  },
  int_pres: {
    type: 'array',
    [x('list-type')]: 'atomic',
    items: {
      type: 'object',
      [x('preserve-unknown-fields')]: true,
    },
  },
  vn: {
    type: 'object',
    properties: {
      a: {
        type: 'string',
      },
    },
    not: {
      required: ['a'],
    },
    anyOf: [
      {
        properties: {
          a: {
            enum: ['b'],
          },
        },
        not: {
          maxProperties: 2,
        },
      },
      {
        allOf: [
          {
            minProperties: 1,
          },
        ],
      },
    ],
  },
  defnull: {
    type: 'object',
    nullable: true,
    default: null,
    properties: {
      a: {
        type: 'string',
      },
    },
  },
  uq: {
    type: 'array',
    uniqueItems: false,
    items: {
      type: 'string',
    },
  },
  big: {
    type: 'integer',
    format: 'int64',
    maximum: 9007199254740991,
    default: 9007199254740991,
  },
  fl: {
    type: 'number',
    default: 1.0,
    maximum: 10000000000.0,
    minimum: -1e-9,
  },
  $ref: {
    type: 'string',
  },
  'x-foo': {
    type: 'string',
  },
  ['__proto__']: {
    type: 'string',
  },
  unk: {
    type: 'string',
    format: 'made-up',
  },
  enumo: {
    type: 'object',
    enum: [
      {
        a: 1,
      },
    ],
    properties: {
      a: {
        type: 'integer',
      },
    },
  },
  excl: {
    type: 'integer',
    minimum: 0,
    exclusiveMinimum: false,
  },
};

const numbersOrTexts: JsonObject = {
  b: {
    [x('int-or-string')]: true,
    anyOf: [
      {
        maximum: 5,
      },
    ],
  },
  c: {
    [x('int-or-string')]: true,
    allOf: [
      {
        maximum: 5,
      },
    ],
  },
  d: {
    [x('int-or-string')]: true,
    anyOf: [
      {
        type: 'integer',
      },
      {
        type: 'string',
      },
    ],
    allOf: [
      {
        maximum: 5,
      },
    ],
  },
};

const roots: readonly JsonObject[] = [
  {
    type: 'object',
    [x('preserve-unknown-fields')]: true,
    description: 'rootp',
    title: 'tt',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: {
            type: 'string',
          },
        },
      },
    },
    [x('validations')]: [
      {
        rule: 'true',
      },
    ],
  },
  {
    type: 'object',
    description: 'rootn',
    required: ['spec'],
    properties: {
      metadata: {
        type: 'object',
      },
      spec: {
        type: 'object',
        properties: {
          a: {
            type: 'string',
          },
        },
      },
    },
  },
  {
    type: 'object',
    [x('embedded-resource')]: true,
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: {
            type: 'string',
          },
        },
      },
    },
  },
  {
    type: 'object',
    [x('map-type')]: 'atomic',
    anyOf: [
      {
        required: ['a'],
      },
    ],
  },
  {
    type: 'object',
    required: ['metadata', 'spec'],
    minProperties: 2,
    properties: {
      status: {
        type: 'object',
        [x('preserve-unknown-fields')]: true,
      },
    },
  },
];

const inSpec = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

export const openApiOfCustomKinds = subject('openapi-custom', [
  ask(
    'a kind with every word, beside another',
    make(
      'parityothers',
      { kind: 'ParityOther', listKind: 'ManyParityOthers' },
      [version('v1', inSpec({ a: { type: 'string' } }))],
      'Cluster',
    ),
    make('paritywords', { kind: 'ParityWord', shortNames: ['pw'] }, [
      version(
        'v1',
        {
          type: 'object',
          description: 'A kind with every word.',
          title: 'Words',
          required: ['spec'],
          externalDocs: { description: 'x', url: 'http://x' },
          [x('validations')]: [
            { rule: 'has(self.spec)', message: 'm', reason: 'FieldValueForbidden', fieldPath: '.spec' },
          ],
          properties: {
            apiVersion: { type: 'string', description: 'own words' },
            kind: { type: 'string' },
            metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } },
            spec: {
              type: 'object',
              description: 'its spec',
              required: ['color'],
              default: { color: 'red' },
              minProperties: 1,
              maxProperties: 200,
              properties: words,
            },
            status: {
              type: 'object',
              properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
            },
          },
        },
        {
          selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          },
        },
      ),
      version('v1beta1', { type: 'object', [x('preserve-unknown-fields')]: true }, { deprecated: true }),
      version('v1alpha1', { type: 'object' }, { served: false }),
    ]),
    document3('v1', 'paritywords'),
    document3('v1', 'parityothers'),
    document3('v1beta1', 'paritywords'),
    get(`/openapi/v3/apis/${group}/v1alpha1`),
    get(`/openapi/v3/apis/${group}`),
    document2(
      ['paritywords', 'parityothers'],
      ['ParityWord', 'ParityWordList', 'ParityOther', 'ManyParityOthers'],
    ),
  ),
  ask(
    'what v2 cannot say',
    make('paritymixtures', { kind: 'ParityMixture' }, [
      version('v1', inSpec({ ...mixtures, ...numbersOrTexts })),
      ...roots.map((root, index) => version(`v${index + 2}`, root)),
    ]),
    ...['v1', ...roots.map((_, index) => `v${index + 2}`)].map((of) => document3(of, 'paritymixtures')),
    document2(['paritymixtures'], ['ParityMixture', 'ParityMixtureList']),
  ),
  ask(
    'a document of custom kinds by its hash, in other forms, and once its kind is gone',
    make('parityforms', { kind: 'ParityForm' }, [version('v1', { type: 'object' })]),
    document3('v1', 'parityforms'),
    get(`/openapi/v3/apis/${group}/v1`, { as: 'document', pick: () => null }),
    get(`/openapi/v3/apis/${group}/v1?hash={document.hash}`, { pick: () => null }),
    get(`/openapi/v3/apis/${group}/v1`, { headers: { 'if-none-match': '{document.etag}' } }),
    get(`/openapi/v3/apis/${group}/v1`, { headers: { accept: 'application/yaml' } }),
    send('DELETE', `${definitions}/parityforms.${group}`, undefined, { pick: () => 'deleted' }),
    get(`/openapi/v3/apis/${group}/v1`, { until: (_, { status }) => status === 404 }),
  ),
]);
