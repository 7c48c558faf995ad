import type { DetailRequest, PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { listOf, pointsRequest } from './google-pages.ts'
import {
  deviceModelOf,
  divided,
  type Fields,
  fieldsOf,
  lookUp,
  numberOf,
  recordIdOf,
  sampleTimeOf,
  sourceOf,
  textOf,
} from './points.ts'
import { mapSamples } from './samples.mapper.ts'

/** A scale measures weight and fat at once; the vendor serves them as two types. */
const BODY_TYPES = { weight: 'body-fat', 'body-fat': 'weight' } as const
export type BodyType = keyof typeof BODY_TYPES

/** Returns the request for the other half of the measurements of a range. */
export const bodyDetails =
  (type: BodyType) =>
  (_answer: unknown, { range, cursor }: PageRequest): DetailRequest[] =>
    cursor === null ? [pointsRequest(BODY_TYPES[type], 'sample', 'list', range)] : []

interface Measurement {
  start: VendorInstant
  record: Fields
  weight?: Fields
  bodyFat?: Fields
}

/** Maps weights or shares of fat, and measurements of the body with both of one instant. */
export const mapBody =
  (type: BodyType) =>
  (answer: unknown, data: PageData, [other]: readonly unknown[]): void => {
    mapSamples(type, answer, data)
    const measured = new Map<string, Measurement>()
    for (const page of [answer, fieldsOf(other)]) collect(page, data, measured)
    for (const [recordId, one] of measured) addBody(data, recordId, one)
  }

function collect(page: unknown, data: PageData, measured: Map<string, Measurement>): void {
  for (const record of listOf(page, 'dataPoints')) {
    const { weight, bodyFat } = fieldsOf(record)
    const content = weight ?? bodyFat
    // Others are in quarantine as samples.
    if (!isFields(record) || !isFields(content)) continue
    const timed = { resource: 'body', record }
    const start = sampleTimeOf(data, timed, content.sampleTime)
    if (start === undefined) continue
    const id = `${new Date(start.at).toISOString()} ${sourceOf(record)}`
    const known = measured.get(id)
    const part = weight === undefined ? { bodyFat: content } : { weight: content }
    measured.set(id, { ...known, ...part, start, record: known?.record ?? record })
  }
}

function addBody(data: PageData, recordId: string, measurement: Measurement): void {
  const { start, record, weight, bodyFat } = measurement
  const raw = { ...(weight && { weight }), ...(bodyFat && { bodyFat }) }
  const reader = data.read('body', {
    weight: divided(weight?.weightGrams, 1000),
    fat: numberOf(bodyFat?.percentage),
  })
  if (reader === undefined) return
  const values = {
    weight_kilogram: reader.number('weight', 0, 700),
    fat_mass_percentage: reader.number('fat', 0, 100),
  }
  if (!data.isValid('body', reader, raw)) return
  if (Object.values(values).every((value) => value === null)) return
  const [sourceType, deviceModel] = [sourceOf(record), deviceModelOf(record)]
  data.addSummary('body', { recordId, start, sourceType, deviceModel, values, raw })
}

/** Maps the newest height; the vendor's profile has neither height nor birthday. */
export function mapHeight(answer: unknown, data: PageData): void {
  const newest = listOf(answer, 'dataPoints')
    .flatMap((record) => {
      const content = fieldsOf(fieldsOf(record).height)
      const start = sampleTimeOf(data, { resource: 'profile', record }, content.sampleTime)
      return start === undefined ? [] : [{ at: start.at, content, record }]
    })
    .sort((a, b) => b.at - a.at)[0]
  if (newest === undefined) return
  const { content, record } = newest
  const reader = data.read('profile', { height: divided(content.heightMillimeters, 10) })
  if (reader === undefined) return
  const height_centimeter = reader.integer('height', 1, 300)
  if (!data.isValid('profile', reader, record) || height_centimeter === null) return
  data.addSummary('profile', {
    recordId: 'profile',
    start: { at: 0, offset: null },
    sourceType: 'app',
    values: { height_centimeter },
    raw: record,
  })
}

const DEVICE_TYPES = { TRACKER: 'watch', SCALE: 'scale' } as const

/** Maps paired devices, with the name of the product. */
export function mapDevices(answer: unknown, data: PageData): void {
  for (const record of listOf(answer, 'pairedDevices')) {
    if (!isFields(record)) {
      data.quarantine('device', 'not_an_object', record)
      continue
    }
    data.addDevice({
      sourceType: lookUp(DEVICE_TYPES, record.deviceType) ?? 'unknown',
      manufacturer: null,
      model: textOf(record.deviceVersion),
      version: null,
      deviceId: recordIdOf(record) || null,
    })
  }
}
