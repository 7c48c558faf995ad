import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { createTeamKey, deleteTeamKey, findOrganizationId, getTeamKey } from './team-keys.ts'

interface Options {
  label: string
  deleteOld?: boolean
  organization?: string
}

export function addKeyRotateCommand(parent: Command): void {
  parent
    .command('rotate')
    .description('make a key for the team and environment of another one')
    .argument('<id>', 'id of the old key, as "salus key list" shows it')
    .requiredOption('--label <text>', 'what the new key is for')
    .option('--delete-old', 'revoke the old key right away; without it both work')
    .option('--organization <id>', 'organization, where it cannot be looked up')
    .action(async (id: string, options: Options, command: Command) => {
      const connection = readConnection(command)
      const organizationId = await findOrganizationId(connection, options.organization)
      const old = await getTeamKey(connection, organizationId, id)
      const { team_id: teamId, environment } = old
      const { label } = options
      const key = await createTeamKey(connection, organizationId, { teamId, environment, label })
      console.error(
        `New ${environment} key "${key.label}", id ${key.id}. Keep it: it is shown once.`,
      )
      // Printed before the old one goes, so that no failure leaves the team without a key.
      console.log(key.value)
      if (options.deleteOld) {
        await deleteTeamKey(connection, organizationId, old)
        console.error(`Deleted the old key "${old.label}" (${old.value}).`)
      } else {
        console.error(`The old key still works. When nothing uses it: salus key delete ${old.id}`)
      }
    })
}
