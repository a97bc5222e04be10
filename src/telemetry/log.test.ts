// Structured logging: verbosity, secrets and errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './log.ts';

function lines(): { destination: { write(line: string): void }; read(): Record<string, unknown>[] } {
  const written: string[] = [];
  return {
    destination: { write: (line) => void written.push(line) },
    read: () => written.map((line) => JSON.parse(line)),
  };
}

test('a line is logged only at its verbosity and above', () => {
  const { destination, read } = lines();
  const log = createLogger({ verbosity: 2, destination });
  log.verbose(2, {}, 'told');
  log.verbose(3, {}, 'kept');
  assert.deepEqual(
    read().map(({ msg }) => msg),
    ['told'],
  );
  assert.equal(log.isEnabled(3), false);
});

test('credentials are redacted at any depth', () => {
  const { destination, read } = lines();
  const log = createLogger({ verbosity: 0, destination });
  log.error({ token: 's3cret', a: { authorization: 's3cret', b: { password: 's3cret', kept: 1 } } }, 'oops');
  assert.doesNotMatch(JSON.stringify(read()), /s3cret/);
  assert.match(JSON.stringify(read()), /"kept":1/);
});

test('an error is logged with its stack', () => {
  const { destination, read } = lines();
  createLogger({ verbosity: 0, destination }).error({ err: new Error('why') }, 'failed');
  assert.match(JSON.stringify(read()[0]), /why.*log\.test/);
});
