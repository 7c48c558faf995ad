import { isTimeZone } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import type { Fields } from './renpho-envelope.ts'
import { recordsOf, requestedUser } from './renpho-pages.ts'

const MOST_KILOGRAMS = 700

/**
 * Columns of a body measurement. The vendor calls the mass of the muscles `sinew`; its `muscle` is
 * the percentage of the skeletal muscles.
 */
const BODY = [
  ['weight', 'weight_kilogram', MOST_KILOGRAMS],
  ['bodyfat', 'fat_mass_percentage', 100],
  ['water', 'water_percentage', 100],
  ['bmi', 'body_mass_index', 150],
  ['visfat', 'visceral_fat_index', 1000],
  ['fatFreeWeight', 'lean_body_mass_kilogram', 400],
] as const
/** Masses in kilograms, of which the weight's share is stored. */
const SHARES = [
  ['sinew', 'muscle_mass_percentage'],
  ['bone', 'bone_mass_percentage'],
] as const

type Column = (typeof BODY)[number][1] | (typeof SHARES)[number][1]

/** Maps measurements of a scale; those of other members of the household are left out. */
export function mapMeasurements(
  answer: unknown,
  data: PageData,
  _details: readonly unknown[],
  request: PageRequest,
): void {
  const { range } = request
  const user = requestedUser(request)
  for (const record of recordsOf(answer) ?? []) {
    if (!isFields(record)) {
      data.quarantine('body', 'not_an_object', record)
      continue
    }
    const owner = record.userId ?? record.bUserId
    const isOther = isKnown(owner) && user !== '' && String(owner) !== user
    const start = isOther ? undefined : instantOf(data, record)
    // The vendor has no ranges: each page may have any time.
    if (start !== undefined && start.at >= range.from && start.at < range.to) {
      addMeasurement(data, record, start)
    }
  }
}

const isKnown = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function instantOf(data: PageData, record: Fields): VendorInstant | undefined {
  const { timeStamp } = record
  const seconds = typeof timeStamp === 'string' ? Number(timeStamp || Number.NaN) : timeStamp
  const epoch = { unit: 's', offset: null } as const
  const instant = data.epochInstant('body', seconds, epoch, record)
  return instant && { at: instant.at, offset: offsetOf(record.timeZone, instant.at) }
}

const OFFSET = /^(?:GMT|UTC)?\s*([+-])?(\d{1,2})(?::?([0-5]\d))?$/
const MOST_HOURS = 14

/** Returns the offset of a zone that versions of the app write as `+2`, `GMT+8` or by its name. */
export function offsetOf(zone: unknown, at: number): number | null {
  const text = typeof zone === 'number' ? String(zone) : zone
  if (typeof text !== 'string') return null
  const [, sign, hours, minutes = 0] = OFFSET.exec(text.trim()) ?? []
  if (hours === undefined) return isTimeZone(text) ? zoneOffsetSeconds(text, at) : null
  const seconds = Number(hours) * 3600 + Number(minutes) * 60
  if (seconds > MOST_HOURS * 3600) return null
  return sign === '-' ? -seconds : seconds
}

/** A record with only zeros was typed in when the account was made. */
const isTypedIn = ({ deviceType: type }: Fields): boolean =>
  typeof type === 'string' && /^0+$/.test(type)

function addMeasurement(data: PageData, record: Fields, start: VendorInstant): void {
  const reader = data.read('body', withoutBlanks(record))
  if (reader === undefined) return
  const weight = reader.measured('weight', MOST_KILOGRAMS)
  const values: Partial<Record<Column, number>> = {}
  for (const [name, column, most] of BODY) {
    const value = reader.measured(name, most)
    if (value !== null) values[column] = value
  }
  for (const [name, column] of SHARES) {
    const mass = reader.measured(name, weight ?? MOST_KILOGRAMS)
    if (mass !== null && weight !== null) values[column] = (100 * mass) / weight
  }
  const { id } = record
  const isNamed = (typeof id === 'string' && id !== '') || Number.isSafeInteger(id)
  if (!isNamed) data.quarantine('body', 'invalid_field', record)
  if (!isNamed || !data.isValid('body', reader, record) || Object.keys(values).length === 0) return
  const sourceType = isTypedIn(record) ? 'app' : 'scale'
  const frame = { start, sourceType, recordId: String(id) } as const
  const { weight_kilogram: kilograms, fat_mass_percentage: percent } = values
  if (kilograms !== undefined) {
    data.addSample('body_weight', { ...frame, value: kilograms, unit: 'kg' }, record)
  }
  if (percent !== undefined) {
    data.addSample('body_fat', { ...frame, value: percent, unit: '%' }, record)
  }
  const { scaleName } = record
  data.addSummary('body', {
    ...frame,
    ...(typeof scaleName === 'string' && { deviceModel: scaleName }),
    values,
    raw: record,
  })
}

/**
 * An empty text, like 0, is a value that was not measured; some versions write numbers as texts.
 */
function withoutBlanks(record: Fields): Fields {
  const names = [...BODY, ...SHARES].map(([name]) => name)
  const entries = names.map((name) => {
    const value = record[name]
    if (typeof value !== 'string') return [name, value]
    return [name, value.trim() === '' ? null : Number(value)]
  })
  return Object.fromEntries(entries)
}
