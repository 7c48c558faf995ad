import { PROVIDER_OR_LAB_SLUGS, SDK_PROVIDER_SLUGS } from '@salus/contracts/providers'
import { DateTime, DateTimeInput, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { SERIES, type Series, SOURCE_TYPES } from '@salus/contracts/series'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type, { type TSchema } from 'typebox'

export const STAGES = ['historical', 'daily'] as const

/**
 * One sample as clients send it (docs/contract/07-mobile-sync.md#quantitysample). Documents the
 * items; each is checked on its own.
 */
export const QuantitySample = Type.Object(
  {
    value: Type.Number(),
    unit: Type.String(),
    start_date: DateTimeInput,
    end_date: Type.Optional(DateTimeInput),
    id: Type.Optional(Nullable(Type.String())),
    source_bundle: Type.Optional(Nullable(Type.String({ description: 'App that made it.' }))),
    product_type: Type.Optional(Nullable(Type.String({ description: 'Device model.' }))),
    type: Type.Optional(Nullable(TextEnum(SOURCE_TYPES))),
    metadata: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
  },
  { title: 'QuantitySample' },
)

/** The same for a series of texts. */
const TextSample = Type.Object(
  { ...QuantitySample.properties, value: Type.String() },
  { title: 'TextSample' },
)

export const BloodPressureSample = Type.Object(
  {
    systolic: QuantitySample,
    diastolic: QuantitySample,
    pulse: Type.Optional(Nullable(QuantitySample)),
  },
  { title: 'BloodPressureSample' },
)

/**
 * A list whose items are documented here and checked one by one in the service, so that a bad item
 * is quarantined and the others are stored.
 */
export function leniently<T extends object>(item: T) {
  return Type.Unsafe<unknown[]>({ type: 'array', 'x-items': item })
}

/**
 * The body of an upload (docs/contract/07-mobile-sync.md#upload-calls): the envelope, and what is
 * in it.
 */
export function uploadOf<D extends TSchema>(data: D, title: string) {
  return Type.Object(
    {
      stage: TextEnum(STAGES),
      provider: TextEnum(SDK_PROVIDER_SLUGS),
      start_date: Type.Optional(Nullable(DateTimeInput)),
      end_date: Type.Optional(Nullable(DateTimeInput)),
      time_zone: Type.Optional(Nullable(Type.String({ description: 'IANA zone of the device.' }))),
      data,
      is_final_chunk: Type.Optional(Nullable(Type.Boolean())),
    },
    { title },
  )
}

/**
 * What an upload of a series looks like. Values may be anything here: each is checked by itself,
 * and a bad one is put aside.
 */
export function uploadBody(series: Series) {
  if (series.valueKind === 'text') return uploadOf(leniently(TextSample), 'TextUpload')
  return series.shape === 'blood_pressure'
    ? uploadOf(leniently(BloodPressureSample), 'BloodPressureUpload')
    : uploadOf(leniently(QuantitySample), 'QuantityUpload')
}

/** An upload's envelope with its items, which are still unchecked. */
export type UploadBody = Type.Static<ReturnType<typeof uploadBody>>
export type UploadEnvelope = Omit<UploadBody, 'data'>

export const UploadResult = Type.Object(
  {
    success: Type.Boolean(),
    inserted: Type.Integer({ description: 'Samples and summaries that were not there.' }),
    updated: Type.Integer({ description: 'Samples and summaries whose content was replaced.' }),
    unchanged: Type.Integer({ description: 'Samples and summaries that were there already.' }),
    out_of_bounds: Type.Integer({
      description: "Samples and summaries outside the user's ingestion bounds; dropped.",
    }),
    put_aside: Type.Integer({ description: 'Items that could not be stored; kept in quarantine.' }),
    problems: Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() }), {
      description: 'The first of the quarantined items.',
    }),
  },
  { title: 'UploadResult' },
)
export type UploadResult = Type.Static<typeof UploadResult>

/** Resources whose items are summaries; they can be quarantined like samples. */
const SUMMARY_RESOURCES = [
  'activity',
  'sleep',
  'workouts',
  'body',
  'meal',
  'menstrual_cycle',
  'profile',
  'electrocardiogram',
]

export const QuarantineQuery = Type.Object({
  resource: Type.Optional(
    Nullable(TextEnum([...SERIES.map(({ name }) => name), ...SUMMARY_RESOURCES])),
  ),
  provider: Type.Optional(Nullable(TextEnum(PROVIDER_OR_LAB_SLUGS))),
  reason: Type.Optional(Nullable(Type.String())),
  ...pageQuery(1000, 100),
})
export type QuarantineQuery = Type.Static<typeof QuarantineQuery>

export const QuarantineList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        resource: Type.String(),
        provider: Type.String(),
        reason: Type.String(),
        item: Type.Unknown({ description: 'As it came.' }),
        received_at: DateTime,
      }),
    ),
    next_cursor: Nullable(Type.String()),
  },
  { title: 'PutAsideList' },
)

export const ByUserId = Type.Object({ user_id: Uuid })
