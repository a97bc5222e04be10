// The ordered map of the memory store: a persistent (copy-on-write) B-tree.

/**
 * An immutable map with string keys in the byte order of their UTF-8 encoding. A change copies the path to the root;
 * old and new map share all other nodes, so retaining a state costs only the nodes replaced since.
 */
export class OrderedMap<V> {
  readonly size: number;
  readonly #root: Node<V>;

  private constructor(root: Node<V>, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<V>(): OrderedMap<V> {
    return new OrderedMap<V>({ leaf: true, keys: [], values: [] }, 0);
  }

  get(key: string): V | undefined {
    const ordered = byteOrdered(key);
    let node = this.#root;
    while (!node.leaf) node = node.children[childFor(node.keys, ordered)]!;
    const index = firstAtLeast(node.keys, ordered);
    return node.keys[index] === ordered ? node.values[index] : undefined;
  }

  with(key: string, value: V): OrderedMap<V> {
    const isNew = this.get(key) === undefined;
    const [left, right] = insert(this.#root, byteOrdered(key), value);
    const root: Node<V> = right ? { leaf: false, keys: ['', right.keys[0]!], children: [left, right] } : left;
    return new OrderedMap(root, this.size + (isNew ? 1 : 0));
  }

  without(key: string): OrderedMap<V> {
    if (this.get(key) === undefined) return this;
    let root = remove(this.#root, byteOrdered(key)) ?? OrderedMap.empty<V>().#root;
    while (!root.leaf && root.children.length === 1) root = root.children[0]!;
    return new OrderedMap(root, this.size - 1);
  }

  /** The values whose key starts with `prefix`, from the first key > `after` on. */
  *range(prefix: string, after = ''): Generator<V, void, undefined> {
    const start = byteOrdered(prefix);
    const afterKey = byteOrdered(after);
    let from = start;
    if (afterKey > from) from = afterKey;
    const path: { node: Branch<V>; next: number }[] = [];
    let node: Node<V> | undefined = this.#root;
    // Only the first descent seeks the start; later leaves are read from their first key.
    let seeking = true;
    while (node) {
      while (!node.leaf) {
        const index: number = seeking ? childFor(node.keys, from) : 0;
        path.push({ node, next: index + 1 });
        node = node.children[index]!;
      }
      seeking = false;
      for (let i = firstAtLeast(node.keys, from); i < node.keys.length; i++) {
        if (!node.keys[i]!.startsWith(start)) return;
        if (node.keys[i] !== afterKey) yield node.values[i]!;
      }
      node = undefined;
      while (!node && path.length > 0) {
        const step = path[path.length - 1]!;
        if (step.next < step.node.children.length) node = step.node.children[step.next++]!;
        else path.pop();
      }
    }
  }
}

type Node<V> = Leaf<V> | Branch<V>;
interface Leaf<V> {
  readonly leaf: true;
  readonly keys: readonly string[];
  readonly values: readonly V[];
}
/** keys[i] is at most the smallest key under children[i]. */
interface Branch<V> {
  readonly leaf: false;
  readonly keys: readonly string[];
  readonly children: readonly Node<V>[];
}

const MAX_ENTRIES = 48;

/** Maps UTF-16 code units so that strings compare in UTF-8 byte order: surrogates move above the rest. */
function byteOrdered(key: string): string {
  if (!/[\ud800-\uffff]/.test(key)) return key;
  return key.replace(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}

/** Index of the first key that is >= `key`. */
function firstAtLeast(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the child that contains the key, or would contain it. */
function childFor(keys: readonly string[], key: string): number {
  const index = firstAtLeast(keys, key);
  return keys[index] === key ? index : Math.max(0, index - 1);
}

/** Returns the changed node, or the two nodes into which it was split. */
function insert<V>(node: Node<V>, key: string, value: V): [Node<V>, Node<V>?] {
  if (node.leaf) {
    const index = firstAtLeast(node.keys, key);
    if (node.keys[index] === key)
      return [{ leaf: true, keys: node.keys, values: node.values.with(index, value) }];
    return split({
      leaf: true,
      keys: node.keys.toSpliced(index, 0, key),
      values: node.values.toSpliced(index, 0, value),
    });
  }
  const index = childFor(node.keys, key);
  const [left, right] = insert(node.children[index]!, key, value);
  if (!right) return [{ leaf: false, keys: node.keys, children: node.children.with(index, left) }];
  return split({
    leaf: false,
    keys: node.keys.toSpliced(index + 1, 0, right.keys[0]!),
    children: node.children.toSpliced(index, 1, left, right),
  });
}

function split<V>(node: Node<V>): [Node<V>, Node<V>?] {
  if (node.keys.length <= MAX_ENTRIES) return [node];
  const middle = node.keys.length >> 1;
  const [left, right] = [node.keys.slice(0, middle), node.keys.slice(middle)];
  if (node.leaf) {
    return [
      { leaf: true, keys: left, values: node.values.slice(0, middle) },
      { leaf: true, keys: right, values: node.values.slice(middle) },
    ];
  }
  return [
    { leaf: false, keys: left, children: node.children.slice(0, middle) },
    { leaf: false, keys: right, children: node.children.slice(middle) },
  ];
}

/** Returns the node without the key, or undefined if it would be empty. The key must be present. */
function remove<V>(node: Node<V>, key: string): Node<V> | undefined {
  if (node.leaf) {
    if (node.keys.length === 1) return undefined;
    const index = firstAtLeast(node.keys, key);
    return { leaf: true, keys: node.keys.toSpliced(index, 1), values: node.values.toSpliced(index, 1) };
  }
  const index = childFor(node.keys, key);
  const child = remove(node.children[index]!, key);
  if (child) return { leaf: false, keys: node.keys, children: node.children.with(index, child) };
  if (node.children.length === 1) return undefined;
  return { leaf: false, keys: node.keys.toSpliced(index, 1), children: node.children.toSpliced(index, 1) };
}
