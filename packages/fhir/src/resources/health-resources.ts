import type { Coding, Observation, ObservationComponent } from '@medplum/fhirtypes'
import { findSeries } from '@salus/contracts/series'
import {
  category,
  type FhirResource,
  idOf,
  LOINC,
  localInstant,
  loincConcept,
  type ResourceContext,
  salusCoding,
  salusConcept,
  textOf,
  UCUM_SYSTEM,
  wordsOf,
} from './fhir-parts.ts'
import {
  ANY_OXYGEN_SATURATION,
  DIASTOLIC,
  SERIES_CODES,
  SYSTOLIC,
  UCUM,
} from './series-codes.registry.ts'

export interface SampleRow {
  series: string
  started_at: string
  ended_at: string
  provider: string
  source_type: string
  app_id: string
  sample_type: string
  workout_id: string
  timezone_offset: number | null
  value: number
  diastolic: number
  text_value: string
}

/** Returns one observation for each sample, at the local time of the person. */
export function toSample(row: SampleRow, { patient }: ResourceContext): FhirResource[] {
  const { series: name, provider, source_type, app_id, sample_type, workout_id } = row
  const series = findSeries(name)
  const [kind, loinc] = SERIES_CODES[name] ?? ['activity']
  const start = localInstant(row.started_at, row.timezone_offset)
  const end = localInstant(row.ended_at, row.timezone_offset)
  const source = [provider, source_type, app_id].filter((part) => part !== '').join(' ')
  const observation: Observation & { id: string } = {
    resourceType: 'Observation',
    id: idOf(name, row.started_at, provider, source_type, app_id, sample_type, workout_id),
    status: 'final',
    category: category(kind),
    code: loincConcept(loinc, titleOf(row), ...furtherCodings(name)),
    subject: patient,
    ...(start === end ? { effectiveDateTime: start } : { effectivePeriod: { start, end } }),
    device: { display: source },
    ...toValue(row, series?.unit ?? ''),
  }
  return [observation]
}

/** The profile of pulse oximetry requires the code of any method beside that of the sensor. */
const furtherCodings = (series: string): Coding[] => [
  ...(series === 'blood_oxygen' ? [{ system: LOINC, code: ANY_OXYGEN_SATURATION }] : []),
  salusCoding('series', series),
]

const titleOf = ({ series, sample_type: type }: SampleRow): string =>
  type === '' ? wordsOf(series) : `${wordsOf(series)}: ${type.replaceAll('_', ' ')}`

function toValue(row: SampleRow, unit: string): Partial<Observation> {
  if (row.series === 'blood_pressure') {
    return {
      component: [
        {
          code: loincConcept(SYSTOLIC, 'Systolic blood pressure'),
          valueQuantity: quantity(row.value, unit),
        },
        {
          code: loincConcept(DIASTOLIC, 'Diastolic blood pressure'),
          valueQuantity: quantity(row.diastolic, unit),
        },
      ],
    }
  }
  const text = textOf(row.text_value)
  if (text !== undefined) return { valueString: text }
  // An index has any unit; the body mass index has one, without which its LOINC code is not valid.
  const known = row.series === 'body_mass_index' ? 'kg/m2' : unit
  return { valueQuantity: quantity(row.value, known) }
}

function quantity(value: number, unit: string) {
  const code = UCUM[unit]
  return { value, unit, ...(code !== undefined && { system: UCUM_SYSTEM, code }) }
}

type SummaryRow = Record<string, unknown> & {
  id: string
  provider: string
  source_type: string
  started_at: string
  ended_at: string
  timezone_offset: number | null
}

/** Columns about the source of a summary, not its values. */
const NO_VALUES = new Set([
  ...['id', 'provider', 'source_type', 'app_id', 'device_model', 'external_id', 'calendar_date'],
  ...['started_at', 'ended_at', 'timezone_offset', 'time_zone', 'raw', 'created_at', 'updated_at'],
  ...['is_removed', 'foods', 'map_polyline', 'map_summary_polyline'],
])

/**
 * Returns one observation for each summary, with a component for each of its values; their names
 * contain the units.
 */
export const toSummary =
  (kind: string) =>
  (row: SummaryRow, { patient }: ResourceContext): FhirResource[] => {
    const component = Object.entries(row).flatMap(([name, value]): ObservationComponent[] => {
      if (NO_VALUES.has(name)) return []
      const code = salusConcept('summary', name)
      if (typeof value === 'number') return [{ code, valueQuantity: { value } }]
      if (typeof value === 'boolean') return [{ code, valueBoolean: value }]
      const text = typeof value === 'string' ? textOf(value) : undefined
      return text === undefined ? [] : [{ code, valueString: text }]
    })
    const observation: Observation & { id: string } = {
      resourceType: 'Observation',
      id: row.id,
      status: 'final',
      category: category('activity'),
      code: salusConcept('summary', kind, `${wordsOf(kind)} summary`),
      subject: patient,
      effectivePeriod: {
        start: localInstant(row.started_at, row.timezone_offset),
        end: localInstant(row.ended_at, row.timezone_offset),
      },
      device: { display: `${row.provider} ${row.source_type}` },
      ...(component.length > 0 && { component }),
    }
    return [observation]
  }
