// Waits until a server is ready.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const timeoutSeconds = 180;
const pollMilliseconds = 5;

/** Resolves once the URL responds with 200. `assertRunning` throws if the server process has exited. */
export async function waitReady(
  url: string,
  token: string | undefined,
  assertRunning: () => void,
): Promise<void> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  while ((await statusOf(url, token)) !== 200) {
    assertRunning();
    if (Date.now() > deadline) throw new Error(`${url} is not ready after ${timeoutSeconds} s`);
    await sleep(pollMilliseconds);
  }
}

function statusOf(url: string, token: string | undefined): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const request = url.startsWith('https:')
      ? httpsRequest(url, { headers, agent: false, rejectUnauthorized: false, timeout: 5000 })
      : httpRequest(url, { headers, agent: false, timeout: 5000 });
    request.once('response', (response) => {
      response.resume();
      response.once('close', () => resolve(response.statusCode ?? 0));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(0));
    request.end();
  });
}
