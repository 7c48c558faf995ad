import { findUser } from '@salus/accounts/users'
import { JsonText, newEvent, toRow } from '@salus/kernel/events/events'
import type { Db } from '@salus/kernel/postgres/database'
import {
  findDevices,
  type Publication,
  PublicationEvents,
  type SampleOwner,
} from '../../ingest/index.ts'
import { type PublishedResource, summaryEvents } from '../summaries.events.ts'
import type { SummaryRow } from '../summary.ts'
import { type PresenterContext, presentSummary, toSleepCycle } from '../summary-presenters.ts'
import { withLocalDay } from './stored-summary.ts'
import type { SummaryChange } from './summary-merge.ts'
import { toWorkoutStreamNotice } from './workout-stream-notice.ts'

/** Changes of one caller, with their publication. */
export interface PublishedChanges<Change> {
  owner: SampleOwner
  publication: Publication
  changes: readonly Change[]
}

/** A stored stream of a workout that is stored itself. */
export interface WorkoutStreamChange {
  kind: 'created' | 'updated'
  workout: SummaryRow<'workouts'>
}

/** Collects the events of any number of callers, in order. */
export class SummaryEvents extends PublicationEvents {
  readonly #at: Date

  /** @param triedAt Time at which the data of the events were received. */
  constructor(at: Date, triedAt = at) {
    super(triedAt)
    this.#at = at
  }

  addSummaries(
    { owner, publication, changes }: PublishedChanges<SummaryChange>,
    context: PresenterContext,
  ): void {
    const caller = { owner, publication }
    for (const { resource, kind, cycle, row: stored } of changes) {
      const row = withLocalDay(resource, stored, context.fallbackZone)
      this.#add(caller, resource, kind, row.id, presentSummary(resource, row, context))
      if (cycle === null) continue
      const shown = toSleepCycle(row as SummaryRow<'sleep'>, context)
      if (shown !== null) this.#add(caller, 'sleep_cycle', cycle, row.id, shown)
    }
  }

  addStreams(
    { owner, publication, changes }: PublishedChanges<WorkoutStreamChange>,
    context: PresenterContext,
  ): void {
    for (const { kind, workout } of changes) {
      const notice = toWorkoutStreamNotice(workout, context)
      this.#add({ owner, publication }, 'workout_stream', kind, workout.id, notice)
    }
  }

  #add(
    { owner, publication: { environment, user, traceParent = null } }: Caller,
    resource: PublishedResource,
    kind: 'created' | 'updated',
    id: string,
    shown: object,
  ): void {
    const type = summaryEvents(resource)[kind]
    const data = new JsonText(JSON.stringify(shown))
    const row = toRow(environment, newEvent({ type, user, data, traceParent }), this.#at)
    // A day in progress changes all the time, and only its latest state matters
    // (docs/contract/08-webhooks-and-events.md#meaning-of-historical-and-daily).
    if (kind === 'updated') this.coalesced.push({ key: `${resource} ${id}`, row })
    else this.plain.push(row)
    this.countAttempt(owner, resource, kind === 'created' ? 1 : 0)
  }
}

/** Returns each caller with the presenter context of its user. */
export async function withContexts<One extends Caller>(
  db: Db,
  callers: readonly One[],
): Promise<[caller: One, context: PresenterContext][]> {
  const [zones, deviceOf] = await Promise.all([findZones(db, callers), findDevices(db, callers)])
  return callers.map((caller, index) => {
    const { owner, publication } = caller
    const device = deviceOf(caller)
    const context = {
      userId: owner.userId,
      baseUrl: publication.baseUrl,
      devices: new Map(device === null ? [] : [[owner.provider, device]]),
      fallbackZone: zones[index] ?? null,
    }
    return [caller, context]
  })
}

type Caller = Pick<PublishedChanges<unknown>, 'owner' | 'publication'>

/** Returns the present fallback zone of each caller's user: an upload may have just set it. */
async function findZones(db: Db, callers: readonly Caller[]): Promise<(string | null)[]> {
  const zones = new Map<string, Promise<string | null>>()
  return Promise.all(
    callers.map(({ owner: { environmentId, userId } }) => {
      const key = `${environmentId} ${userId}`
      const zone =
        zones.get(key) ??
        findUser({ db, environment: { id: environmentId } }, userId).then(
          (user) => user?.fallback_time_zone ?? null,
        )
      zones.set(key, zone)
      return zone
    }),
  )
}
