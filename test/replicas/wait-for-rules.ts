/**
 * Roles, quotas, policies and CRDs apply at another server once it has received them, shortly after their write; as with
 * several kube-apiservers. A test that continues at once would be racy: here it continues once all servers have received
 * the change. Nothing else is synchronized.
 */
const rules = new RegExp(
  [
    '/apis/(rbac\\.authorization|admissionregistration|apiextensions|apiregistration|flowcontrol\\.[a-z]+)\\.',
    '/(namespaces(/[^/]+)?|resourcequotas|limitranges|(storage|priority|runtime|ingress)classes|servicecidrs)(/[^/]+)?$',
  ].join('|'),
);

const plain = globalThis.fetch;

/** Makes `fetch` return from a write of such objects only once the other servers have received it. */
export function waitForRules(urls: readonly string[]): void {
  const before = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await before(input, init);
    const method = init?.method ?? 'GET';
    const url = new URL(String(input instanceof Request ? input.url : input));
    if (method === 'GET' || !urls.includes(url.origin) || !rules.test(url.pathname)) return response;
    // The readiness check waits until the server has caught up.
    await Promise.all(urls.map(async (each) => (await plain(`${each}/readyz`)).text()));
    return response;
  };
}
