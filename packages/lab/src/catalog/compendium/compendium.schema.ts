import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** Laboratories whose tests the compendium compares. */
export const COMPENDIUM_LABS = ['labcorp', 'quest', 'bioreference', 'sonora_quest'] as const
export type CompendiumLab = (typeof COMPENDIUM_LABS)[number]

export const RELATIONS = ['exact', 'subset', 'superset', 'overlap', 'suggested'] as const
export type Relation = (typeof RELATIONS)[number]

export const REASON_CODES = [
  'EXACT_LOINC_SET',
  'SUBSET',
  'SUPERSET',
  'OVERLAP',
  'NAME_MATCH',
  'SYNONYM_MATCH',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]

const Texts = Type.Array(Type.String())
const Score = Type.Number({ minimum: 0, maximum: 1 })

const conceptFields = {
  loinc_set_hash: Type.String({
    description: 'Hash of the LOINC codes that the test reports; the same at every laboratory.',
  }),
  loinc_codes: Texts,
  loinc_components: Texts,
  loinc_groups: Type.Array(Type.String(), {
    description: 'LOINC groups of the test; always empty.',
  }),
  cpt_codes: Texts,
}

export const CanonicalCandidate = Type.Object(
  {
    display_name: Type.String(),
    aliases: Texts,
    ...conceptFields,
    provider_ids: Texts,
    popularity_score: Score,
    confidence: Score,
  },
  { title: 'CanonicalCandidate' },
)
export type CanonicalCandidate = Type.Static<typeof CanonicalCandidate>

const matchFields = {
  relation: Type.String({
    description: `Relation of the test to the searched test: one of ${RELATIONS.join(', ')}.`,
  }),
  confidence: Score,
  reason_codes: Type.Array(
    Type.String({ description: `Reason for the match: one of ${REASON_CODES.join(', ')}.` }),
  ),
}

export const PerLabCandidate = Type.Object(
  {
    marker_id: Type.Integer(),
    lab_id: Type.Integer(),
    lab_slug: Nullable(Type.String()),
    name: Type.String(),
    result_names: Texts,
    provider_id: Nullable(Type.String()),
    ...conceptFields,
    ...matchFields,
    marker_popularity_score: Score,
  },
  { title: 'PerLabCandidate' },
)
export type PerLabCandidate = Type.Static<typeof PerLabCandidate>

export const RelatedCandidate = Type.Object(
  { canonical: CanonicalCandidate, ...matchFields },
  { title: 'RelatedCandidate' },
)
export type RelatedCandidate = Type.Static<typeof RelatedCandidate>

/** Most candidates of a search in the mode `canonical`. */
export const MOST_CANONICAL = 10
const Limit = Type.Integer({ minimum: 1, maximum: 20, default: 3 })

export const CompendiumSearch = Type.Object(
  {
    mode: TextEnum(['canonical', 'crosswalk']),
    query: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    cpt_codes: Type.Array(Type.String(), {
      default: [],
      description: 'Returns only tests that share one of these CPT codes.',
    }),
    loinc_set_hash: Type.Optional(Nullable(Type.String())),
    labs: Type.Optional(
      Nullable(
        Type.Array(TextEnum(COMPENDIUM_LABS), {
          description: 'Laboratories to list in `per_lab`; all by default.',
        }),
      ),
    ),
    include_related: Type.Boolean({ default: true }),
    limit: Limit,
  },
  { title: 'CompendiumSearch' },
)
export type CompendiumSearch = Type.Static<typeof CompendiumSearch>

export const CompendiumAnswer = Type.Object(
  {
    mode: Type.String(),
    selected_canonical: Nullable(CanonicalCandidate),
    canonical_candidates: Type.Array(CanonicalCandidate),
    per_lab: Type.Record(Type.String(), Type.Array(PerLabCandidate)),
    related: Type.Array(RelatedCandidate),
  },
  { title: 'CompendiumAnswer' },
)
export type CompendiumAnswer = Type.Static<typeof CompendiumAnswer>

const ProviderIds = Type.Array(Type.String({ minLength: 1 }), { maxItems: 100 })

export const CompendiumConversion = Type.Object(
  {
    lab_test_id: Type.Optional(Nullable(Uuid)),
    provider_ids: Type.Optional(Nullable(ProviderIds)),
    target_lab: TextEnum(COMPENDIUM_LABS),
    limit: Limit,
  },
  { title: 'CompendiumConversion' },
)
export type CompendiumConversion = Type.Static<typeof CompendiumConversion>

export const ConversionAnswer = Type.Object(
  {
    source_lab_test_id: Nullable(Uuid),
    source_lab_id: Nullable(Type.Integer()),
    target_lab_id: Type.Integer(),
    target_lab_slug: Type.String(),
    source_provider_ids: Texts,
    converted_provider_ids: Texts,
    unresolved_provider_ids: Texts,
    by_source_provider_id: Type.Record(
      Type.String(),
      Type.Object(
        { source_provider_id: Type.String(), candidates: Type.Array(PerLabCandidate) },
        { title: 'ProviderIdConversion' },
      ),
    ),
  },
  { title: 'ConversionAnswer' },
)
export type ConversionAnswer = Type.Static<typeof ConversionAnswer>

export const OrderableTestsSearch = Type.Object(
  {
    provider_ids: ProviderIds,
    target_lab: TextEnum(COMPENDIUM_LABS),
    per_provider_limit: Type.Integer({ minimum: 1, maximum: 20, default: 1 }),
  },
  { title: 'OrderableTestsSearch' },
)
export type OrderableTestsSearch = Type.Static<typeof OrderableTestsSearch>

export const OrderableTests = Type.Object(
  { candidates: Type.Record(Type.String(), Type.Array(PerLabCandidate)) },
  { title: 'OrderableTests' },
)
export type OrderableTests = Type.Static<typeof OrderableTests>
