import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { createTeamKey, deleteTeamKey, findOrganizationId, getTeamKey } from './team-keys.ts'

interface Options {
  label: string
  deleteOld?: boolean
  expiresAt?: string
  organization?: string
}

export function addKeyRotateCommand(parent: Command): void {
  parent
    .command('rotate')
    .description('make a key for the team and environment of another one')
    .argument('<id>', 'id of the old key, as "salus key list" shows it')
    .requiredOption('--label <text>', 'what the new key is for')
    .option('--delete-old', 'revoke the old key right away; without it both work')
    .option('--expires-at <time>', 'the new key ends then by itself')
    .option('--organization <id>', 'organization, where it cannot be looked up')
    .action(async (id: string, options: Options, command: Command) => {
      const connection = readConnection(command)
      const organizationId = await findOrganizationId(connection, options.organization)
      const old = await getTeamKey(connection, organizationId, id)
      const { team_id: teamId, environment } = old
      const { label, expiresAt } = options
      // The new key reaches no more than the old one.
      const limits = { userId: old.user_id ?? undefined, isReadOnly: old.access === 'read' }
      const wanted = { teamId, environment, label, ...limits, expiresAt }
      const key = await createTeamKey(connection, organizationId, wanted)
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
