// The route of the page, in the fragment of its URL: it is not sent to the server, and the browser's history works.
import { signal } from '@preact/signals';

export interface Route {
  /** `kind`, `object`, `search`, `server`, `cluster`, `history`, `access`, `home`. */
  readonly view: string;
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view = '', ...segments] = path.split('/').map(decodeSegment);
  return { view: view || 'home', segments, query: Object.fromEntries(new URLSearchParams(query)) };
}

function formatRoute({ view, segments, query }: Route): string {
  const path = [view, ...segments].map(encodeURIComponent).join('/');
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return `#/${path}${parameters.size > 0 ? `?${parameters}` : ''}`;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const kindRoute = (key: string, query: Record<string, string> = {}) =>
  formatRoute({ view: 'kind', segments: [key], query });

/** A cluster-scoped object has the namespace `-`. */
export const objectRoute = (
  key: string,
  namespace: string,
  name: string,
  query: Record<string, string> = {},
) => formatRoute({ view: 'object', segments: [key, namespace || '-', name], query });

export class Router {
  readonly route = signal(parseRoute(location.hash));

  constructor() {
    addEventListener('hashchange', () => {
      this.route.value = parseRoute(location.hash);
    });
  }

  go(hash: string): void {
    location.hash = hash;
  }

  /** Changes parameters of the current route without an entry in the browser's history. */
  setQuery(changes: Readonly<Record<string, string>>): void {
    const route = this.route.value;
    const next = { ...route, query: { ...route.query, ...changes } };
    history.replaceState(null, '', formatRoute(next));
    this.route.value = next;
  }
}
