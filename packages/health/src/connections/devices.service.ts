import type { UserRow } from '@salus/accounts/users'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { deviceCreated, deviceUpdated } from './connections.events.ts'
import type { Device } from './connections.schema.ts'
import * as repository from './devices.repository.ts'

/** Converts a device row for endpoints, without its recognition key. */
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
 * Stores the devices that data of one provider name.
 * @returns The user's only device of that provider, or null when there is none or more than one.
 */
export async function recordDevices(
  scope: Scope,
  user: Pick<UserRow, 'id' | 'client_user_id'>,
  provider: string,
  devices: readonly repository.NewDevice[],
): Promise<string | null> {
  const known = await repository.listDevicesOf(scope, user.id, provider)
  const versions = new Map(known.map((device) => [device.identity, device.device_version]))
  const unknown = devices.filter((device) => isUnknown(device, versions))
  // Nearly every upload names only known devices.
  const all = unknown.length === 0 ? known : await storeDevices(scope, user, provider, unknown)
  return all.length === 1 ? (all[0]?.id ?? null) : null
}

/** Whether a device or its version is not yet stored. @param known Version texts by identity. */
function isUnknown(
  { identity, device_version: version }: repository.NewDevice,
  known: ReadonlyMap<string, string | null>,
): boolean {
  return !known.has(identity) || (version !== null && version !== known.get(identity))
}

function storeDevices(
  scope: Scope,
  user: Pick<UserRow, 'id' | 'client_user_id'>,
  provider: string,
  devices: readonly repository.NewDevice[],
): Promise<repository.DeviceRow[]> {
  const at = scope.clock.now()
  const rows = devices.map((device) => ({ ...device, id: newId() }))
  const newIds = new Set(rows.map(({ id }) => id))
  return scope.transaction(async (tx) => {
    const changed = await repository.upsertDevices(tx, user.id, rows, at)
    const events = changed.map((row) => {
      const isNew = newIds.has(row.id)
      return newEvent({
        type: isNew ? deviceCreated : deviceUpdated,
        user,
        data: toDevice(row),
        ...(!isNew && { coalesceKey: `device ${row.id}` }),
      })
    })
    await writeEvents(tx, events)
    return repository.listDevicesOf(tx, user.id, provider)
  })
}
