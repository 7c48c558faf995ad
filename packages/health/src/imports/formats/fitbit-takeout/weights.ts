import { mapFitbitBody } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import { readJsonItems } from '../../files/json.ts'
import { type ImportOptions, zoneOf } from '../../import-options.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import { isoOfShort } from './fitbit-times.ts'
import type { Member } from './members.ts'
import type { ListTarget } from './minute-lists.ts'

type Fields = Record<string, unknown>
type WeightUnit = NonNullable<ImportOptions['weight_unit']>

const KILOGRAMS: Readonly<Record<WeightUnit, number>> = {
  kg: 1,
  lb: 0.45359237,
  st: 6.35029318,
}
const UNITS = Object.keys(KILOGRAMS) as WeightUnit[]
/** Heights of people, in meters. */
const [LEAST_HEIGHT, MOST_HEIGHT] = [1.3, 2.2]

/**
 * Returns the unit of the weights of a list. A weight and its body mass index make a height, which
 * is that of a person in one unit only; undefined where no record shows it.
 */
export async function unitOfWeights({ file }: Member): Promise<WeightUnit | undefined> {
  const votes = new Map<WeightUnit, number>()
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items) {
      const { weight, bmi }: Fields = isFields(item) ? item : {}
      if (typeof weight !== 'number' || typeof bmi !== 'number' || !(bmi > 5)) continue
      const fitting = UNITS.filter((unit) => {
        const height = Math.sqrt((weight * KILOGRAMS[unit]) / bmi)
        return height >= LEAST_HEIGHT && height <= MOST_HEIGHT
      })
      const [only] = fitting
      if (only !== undefined && fitting.length === 1) votes.set(only, (votes.get(only) ?? 0) + 1)
    }
  }
  return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Adds weights as the connector does; their times are local. */
export async function addWeights(
  { file }: Member,
  { data, context, covered, settle }: ListTarget,
  unit: WeightUnit,
): Promise<void> {
  const zone = zoneOf(context.options)
  const profile = zone === null ? [] : [{ user: { timezone: zone } }]
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items) {
      data.count()
      if (!isFields(item)) {
        data.quarantine('body', 'not_an_object', null)
        continue
      }
      const { logId, weight, bmi, fat, time, source } = item
      const date = isoOfShort(item.date)?.slice(0, 10)
      const record = { logId, weight, bmi, fat, date: item.date, time, source }
      const at = date === undefined ? undefined : context.clock.local(`${date}T${time}`)?.at
      if (at === undefined || !isPossibleTime(at, context.now)) {
        data.quarantine('body', 'invalid_start_date', record)
        continue
      }
      const kilograms =
        typeof weight === 'number' ? Number((weight * KILOGRAMS[unit]).toFixed(6)) : weight
      covered.add('body_weight', at)
      mapFitbitBody({ weight: [{ ...record, date, weight: kilograms }] }, data, profile)
    }
    await settle()
  }
}
