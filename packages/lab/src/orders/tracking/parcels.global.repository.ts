import type { Courier } from '@salus/contracts/lab-gateway'
import { DIRECTIONS, type Direction } from '@salus/contracts/order-lifecycle'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { Parcel } from '../../gateways/index.ts'

/** A parcel on its way whose next look-up is due. */
export interface DueParcel extends Parcel {
  scan: string | null
  lookUps: number
  lookUpAt: Date | null
  clockOffsetSeconds: number
}

interface Wanted {
  kind: EnvironmentKind
  courier: Courier
  /** Parcels of older shipments are given up. */
  createdAfter: Date
  now: Date
  limit: number
}

/**
 * Returns parcels of a courier in all environments of one kind that are due, those that were never
 * looked up first. Left out are parcels of cancelled and deleted orders, and of deleted teams.
 */
export async function listDueParcels(db: Db, wanted: Wanted): Promise<DueParcel[]> {
  const lists = await Promise.all(DIRECTIONS.map((direction) => listOneWay(db, wanted, direction)))
  const time = ({ lookUpAt }: DueParcel) => lookUpAt?.getTime() ?? 0
  return lists
    .flat()
    .sort((one, other) => time(one) - time(other))
    .slice(0, wanted.limit)
}

async function listOneWay(
  db: Db,
  { kind, courier, createdAfter, now, limit }: Wanted,
  direction: Direction,
): Promise<DueParcel[]> {
  const column = (name: string) => sql.ref(`shipments.${direction}_${name}`)
  const { rows } = await sql<Omit<DueParcel, 'direction'>>`
    select shipments.environment_id as "environmentId", shipments.order_id as "orderId",
      labs.slug as "labSlug", ${column('tracking_number')} as "trackingNumber",
      ${column('scan')} as scan, ${column('look_ups')} as "lookUps",
      ${column('look_up_at')} as "lookUpAt",
      environment.clock_offset_seconds as "clockOffsetSeconds"
    from shipments
    join orders on orders.environment_id = shipments.environment_id
      and orders.id = shipments.order_id
    join labs on labs.id = orders.lab_id
    join team_environments as environment on environment.id = shipments.environment_id
    join teams as team on team.id = environment.team_id
    where ${column('courier')} = ${courier} and ${column('tracking_number')} is not null
      and (${column('scan')} is null
        or ${column('scan')} in ('in_transit', 'out_for_delivery', 'exception'))
      and (${column('look_up_at')} is null or ${column('look_up_at')} <= ${now})
      and shipments.created_at > ${createdAfter}
      and environment.environment = ${kind} and team.deleted_at is null
      and not orders.is_hidden and orders.last_status not in ('cancelled', 'completed')
    order by ${column('look_up_at')} nulls first, shipments.order_id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, direction }))
}

/**
 * Sets the next look-up of a parcel.
 * @returns whether this call did; false when another process took the parcel meanwhile
 */
export async function scheduleLookUp(
  db: Db,
  { environmentId, orderId, direction, lookUpAt }: DueParcel,
  next: { at: Date | null; lookUps: number },
): Promise<boolean> {
  const column = (name: string) => sql.ref(`${direction}_${name}`)
  const { numAffectedRows } = await sql`
    update shipments set ${column('look_up_at')} = ${next.at},
      ${column('look_ups')} = ${next.lookUps}
    where environment_id = ${environmentId} and order_id = ${orderId}
      and ${column('look_up_at')} is not distinct from ${lookUpAt}::timestamptz`.execute(db)
  return numAffectedRows === 1n
}
