import { PROVIDER_OR_LAB_SLUGS, SDK_PROVIDER_SLUGS } from '@salus/contracts/providers'
import { DateTime, DateTimeInput, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { SERIES, type Series, SOURCE_TYPES } from '@salus/contracts/series'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type, { type TSchema } from 'typebox'

export const STAGES = ['historical', 'daily'] as const

/**
 * A sample as clients send it (docs/contract/07-mobile-sync.md#quantitysample). Only documentation:
 * each item is checked separately.
 */
export const QuantitySample = Type.Object(
  {
    value: Type.Number(),
    unit: Type.String(),
    start_date: DateTimeInput,
    end_date: Type.Optional(DateTimeInput),
    id: Type.Optional(Nullable(Type.String())),
    source_bundle: Type.Optional(
      Nullable(
        Type.String({ description: 'Bundle identifier of the app that recorded the sample.' }),
      ),
    ),
    product_type: Type.Optional(Nullable(Type.String({ description: 'Device model.' }))),
    type: Type.Optional(Nullable(TextEnum(SOURCE_TYPES))),
    metadata: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
  },
  { title: 'QuantitySample' },
)

/** A sample of a text series. */
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
export function lenientList<T extends object>(item: T) {
  return Type.Unsafe<unknown[]>({ type: 'array', 'x-items': item })
}

/**
 * Returns the schema of the body of an upload (docs/contract/07-mobile-sync.md#upload-calls) from
 * that of its data.
 */
export function uploadSchema<D extends TSchema>(data: D, title: string) {
  return Type.Object(
    {
      stage: TextEnum(STAGES),
      provider: TextEnum(SDK_PROVIDER_SLUGS),
      start_date: Type.Optional(Nullable(DateTimeInput)),
      end_date: Type.Optional(Nullable(DateTimeInput)),
      time_zone: Type.Optional(
        Nullable(Type.String({ description: 'IANA time zone of the device.' })),
      ),
      data,
      is_final_chunk: Type.Optional(Nullable(Type.Boolean())),
    },
    { title },
  )
}

/**
 * Returns the schema of an upload of a series. Items may be anything here: each is checked
 * separately, and a bad one is quarantined.
 */
export function uploadBody(series: Series) {
  if (series.valueKind === 'text') return uploadSchema(lenientList(TextSample), 'TextUpload')
  return series.shape === 'blood_pressure'
    ? uploadSchema(lenientList(BloodPressureSample), 'BloodPressureUpload')
    : uploadSchema(lenientList(QuantitySample), 'QuantityUpload')
}

/** An upload's envelope with its unchecked items. */
export type UploadBody = Type.Static<ReturnType<typeof uploadBody>>
export type UploadEnvelope = Omit<UploadBody, 'data'>

export const UploadResult = Type.Object(
  {
    success: Type.Boolean(),
    inserted: Type.Integer({ description: 'Number of new samples and summaries.' }),
    updated: Type.Integer({
      description: 'Number of samples and summaries whose content was replaced.',
    }),
    unchanged: Type.Integer({
      description: 'Number of samples and summaries that were already stored.',
    }),
    out_of_bounds: Type.Integer({
      description:
        "Number of samples and summaries outside the user's ingestion bounds; they are dropped.",
    }),
    put_aside: Type.Integer({
      description: 'Number of items that could not be stored and were quarantined.',
    }),
    problems: Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() }), {
      description: 'First of the quarantined items.',
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
        item: Type.Unknown({ description: 'Item as it was received.' }),
        received_at: DateTime,
      }),
    ),
    next_cursor: Nullable(Type.String()),
  },
  { title: 'PutAsideList' },
)

export const ByUserId = Type.Object({ user_id: Uuid })
