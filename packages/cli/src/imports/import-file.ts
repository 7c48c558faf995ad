import type { Command } from 'commander'
import { type Connection, readConnection } from '../connection/config.ts'
import { findUser, type UserChoice } from '../users/users.ts'
import { dryRun } from './dry-run.ts'
import { addImportOptions, type ImportOptions, readImportOptions } from './import-options.ts'
import { reportImport } from './import-summary.ts'
import { followToEnd } from './questions.ts'
import { useTemplate } from './templates.ts'
import { measureFile, uploadFile } from './upload-file.ts'

export interface ImportFileOptions extends UserChoice {
  json?: boolean
  dryRun?: boolean
  format?: string
  template?: string
}

const EXAMPLES = `
Examples:
  $ salus import data.zip --client-user-id alex --create
  $ salus import --dry-run data.zip
  $ salus import --dry-run --json data.zip | head
  $ salus import readings.csv --user 8e1c9a54-… --date-order day_first

The content says what the file is; "salus import formats" lists what is known.
A file with the name of a command is given as ./csv. At a terminal the command
puts the questions that a file leaves open, such as the order of day and month;
elsewhere it prints the command that answers them.`

/** Adds the options that every import of a file has. */
export function addPersonOptions(command: Command): Command {
  return command
    .option('--user <id>', 'user id of the person')
    .option('--client-user-id <id>', 'client user id of the person')
    .option('--create', 'create the user of --client-user-id if there is none')
}

export function addImportFileCommand(imports: Command): void {
  const command = imports
    .command('file', { isDefault: true })
    .description('import a file of any known format; the word "file" can be left out')
    .argument('<file>', 'file as the app exported it; - is stdin')
  addPersonOptions(command).option('--format <slug>', 'format, instead of the recognized one')
  addImportOptions(command)
    .option('--template <name>', 'template by which a table is read: JSON file, name or id')
    .option('--remove-missing', 'remove data of earlier imports that this file does not contain')
    .option('--dry-run', 'show what the file would become; needs no server, stores nothing')
    .option('--json', 'print the import as JSON, or with --dry-run an object a line')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, given: ImportFileOptions, self: Command) => {
      const options = readImportOptions(given)
      if (given.dryRun) return dryRun(self, path, given, options)
      const connection = readConnection(self)
      const template = given.template && (await useTemplate(connection, given.template))
      const template_id = template ? { template_id: template.id } : {}
      return importFile(connection, path, given, { ...options, ...template_id })
    })
}

/** Uploads a file, follows its import and prints the result. */
export async function importFile(
  connection: Connection,
  path: string,
  given: ImportFileOptions,
  options: ImportOptions,
): Promise<void> {
  const file = await measureFile(path)
  // Before the upload, so that a wrong key or person does not cost one.
  const user = await findUser(connection, given)
  const values = Object.entries({ ...options, format: given.format })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)])
  const target = { userId: user.user_id, path: '/import', query: Object.fromEntries(values) }
  const job = await uploadFile(connection, file, target, process.stderr)
  reportImport(await followToEnd(connection, job), given.json ?? false)
}
