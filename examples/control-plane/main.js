// A control plane of its own: one kind, its rules and its controller, with data in a folder.
import { startServer } from 'orch';

const server = await startServer({
  dataDir: process.env.DATA_DIR ?? 'data',
  httpPort: Number(process.env.PORT ?? 8080),
  groups: [''], // Only the core group is built in: namespaces, events, secrets.
  kinds: [
    {
      group: 'bakery.example.com',
      kind: 'Cake',
      schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            required: ['layers'],
            properties: { layers: { type: 'integer', minimum: 1 }, flavour: { type: 'string' } },
          },
          status: { type: 'object', properties: { phase: { type: 'string' } } },
        },
      },
      columns: [{ name: 'Phase', type: 'string', jsonPath: '.status.phase' }],
      mutate({ object }) {
        object.spec.flavour ??= 'vanilla';
      },
      validate({ object, oldObject }) {
        if (oldObject && object.spec.layers < oldObject.spec.layers) throw new Error('a cake only grows');
      },
    },
  ],
});

// The controller: bakes every cake that is not baked yet, also those from before a crash.
const cakes = server.client.of('bakery.example.com/v1', 'Cake');
async function bake(cake) {
  if (cake.status?.phase === 'Baked') return;
  await cakes.updateStatus({ ...cake, status: { phase: 'Baked' } });
}
const retryLater = (error) => console.error(error.message);
cakes.informer({
  onAdd: (cake) => bake(cake).catch(retryLater),
  onUpdate: (_, cake) => bake(cake).catch(retryLater),
});

console.log(`ready at ${server.url}/apis/bakery.example.com/v1/cakes`);
process.once('SIGTERM', () => server.stop());
