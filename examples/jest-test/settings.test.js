// A CommonJS test with Jest: each test starts from a fork of the same prepared server.
const { startServer } = require('orch');

let prepared;
let server;

beforeAll(async () => {
  prepared = await startServer({ dialect: 'kubernetes' });
  await prepared.client.create(configMap('settings', { color: 'blue' }));
});
beforeEach(async () => {
  server = await prepared.fork();
});
afterEach(() => server.stop());
afterAll(() => prepared.stop());

const configMap = (name, data) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

const read = () =>
  server.client.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', namespace: 'default' });

test('a test changes its own copy', async () => {
  await server.client.apply(configMap('settings', { color: 'red' }), { fieldManager: 'test', force: true });
  expect((await read()).data).toEqual({ color: 'red' });
});

test('the next test starts from the prepared state', async () => {
  expect((await read()).data).toEqual({ color: 'blue' });
});
