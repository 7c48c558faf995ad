import type { Command } from 'commander'
import { callApi } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { formatCount } from '../terminal/number-format.ts'
import { wholeNumber } from '../terminal/option-values.ts'
import { formatTable } from '../terminal/table.ts'
import type { User, UserList } from './users.ts'

interface Options {
  limit: number
  offset: number
  json?: boolean
}

/** Maximum of the server. */
const MOST = 500

export function addUsersListCommand(parent: Command): void {
  parent
    .command('list')
    .description('list users of the team')
    .option('--limit <number>', 'maximum number', wholeNumber(1, MOST), 100)
    .option('--offset <number>', 'number to skip', wholeNumber(0, 2 ** 31 - 1), 0)
    .option('--json', 'print the response of the server')
    .action(async (options: Options, command: Command) => {
      const { limit, offset, json } = options
      const query = { limit, offset }
      const list = await callApi<UserList>(readConnection(command), 'GET', '/v2/user', { query })
      if (json) return console.log(JSON.stringify(list, null, 2))
      if (list.users.length === 0) {
        console.error(list.total === 0 ? 'No users yet.' : 'No users after that offset.')
        return
      }
      console.log(formatTable(COLUMNS, list.users))
      const end = offset + list.users.length
      if (end < list.total) {
        console.error(`\n${formatCount(list.total)} users in all; next: --offset ${end}`)
      }
    })
}

const COLUMNS = [
  { title: 'User id', text: (user: User) => user.user_id },
  { title: 'Client user id', text: (user: User) => user.client_user_id },
  { title: 'Created', text: (user: User) => user.created_on },
  {
    title: 'Connected',
    text: (user: User) =>
      user.connected_sources.map(({ provider }) => provider.slug).join(', ') || '–',
  },
]
