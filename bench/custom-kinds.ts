/** Where the definitions of custom kinds are. */
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const groupOf = (index: number): string => `g${index}.bench.example.com`;
const pluralOf = (index: number): string => `things${index}`;
const definitionName = (index: number): string => `${pluralOf(index)}.${groupOf(index)}`;
export const collectionOf = (index: number): string =>
  `/apis/${groupOf(index)}/v1/namespaces/default/${pluralOf(index)}`;

const x = (extension: string) => `x-kubernetes-${extension}`;

const text = (name: string, more: object = {}) => ({
  type: 'string',
  description: `The ${name} of the thing, by which its controller finds what belongs to it. A change makes a new one.`,
  ...more,
});
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const amounts = {
  type: 'object',
  additionalProperties: { [x('int-or-string')]: true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
};
const reference = object({
  name: { type: 'string' },
  key: { type: 'string' },
  optional: { type: 'boolean' },
});

const container = object(
  {
    name: text('name', { maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
    image: text('image'),
    command: list({ type: 'string' }),
    args: list({ type: 'string' }),
    imagePullPolicy: { type: 'string', enum: ['Always', 'Never', 'IfNotPresent'], default: 'IfNotPresent' },
    env: list(
      object(
        {
          name: text('variable'),
          value: text('value'),
          valueFrom: object({ secretKeyRef: reference, configMapKeyRef: reference }),
        },
        { required: ['name'] },
      ),
      { [x('list-type')]: 'map', [x('list-map-keys')]: ['name'] },
    ),
    ports: list(
      object({
        containerPort: { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 },
        protocol: { type: 'string', default: 'TCP' },
        name: { type: 'string' },
      }),
    ),
    resources: object({ limits: amounts, requests: amounts }),
    volumeMounts: list(
      object(
        { name: text('volume'), mountPath: text('path'), readOnly: { type: 'boolean' } },
        { required: ['name', 'mountPath'] },
      ),
    ),
  },
  { description: 'One of the containers that run.', required: ['name'] },
);

const option = (index: number) =>
  object(
    {
      enabled: { type: 'boolean', default: false },
      name: text(`option ${index}`),
      values: list({ type: 'string' }, { maxItems: 64 }),
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      timeout: { type: 'string', format: 'duration', default: '30s' },
    },
    { description: `Option ${index}.` },
  );

const condition = object(
  {
    type: text('condition'),
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: { type: 'string' },
    message: { type: 'string', maxLength: 32_768 },
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
  { required: ['type', 'status'] },
);

const options = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`option${index}`, option(index)]),
);

/** What an operator installs: a workload with many fields, of which a rule holds one. */
const schema = object(
  {
    spec: object(
      {
        size: { type: 'integer', format: 'int32', default: 1, minimum: 0 },
        template: object({
          containers: list(container),
          initContainers: list(container),
          sidecars: list(container),
        }),
        ...options,
      },
      { [x('validations')]: [{ rule: '!has(self.size) || self.size < 1000', message: 'too large' }] },
    ),
    status: object({
      phase: { type: 'string' },
      observedGeneration: { type: 'integer', format: 'int64' },
      conditions: list(condition, { [x('list-type')]: 'map', [x('list-map-keys')]: ['type'] }),
    }),
  },
  { description: 'A thing that an operator looks after.', required: ['spec'] },
);

/** The definition of a custom kind, about 14 KB of JSON, each in a group of its own. */
export function definition(index: number): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: definitionName(index) },
    spec: {
      group: groupOf(index),
      scope: 'Namespaced',
      names: { plural: pluralOf(index), kind: `Thing${index}` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Phase', type: 'string', jsonPath: '.status.phase' }],
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  });
}

export function instance(index: number): string {
  return JSON.stringify({
    apiVersion: `${groupOf(index)}/v1`,
    kind: `Thing${index}`,
    metadata: { name: 'a' },
    spec: { size: 1, template: { containers: [{ name: 'c', image: 'i' }] } },
  });
}
