import type { Command } from 'commander'
import { callApi } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { confirm } from '../terminal/confirm.ts'
import { findUser, type UserChoice } from './users.ts'

export function addUsersDeleteCommand(parent: Command): void {
  parent
    .command('delete')
    .description('delete a user; the data are erased seven days later')
    .argument('[user_id]', 'user id of the person')
    .option('--client-user-id <id>', 'client user id of the person')
    .option('--yes', 'skip the confirmation')
    .action(
      async (
        user: string | undefined,
        options: UserChoice & { yes?: boolean },
        command: Command,
      ) => {
        const connection = readConnection(command)
        const found = await findUser(connection, { ...options, user })
        const { user_id: id, client_user_id: clientUserId } = found
        if (!options.yes) await confirm(`Delete ${id} (${clientUserId}) with all data?`, 'the user')
        await callApi(connection, 'DELETE', `/v2/user/${id}`)
        console.error(
          `Deleted ${id}. For seven days it can be restored with POST /v2/user/undo_delete.`,
        )
      },
    )
}
