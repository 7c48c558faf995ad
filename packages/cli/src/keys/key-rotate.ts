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
    .description('create a key for the team and environment of another one')
    .argument('<id>', 'id of the old key, from "salus key list"')
    .requiredOption('--label <text>', 'what uses the new key')
    .option('--delete-old', 'revoke the old key at once; by default both work')
    .option('--expires-at <time>', 'time at which the new key expires')
    .option('--organization <id>', 'organization, if it cannot be looked up')
    .action(async (id: string, options: Options, command: Command) => {
      const connection = readConnection(command)
      const organizationId = await findOrganizationId(connection, options.organization)
      const old = await getTeamKey(connection, organizationId, id)
      const { team_id: teamId, environment } = old
      const { label, expiresAt } = options
      // The new key has the limits of the old one.
      const limits = {
        userId: old.user_id ?? undefined,
        isReadOnly: old.access === 'read',
        scopes: old.scopes ?? undefined,
      }
      const wanted = { teamId, environment, label, ...limits, expiresAt }
      const key = await createTeamKey(connection, organizationId, wanted)
      console.error(
        `Created ${environment} key "${key.label}", id ${key.id}. Store it now: it is shown only once.`,
      )
      // Printed before the old key is deleted, so that no failure leaves the team without a key.
      console.log(key.value)
      if (options.deleteOld) {
        await deleteTeamKey(connection, organizationId, old)
        console.error(`Deleted the old key "${old.label}" (${old.value}).`)
      } else {
        console.error(
          `The old key still works. When no software uses it: salus key delete ${old.id}`,
        )
      }
    })
}
