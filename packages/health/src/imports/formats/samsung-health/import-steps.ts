import { startOfUtcDay } from '@salus/kernel/time/instants'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { SamsungExport } from './samsung-export.ts'
import type { SamsungRow } from './samsung-table.ts'
import { dayIn, modifiedIn } from './samsung-times.ts'

const TREND = 'step_daily_trend'
const DAYS = 'tracker.pedometer_day_summary'
const COUNTS = ['tracker.pedometer_step_count', 'step_count']
export const COUNT_TYPES = COUNTS

/** The source of rows that merge all devices. */
const ALL_DEVICES = '-2'
/** More days than a long life has. */
const MOST_DAYS = 60_000
const STEPS = ['count', 'step_count']
const COLUMNS = ['day_time', 'source_type', ...STEPS, 'distance', 'update_time']

interface Day {
  row: SamsungRow
  isMerged: boolean
  steps: number
}

/**
 * Reads steps. A day has a row of each device and one of all: only the latter counts, or without it
 * the largest, since two devices count the same steps. The single counts of each device are the
 * same steps once more: they count only in an export without days, each device as a source.
 */
export async function importSteps(source: SamsungExport): Promise<void> {
  const types = source.has(TREND) ? [TREND] : [DAYS]
  await importDays(source, types)
  const hasDays = source.has(TREND, DAYS)
  const columns = ['deviceuuid', 'count', 'distance']
  const kind = { resource: 'steps', name: 'pedometer_step_count', columns }
  await source.forEachRecord(COUNTS, kind, (record, data) => {
    if (hasDays) {
      data.countMerged()
      return
    }
    data.count()
    const { row, start, end, frame, raw } = record
    const device = row.get('deviceuuid')
    const appId = device === '' ? frame.appId : `${frame.appId} ${device}`
    const value = row.number('count') ?? Number.NaN
    data.addSample('steps', { ...frame, appId, start, end, value, unit: 'count' }, raw)
  })
}

async function importDays(source: SamsungExport, types: readonly string[]): Promise<void> {
  const days = new Map<string, Day>()
  const data = source.out.type(types[0] ?? TREND, 'activity')
  await source.forEachRow(types, (row) => {
    const day = dayIn(row)
    const steps = stepsIn(row)
    const before = days.get(day ?? '')
    if (before === undefined) data.count()
    else data.countMerged()
    if (day === undefined || !(steps >= 0)) {
      const problem = day === undefined ? 'invalid_date' : 'invalid_value'
      data.quarantine('activity', problem, row.pick(COLUMNS))
      return
    }
    const next = { row, isMerged: row.get('source_type') === ALL_DEVICES, steps }
    if (before === undefined || isBetter(next, before)) days.set(day, next)
    if (days.size > MOST_DAYS) throw new ImportFileError('file_too_large')
  })
  for (const [day, { row, steps }] of days) {
    const distance = row.number('distance')
    data.addSummary('activity', {
      ...{ recordId: day, calendarDate: day, start: { at: startOfUtcDay(day), offset: null } },
      // As the day that the phone sends: a sum over all devices.
      sourceType: 'multiple_sources',
      values: {
        steps: Math.round(steps),
        distance_meter: distance !== null && distance >= 0 ? distance : null,
      },
      raw: row.pick(COLUMNS),
      ...modifiedIn(row, source.now),
    })
  }
}

const stepsIn = (row: SamsungRow): number =>
  STEPS.map((name) => row.number(name)).find((value) => value !== null) ?? Number.NaN

function isBetter(next: Day, before: Day): boolean {
  if (next.isMerged !== before.isMerged) return next.isMerged
  const [newer, older] = [next, before].map(({ row }) => row.get('update_time'))
  // Two exports in one upload have the same day twice.
  if (next.isMerged && newer !== older) return (newer ?? '') > (older ?? '')
  return next.steps > before.steps
}
