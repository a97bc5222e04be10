// Expensive patterns of CRD schemas run on one worker thread, which users share fairly.
import { test } from 'node:test';
import { assertUsersTakeTurns } from './fair-users.ts';
import { definitions, HostileDefinitions, objectsOf, spec } from './hostile-definitions.ts';

const kinds = new HostileDefinitions();

/** Takes a worker thread some hundred milliseconds, with `text`. */
const pattern = `^(?:${'a?'.repeat(2_000)})$`;
const text = 'a'.repeat(6_000);

test('users take turns to match expensive patterns', async () => {
  const { plural } = await kinds.define({ schema: spec({ type: 'string', pattern }) });
  await assertUsersTakeTurns(kinds.server, {
    path: objectsOf(plural),
    makeBody: (i) => kinds.write(plural, `o${i}`, { spec: text }),
    code: 422,
  });
});

test('users take turns to create CRDs with expensive patterns', async () => {
  const schema = spec({ type: 'string', pattern, default: text });
  await assertUsersTakeTurns(kinds.server, {
    path: definitions,
    makeBody: (i) => kinds.writeDefinition(`patterns${i}s`, { schema }),
    code: 422,
  });
});
