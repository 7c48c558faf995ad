import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'

const Cents = Type.Integer({ description: 'Amount in US cents.' })

const PricingModifier = Type.Object(
  {
    delta_amount_minor: Type.Union([Cents, Type.Object({ minimum: Cents, maximum: Cents })]),
    conditions: Type.Object({
      us_state: Nullable(Type.Object({ any_of: Type.Array(Type.String()) })),
      reflex: Nullable(Type.Object({})),
    }),
  },
  { title: 'PricingModifier' },
)

const SpecifiedPricing = Type.Object(
  { base_amount_minor: Cents, modifiers: Nullable(Type.Array(PricingModifier)) },
  { title: 'SpecifiedPricing' },
)

const UnspecifiedPricing = Type.Object(
  { unspecified: TextEnum(['refer_to_contract', 'price_unavailable']) },
  { title: 'UnspecifiedPricing' },
)

/** The two forms differ by their key. */
export const Price = Type.Union([SpecifiedPricing, UnspecifiedPricing])
export type Price = Type.Static<typeof Price>

const Currency = TextEnum(['USD'])
const PriceByMarker = Type.Record(Type.String(), Price)

export const MarkerPricing = Type.Object(
  { currency: Currency, data: PriceByMarker },
  { title: 'MarkerPricing' },
)
export type MarkerPricing = Type.Static<typeof MarkerPricing>

export const LabTestPricing = Type.Object(
  {
    currency: Currency,
    data: Type.Record(
      Type.String(),
      Type.Object({ pricing: Price, marker_breakdown: Nullable(PriceByMarker) }),
    ),
  },
  { title: 'LabTestPricing' },
)
export type LabTestPricing = Type.Static<typeof LabTestPricing>
