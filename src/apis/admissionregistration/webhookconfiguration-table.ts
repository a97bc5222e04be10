// The printer columns of webhook configurations.
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { MutatingWebhookConfiguration } from './mutatingwebhookconfiguration-schema.ts';
import type { ValidatingWebhookConfiguration } from './validatingwebhookconfiguration-schema.ts';

const webhooksColumn = column('Webhooks', 'The number of webhooks.', integer);

export const webhookTable: TableLayout<MutatingWebhookConfiguration | ValidatingWebhookConfiguration> = {
  columns: [nameColumn, webhooksColumn, ageColumn],
  cells: (object, ages) => [object.metadata.name ?? '', (object.webhooks ?? []).length, age(object, ages)],
};
