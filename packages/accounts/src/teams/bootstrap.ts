import { setTimeout as sleep } from 'node:timers/promises'
import { hashKey } from '@salus/kernel/crypto/keys'
import { StartupError } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Logger } from '@salus/kernel/log'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import { findManagementKeyByHash } from './keys/management-keys.repository.ts'
import { generateManagementKey, storeManagementKey } from './keys/management-keys.service.ts'
import { findTeamKeyState } from './keys/team-keys.repository.ts'
import { generateTeamKey, storeTeamKey } from './keys/team-keys.service.ts'
import {
  findFirstOrganization,
  findFirstTeam,
  insertOrganization,
  listEnvironments,
  lockBootstrap,
} from './organization/teams.repository.ts'
import type { Region } from './organization/teams.schema.ts'
import { storeTeam } from './organization/teams.service.ts'

/** Objects that the first start created. Keys from the settings are not repeated. */
export interface FirstKeys {
  organizationId: string
  teamId: string
  apiKey?: string
  managementKey?: string
}

/** A key from the settings that gives no access. */
interface UnusedKey {
  setting: 'SALUS_API_KEY' | 'SALUS_MANAGEMENT_KEY'
  /** `deleted`: it was revoked, or its team deleted, and is not restored. */
  reason: 'deleted' | 'no_team'
}

interface Bootstrapped {
  /** Set only on the first start, for printing once; the keys are already stored. */
  firstKeys: FirstKeys | undefined
  /** Keys to warn about in the log. */
  unusedKeys: UnusedKey[]
}

/**
 * The settings that it needs: keys to use instead of generated ones, and the region of the first
 * team.
 */
interface BootstrapConfig {
  apiKey: string | undefined
  managementKey: string | undefined
  region: Region
}

/**
 * Creates the first organization, team and keys when there are none
 * (docs/contract/01-conventions.md#management-api); later starts only add keys from the settings
 * that were never stored. Processes that start together wait for each other, so they create one
 * organization.
 */
export function bootstrap(options: {
  db: Db
  config: BootstrapConfig
  clock: Clock
  /**
   * Stores the first keys, because the database has only hashes of them. Called before the commit.
   */
  keepKeys?: (keys: FirstKeys) => void
}): Promise<Bootstrapped> {
  const { db, config, clock, keepKeys } = options
  return db.transaction().execute(async (transaction) => {
    await lockBootstrap(transaction)
    const organization = await findFirstOrganization(transaction)
    if (organization !== undefined) {
      const unusedKeys = await addGivenKeys(transaction, organization.id, config, clock.now())
      return { firstKeys: undefined, unusedKeys }
    }
    const firstKeys = await makeFirst(transaction, config, clock.now())
    keepKeys?.(firstKeys)
    return { firstKeys, unusedKeys: [] }
  })
}

const FIRST_TEAM_POLL_MS = 500
/** From migrations to the first team a process takes seconds. */
const FIRST_TEAM_LIMIT_S = 60

/**
 * Waits until there is a team, from this start or an earlier one: for a process that leaves
 * migrations to another, whose output shows the first keys.
 * @throws StartupError when no process creates it
 */
export async function waitForFirstTeam(options: {
  db: Db
  log: Logger
  /** Throws when the process has to stop instead. */
  checkpoint: () => void
  limitSeconds?: number
}): Promise<void> {
  const { db, log, checkpoint, limitSeconds = FIRST_TEAM_LIMIT_S } = options
  const isThere = async () => (await findFirstOrganization(db)) !== undefined
  if (await isThere()) return
  log.warn('waiting for another process to create the first team: SALUS_MIGRATE is wait')
  const deadline = performance.now() + limitSeconds * 1000
  while (performance.now() < deadline) {
    await sleep(FIRST_TEAM_POLL_MS)
    checkpoint()
    if (await isThere()) return
  }
  throw new StartupError(
    `No process created the first team within ${limitSeconds} seconds. Start a process with SALUS_MIGRATE=only, or this one without SALUS_MIGRATE=wait.`,
  )
}

const FIRST_KEY = 'First key'

async function makeFirst(db: Db, config: BootstrapConfig, createdAt: Date): Promise<FirstKeys> {
  const organizationId = newId()
  const teamId = newId()
  await insertOrganization(db, {
    id: organizationId,
    name: 'My organization',
    created_at: createdAt,
  })
  const { region } = config
  const name = 'My team'
  const team = { id: teamId, organizationId, name, region, integrationTeamId: null, settings: {} }
  await storeTeam(db, { ...team, createdAt })
  const managementKey = config.managementKey ?? generateManagementKey()
  await addManagementKey(db, organizationId, managementKey, createdAt)
  const apiKey = config.apiKey ?? generateTeamKey('sandbox', region)
  await addTeamKey(db, teamId, { label: FIRST_KEY, value: apiKey, createdAt })
  return {
    organizationId,
    teamId,
    apiKey: config.apiKey === undefined ? apiKey : undefined,
    managementKey: config.managementKey === undefined ? managementKey : undefined,
  }
}

function addManagementKey(db: Db, organizationId: string, value: string, createdAt: Date) {
  const label = 'First management key'
  const creator = { type: 'bootstrap' }
  const key = { label, role: 'org_admin' as const, bindings: null, creator, value, createdAt }
  return storeManagementKey(db, organizationId, key)
}

/** Stores a key in the environment of the team that its prefix names. */
export async function addTeamKey(
  db: Db,
  teamId: string,
  key: { label: string; value: string; createdAt: Date },
): Promise<void> {
  const wanted: EnvironmentKind = key.value.startsWith('sk_') ? 'sandbox' : 'production'
  for (const { id, environment } of await listEnvironments(db, teamId)) {
    if (environment === wanted) await storeTeamKey(db, id, key)
  }
}

async function addGivenKeys(
  db: Db,
  organizationId: string,
  { apiKey, managementKey }: BootstrapConfig,
  now: Date,
): Promise<UnusedKey[]> {
  const unused: UnusedKey[] = []
  if (managementKey !== undefined) {
    const stored = await findManagementKeyByHash(db, hashKey(managementKey))
    if (stored === undefined) await addManagementKey(db, organizationId, managementKey, now)
    else if (stored.deleted_at) unused.push({ setting: 'SALUS_MANAGEMENT_KEY', reason: 'deleted' })
  }
  if (apiKey !== undefined) {
    const stored = await findTeamKeyState(db, hashKey(apiKey))
    const team = await findFirstTeam(db, organizationId)
    if (stored?.key_deleted_at || stored?.team_deleted_at) {
      unused.push({ setting: 'SALUS_API_KEY', reason: 'deleted' })
    } else if (stored === undefined && team === undefined) {
      unused.push({ setting: 'SALUS_API_KEY', reason: 'no_team' })
    } else if (stored === undefined && team !== undefined) {
      await addTeamKey(db, team.id, { label: FIRST_KEY, value: apiKey, createdAt: now })
    }
  }
  return unused
}
