// The bar chart of the ratios between Orch and the reference, as SVG.
import type { Results, Row } from '../rows.ts';
import { aimReached, formatAim, formatRatio, ratioOf } from './format.ts';

const labelWidth = 290;
const plotWidth = 500;
/** The column of values and aims on the right of the bars. */
const valueWidth = 150;
const barHeight = 20;
const step = 32;
const top = 92;

/** Horizontal bars on a logarithmic axis that start at 1 (no difference), so that 2 and 0.5 are equally long. */
export function ratioChart(rows: readonly Row[], results: Results, subtitle: string): string {
  const bars = rows.flatMap((row) => {
    const [orch, reference] = [results.of(row.name, 'orch'), results.of(row.name, 'reference')];
    const ratio = ratioOf(row, orch, reference);
    return ratio === undefined ? [] : [{ row, ratio, reached: aimReached(row, orch, reference) }];
  });
  const aims = bars.flatMap(({ row }) => (row.aim && 'times' in row.aim ? [row.aim.times] : []));
  const largest = Math.max(10, ...aims, ...bars.map((bar) => bar.ratio));
  const smallest = Math.min(1, ...bars.map((bar) => bar.ratio));
  const ticks = ticksBetween(smallest, largest);
  const [low, high] = [Math.log(ticks[0]!), Math.log(ticks.at(-1)!)];
  const x = (ratio: number): number =>
    round(labelWidth + (plotWidth * (Math.log(ratio) - low)) / (high - low));

  const width = labelWidth + plotWidth + valueWidth;
  const bottom = top + bars.length * step;
  const grid = ticks.map(
    (tick) =>
      `<line x1="${x(tick)}" x2="${x(tick)}" y1="${top - 8}" y2="${bottom}" stroke="${tick === 1 ? '#57606a' : '#d8dee4'}"/>` +
      `<text x="${x(tick)}" y="${top - 14}" text-anchor="middle" class="small">${tick}×</text>`,
  );
  const barElements = bars.map(({ row, ratio, reached }, i) => {
    const y = top + i * step + (step - barHeight) / 2;
    const [from, to] = [Math.min(x(1), x(ratio)), Math.max(x(1), x(ratio))];
    const colour = reached === undefined ? '#8c959f' : reached ? '#1a7f64' : '#bc4c00';
    const notch =
      row.aim && 'times' in row.aim
        ? `<line x1="${x(row.aim.times)}" x2="${x(row.aim.times)}" y1="${y - 4}" y2="${y + barHeight + 4}" stroke="#1f2328" stroke-width="2"/>`
        : '';
    const aim = row.aim ? `<tspan class="small" dx="8">aim ${escapeText(formatAim(row))}</tspan>` : '';
    return (
      `<text x="${labelWidth - 12}" y="${y + 15}" text-anchor="end">${escapeText(row.title)}</text>` +
      `<rect x="${from}" y="${y}" width="${round(Math.max(1, to - from))}" height="${barHeight}" rx="2" fill="${colour}"/>` +
      notch +
      `<text x="${labelWidth + plotWidth + 20}" y="${y + 15}" class="value">${formatRatio(ratio)}${aim}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 44}" width="${width}" height="${bottom + 44}" role="img" aria-label="How many times better Orch is than kube-apiserver with etcd">`,
    '<style>text{font:14px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}.title{font-size:18px;font-weight:600}.small{font-size:12px;fill:#57606a;font-weight:400}.value{font-weight:600}</style>',
    `<rect width="${width}" height="${bottom + 44}" fill="#ffffff"/>`,
    '<text x="20" y="30" class="title">Orch beside kube-apiserver + etcd: how many times better</text>',
    `<text x="20" y="52" class="small">${escapeText(subtitle)}</text>`,
    ...grid,
    ...barElements,
    legend(bottom + 26),
    '</svg>',
    '',
  ].join('\n');
}

function legend(y: number): string {
  const entry = (x: number, colour: string, text: string): string =>
    `<rect x="${x}" y="${y - 10}" width="12" height="12" rx="2" fill="${colour}"/><text x="${x + 18}" y="${y}" class="small">${text}</text>`;
  return (
    entry(20, '#1a7f64', 'aim reached') +
    entry(130, '#bc4c00', 'aim not reached') +
    entry(262, '#8c959f', 'no aim') +
    `<line x1="341" x2="341" y1="${y - 13}" y2="${y + 5}" stroke="#1f2328" stroke-width="2"/><text x="350" y="${y}" class="small">the aim; longer bars are better, on a logarithmic axis</text>`
  );
}

/** 1, 2, 5, 10, … and their inverses, as far as the values need them. */
function ticksBetween(smallest: number, largest: number): number[] {
  const all = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  const first = Math.max(
    0,
    all.findLastIndex((tick) => tick <= smallest),
  );
  const last = all.findIndex((tick) => tick >= largest);
  return all.slice(first, last === -1 ? all.length : last + 1);
}

const round = (value: number): number => Math.round(value * 10) / 10;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
