// Tests of --config.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CommandError } from './command.ts';
import { serverFlags } from './server-flags.ts';
import { parseServerOptions, serveDefaults } from './server-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-config-'));
after(() => rmSync(folder, { recursive: true }));

function optionsOf(content: string, ...args: string[]) {
  const file = join(folder, 'config.yaml');
  writeFileSync(file, content);
  return parseServerOptions(serverFlags, serveDefaults, [`--config=${file}`, ...args]);
}

test('flags of the file are set, and those of the command line take precedence', () => {
  const content = `
dialect: kubernetes
secure-port: 7443
tls-san: [a.example.com, 10.0.0.9]
feature-gates: { WatchList: false }
anonymous-auth: false
request-timeout: 90s
`;
  const options = optionsOf(content, '--secure-port', '8443');
  const { dialect, securePort, tlsSan, featureGates, anonymousAuth, requestTimeout } = options;
  assert.deepEqual(
    { dialect, securePort, tlsSan, featureGates, anonymousAuth, requestTimeout },
    {
      dialect: 'kubernetes',
      securePort: 8443,
      tlsSan: ['a.example.com', '10.0.0.9'],
      featureGates: { WatchList: false },
      anonymousAuth: false,
      requestTimeout: 90_000,
    },
  );
});

test('a mistake in the file is named with the file', () => {
  const mistakes: [content: string, message: RegExp][] = [
    ['secure-prot: 1', /config\.yaml: unknown flag --secure-prot \(did you mean --secure-port\?\)/],
    ['secure-port: high', /config\.yaml: --secure-port: "high" is not a number/],
    ['- a', /config\.yaml: expected flags and their values/],
    ['a: [', /config\.yaml: yaml: /],
  ];
  for (const [content, message] of mistakes) {
    assert.throws(
      () => optionsOf(content),
      (error) => error instanceof CommandError && message.test(error.message),
    );
  }
  const missing = ['--config', join(folder, 'missing.yaml')];
  assert.throws(() => parseServerOptions(serverFlags, serveDefaults, missing), /missing\.yaml/);
});
