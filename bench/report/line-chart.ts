// Line chart with logarithmic axes, as SVG.

export interface Line {
  readonly title: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface LineChartTexts {
  readonly title: string;
  readonly subtitle: string;
  readonly xTitle: string;
  readonly yTitle: string;
}

const plot = { left: 80, top: 80, width: 620, height: 360 } as const;
/** The column of line titles on the right. */
const titleWidth = 140;
const colours = ['#1a7f64', '#0969da', '#bc4c00', '#8250df', '#57606a'];

export function lineChart(lines: readonly Line[], texts: LineChartTexts): string {
  const points = lines.flatMap((line) => line.points);
  const xAxis = axis(points.map(({ x }) => x));
  const yAxis = axis(points.map(({ y }) => y));
  const x = (value: number) => round(plot.left + plot.width * xAxis.share(value));
  const y = (value: number) => round(plot.top + plot.height * (1 - yAxis.share(value)));
  const [right, bottom] = [plot.left + plot.width, plot.top + plot.height];
  const [width, height] = [right + titleWidth, bottom + 60];
  const grid = [
    ...xAxis.ticks.map(
      (tick) =>
        `<line x1="${x(tick)}" x2="${x(tick)}" y1="${plot.top}" y2="${bottom}" stroke="#d8dee4"/>` +
        `<text x="${x(tick)}" y="${bottom + 20}" text-anchor="middle" class="small">${label(tick)}</text>`,
    ),
    ...yAxis.ticks.map(
      (tick) =>
        `<line x1="${plot.left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}" stroke="#d8dee4"/>` +
        `<text x="${plot.left - 8}" y="${y(tick) + 4}" text-anchor="end" class="small">${label(tick)}</text>`,
    ),
  ];
  const drawn = lines.map(({ title, points: own }, i) => {
    const colour = colours[i % colours.length]!;
    const last = own.at(-1);
    if (!last) return '';
    const path = own.map((point) => `${x(point.x)},${y(point.y)}`).join(' ');
    const dots = own.map((point) => `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="3" fill="${colour}"/>`);
    return (
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}` +
      `<text x="${x(last.x) + 10}" y="${y(last.y) + 5}" fill="${colour}">${escapeText(title)}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(texts.title)}">`,
    '<style>text{font:14px system-ui,-apple-system,"Segoe UI",sans-serif}.title{font-size:18px;font-weight:600;fill:#1f2328}.small{font-size:12px;fill:#57606a}</style>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="20" y="30" class="title">${escapeText(texts.title)}</text>`,
    `<text x="20" y="52" class="small">${escapeText(texts.subtitle)}</text>`,
    `<text x="20" y="${plot.top - 10}" class="small">${escapeText(texts.yTitle)}</text>`,
    `<text x="${plot.left + plot.width / 2}" y="${bottom + 44}" text-anchor="middle" class="small">${escapeText(texts.xTitle)}</text>`,
    ...grid,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

/** Powers of ten around the values, and the position of a value between the first and the last of them. */
function axis(values: readonly number[]): { readonly ticks: number[]; share(value: number): number } {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive, 1e9)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive, 0.001))));
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { ticks, share: (value) => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low) };
}

const label = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

const round = (value: number): number => Math.round(value * 10) / 10;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
