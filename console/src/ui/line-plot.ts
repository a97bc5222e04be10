// A plot with uPlot, loaded when a view with plots opens.
import uPlot from 'uplot';

export interface LinePlot {
  setData(times: readonly number[], lines: readonly (readonly (number | null)[])[]): void;
  destroy(): void;
}

const colorNames = ['--plot-0', '--plot-1', '--plot-2'];

const timeText = (seconds: number) => new Date(seconds * 1000).toTimeString().slice(0, 8);

export function openPlot(host: HTMLElement, labels: readonly string[]): LinePlot {
  const style = getComputedStyle(host);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--plot-text'),
    grid: { stroke: color('--plot-grid'), width: 1 },
    ticks: { show: false },
  };
  const sizeOf = () => ({ width: Math.max(200, host.clientWidth), height: 150 });
  const plot = new uPlot(
    {
      ...sizeOf(),
      legend: { show: false },
      cursor: { y: false },
      scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.15)] } },
      axes: [
        { ...axis, values: (_, times) => times.map(timeText) },
        { ...axis, size: 52 },
      ],
      series: [
        {},
        ...labels.map((label, index) => ({
          label,
          stroke: color(colorNames[index % colorNames.length]!),
          width: 2,
          spanGaps: true,
          points: { show: false },
        })),
      ],
    },
    [[], ...labels.map(() => [])],
    host,
  );
  const observer = new ResizeObserver(() => plot.setSize(sizeOf()));
  observer.observe(host);
  return {
    setData: (times, lines) => plot.setData([times, ...lines] as uPlot.AlignedData),
    destroy: () => {
      observer.disconnect();
      plot.destroy();
    },
  };
}
