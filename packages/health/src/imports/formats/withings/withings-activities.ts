import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { parseVendorJson, readInstant, withingsWorkoutValues } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import type { CsvRow, CsvTable } from '../../files/csv.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'

const NAMES = ['from', 'to', 'Timezone', 'Activity type', 'Data', 'Modified'] as const

/** Adds workouts: a row has its details as JSON. */
export async function addActivities(
  table: CsvTable | undefined,
  context: ImportContext,
  out: ImportWriter,
): Promise<void> {
  if (table === undefined) return
  const names = NAMES.map(
    (name) => table.head.find((each) => each.toLowerCase() === name.toLowerCase()) ?? '',
  )
  const data = out.type('activities', 'workouts')
  for await (const rows of table.batches()) {
    for (const row of rows) {
      data.count()
      addActivity(data, row, names, context)
    }
    await out.settle()
  }
}

function addActivity(
  data: TypeData,
  row: CsvRow,
  names: readonly string[],
  { now }: ImportContext,
): void {
  const [from = '', to = '', zone = '', sport = '', details = '', modified = ''] = names.map(
    (name) => (name === '' ? '' : row.get(name)),
  )
  const raw = { from, to, timezone: zone, activity_type: sport }
  const [start, end] = [readInstant(from), readInstant(to)]
  if (start === undefined || !isPossibleTime(start.at, now)) {
    data.quarantine('workouts', 'invalid_start_date', raw)
    return
  }
  if (end === undefined || !isPossibleTime(end.at, now)) {
    data.quarantine('workouts', 'invalid_end_date', raw)
    return
  }
  const fields = readDetails(details)
  const reader = fields && data.read('workouts', fields)
  if (reader === undefined) {
    data.quarantine('workouts', 'invalid_field', raw)
    return
  }
  const values = withingsWorkoutValues(reader, { start, end })
  if (!data.isValid('workouts', reader, raw)) return
  const modifiedAt = readInstant(modified)?.at
  data.addWorkout({
    // The cloud connection names workouts that have no id by their seconds.
    recordId: String(Math.round(start.at / 1000)),
    start,
    end,
    sport,
    ...(zoneOffsetSeconds(zone, start.at) !== null && { timeZone: zone }),
    ...(modifiedAt !== undefined && { modifiedAt }),
    values,
    raw: { ...raw, data: fields },
  })
}

function readDetails(text: string): Record<string, unknown> | undefined {
  if (text === '' || text === '[]') return {}
  try {
    const fields = parseVendorJson(text)
    return isFields(fields) ? fields : undefined
  } catch {
    return undefined
  }
}
