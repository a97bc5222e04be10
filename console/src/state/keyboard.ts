// The keys of the console: single keys, and `g` followed by a letter. Keys in a text field are the field's.

export type KeyCommand =
  | 'search'
  | 'down'
  | 'up'
  | 'first'
  | 'last'
  | 'open'
  | 'edit'
  | 'back'
  | 'help'
  | 'kinds'
  | 'namespace'
  | 'delete'
  | { readonly goTo: string };

const singleKeys: Readonly<Record<string, KeyCommand>> = {
  '/': 'search',
  j: 'down',
  ArrowDown: 'down',
  k: 'up',
  ArrowUp: 'up',
  Home: 'first',
  End: 'last',
  G: 'last',
  Enter: 'open',
  o: 'open',
  e: 'edit',
  Escape: 'back',
  '?': 'help',
  n: 'namespace',
};

/** The kinds and views behind `g`. */
export const goToKeys: Readonly<Record<string, { readonly label: string; readonly goTo: string }>> = {
  p: { label: 'Pods', goTo: 'kind/pods' },
  d: { label: 'Deployments', goTo: 'kind/deployments.apps' },
  s: { label: 'Services', goTo: 'kind/services' },
  n: { label: 'Nodes', goTo: 'kind/nodes' },
  c: { label: 'ConfigMaps', goTo: 'kind/configmaps' },
  e: { label: 'Events', goTo: 'kind/events' },
  j: { label: 'Jobs', goTo: 'kind/jobs.batch' },
  a: { label: 'Namespaces', goTo: 'kind/namespaces' },
  x: { label: 'Cluster', goTo: 'cluster' },
  m: { label: 'Server', goTo: 'server' },
};

/** How long `g` waits for its second key. */
const sequenceMs = 1_500;

export class KeySequence {
  #goToUntil = 0;

  /** The command of a key; undefined if it has none, or starts a sequence. `g` twice opens the list of kinds. */
  press(key: string, now: number): KeyCommand | undefined {
    if (now < this.#goToUntil) {
      this.#goToUntil = 0;
      if (key === 'g') return 'kinds';
      const target = Object.hasOwn(goToKeys, key) ? goToKeys[key] : undefined;
      return target && { goTo: target.goTo };
    }
    if (key === 'g') {
      this.#goToUntil = now + sequenceMs;
      return undefined;
    }
    return Object.hasOwn(singleKeys, key) ? singleKeys[key] : undefined;
  }

  get isWaiting(): boolean {
    return this.#goToUntil > 0;
  }
}

/** Whether the focused element takes keys itself. */
export function takesKeys(element: Element | null): boolean {
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName) ||
      // The editor of an object, whose elements are in a shadow root.
      element.shadowRoot !== null)
  );
}
