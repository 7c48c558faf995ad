import { COLLECTION_METHODS } from '@salus/contracts/order-lifecycle'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { BILLINGS, Question } from '../../catalog/index.ts'
import { CONSENT_TYPES } from '../people.schema.ts'

/** What validating an order answers (docs/contract/11-orders.md#post-v3ordervalidate). */

const OrderProblem = Type.Object(
  {
    field: Type.String({
      description: 'What of the request it is about, as `patient_details.first_name`.',
    }),
    error_type: Type.String({
      description: 'As the refusal of the order would say it; of the shape the `type` of a 422.',
    }),
    message: Type.String(),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What the refusal has beside its code and its message.',
    }),
  },
  { title: 'OrderProblem' },
)
export type OrderProblem = Type.Static<typeof OrderProblem>

const OrderQuestion = Type.Object(
  {
    marker_id: Type.Integer(),
    marker_name: Type.String(),
    question: Question,
    must_answer: Type.Boolean({ description: 'An order without an answer is refused.' }),
    presumed_answer: Nullable(
      Type.String({ description: 'What counts where nobody answers: fasting, or the default.' }),
    ),
  },
  { title: 'OrderQuestion' },
)

const Account = Type.Object({
  id: Uuid,
  account_name: Nullable(Type.String()),
  is_delegated: Type.Boolean({ description: 'The own physicians of the team order.' }),
  default_clinical_notes: Nullable(Type.String()),
})

export const OrderDemands = Type.Object(
  {
    lab: Type.Object({
      id: Type.Integer(),
      slug: Type.String(),
      name: Type.String(),
      collection_methods: Type.Array(TextEnum(COLLECTION_METHODS)),
    }),
    markers: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
    collection_method: Nullable(TextEnum(COLLECTION_METHODS)),
    lab_account: Nullable(Account),
    billing_types: Nullable(
      Type.Array(TextEnum(BILLINGS), {
        description: 'Those that the account allows in the state of the patient.',
      }),
    ),
    needs_physician: Nullable(
      Type.Boolean({ description: 'Without a physician in the request the order is refused.' }),
    ),
    needs_fasting: Type.Boolean(),
    consents: Type.Array(TextEnum(CONSENT_TYPES), {
      description: 'Those without which the order is refused.',
    }),
    questions: Type.Array(OrderQuestion),
    notes_are_forwarded: Type.Boolean({
      description: 'The laboratory gets `clinical_notes`; else they stay with the order.',
    }),
  },
  { title: 'OrderDemands' },
)
export type OrderDemands = Type.Static<typeof OrderDemands>

export const OrderValidation = Type.Object(
  {
    is_valid: Type.Boolean({ description: 'The order would be placed.' }),
    problems: Type.Array(OrderProblem),
    demands: Nullable(OrderDemands),
  },
  { title: 'OrderValidation' },
)
export type OrderValidation = Type.Static<typeof OrderValidation>
