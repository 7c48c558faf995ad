import { PartnerFailure } from '@salus/contracts/lab-partners'
import { DAY_MS, HOUR_MS, SECOND_MS } from '@salus/contracts/time-units'
import { ENVIRONMENTS, type EnvironmentKind, type Stores } from '@salus/kernel/scope'
import type { CourierGateway } from '../../gateways/index.ts'
import { type DueParcel, listDueParcels, scheduleLookUp } from './parcels.global.repository.ts'

/** Runs in an hour; the schedule of the job is every five minutes. */
const RUNS_PER_HOUR = 12
/** After this time a parcel that never arrived is given up. */
const LONGEST_WAY_MS = 45 * DAY_MS
const LONGEST_PAUSE_MS = 12 * HOUR_MS

type Couriers = Readonly<Record<EnvironmentKind, readonly CourierGateway[]>>

/**
 * Looks up the parcels that are due at their couriers. Each run makes its share of the requests
 * that a courier allows in an hour. A failure ends the run of that courier, because the next parcel
 * would fail as well; it is logged without the parcel.
 */
export async function lookUpParcels(
  stores: Stores,
  couriers: Couriers,
  signal: AbortSignal,
): Promise<void> {
  for (const kind of ENVIRONMENTS) {
    for (const courier of couriers[kind]) await lookUpAt(stores, kind, courier, signal)
  }
}

async function lookUpAt(
  { db, clock, log }: Stores,
  kind: EnvironmentKind,
  gateway: CourierGateway,
  signal: AbortSignal,
): Promise<void> {
  const { courier, requestsPerHour } = gateway
  const now = clock.now()
  const due = await listDueParcels(db, {
    kind,
    courier,
    createdAfter: new Date(now.getTime() - LONGEST_WAY_MS),
    now,
    limit: Math.max(1, Math.floor(requestsPerHour / RUNS_PER_HOUR)),
  })
  for (const parcel of due) {
    if (signal.aborted) return
    try {
      await lookUpOne({ db, now }, gateway, parcel)
    } catch (error) {
      if (!(error instanceof PartnerFailure)) throw error
      const { reason } = error
      if (reason !== 'maintenance') log.warn({ courier, reason }, 'parcels could not be looked up')
      return
    }
  }
}

/** Takes the parcel before the request, so that two processes do not look up the same one. */
async function lookUpOne(
  { db, now }: Pick<Stores, 'db'> & { now: Date },
  gateway: CourierGateway,
  parcel: DueParcel,
): Promise<void> {
  const { lookUps, scan: before, clockOffsetSeconds } = parcel
  const taken = { at: new Date(now.getTime() + pauseAfter(before, lookUps)), lookUps: lookUps + 1 }
  if (!(await scheduleLookUp(db, parcel, taken))) return
  const held = { ...parcel, lookUpAt: taken.at }
  try {
    const ownNow = new Date(now.getTime() + clockOffsetSeconds * SECOND_MS)
    const scan = await gateway.lookUp(parcel, ownNow)
    if (scan === null || scan === before) return
    // Something happened, so the next scan is awaited as if the parcel had just been sent.
    const at = new Date(now.getTime() + pauseAfter(scan, 0))
    await scheduleLookUp(db, held, { at, lookUps: 0 })
  } catch (error) {
    await scheduleLookUp(db, held, { at: parcel.lookUpAt, lookUps })
    throw error
  }
}

/** An hour at first and on the day of delivery, otherwise twice as long after each look-up. */
function pauseAfter(scan: string | null, lookUps: number): number {
  if (scan === 'out_for_delivery') return HOUR_MS
  return Math.min(LONGEST_PAUSE_MS, HOUR_MS * 2 ** Math.min(lookUps, 10))
}
