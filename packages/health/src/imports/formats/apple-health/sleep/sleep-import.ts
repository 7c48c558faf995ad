import { DAY_MS } from '@salus/contracts/time-units'
import { selectWithinBounds } from '../../../../ingest/index.ts'
import {
  dateOfSummary,
  EARLY_TEMPERATURE_MS,
  reconcileSleep,
  type SleepReadings,
  type SleepSession,
  summaryId,
} from '../../../../summaries/index.ts'
import {
  listReadingsWithin,
  listStoredSleeps,
  type StoredReading,
  type StoredSleep,
  toReading,
} from '../../../imported-data.repository.ts'
import { type SummaryImport, storeSummaries } from '../summary-import.ts'
import { splitByTime } from '../time-batches.ts'
import { toSleepSummary } from './sleep-summary.ts'

/** Sessions whose readings are in memory together, and the time that they may be apart. */
const MOST = 60
const SPAN_MS = 90 * DAY_MS
const READINGS = ['heartrate', 'hrv', 'respiratory_rate', 'body_temperature']

/**
 * Creates sleeps from the sleep records of an export. A sleep with another start than in an older
 * export has another id; the older one is then removed, since both are the same night.
 */
export async function importSleep(context: SummaryImport): Promise<void> {
  const { intake, signal } = context
  const sessions = reconcileSleep(intake.sleep.records)
  for (const batch of splitByTime(sessions, ({ startedAt }) => startedAt, MOST, SPAN_MS)) {
    signal.throwIfAborted()
    await importSessions(context, batch)
  }
}

async function importSessions(
  context: SummaryImport,
  sessions: readonly SleepSession[],
): Promise<void> {
  const { clickhouse, owner, user, store, importCounts } = context
  const ranges = sessions.map(({ firstStageAt, lastStageAt }) => ({
    from: firstStageAt - EARLY_TEMPERATURE_MS,
    to: lastStageAt,
  }))
  const readings = await listReadingsWithin(clickhouse, owner, READINGS, ranges)
  const sleeps = sessions.map((session) => {
    const summary = toSleepSummary(session, readingsOf(session, readings), context.modifiedAt)
    return { summary, id: summaryId(owner, summary) }
  })
  const span = { from: sessions[0]?.startedAt ?? 0, to: sessions.at(-1)?.endedAt ?? 0 }
  const stored = await listStoredSleeps(clickhouse, owner, span)
  const own = new Set(sleeps.map(({ id }) => id))
  const replaced = new Set<string>()
  const all = sleeps.map(({ summary }) => summary)
  const within = new Set(await selectWithinBounds(user, all, dateOfSummary))
  const kept = sleeps.filter(({ summary, id }) => {
    const others = stored.filter((other) => overlaps(other, summary))
    const rivals = others.filter((other) => !own.has(other.id))
    const isWritten = context.isComplete
      ? !rivals.some((rival) => isNewer(rival, context.modifiedAt))
      : rivals.length === 0 && !others.some((other) => other.id === id)
    if (isWritten && within.has(summary)) {
      for (const rival of rivals) replaced.add(rival.id)
    }
    return isWritten
  })
  importCounts.countsOfSummaries('sleep').unchanged += sleeps.length - kept.length
  const { keys } = context.intake
  keys.addSummaries(owner, all)
  const summaries = kept.map(({ summary }) => summary)
  context.history.addRange('sleep_cycle', await storeSummaries(context, 'sleep', summaries))
  // Removed last: an interrupted import begins again and finds them once more.
  await store({ removals: [{ resource: 'sleep', ids: [...replaced] }] })
  importCounts.countsOfSummaries('sleep').replaced += replaced.size
}

function overlaps(stored: StoredSleep, sleep: { startedAt: number; endedAt: number }): boolean {
  return stored.started_at < sleep.endedAt && stored.ended_at > sleep.startedAt
}

/** Whether a sleep was written later than those of the import. */
function isNewer(stored: StoredSleep, modifiedAt: number | null): boolean {
  return modifiedAt !== null && stored.version > modifiedAt * 1000
}

/** Returns the readings that may belong to a session; their times decide. */
function readingsOf(
  { firstStageAt, lastStageAt }: SleepSession,
  readings: readonly StoredReading[],
): SleepReadings {
  const around = readings.filter(
    ({ started_at, ended_at }) =>
      ended_at >= firstStageAt - EARLY_TEMPERATURE_MS && started_at <= lastStageAt,
  )
  const of = (series: string) => around.filter((reading) => reading.series === series)
  const ofWrist = of('body_temperature').filter(({ extra }) => extra.includes('"wrist"'))
  return {
    heartRates: of('heartrate').map(toReading),
    rmssd: [],
    sdnn: of('hrv').map(toReading),
    respiratoryRates: of('respiratory_rate').map(toReading),
    skinTemperatures: ofWrist.map(toReading),
  }
}
