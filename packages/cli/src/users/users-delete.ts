import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { callApi } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { findUser, type User, type UserChoice } from './users.ts'

export function addUsersDeleteCommand(parent: Command): void {
  parent
    .command('delete')
    .description('delete a user; the data are erased seven days later')
    .argument('[user_id]', 'the person, by user id')
    .option('--client-user-id <id>', "the person, by the team's own id")
    .option('--yes', 'do not ask')
    .action(
      async (
        user: string | undefined,
        options: UserChoice & { yes?: boolean },
        command: Command,
      ) => {
        const connection = readConnection(command)
        const found = await findUser(connection, { ...options, user })
        if (!options.yes) await askFirst(found)
        await callApi(connection, 'DELETE', `/v2/user/${found.user_id}`)
        console.error(
          `Deleted ${found.user_id}. It can be brought back for seven days: POST /v2/user/undo_delete.`,
        )
      },
    )
}

/** @throws CliError unless somebody at the terminal agrees */
async function askFirst({ user_id: id, client_user_id: clientUserId }: User): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CliError('Nobody can be asked here. Add --yes to delete the user.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal
    .question(`Delete ${id} (${clientUserId}) with all data? [y/N] `)
    .finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was deleted.')
}
