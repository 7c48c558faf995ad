import type { Command } from 'commander'
import { callApi, callManagement } from './connection/api-client.ts'
import { type Connection, readConnection } from './connection/config.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from './keys/environment-options.ts'
import { CliError } from './terminal/cli-error.ts'
import { findUser, type UserChoice } from './users/users.ts'
import { VERSION } from './version.ts'

type Options = UserChoice & EnvironmentChoice

const NOTES = `
An assistant starts this command and communicates with it; it prints nothing.
Its tools only read. With a management key they use read-only tokens of ten
minutes, renewed as needed, limited to one person if one is named. Otherwise
they use the API key.

Example, in the settings of an assistant:
  {"mcpServers": {"salus": {"command": "npx",
    "args": ["salus", "mcp", "--client-user-id", "alex"]}}}`

export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description('serve an assistant by the Model Context Protocol, over stdio')
    .option('--user <id>', 'only data of this person, by user id')
    .option('--client-user-id <id>', 'only data of this person, by client user id')
  addEnvironmentOptions(command)
    .addHelpText('after', NOTES)
    .action(async (options: Options, self: Command) => {
      const connection = readConnection(self)
      const { userId, readHeaders } =
        connection.managementKey === undefined
          ? await accessByApiKey(connection, options)
          : await useTokens(connection, options)
      // Loaded here only, so that other commands start faster.
      const { callOverHttp, serveStdio } = await import('@salus/mcp')
      const call = callOverHttp(connection.url, readHeaders)
      await serveStdio({ version: VERSION, userId, call })
    })
}

/** Headers of the requests of tools, and the person to whom they are limited. */
interface Access {
  userId: string | null
  readHeaders: () => Promise<Record<string, string>>
}

const isChosen = ({ user, clientUserId }: UserChoice): boolean =>
  user !== undefined || clientUserId !== undefined

/** A key that is limited to a person serves that person; any other key serves everyone. */
async function accessByApiKey(connection: Connection, options: Options): Promise<Access> {
  const reach = await callApi<{ user_id: string | null }>(connection, 'GET', '/v2/access')
  if (isChosen(options)) {
    const chosen = options.user?.toLowerCase()
    if (reach.user_id === null || reach.user_id !== chosen) {
      throw new CliError(
        'To serve one person only, give a management key, or an API key limited to that person ' +
          '("salus key create --user ID --read-only") and name the person with --user.',
      )
    }
  }
  const headers = { 'x-service-api-key': connection.apiKey?.value ?? '' }
  return { userId: reach.user_id, readHeaders: async () => headers }
}

/** A token that is about to expire may expire on the way. */
const RENEW_BEFORE_MS = 60_000

async function useTokens(connection: Connection, options: Options): Promise<Access> {
  const { path } = await findEnvironment(connection, options)
  const userId = isChosen(options) ? (await findUser(connection, options)).user_id : null
  const url = `${path.slice(0, path.lastIndexOf('/'))}/create_api_access_token`
  const body = { env: options.environment, user_id: userId, access: 'read' }
  let token = ''
  let renewAt = 0
  const readHeaders = async () => {
    if (Date.now() >= renewAt) {
      const made = await callManagement<{ access_token: string; expires_in: number }>(
        connection,
        'POST',
        url,
        { body },
      )
      token = made.access_token
      renewAt = Date.now() + made.expires_in * 1_000 - RENEW_BEFORE_MS
    }
    return { authorization: `Bearer ${token}` }
  }
  // Reports a wrong key or person before the first call of the assistant.
  await readHeaders()
  return { userId, readHeaders }
}
