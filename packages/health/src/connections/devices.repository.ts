import { partsOf, recordsOf } from '@salus/kernel/postgres/bulk'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { DevicesTable } from './connections.tables.ts'

export type DeviceRow = Selectable<DevicesTable>
export type NewDevice = Omit<DeviceRow, 'environment_id' | 'user_id' | 'id' | 'created_at'>

/**
 * Returns the devices from which a user's data came, in the order in which they were first seen.
 */
export function listDevices({ db, environment }: Scope, userId: string): Promise<DeviceRow[]> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findDevice(
  { db, environment }: Scope,
  userId: string,
  deviceId: string,
): Promise<DeviceRow | undefined> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', deviceId)
    .executeTakeFirst()
}

/** Returns the devices of a user that data of one provider named. */
export function listDevicesOf(
  { db, environment }: Scope,
  userId: string,
  provider: string,
): Promise<DeviceRow[]> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .execute()
}

/**
 * Stores unknown devices and updates the version of known ones. Returns the stored and changed
 * rows; a row whose id was not given existed before.
 */
export async function upsertDevices(
  { db, environment }: TransactionScope,
  userId: string,
  devices: (NewDevice & { id: string })[],
  at: Date,
): Promise<DeviceRow[]> {
  const owner = { environment_id: environment.id, user_id: userId, created_at: at }
  const stored: DeviceRow[] = []
  for (const part of partsOf(devices)) {
    const rows = part.map((device) => ({ ...device, ...owner }))
    const { columns, records } = recordsOf('devices', rows)
    const changed = await db
      .insertInto('devices')
      .columns(columns)
      .expression(records)
      .onConflict((conflict) =>
        conflict
          .columns(['environment_id', 'user_id', 'provider', 'identity'])
          .doUpdateSet({ device_version: sql<string>`excluded.device_version` })
          .where(sql<boolean>`devices.device_version is distinct from excluded.device_version`)
          .where(sql<boolean>`excluded.device_version is not null`),
      )
      .returningAll()
      .execute()
    for (const row of changed) stored.push(row)
  }
  return stored
}

/** Ids of devices by provider, where a row of `users` has exactly one device of the provider. */
export const onlyDevicesSql = sql<Record<string, string> | null>`(
  select json_object_agg(provider, id)
  from (
    select provider, min(id::text) as id
    from devices
    where environment_id = users.environment_id and user_id = users.id
    group by provider
    having count(*) = 1
  ) as only_devices
)`

/**
 * Returns, for each provider with exactly one device of the user, that device; undefined for an
 * unknown user. One statement, because every read of samples needs both.
 */
export async function findOnlyDevices(
  { db, environment }: Scope,
  userId: string,
): Promise<Map<string, string> | undefined> {
  const row = await db
    .selectFrom('users')
    .select(onlyDevicesSql.as('devices'))
    .where('environment_id', '=', environment.id)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && new Map(Object.entries(row.devices ?? {}))
}

/** Text that is another one after any change of the devices of a row of `users`. */
export const deviceVersionsSql = sql<string | null>`(
  select string_agg(concat(devices.id, devices.xmin), ' ' order by devices.id) from devices
  where devices.environment_id = users.environment_id and devices.user_id = users.id
)`
