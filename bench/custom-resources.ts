// The CustomResourceDefinitions of the benchmark, with schemas like those of operators.
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const groupOf = (index: number): string => `g${index}.bench.example.com`;
const pluralOf = (index: number): string => `things${index}`;
const definitionName = (index: number): string => `${pluralOf(index)}.${groupOf(index)}`;
export const collectionOf = (index: number): string =>
  `/apis/${groupOf(index)}/v1/namespaces/default/${pluralOf(index)}`;

const extensionKey = (extension: string) => `x-kubernetes-${extension}`;

const text = (name: string, more: object = {}) => ({
  type: 'string',
  description: `The ${name} of the thing, which its controller uses to find the objects of it. A change is a rollout.`,
  ...more,
});
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const amounts = {
  type: 'object',
  additionalProperties: {
    [extensionKey('int-or-string')]: true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
  },
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
      { [extensionKey('list-type')]: 'map', [extensionKey('list-map-keys')]: ['name'] },
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

/** Like the schema of an operator: a workload with many fields and one validation rule. */
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
      {
        [extensionKey('validations')]: [
          { rule: '!has(self.size) || self.size < 1000', message: 'too large' },
        ],
      },
    ),
    status: object({
      phase: { type: 'string' },
      observedGeneration: { type: 'integer', format: 'int64' },
      conditions: list(condition, {
        [extensionKey('list-type')]: 'map',
        [extensionKey('list-map-keys')]: ['type'],
      }),
    }),
  },
  { description: 'A thing that an operator manages.', required: ['spec'] },
);

/** A CustomResourceDefinition of about 14 KB of JSON, in a group of its own. */
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
