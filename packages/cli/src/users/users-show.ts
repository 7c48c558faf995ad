import type { Command } from 'commander'
import { callApi } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { formatFields, formatTable } from '../terminal/table.ts'
import { findUser, type UserChoice } from './users.ts'

interface Details {
  user_id: string
  client_user_id: string
  created_on: string
  fallback_time_zone: { id: string } | null
  ingestion_start: string | null
  ingestion_end: string | null
}

interface ConnectionLine {
  slug: string
  status: string
  created_on: string
  error_details: { error_type?: string } | null
}

export function addUsersShowCommand(parent: Command): void {
  parent
    .command('show')
    .description('show a user and its connections')
    .argument('[user_id]', 'user id of the person')
    .option('--client-user-id <id>', 'client user id of the person')
    .option('--json', 'print both responses of the server')
    .action(
      async (
        user: string | undefined,
        options: UserChoice & { json?: boolean },
        command: Command,
      ) => {
        const connection = readConnection(command)
        const { user_id: id } = await findUser(connection, { ...options, user })
        const shown = await callApi<Details>(connection, 'GET', `/v2/user/${id}`)
        const { providers } = await callApi<{ providers: ConnectionLine[] }>(
          connection,
          'GET',
          `/v2/user/providers/${id}`,
        )
        if (options.json) return console.log(JSON.stringify({ user: shown, providers }, null, 2))
        console.log(describeUser(shown))
        console.log(
          providers.length === 0 ? '\nNo connections.' : `\n${formatTable(COLUMNS, providers)}`,
        )
      },
    )
}

function describeUser(user: Details): string {
  return formatFields([
    ['User id', user.user_id],
    ['Client user id', user.client_user_id],
    ['Created', user.created_on],
    ['Time zone', user.fallback_time_zone?.id],
    ['Data from', user.ingestion_start],
    ['Data until', user.ingestion_end],
  ])
}

const COLUMNS = [
  { title: 'Provider', text: ({ slug }: ConnectionLine) => slug },
  { title: 'Status', text: ({ status }: ConnectionLine) => status },
  { title: 'Connected', text: (line: ConnectionLine) => line.created_on },
  { title: 'Problem', text: (line: ConnectionLine) => line.error_details?.error_type ?? '' },
]
