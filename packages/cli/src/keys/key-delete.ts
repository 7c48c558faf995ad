import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { deleteTeamKey, findOrganizationId, getTeamKey } from './team-keys.ts'

export function addKeyDeleteCommand(parent: Command): void {
  parent
    .command('delete')
    .description('revoke an API key; requests with it are refused from now on')
    .argument('<id>', 'id of the key, from "salus key list"')
    .option('--organization <id>', 'organization, if it cannot be looked up')
    .action(async (id: string, options: { organization?: string }, command: Command) => {
      const connection = readConnection(command)
      const organizationId = await findOrganizationId(connection, options.organization)
      const key = await getTeamKey(connection, organizationId, id)
      await deleteTeamKey(connection, organizationId, key)
      console.log(`Deleted the ${key.environment} key "${key.label}" (${key.value}).`)
    })
}
