import { COLLECTION_METHODS } from '@salus/contracts/order-lifecycle'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { CatalogId, GENERATION_METHODS, LAB_TEST_STATUSES, LabTest } from '../lab-catalog.schema.ts'
import { LabAccountParameter } from '../markers/markers.schema.ts'
import { LabTestPricing } from '../pricing/pricing.schema.ts'

export const ORDER_KEYS = ['created_at', 'updated_at', 'price'] as const
export type OrderKey = (typeof ORDER_KEYS)[number]

const filterFields = {
  generation_method: TextEnum(GENERATION_METHODS, { default: 'manual' }),
  lab_slug: Type.Optional(Type.String()),
  collection_method: Type.Optional(TextEnum(COLLECTION_METHODS)),
  status: Type.Optional(TextEnum(LAB_TEST_STATUSES)),
  marker_ids: Type.Optional(
    Type.Array(CatalogId, {
      description: 'Returns only lab tests that have all of these markers.',
    }),
  ),
  provider_ids: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Returns only lab tests that have all of the markers with these codes of the laboratory.',
    }),
  ),
  name: Type.Optional(
    Type.String({ description: 'Filters by a part of the name, regardless of case.' }),
  ),
  order_key: TextEnum(ORDER_KEYS, { default: 'created_at' }),
  order_direction: TextEnum(['asc', 'desc'], { default: 'asc' }),
}

/** Query of the deprecated list without pages. */
export const AllLabTestsQuery = Type.Object(filterFields)
export type AllLabTestsQuery = Type.Static<typeof AllLabTestsQuery>

export const LabTestsQuery = Type.Object({
  ...filterFields,
  lab_test_limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  next_cursor: Type.Optional(Type.String()),
  include_pricing: Type.Boolean({ default: false }),
  lab_account_id: LabAccountParameter,
})
export type LabTestsQuery = Type.Static<typeof LabTestsQuery>

export const LabTestPage = Type.Object({
  data: Type.Array(LabTest),
  next_cursor: Nullable(Type.String()),
  pricing: Nullable(LabTestPricing),
})
export type LabTestPage = Type.Static<typeof LabTestPage>

const Name = Type.String({ minLength: 1, maxLength: 255 })

export const LabTestCreate = Type.Object(
  {
    marker_ids: Type.Optional(Nullable(Type.Array(CatalogId))),
    provider_ids: Type.Optional(
      Nullable(
        Type.Array(Type.String(), {
          description:
            'Codes of the laboratory for the markers. Preferred over `marker_ids`, because they are equal in all environments.',
        }),
      ),
    ),
    name: Name,
    method: TextEnum(COLLECTION_METHODS),
    description: Type.String(),
    fasting: Type.Optional(Nullable(Type.Boolean())),
    lab_account_id: Type.Optional(Nullable(Uuid)),
    lab_slug: Type.Optional(
      Nullable(
        Type.String({
          description: 'Slug of the laboratory; required when several laboratories use the codes.',
        }),
      ),
    ),
  },
  { title: 'LabTestCreate' },
)
export type LabTestCreate = Type.Static<typeof LabTestCreate>

export const LabTestUpdate = Type.Object(
  {
    name: Type.Optional(Nullable(Name)),
    active: Type.Optional(
      Nullable(
        Type.Boolean({
          description: 'Whether the lab test can be ordered: false archives it, true restores it.',
        }),
      ),
    ),
  },
  { title: 'LabTestUpdate' },
)
export type LabTestUpdate = Type.Static<typeof LabTestUpdate>

export const LabTestParams = Type.Object({ lab_test_id: Uuid })
export const LabTestQuery = Type.Object({ lab_account_id: LabAccountParameter })

export const ManagedLabTest = Type.Object({ ...ENVIRONMENT_PARAMS, lab_test_id: Uuid })
