import type { Command } from 'commander'
import { callApi } from '../connection/api-client.ts'
import { type Connection, readConnection } from '../connection/config.ts'
import { findUser, type UserChoice } from '../users/users.ts'
import type { ImportJob } from './import-job.ts'
import { reportImport } from './import-summary.ts'
import { followToEnd } from './questions.ts'

interface Options extends UserChoice {
  json?: boolean
}

export function addImportFollowCommand(parent: Command): void {
  parent
    .command('follow')
    .description('watch a running import, or show the result of a finished one')
    .argument('<job>', 'id of the import')
    .option('--user <id>', 'user id of the person')
    .option('--client-user-id <id>', 'client user id of the person')
    .option('--json', 'print the finished import as JSON instead of a table')
    .action((jobId: string, options: Options, command: Command) =>
      showImport(readConnection(command), jobId, options),
    )
}

async function showImport(connection: Connection, jobId: string, options: Options): Promise<void> {
  const { user_id } = await findUser(connection, options)
  const path = `/v2/user/${user_id}/import/${encodeURIComponent(jobId)}`
  const job = await callApi<ImportJob>(connection, 'GET', path)
  reportImport(await followToEnd(connection, job), options.json ?? false)
}
