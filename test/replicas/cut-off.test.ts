import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EtcdClient } from '../../src/store/etcd/rpc/etcd-client.ts';
import { TcpProxy } from '../faults/proof/cluster/tcp-proxy.ts';
import { noEtcd, type Replica, ServersOnEtcd } from './servers-on-etcd.ts';

describe('a server that is disconnected from etcd, beside one that is not', { skip: noEtcd }, () => {
  const servers = new ServersOnEtcd(['near']);
  let way: TcpProxy;
  let near: Replica;
  let far: Replica;
  let path: string;

  before(async () => {
    way = await TcpProxy.open(servers.etcd.url);
    [near] = servers.pair;
    far = await servers.start('far', { etcdServers: [way.url] });
    path = await near.namespace();
    await near.post(path, { metadata: { name: 'before' } });
    assert.equal((await far.get(`${path}/before`)).code, 200);
  });
  after(() => way.close());

  const caughtUp = async () => {
    while ((await far.get('/readyz')).code !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  test('is not ready, serves its replica, and continues its watches when it reconnects', async () => {
    const { body } = await far.get(path);
    const watch = await far.watch(`${path}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
    way.pass('cut');
    const [newest, written, known, ready] = await Promise.all([
      far.get(`${path}/before`),
      far.post(path, { metadata: { name: 'refused' } }),
      far.get(`${path}/before?resourceVersion=0`),
      far.get('/readyz?verbose'),
    ]);
    assert.deepEqual([newest.code, written.code, known.code, ready.code], [503, 503, 200, 500]);
    assert.match(ready.text, /\[-\]etcd failed/);
    await near.post(path, { metadata: { name: 'meanwhile' } });
    way.pass({ delayMs: 0 });
    await caughtUp();
    assert.equal((await far.get(`${path}/meanwhile`)).code, 200);
    assert.equal((await watch.next())?.object.metadata.name, 'meanwhile');
    watch.close();
  });

  test('for longer than the history of etcd ends its watches, which resume with 410', async () => {
    const { body } = await far.get(path);
    const after = `${path}?watch=1&resourceVersion=${body.metadata.resourceVersion}`;
    const watch = await far.watch(after);
    way.pass('cut');
    await near.post(path, { metadata: { name: 'unheard' } });
    const gone = await near.delete(`${path}/unheard`);
    assert.equal(gone.code, 200);
    const last = await near.post(path, { metadata: { name: 'last' } });
    const client = new EtcdClient({ servers: [servers.etcd.url] });
    await client.compact(Number(last.body.metadata.resourceVersion));
    client.close();
    way.pass({ delayMs: 0 });
    await caughtUp();
    assert.ok((await watch.rest()).every(({ type }) => type === 'ERROR'));
    const resumed = await far.watch(after);
    const event = await resumed.next();
    assert.deepEqual([event?.type, event?.object.code], ['ERROR', 410]);
    resumed.close();
    assert.equal((await far.get(`${path}/last`)).code, 200);
    assert.equal((await far.get(`${path}/unheard`)).code, 404);
  });
});
