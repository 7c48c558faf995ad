import type { Command } from 'commander'
import { callApi, callManagement } from './connection/api-client.ts'
import { type Connection, readConnection } from './connection/config.ts'
import { CliError } from './terminal/cli-error.ts'
import { findUser, type UserChoice } from './users/users.ts'
import { VERSION } from './version.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from './webhooks/webhook-environment.ts'

type Options = UserChoice & EnvironmentChoice

const NOTES = `
An assistant starts this command and speaks with it; there is nothing to see.
Its tools only read. With a management key they use read-only tokens of ten
minutes, renewed as needed, of one person when one is named. Else they use the
API key.

Example, in the settings of an assistant:
  {"mcpServers": {"salus": {"command": "npx",
    "args": ["salus", "mcp", "--client-user-id", "alex"]}}}`

export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description('serve an assistant by the Model Context Protocol, over stdio')
    .option('--user <id>', 'only this person, by user id')
    .option('--client-user-id <id>', 'only this person, by your own id')
  addEnvironmentOptions(command)
    .addHelpText('after', NOTES)
    .action(async (options: Options, self: Command) => {
      const connection = readConnection(self)
      const { userId, readHeaders } =
        connection.managementKey === undefined
          ? await useApiKey(connection, options)
          : await useTokens(connection, options)
      // Loaded here only: the other commands start sooner without it.
      const { callOverHttp, serveStdio } = await import('@salus/mcp')
      const call = callOverHttp(connection.url, readHeaders)
      await serveStdio({ version: VERSION, userId, call })
    })
}

/** What the tools ask with, and the one person that it reaches. */
interface Access {
  userId: string | null
  readHeaders: () => Promise<Record<string, string>>
}

const isChosen = ({ user, clientUserId }: UserChoice): boolean =>
  user !== undefined || clientUserId !== undefined

/** A key that is limited to a person serves that person; another one everybody. */
async function useApiKey(connection: Connection, options: Options): Promise<Access> {
  const reach = await callApi<{ user_id: string | null }>(connection, 'GET', '/v2/access')
  if (isChosen(options)) {
    const chosen = options.user?.toLowerCase()
    if (reach.user_id === null || reach.user_id !== chosen) {
      throw new CliError(
        'To serve one person only, give a management key, or an API key of that person alone ' +
          '("salus key create --user ID --read-only"), whom --user names then.',
      )
    }
  }
  const headers = { 'x-service-api-key': connection.apiKey?.value ?? '' }
  return { userId: reach.user_id, readHeaders: async () => headers }
}

/** A token that is about to end may end on the way. */
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
  // A wrong key or person is told before the assistant asks.
  await readHeaders()
  return { userId, readHeaders }
}
