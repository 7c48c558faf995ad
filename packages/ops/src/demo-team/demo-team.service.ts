import {
  advanceEnvironment,
  callerFor,
  type ManagementKeyIdentity,
  requireOrgAdmin,
} from '@salus/accounts/teams'
import type { ReadLife } from '@salus/health/link'
import { conflict, forbidden } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { newId } from '@salus/kernel/ids'
import type { Logger } from '@salus/kernel/log'
import type { Db } from '@salus/kernel/postgres/database'
import { rowScope } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import { formatInstant } from '@salus/kernel/time/instants'
import { DEMO_STEPS, type DemoTeam } from './demo-team.schema.ts'
import * as repository from './demo-teams.global.repository.ts'
import { type Caller, DemoClient } from './filling/demo-client.ts'
import { fillDemoTeam } from './filling/fill-demo-team.ts'
import { SANDBOX_BEGINS_SECONDS } from './filling/simulate-orders.ts'

/** Dependencies of demo teams. */
export interface DemoTeamContext {
  db: Db
  clock: Clock
  log: Logger
  readLife: ReadLife
  config: { region: string; providerEmulator: boolean }
  /** Replaces the real function, for tests. */
  fillDemoTeam?: typeof fillDemoTeam
}

/** A filling whose process reported nothing for so long has ended with its process. */
const LONGEST_SILENCE_MS = 60_000
const HEARTBEAT_MS = 10_000

const NOTHING: Omit<DemoTeam, 'steps'> = {
  status: 'none',
  team_id: null,
  first_user_id: null,
  problem: null,
  started_at: null,
  ended_at: null,
}

/** Returns the progress of the demo team of an organization. @throws AppError 403 `role_too_low` */
export async function showDemoTeam(
  { db, clock }: DemoTeamContext,
  key: ManagementKeyIdentity,
  orgId: string,
): Promise<DemoTeam> {
  const { organizationId } = admit(key, orgId)
  const row = await repository.findDemoTeam(db, organizationId)
  return row === undefined ? { ...NOTHING, steps: stepsOf() } : toDemoTeam(row, clock.now())
}

function admit(key: ManagementKeyIdentity, orgId: string): ManagementKeyIdentity {
  const caller = callerFor(key, orgId)
  requireOrgAdmin(caller)
  return caller
}

function toDemoTeam(row: repository.DemoTeamRow, now: Date): DemoTeam {
  const { team_id, first_user_id, started_at, ended_at } = row
  const isLost = isSilent(row, now)
  return {
    status: isLost ? 'failed' : row.status,
    team_id,
    first_user_id,
    steps: stepsOf(isLost ? { ...row, status: 'failed' } : row),
    problem: isLost ? 'The server ended before the team was filled.' : row.problem,
    started_at: formatInstant(started_at),
    ended_at: ended_at && formatInstant(ended_at),
  }
}

const isSilent = ({ status, seen_at }: repository.DemoTeamRow, now: Date): boolean =>
  status === 'filling' && now.getTime() - seen_at.getTime() > LONGEST_SILENCE_MS

function stepsOf(row?: Pick<repository.DemoTeamRow, 'status' | 'step'>): DemoTeam['steps'] {
  const present = row === undefined ? -1 : DEMO_STEPS.indexOf(row.step)
  return DEMO_STEPS.map((step, index) => {
    if (row?.status === 'ready' || index < present) return { step, status: 'done' }
    if (index > present) return { step, status: 'waiting' }
    return { step, status: row?.status === 'failed' ? 'failed' : 'running' }
  })
}

