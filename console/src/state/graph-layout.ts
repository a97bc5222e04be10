// The layout of owners and dependents: a column for each generation, and lines from owners to dependents.

export interface GraphNode {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  /** Generations below the shown object; owners are negative. */
  readonly level: number;
  readonly owners: readonly string[];
  readonly href: string | undefined;
  readonly isShown: boolean;
}

interface PlacedNode extends GraphNode {
  readonly x: number;
  readonly y: number;
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly lines: readonly { readonly from: PlacedNode; readonly to: PlacedNode }[];
  readonly width: number;
  readonly height: number;
}

export const nodeWidth = 210;
export const nodeHeight = 46;
const columnGap = 60;
const rowGap = 12;

export function layOutGraph(nodes: readonly GraphNode[]): GraphLayout {
  const levels = [...new Set(nodes.map(({ level }) => level))].sort((one, other) => one - other);
  const columns = levels.map((level) => nodes.filter((node) => node.level === level));
  const rows = Math.max(1, ...columns.map((column) => column.length));
  const height = rows * (nodeHeight + rowGap) - rowGap;
  const placed = columns.flatMap((column, index) => {
    const top = (height - (column.length * (nodeHeight + rowGap) - rowGap)) / 2;
    return column.map((node, row) => ({
      ...node,
      x: index * (nodeWidth + columnGap),
      y: top + row * (nodeHeight + rowGap),
    }));
  });
  const byUid = new Map(placed.map((node) => [node.uid, node]));
  const lines = placed.flatMap((to) =>
    to.owners.flatMap((uid) => {
      const from = byUid.get(uid);
      return from ? [{ from, to }] : [];
    }),
  );
  return { nodes: placed, lines, width: levels.length * (nodeWidth + columnGap) - columnGap, height };
}
