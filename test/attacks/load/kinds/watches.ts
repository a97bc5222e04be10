// Attacks with watches: opened and dropped by the hundred, or never read.
import { connect } from 'node:http2';
import type { Attacker, LoadKind } from '../attacker.ts';
import { body, configMaps, must, NumberedBody } from './objects.ts';

const watchesPerConnection = 100;
const unreadWatches = 10;
const watchPath = `${configMaps}?watch=true`;

/** Opens watches on one HTTP/2 connection, and closes it when all were answered. */
function openAndDrop(attacker: Attacker): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = connect(attacker.url, { rejectUnauthorized: false });
    session.on('error', reject).on('close', resolve);
    let answered = 0;
    for (let index = 0; index < watchesPerConnection; index++) {
      const stream = session.request({ ':path': watchPath, authorization: `Bearer ${attacker.token}` });
      stream.on('error', () => {});
      stream.on('response', (headers) => {
        attacker.count(`watch ${headers[':status']}`);
        if (++answered === watchesPerConnection) session.destroy();
      });
      stream.resume();
    }
  });
}

const unread = new Set<number>();

async function openUnread(attacker: Attacker): Promise<void> {
  unread.add(attacker.index);
  for (let index = 0; index < unreadWatches; index++) {
    const socket = await attacker.connect();
    socket.pause();
    socket.write(
      `GET ${watchPath} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${attacker.token}\r\n\r\n`,
    );
    attacker.count('unread watch');
  }
}

const value = 'v'.repeat(200_000);
const changes = new Map<number, NumberedBody>();

export const watches: readonly LoadKind[] = [
  {
    name: 'watches opened and dropped',
    rights: 'namespace',
    prepare: (admin) =>
      must(admin, { method: 'POST', path: configMaps, body: body({ metadata: { name: 'watched' } }) }),
    attack: openAndDrop,
  },
  {
    name: 'watches never read, 200 KB changes',
    rights: 'namespace',
    async prepare(admin) {
      for (let index = 0; index < 10; index++) {
        await must(admin, {
          method: 'POST',
          path: configMaps,
          body: body({ metadata: { name: `watched-${index}` } }),
        });
      }
    },
    async attack(attacker) {
      const { index } = attacker;
      if (!unread.has(index)) await openUnread(attacker);
      const name = `watched-${index}`;
      const change =
        changes.get(index) ??
        new NumberedBody({ metadata: { name }, data: { number: '00000000', value } }, index);
      changes.set(index, change);
      await attacker.send({ method: 'PUT', path: `${configMaps}/${name}`, body: change.next() });
    },
  },
];
