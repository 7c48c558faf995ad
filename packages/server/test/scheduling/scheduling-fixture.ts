import { randomUUID } from 'node:crypto'
import { bootstrap } from '@salus/accounts/teams'
import type {
  AppointmentProvider,
  OfferedSlot,
  SchedulingGateway,
  SlotPlace,
  SlotStore,
  Visit,
} from '@salus/contracts/lab-gateway'
import { type Db, openDatabase } from '@salus/kernel/postgres/database'
import { createSlotStore } from '@salus/lab/sandbox'
import { createSchedulingSimulator } from '@salus/sandbox/scheduling'
import { readConfig } from '../../src/config.ts'
import { createTestDatabase } from '../database.ts'
import { TestClock } from '../teams-app.ts'

/** Providers of appointments on a real database, as several processes reach them. */
export interface SchedulingFixture {
  environmentId: string
  db: Db
  store: SlotStore
  /** The way of one of the processes to a provider. */
  gateway(provider: AppointmentProvider, process?: number): SchedulingGateway
  close(): Promise<void>
}

/** Noon in Phoenix, where the hour is the same all year. */
export const NOW = new Date('2026-06-10T19:00:00Z')
export const TODAY = '2026-06-10'
const PHOENIX = 'America/Phoenix'

/**
 * Where ZIP codes lead in tests of providers: some that are served, and one of each kind that is
 * not.
 */
const AREAS: Record<string, { state: string; isMilitary: boolean; hasArea: boolean }> = {
  '85004': { state: 'AZ', isMilitary: false, hasArea: true },
  '54650': { state: 'WI', isMilitary: false, hasArea: true },
  '60614': { state: 'IL', isMilitary: false, hasArea: true },
  '85001': { state: 'AZ', isMilitary: false, hasArea: false },
  '09012': { state: 'AE', isMilitary: true, hasArea: false },
  '00907': { state: 'PR', isMilitary: false, hasArea: true },
}

const PROCESSES = 3
const CONNECTIONS = 8

export async function createSchedulingFixture(
  phlebotomyZips: readonly string[] = [],
): Promise<SchedulingFixture> {
  const database = await createTestDatabase()
  await bootstrap({ db: database.db, config: readConfig({}), clock: new TestClock() })
  const { id: environmentId } = await database.db
    .selectFrom('team_environments')
    .select('id')
    .where('environment', '=', 'sandbox')
    .executeTakeFirstOrThrow()
  const pools = Array.from({ length: PROCESSES }, () =>
    openDatabase({ url: database.url, poolSize: CONNECTIONS }),
  )
  const ways = pools.map(({ db }) =>
    createSchedulingSimulator({
      store: createSlotStore(db),
      findArea: async (zip) => AREAS[zip],
      phlebotomyZips,
    }),
  )
  return {
    environmentId,
    db: database.db,
    store: createSlotStore(database.db),
    gateway(provider, process = 0) {
      const found = ways[process % PROCESSES]?.find('sandbox', provider)
      if (found === undefined) throw new Error(`There is no ${provider}.`)
      return found
    },
    async close() {
      for (const pool of pools) await pool.close()
      await database.close()
    },
  }
}

export const siteOf = (siteCode: string): SlotPlace => ({
  kind: 'site',
  siteCode,
  timeZone: PHOENIX,
})
export const areaOf = (zip: string): SlotPlace => ({ kind: 'area', zip, timeZone: PHOENIX })

/** A visit of a new user, at a site of its own unless another is given. */
export function visitOf(
  { environmentId }: Pick<SchedulingFixture, 'environmentId'>,
  parts: Partial<Visit> = {},
): Visit {
  return {
    environmentId,
    appointmentId: randomUUID(),
    place: siteOf(randomUUID()),
    address: {
      first_line: '1 West Lincoln Street',
      second_line: null,
      city: 'Phoenix',
      state: 'AZ',
      zip_code: '85004',
      access_notes: null,
    },
    patient: null,
    requisitionNumber: null,
    notes: null,
    ...parts,
  }
}

/** The slots of some days from today on. */
export async function offeredSlots(
  gateway: SchedulingGateway,
  { environmentId, place }: Pick<Visit, 'environmentId' | 'place'>,
  { now = NOW, startDate = TODAY, days = 2 } = {},
): Promise<OfferedSlot[]> {
  const listed = await gateway.listSlots({ environmentId, now, place, startDate, days })
  return listed.flatMap(({ slots }) => slots)
}
