/**
 * What holds for the writes of others (roles, quotas, policies, kinds) holds at another server once that has heard of it, a
 * moment after it was made; as with kube-apiservers. A test that goes on at once would find sometimes this and sometimes
 * that: here it goes on once all have heard. All else is left to the servers themselves.
 */
const rules = new RegExp(
  [
    '/apis/(rbac\\.authorization|admissionregistration|apiextensions|apiregistration|flowcontrol\\.[a-z]+)\\.',
    '/(namespaces(/[^/]+)?|resourcequotas|limitranges|(storage|priority|runtime|ingress)classes|servicecidrs)(/[^/]+)?$',
  ].join('|'),
);

const plain = globalThis.fetch;

/** Changes to the rules that are made at one of these servers by `fetch` return once the others have heard of them. */
export function waitForRules(urls: readonly string[]): void {
  const before = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await before(input, init);
    const method = init?.method ?? 'GET';
    const url = new URL(String(input instanceof Request ? input.url : input));
    if (method === 'GET' || !urls.includes(url.origin) || !rules.test(url.pathname)) return response;
    // Who says whether it is ready has caught up before.
    await Promise.all(urls.map(async (each) => (await plain(`${each}/readyz`)).text()));
    return response;
  };
}
