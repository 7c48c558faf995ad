import type { Command } from 'commander'
import { type Connection, readConnection } from '../connection/config.ts'
import { findUser, type UserChoice } from '../users/users.ts'
import { addImportOptions, type ImportOptions, readImportOptions } from './import-options.ts'
import { reportImport } from './import-summary.ts'
import { followToEnd, sendAnswers } from './questions.ts'
import { findTemplate } from './templates.ts'

interface Options extends UserChoice {
  json?: boolean
  template?: string
}

export function addImportAnswerCommand(imports: Command): void {
  const command = imports
    .command('answer')
    .description('give an import the options that it waits for, and wait for the result')
    .argument('<job>', 'id of the import')
    .option('--user <id>', 'user id of the person')
    .option('--client-user-id <id>', 'client user id of the person')
  addImportOptions(command)
    .option('--template <name>', 'name or id of the template by which a table is read')
    .option('--json', 'print the finished import as JSON instead of a table')
    .action(async (jobId: string, given: Options, self: Command) => {
      const options = readImportOptions(given)
      if (Object.keys(options).length === 0 && given.template === undefined) {
        self.error('error: give an option that the import waits for')
      }
      await answerImport(readConnection(self), jobId, given, options)
    })
}

async function answerImport(
  connection: Connection,
  jobId: string,
  given: Options,
  options: ImportOptions,
): Promise<void> {
  const { user_id } = await findUser(connection, given)
  const template = given.template && (await findTemplate(connection, given.template))
  const answers = template ? { ...options, template_id: template.id } : options
  const job = await sendAnswers(connection, { id: jobId, user_id }, answers)
  reportImport(await followToEnd(connection, job), given.json ?? false)
}
