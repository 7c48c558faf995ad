import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { deleteTeamKey, findOrganizationId, getTeamKey } from './team-keys.ts'

export function addKeyDeleteCommand(parent: Command): void {
  parent
    .command('delete')
    .description('revoke an API key; what uses it is refused from now on')
    .argument('<id>', 'id of the key, as "salus key list" shows it')
    .option('--organization <id>', 'organization, where it cannot be looked up')
    .action(async (id: string, options: { organization?: string }, command: Command) => {
      const connection = readConnection(command)
      const organizationId = await findOrganizationId(connection, options.organization)
      const key = await getTeamKey(connection, organizationId, id)
      await deleteTeamKey(connection, organizationId, key)
      console.log(`Deleted the ${key.environment} key "${key.label}" (${key.value}).`)
    })
}