/** Creates and removes demo teams, and fills them in the background of this process. */
export class DemoTeams {
  readonly #context: DemoTeamContext
  readonly #app: App
  readonly #abort = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(context: DemoTeamContext, app: App) {
    this.#context = context
    this.#app = app
  }

  /** Stops all fillings. */
  async stop(): Promise<void> {
    this.#abort.abort()
    await Promise.all(this.#running)
  }

  /**
   * Creates and fills a demo team; returns the state of one that already exists or is being filled.
   * @throws AppError 403 `role_too_low`, `feature_not_enabled` where the emulated providers are
   *   disabled
   */
  async start(key: ManagementKeyIdentity, orgId: string, caller: Caller): Promise<DemoTeam> {
    const { organizationId } = admit(key, orgId)
    const { db, clock, config } = this.#context
    if (!config.providerEmulator) {
      throw forbidden('feature_not_enabled', 'A demo team needs SALUS_SANDBOX_PROVIDERS.')
    }
    const known = await repository.findDemoTeam(db, organizationId)
    if (known !== undefined) {
      const shown = toDemoTeam(known, clock.now())
      if (shown.status !== 'failed') return shown
      await this.remove(key, orgId, caller)
    }
    const { region } = config
    const client = this.#clientOf(organizationId, caller)
    const team = { name: 'Demo team', region }
    const { id: teamId } = await client.callManagementApi<{ id: string }>('POST', '/team', team)
    const row = newRow(organizationId, teamId, clock.now())
    if (await repository.insertDemoTeam(db, row)) {
      const sandbox = rowScope(db, await repository.findSandboxId(db, teamId))
      // So that a past can be simulated in it.
      await advanceEnvironment(sandbox, -SANDBOX_BEGINS_SECONDS)
      const filling = this.#fill(client, row).finally(() => this.#running.delete(filling))
      this.#running.add(filling)
    } else await client.callManagementApi('DELETE', `/team/${teamId}`)
    return showDemoTeam(this.#context, key, orgId)
  }

  /**
   * Removes the demo team with its users, whose data are erased like those of all deleted users.
   * @throws AppError 403 `role_too_low`, 409 `demo_team_filling` while it is being filled, 409
   *   `legal_hold`
   */
  async remove(key: ManagementKeyIdentity, orgId: string, caller: Caller): Promise<DemoTeam> {
    const { organizationId } = admit(key, orgId)
    const { db, clock, config } = this.#context
    const row = await repository.findDemoTeam(db, organizationId)
    if (row !== undefined) {
      if (toDemoTeam(row, clock.now()).status === 'filling') {
        throw conflict('demo_team_filling', 'The demo team is being filled.')
      }
      const client = this.#clientOf(organizationId, caller)
      await refuseHeldPeople(client, row.team_id)
      await removeTeam(client, row.team_id, config.region)
      await repository.deleteDemoTeam(db, organizationId)
    }
    return showDemoTeam(this.#context, key, orgId)
  }

  #clientOf(organizationId: string, caller: Caller): DemoClient {
    return new DemoClient(this.#app, organizationId, caller, this.#abort.signal)
  }

  async #fill(client: DemoClient, row: repository.DemoTeamRow): Promise<void> {
    const { db, clock, log, readLife, config, fillDemoTeam: fill = fillDemoTeam } = this.#context
    const change = async (changes: Partial<repository.DemoTeamRow>): Promise<void> => {
      const isOurs = await repository.updateDemoTeam(db, row.run_id, {
        ...changes,
        seen_at: clock.now(),
      })
      if (!isOurs) throw new Error('The demo team was removed.')
    }
    const heartbeat = setInterval(() => void change({}).catch(() => undefined), HEARTBEAT_MS)
    try {
      const key = await makeKey(client, row.team_id, config.region)
      await fill({
        ...{ client, readLife, teamId: row.team_id, region: config.region },
        now: clock.now().getTime(),
        signal: this.#abort.signal,
        begin: (step) => change({ step }),
        show: (first_user_id) => change({ first_user_id }),
      })
      await key.revoke()
      await change({ status: 'ready', ended_at: clock.now() })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      log.error({ err: error }, 'a demo team could not be filled')
      const end = { status: 'failed', problem, ended_at: clock.now() } as const
      await change(end).catch(() => undefined)
    } finally {
      clearInterval(heartbeat)
    }
  }
}

const newRow = (organizationId: string, teamId: string, now: Date): repository.DemoTeamRow => ({
  organization_id: organizationId,
  team_id: teamId,
  run_id: newId(),
  status: 'filling',
  step: DEMO_STEPS[0],
  first_user_id: null,
  problem: null,
  started_at: now,
  seen_at: now,
  ended_at: null,
})

/** Creates a key for the team API, for the duration of the work. */
async function makeKey(client: DemoClient, teamId: string, region: string) {
  const url = `/team_api_keys/sandbox/${region}`
  const body = { label: 'Filling the demo team', team_id: teamId }
  const { id, value } = await client.callManagementApi<{ id: string; value: string }>(
    'POST',
    url,
    body,
  )
  client.useTeamKey(value)
  return { revoke: () => client.callManagementApi('DELETE', `${url}?api_key_id=${id}`) }
}

const PEOPLE_AT_ONCE = 500

/** Called before any user is deleted. @throws AppError 409 `legal_hold` */
async function refuseHeldPeople(client: DemoClient, teamId: string): Promise<void> {
  const url = `/team/${teamId}/sandbox/legal_hold?is_active=true`
  const { data } = await client.callManagementApi<{ data: unknown[] }>('GET', url)
  if (data.length > 0) {
    throw conflict('legal_hold', 'A user of the demo team is under a legal hold.')
  }
}

async function removeTeam(client: DemoClient, teamId: string, region: string): Promise<void> {
  await makeKey(client, teamId, region)
  interface People {
    users: { user_id: string }[]
  }
  const { users } = await client.callTeamApi<People>('GET', `/v2/user?limit=${PEOPLE_AT_ONCE}`)
  for (const { user_id } of users) await client.callTeamApi('DELETE', `/v2/user/${user_id}`)
  await client.callManagementApi('DELETE', `/team/${teamId}`)
}
