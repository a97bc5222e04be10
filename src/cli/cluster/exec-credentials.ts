// Exec credential plugins of a kubeconfig, as in client-go.
import { execFile } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import { CommandError } from '../command.ts';
import type { Credentials } from './access.ts';
import { itemsOf } from './json-fields.ts';

const execute = promisify(execFile);
const timeoutMs = 60_000;

/**
 * Runs the plugin of a kubeconfig user and returns its credentials. Relative commands are relative to the directory of the
 * kubeconfig.
 */
export async function runCredentialPlugin(kubeconfig: string, exec: JsonObject): Promise<Credentials> {
  const { command, apiVersion } = exec;
  if (typeof command !== 'string' || typeof apiVersion !== 'string') {
    throw new CommandError(`${kubeconfig}: exec requires command and apiVersion`);
  }
  const args = itemsOf(exec.args).filter((arg) => typeof arg === 'string');
  const environment = itemsOf(exec.env)
    .filter(isObject)
    .map(({ name, value }) => [String(name), String(value)]);
  const request = { kind: 'ExecCredential', apiVersion, spec: { interactive: false } };
  const output = await execute(
    command.includes('/') ? resolve(dirname(kubeconfig), command) : command,
    args,
    {
      env: {
        ...process.env,
        ...Object.fromEntries(environment),
        KUBERNETES_EXEC_INFO: JSON.stringify(request),
      },
      timeout: timeoutMs,
    },
  ).catch((error: Error) => {
    throw new CommandError(`${kubeconfig}: the exec credential plugin ${command} failed: ${error.message}`);
  });
  const { status } = parseObject(output.stdout);
  if (isObject(status)) {
    const { token, clientCertificateData: cert, clientKeyData: key } = status;
    if (typeof cert === 'string' && typeof key === 'string') return { cert, key };
    if (typeof token === 'string') return { token };
  }
  throw new CommandError(
    `${kubeconfig}: the exec credential plugin ${command} returned neither a token nor a certificate`,
  );
}

function parseObject(text: string): JsonObject {
  try {
    const { value } = parseJson(text);
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof JsonSyntaxError) return {};
    throw error;
  }
}
