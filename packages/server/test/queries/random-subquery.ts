import { type ColumnType, ELEMENT_FIELDS } from './reference/reference-columns.registry.ts'
import { typeOfFunction } from './reference/reference-functions.ts'
import type { TableColumn, WireSubquery } from './reference/wire-query.ts'
import type { SeededRandom } from './seeded-random.ts'

const FUNCS: Partial<Record<ColumnType, readonly string[]>> = {
  num: ['count', 'sum', 'mean', 'min', 'max', 'median', 'stddev'],
  str: ['count', 'min', 'max'],
  bool: ['count', 'min', 'max'],
  date: ['count', 'min', 'max', 'median', 'mean'],
}

const FILTERS: Record<string, readonly string[]> = {
  menstrual_flow: ["flow = 'light'", "flow != 'none' and not flow = 'heavy'"],
  cervical_mucus: ["quality = 'dry'"],
  intermenstrual_bleeding: ["date > '2026-03-20'"],
  sexual_activity: ['protection_used = true', 'protection_used = null', 'protection_used != null'],
  basal_body_temperature: ['value > 36.4', "value <= 36.5 or date < '2026-03-25'"],
  tags: ["element = 'food'", "element != 'food' and element > 'f'"],
}

/** One value of the elements of a list column, and its type. */
export function randomSubquery(
  random: SeededRandom,
  unnest: TableColumn,
): { expression: WireSubquery; type: ColumnType } {
  const list =
    'timeseries' in unnest
      ? (unnest as { field: string }).field
      : (Object.values(unnest)[0] as string)
  const where =
    FILTERS[list] !== undefined && random.chance(0.5) ? { where: random.pick(FILTERS[list]) } : {}
  const from = { unnest }
  if (random.chance(0.3)) {
    return { expression: { select: { func: 'count', arg: null }, from, ...where }, type: 'int' }
  }
  const fields = ELEMENT_FIELDS[list]
  if (fields === undefined) {
    const func = random.pick(FUNCS.str as readonly string[])
    const select = { func, arg: { element: true } as const }
    return { expression: { select, from, ...where }, type: typeOfFunction(func, 'str') }
  }
  const [field, type] = random.pick(Object.entries(fields))
  const func = random.pick(FUNCS[type] as readonly string[])
  const named: Record<string, string> = random.chance(0.5) ? { field_for: 'menstrual_cycle' } : {}
  const select = { func, arg: { ...named, [list]: field } }
  return { expression: { select, from, ...where }, type: typeOfFunction(func, type) }
}
