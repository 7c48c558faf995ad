import { StartupError } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { addTeamKey, type FirstKeys } from './bootstrap.ts'
import { generateManagementKey, storeManagementKey } from './keys/management-keys.service.ts'
import { generateTeamKey } from './keys/team-keys.service.ts'
import {
  findFirstOrganization,
  findFirstTeam,
  lockBootstrap,
} from './organization/teams.repository.ts'

const LABEL = 'Recovered key'

/**
 * Creates a management key for the first organization and a sandbox key for its first team, for an
 * operator who has the database and lost the keys. Earlier keys do not change: only their owner
 * knows which of them are lost.
 * @throws StartupError when there is no organization yet
 */
export function recoverKeys(options: {
  db: Db
  clock: Clock
  /** Stores the keys, because the database has only hashes of them. Called before the commit. */
  keepKeys: (keys: Partial<FirstKeys>) => void
}): Promise<Partial<FirstKeys>> {
  const { db, clock, keepKeys } = options
  return db.transaction().execute(async (transaction) => {
    await lockBootstrap(transaction)
    const organization = await findFirstOrganization(transaction)
    if (organization === undefined) {
      throw new StartupError(
        'The database has no organization yet. Start Salus, which creates the keys.',
      )
    }
    const createdAt = clock.now()
    const managementKey = generateManagementKey()
    const creator = { type: 'recovery' }
    const key = { label: LABEL, role: 'org_admin' as const, bindings: null, creator, createdAt }
    await storeManagementKey(transaction, organization.id, { ...key, value: managementKey })
    const keys: Partial<FirstKeys> = { organizationId: organization.id, managementKey }
    const team = await findFirstTeam(transaction, organization.id)
    if (team !== undefined) {
      keys.teamId = team.id
      keys.apiKey = generateTeamKey('sandbox', team.region)
      await addTeamKey(transaction, team.id, { label: LABEL, value: keys.apiKey, createdAt })
    }
    keepKeys(keys)
    return keys
  })
}
