// The rows of the scale benchmark: names, units, and which of them the plot shows.

export interface ScaleRow {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** Whether it is a line of the plot: CPU time per request. */
  readonly isPlotted?: boolean;
}

export const scaleRows: readonly ScaleRow[] = [
  { name: 'create-rate', title: 'creates while the store fills', unit: '/s' },
  { name: 'create', title: '… CPU time of one', unit: 'µs', isPlotted: true },
  { name: 'get-rate', title: 'gets', unit: '/s' },
  { name: 'get', title: '… CPU time of one', unit: 'µs', isPlotted: true },
  { name: 'page-rate', title: 'first pages, limit=500', unit: '/s' },
  { name: 'page', title: '… CPU time of one', unit: 'µs', isPlotted: true },
  { name: 'label-list-rate', title: 'lists of 10 objects by label', unit: '/s' },
  { name: 'label-list', title: '… CPU time of one', unit: 'µs', isPlotted: true },
  { name: 'index-build', title: '… until their index was built', unit: 's' },
  { name: 'watch', title: 'watch that replays 1,000 events', unit: 'ms' },
  { name: 'restart', title: 'restart until ready', unit: 'ms' },
  { name: 'first-page-after-restart', title: '… and its first page', unit: 'ms' },
  { name: 'backup', title: 'backup', unit: 's' },
  { name: 'compaction', title: 'compaction, CPU time of a change', unit: 'µs' },
  { name: 'memory-after-writes', title: 'anonymous memory, 10 s after the writes', unit: 'MB' },
  { name: 'memory-reopened', title: '… 10 s after the restart', unit: 'MB' },
  { name: 'memory-mapped', title: 'mapped memory, 10 s after the restart', unit: 'MB' },
  { name: 'file-size', title: 'data file', unit: 'MB' },
];
