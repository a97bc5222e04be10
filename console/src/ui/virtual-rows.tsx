// A scrolling grid that renders only the rows in view: ten thousand rows cost as much as fifty.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  readonly columnCount: number;
  /** The index of the selected row, which is kept in view; -1 for none. */
  readonly selected: number;
  readonly header: ComponentChildren;
  readonly renderRow: (index: number) => ComponentChildren;
  /** The smallest width of each column in rem, and its share of the rest. */
  readonly widths: readonly (readonly [number, number])[];
}

/** Rows above and below the visible ones, so that fast scrolling shows no gaps. */
const overscan = 8;
/** Browsers limit the height of an element. */
const maxHeight = 8_000_000;

export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, label, columnCount, selected, header, renderRow, widths } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = scroller.current;
    if (!element || selected < 0) return;
    const top = selected * rowHeight;
    // The header covers the first row's height.
    const visible = element.clientHeight - 2 * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + visible) element.scrollTop = top - visible;
  }, [selected, rowHeight]);
  const template = widths.map(([rem, share]) => `minmax(${rem}rem, ${share}fr)`).join(' ');
  // All rows are equally wide, whatever their content.
  const minWidth = `${widths.reduce((sum, [rem]) => sum + rem, 2)}rem`;
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  const rows = [];
  for (let index = first; index < last; index++) rows.push(renderRow(index));
  return (
    <div
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columnCount}
      tabIndex={0}
      ref={scroller}
      style={{ '--columns': template, '--row-width': minWidth }}
      onScroll={({ currentTarget }) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        {header}
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${Math.min(maxHeight, count * rowHeight)}px` }}>
        <div class="window" style={{ top: `${first * rowHeight}px` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}
