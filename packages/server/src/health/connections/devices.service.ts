import type { UserRow } from '../../accounts/users/index.ts'
import { newEvent, writeEvents } from '../../platform/events/events.ts'
import { newId } from '../../platform/ids.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { deviceCreated, deviceUpdated } from './connections.events.ts'
import type { Device } from './connections.schema.ts'
import * as repository from './devices.repository.ts'

export interface DevicesContext {
  db: Db
  clock: Clock
  environment: Environment
}

export function toDevice(row: repository.DeviceRow): Device {
  const {
    environment_id: _environment,
    identity: _identity,
    created_at: _createdAt,
    ...device
  } = row
  return device
}

/**
 * Takes note of the devices that data of one provider names.
 * @returns The person's only device of that provider, or null when there is none or more than one.
 */
export async function rememberDevices(
  context: DevicesContext,
  user: Pick<UserRow, 'id' | 'client_user_id'>,
  provider: string,
  devices: readonly repository.NewDevice[],
): Promise<string | null> {
  const { db, environment } = context
  const known = await repository.listDevicesOf(db, environment.id, user.id, provider)
  const versions = new Map(known.map((device) => [device.identity, device.device_version]))
  const news = devices.filter((device) => isNews(device, versions))
  // Nearly every upload names only what is known.
  const all = news.length === 0 ? known : await storeDevices(context, user, provider, news)
  return all.length === 1 ? (all[0]?.id ?? null) : null
}

/** @param known Version texts by identity. */
function isNews(
  { identity, device_version: version }: repository.NewDevice,
  known: ReadonlyMap<string, string | null>,
): boolean {
  return !known.has(identity) || (version !== null && version !== known.get(identity))
}

function storeDevices(
  { db, clock, environment }: DevicesContext,
  user: Pick<UserRow, 'id' | 'client_user_id'>,
  provider: string,
  devices: readonly repository.NewDevice[],
): Promise<repository.DeviceRow[]> {
  const at = clock.now()
  const { id: environmentId } = environment
  const rows = devices.map((device) => ({ ...device, id: newId() }))
  const newIds = new Set(rows.map(({ id }) => id))
  return db.transaction().execute(async (transaction) => {
    const changed = await repository.upsertDevices(transaction, environmentId, user.id, rows, at)
    const events = changed.map((row) => {
      const isNew = newIds.has(row.id)
      return newEvent({
        type: isNew ? deviceCreated : deviceUpdated,
        user,
        data: toDevice(row),
        ...(!isNew && { coalesceKey: `device ${row.id}` }),
      })
    })
    await writeEvents(transaction, environment, events, at)
    return repository.listDevicesOf(transaction, environmentId, user.id, provider)
  })
}
