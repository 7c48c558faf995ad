import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { createUser } from './users.ts'

export function addUsersCreateCommand(parent: Command): void {
  parent
    .command('create')
    .description('create a user and print its user id')
    .argument('<client_user_id>', 'client user id of the person; no personal data')
    .option('--json', 'print the user as JSON')
    .action(async (clientUserId: string, options: { json?: boolean }, command: Command) => {
      const user = await createUser(readConnection(command), clientUserId)
      console.log(options.json ? JSON.stringify(user, null, 2) : user.user_id)
    })
}
