import { Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { CatalogId, MarkerComplete } from '../lab-catalog.schema.ts'
import { MarkerPricing } from '../pricing/pricing.schema.ts'

export const LabAccountParameter = Type.Optional(
  Type.Unsafe<string>({
    ...Uuid,
    description: 'Returns only what this lab account offers.',
  }),
)

const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
}

export const PageQuery = Type.Object(pageFields)
export type PageQuery = Type.Static<typeof PageQuery>

export const MarkersQuery = Type.Object({
  lab_id: Type.Optional(Type.Array(CatalogId)),
  lab_slug: Type.Optional(
    Type.String({
      description: 'Filters by the slug of a laboratory; `lab_id` is ignored when it is given.',
    }),
  ),
  name: Type.String({
    default: '',
    maxLength: 200,
    description:
      "Filters by name, alias, LOINC code or laboratory's code. Misspelled names are found too.",
  }),
  a_la_carte_enabled: Type.Optional(Type.Boolean()),
  include_pricing: Type.Boolean({ default: false }),
  lab_account_id: LabAccountParameter,
  ...pageFields,
})
export type MarkersQuery = Type.Static<typeof MarkersQuery>

export const MarkersOfTestQuery = Type.Object({
  lab_account_id: LabAccountParameter,
  ...pageFields,
})
export type MarkersOfTestQuery = Type.Static<typeof MarkersOfTestQuery>

export const MarkerQuery = Type.Object({ lab_account_id: LabAccountParameter })

const Count = Type.Integer({ minimum: 0 })

export const MarkerPage = Type.Object(
  {
    markers: Type.Array(MarkerComplete),
    total: Count,
    page: Count,
    size: Count,
    pages: Type.Integer({ minimum: 0, description: 'Number of pages.' }),
    pricing: Nullable(MarkerPricing),
  },
  { title: 'MarkerPage' },
)
export type MarkerPage = Type.Static<typeof MarkerPage>
