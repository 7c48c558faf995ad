import {
  convertToCanonical,
  findSeries,
  SERIES_BY_UPLOAD_NAME,
  type Series,
} from '@salus/contracts/series'
import { isObject, type Json, type JsonObject, type Operation } from './document-parts.ts'
import { makeExample } from './make-example.ts'

const JSON_TYPE = 'application/json'

/**
 * Adds the example of a request body: `x-body-example` of the route, a sample of the series, or
 * the fields that the schema requires.
 */
export function addBodyExample({ path, content: operation }: Operation): void {
  const ofRoute = operation['x-body-example']
  delete operation['x-body-example']
  const media = jsonOf(operation.requestBody)
  if (media === undefined || !isObject(media.schema)) return
  const series = uploadedSeries(path)
  const known = ofRoute ?? (series && (uploadOf(series) as Json))
  media.example = known ?? makeExample(media.schema, '', { isInput: true })
}

/** Adds an example to every JSON answer, made from its schema. */
export function addResponseExamples({ path, content: operation }: Operation): void {
  const series = readSeries(path)
  const values = series === undefined ? {} : { value: series.typical }
  for (const response of Object.values(operation.responses as JsonObject)) {
    const media = jsonOf(response)
    if (media === undefined || !isObject(media.schema)) continue
    media.example = makeExample(media.schema, '', { isInput: false, values })
  }
  showStream(operation)
}

function jsonOf(body: Json | undefined): JsonObject | undefined {
  const media = ((body as JsonObject | undefined)?.content as JsonObject | undefined)?.[JSON_TYPE]
  return isObject(media) ? media : undefined
}

const STREAM =
  'id: 748-12\nevent: daily.data.steps.created\ndata: {"event_type":"daily.data.steps.created"}\n\n'

function showStream({ responses }: JsonObject): void {
  for (const { content } of Object.values(responses as Record<string, JsonObject>)) {
    const media = (content as JsonObject | undefined)?.['text/event-stream']
    if (isObject(media)) media.example = STREAM
  }
}

const UPLOAD = /^\/v2\/timeseries\/\{user_id\}\/(\w+)$/
const uploadedSeries = (path: string): Series | undefined =>
  SERIES_BY_UPLOAD_NAME.get(UPLOAD.exec(path)?.[1] ?? '')
const readSeries = (path: string): Series | undefined =>
  findSeries(/^\/v2\/timeseries\/\{user_id\}\/(\w+)/.exec(path)?.[1] ?? '')

/** Returns a label that means the unit of the series itself. */
function ownUnitOf({ units, unitsByType, types, unit }: Series): string {
  const table = unitsByType?.[types?.allowed?.[0] ?? ''] ?? units
  const labels = Object.keys(table).filter((label) => convertToCanonical(table, label, 1) === 1)
  return labels.find((label) => label === unit) ?? labels[0] ?? unit
}

/** Returns an upload of one sample of a watch. */
function uploadOf(series: Series): object {
  const fields = series.extraFields.map(({ name, allowed }) => [name, allowed[0]])
  const types = series.types === null ? {} : { type: series.types.allowed?.[0] ?? 'oats' }
  const metadata = { ...types, ...Object.fromEntries(fields) }
  const sample = {
    value: series.typical,
    unit: ownUnitOf(series),
    start_date: '2026-02-10T08:00:00Z',
    end_date: series.shape === 'interval' ? '2026-02-10T08:05:00Z' : '2026-02-10T08:00:00Z',
    type: 'watch',
    source_bundle: 'com.example.health',
    product_type: 'Watch7,5',
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  const pressure = { systolic: { ...sample, value: 120 }, diastolic: { ...sample, value: 80 } }
  const item = series.shape === 'blood_pressure' ? pressure : sample
  return { stage: 'daily', provider: 'manual', time_zone: 'Europe/Vienna', data: [item] }
}
