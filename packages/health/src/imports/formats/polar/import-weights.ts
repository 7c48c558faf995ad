import { parseDate, startOfUtcDay } from '@salus/kernel/time/instants'
import type { ImportFile } from '../../files/import-files.ts'
import { readJsonFile } from '../../files/json.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import { entriesOf, type Fields, fieldsOf, firstOf, isoText } from './polar-fields.ts'

/** Names of fields have their unit. */
const KILOGRAMS = ['weight, kg', 'weight,kg', 'weight kg']
/** Times of the entry; those of its creation and change are not times of a measurement. */
const TIMES = ['dateTime', 'startTime', 'date']

/** Reads weights that the person entered. */
export async function importWeights(
  files: readonly ImportFile[],
  context: ImportContext,
  out: ImportWriter,
): Promise<void> {
  const data = out.type('weights', 'body_weight')
  for (const file of files) {
    const items = fieldsOf(await readJsonFile(file)) ?? {}
    for (const list of [items.weights, items.physicalInformations]) {
      for (const entry of entriesOf(list)) addWeight(data, entry, context)
    }
    await out.settle()
  }
}

function addWeight(data: TypeData, entry: Fields, { clock }: ImportContext): void {
  const weight = firstOf(entry, KILOGRAMS)
  if (weight === undefined) return
  data.count()
  const text = firstOf(entry, TIMES)
  const raw = { time: text, weight }
  const date = typeof text === 'string' ? parseDate(text) : undefined
  const start =
    date !== undefined
      ? { at: startOfUtcDay(date), offset: null }
      : typeof text === 'string'
        ? clock.local(isoText(text))
        : undefined
  const reader = data.read('body', raw)
  if (start === undefined || reader === undefined) {
    data.quarantine('body', 'invalid_start_date', raw)
    return
  }
  const kilograms = reader.measured('weight', 700)
  if (!data.isValid('body', reader, raw) || kilograms === null) return
  const frame = { start, sourceType: 'app' } as const
  // A date is no instant: its weight is in the summary of the day alone.
  if (date === undefined) {
    data.addSample('body_weight', { ...frame, value: kilograms, unit: 'kg' }, raw)
  }
  data.addSummary('body', {
    ...{ ...frame, recordId: `weight ${String(text)}`, raw },
    ...(date !== undefined && { calendarDate: date }),
    values: { weight_kilogram: kilograms },
  })
}
