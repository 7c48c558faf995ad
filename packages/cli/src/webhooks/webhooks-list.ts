import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from '../keys/environment-options.ts'
import { type Column, formatTable } from '../terminal/table.ts'
import { MOST_ROWS, readRows, type Webhook } from './webhooks.ts'

export function addWebhooksListCommand(parent: Command): void {
  const command = parent
    .command('list')
    .description('list the webhooks of a team')
    .option('--json', 'print the list as JSON')
  addEnvironmentOptions(command).action(
    async (options: EnvironmentChoice & { json?: boolean }, self: Command) => {
      const connection = readConnection(self)
      const { path } = await findEnvironment(connection, options)
      const { rows } = await readRows<Webhook>(connection, `${path}/webhook`, {}, MOST_ROWS)
      if (options.json) return console.log(JSON.stringify(rows, null, 2))
      if (rows.length === 0) return console.error('No webhooks.')
      console.log(formatTable(COLUMNS, rows))
    },
  )
}

const COLUMNS: Column<Webhook>[] = [
  { title: 'Id', text: ({ id }) => id },
  { title: 'URL', text: ({ url }) => url },
  { title: 'Types', text: ({ filter_types: types }) => types?.join(', ') || 'all' },
  { title: 'A second', text: ({ rate_limit: limit }) => String(limit ?? '–'), align: 'right' },
  {
    title: 'State',
    text: ({ disabled, disabled_reason: why }) => (disabled ? `disabled: ${why}` : 'enabled'),
  },
  { title: 'Created', text: ({ created_at: at }) => at },
  { title: 'Description', text: ({ description }) => description || '–' },
]
