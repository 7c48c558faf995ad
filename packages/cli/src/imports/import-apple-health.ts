import type { Command } from 'commander'
import type { Query } from '../connection/api-client.ts'
import { type Connection, readConnection } from '../connection/config.ts'
import { findUser, type UserChoice } from '../users/users.ts'
import { reportImport } from './import-summary.ts'
import { followToEnd } from './questions.ts'
import { measureFile, uploadFile } from './upload-file.ts'

interface Options extends UserChoice {
  json?: boolean
  removeMissing?: boolean
}

const EXAMPLES = `
Examples:
  $ salus import apple-health export.zip --user 8e1c9a54-…
  $ salus import apple-health export.zip --client-user-id alex --create
  $ unzip -p export.zip '*/export.xml' | \\
      salus import apple-health - --client-user-id alex --json

A broken upload of a file continues when the command runs again within a day.

The same file can be imported again: data that are stored already count as
unchanged. Data that were deleted on the phone since an earlier import stay and
are counted, unless --remove-missing is given.`

export function addImportAppleHealthCommand(parent: Command): void {
  parent
    .command('apple-health')
    .description('import an export of the Apple Health app and wait for the result')
    .argument('<file>', 'export.zip as created by the phone, or the export.xml inside; - is stdin')
    .option('--user <id>', 'user id of the person')
    .option('--client-user-id <id>', 'client user id of the person')
    .option('--create', 'create the user of --client-user-id if there is none')
    .option('--remove-missing', 'remove data of earlier imports that this export does not contain')
    .option('--json', 'print the finished import as JSON instead of a table')
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: Options, command: Command) =>
      importAppleHealth(readConnection(command), file, options),
    )
}

async function importAppleHealth(
  connection: Connection,
  path: string,
  options: Options,
): Promise<void> {
  const file = await measureFile(path)
  // Before the upload, so that a wrong key or person does not cost one.
  const user = await findUser(connection, options)
  const query: Query = options.removeMissing ? { remove_missing: 'true' } : {}
  const target = { userId: user.user_id, path: '/import/apple_health', query }
  const job = await uploadFile(connection, file, target, process.stderr)
  reportImport(await followToEnd(connection, job), options.json ?? false)
}
