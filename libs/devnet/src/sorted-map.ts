interface Node<Value> {
  readonly key: string;
  readonly value: Value;
  readonly priority: number;
  readonly left: Node<Value> | undefined;
  readonly right: Node<Value> | undefined;
}

/**
 * An immutable map in key order: setting and removing return a new map, which shares all but the path to the key. Each
 * block has its state, so copies must be cheap. (A treap; its priorities are hashes of the keys.)
 */
export class SortedMap<Value> {
  private constructor(private readonly root: Node<Value> | undefined) {}

  static empty<Value>(): SortedMap<Value> {
    return new SortedMap<Value>(undefined);
  }

  get(key: string): Value | undefined {
    let node = this.root;
    while (node && node.key !== key) node = key < node.key ? node.left : node.right;
    return node?.value;
  }

  with(key: string, value: Value): SortedMap<Value> {
    return new SortedMap(insert(this.root, key, value));
  }

  without(key: string): SortedMap<Value> {
    return new SortedMap(remove(this.root, key));
  }

  /** Those whose key is not before `first`, in order. */
  *valuesFrom(first = ''): Generator<Value> {
    for (const { value } of walk(this.root, first)) yield value;
  }

  /** Those whose key begins so, in order. */
  *valuesUnder(prefix: string): Generator<Value> {
    for (const { key, value } of walk(this.root, prefix)) {
      if (!key.startsWith(prefix)) return;
      yield value;
    }
  }
}

function insert<Value>(node: Node<Value> | undefined, key: string, value: Value): Node<Value> {
  if (!node) return { key, value, priority: priorityOf(key), left: undefined, right: undefined };
  if (key === node.key) return { ...node, value };
  if (key < node.key) {
    const left = insert(node.left, key, value);
    if (left.priority <= node.priority) return { ...node, left };
    return { ...left, right: { ...node, left: left.right } };
  }
  const right = insert(node.right, key, value);
  if (right.priority <= node.priority) return { ...node, right };
  return { ...right, left: { ...node, right: right.left } };
}

function remove<Value>(node: Node<Value> | undefined, key: string): Node<Value> | undefined {
  if (!node) return undefined;
  if (key < node.key) return { ...node, left: remove(node.left, key) };
  if (key > node.key) return { ...node, right: remove(node.right, key) };
  return join(node.left, node.right);
}

/** One tree of two, of which all keys of the first are before those of the second. */
function join<Value>(left: Node<Value> | undefined, right: Node<Value> | undefined): Node<Value> | undefined {
  if (!left || !right) return left ?? right;
  return left.priority > right.priority
    ? { ...left, right: join(left.right, right) }
    : { ...right, left: join(left, right.left) };
}

function* walk<Value>(node: Node<Value> | undefined, first: string): Generator<Node<Value>> {
  if (!node) return;
  if (first < node.key) yield* walk(node.left, first);
  if (first <= node.key) yield node;
  yield* walk(node.right, first);
}

/** Fowler, Noll and Vo's hash, and a mix of its bits, since the keys differ little. */
function priorityOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
