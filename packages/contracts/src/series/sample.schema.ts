import Type, { type TProperties, type TSchema } from 'typebox'
import { DateTime, Nullable, TextEnum, Uuid } from '../schema-types.ts'
import type { ExtraField, Series } from './series.registry.ts'
import { SOURCE_TYPES } from './source-types.ts'

/** Source of the samples of a group (docs/contract/04-providers.md#source-object). */
export const Source = Type.Object(
  {
    provider: Type.String(),
    type: TextEnum(SOURCE_TYPES),
    app_id: Nullable(Type.String()),
    device_id: Nullable(Uuid),
    sport: Nullable(Type.String()),
    workout_id: Nullable(Uuid),
    name: Type.String({ deprecated: true }),
    slug: Type.String({ deprecated: true }),
    logo: Type.String({ deprecated: true }),
  },
  { title: 'Source' },
)
export type Source = Type.Static<typeof Source>

/** Converts a snake case name to the title of a type. */
export const toTitle = (snakeCase: string): string =>
  snakeCase
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function typeSchema({ types }: Series) {
  if (types === null) return Type.Null()
  const text = types.allowed === undefined ? Type.String() : TextEnum(types.allowed)
  return types.required ? text : Nullable(text)
}

function extraSchema({ kind, allowed }: ExtraField) {
  const text = TextEnum(allowed)
  return Nullable<TSchema>(kind === 'list' ? Type.Array(text) : text)
}

function valueSchema(series: Series): TProperties {
  if (series.shape === 'blood_pressure') {
    const source = 'Source type, workout id, sport and device id of the group.'
    return {
      systolic: Type.Number(),
      diastolic: Type.Number(),
      grouping: Type.Array(Nullable(Type.String()), { description: source }),
    }
  }
  return { value: series.valueKind === 'text' ? Type.String() : Type.Number() }
}

/** Returns the schema of a sample in answers (docs/contract/05-timeseries.md#sample-shapes). */
export function sampleSchema(series: Series) {
  const extras = series.extraFields.map((field) => [field.name, extraSchema(field)] as const)
  return Type.Object(
    {
      id: Type.Null({ deprecated: true }),
      timezone_offset: Nullable(
        Type.Integer({ description: 'Offset from UTC in seconds; positive east of UTC.' }),
      ),
      type: typeSchema(series),
      unit: Type.Literal(series.unit),
      timestamp: DateTime,
      start: DateTime,
      end: DateTime,
      ...valueSchema(series),
      ...Object.fromEntries(extras),
    },
    { title: `${toTitle(series.name)}Sample`, description: series.meaning },
  )
}

/**
 * Returns the schema of the samples of one source (docs/contract/05-timeseries.md#grouped-read).
 */
export function sampleGroupSchema(series: Series) {
  return Type.Object(
    { source: Source, data: Type.Array(sampleSchema(series)) },
    { title: `${toTitle(series.name)}Group` },
  )
}
