import { COLLECTION_METHODS } from '@salus/contracts/order-lifecycle'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { BILLINGS, Question } from '../../catalog/index.ts'
import { CONSENT_TYPES } from '../people.schema.ts'

/** Response of the validation of an order (docs/contract/11-orders.md#post-v3ordervalidate). */

const OrderProblem = Type.Object(
  {
    field: Type.String({
      description:
        'Field of the request that has the problem, such as `patient_details.first_name`.',
    }),
    error_type: Type.String({
      description:
        'Error type with which the order would be refused; the `type` of a 422 when the shape of the request is wrong.',
    }),
    message: Type.String(),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Further fields of the refusal beside its code and its message.',
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
    must_answer: Type.Boolean({ description: 'Whether an order without an answer is refused.' }),
    presumed_answer: Nullable(
      Type.String({
        description:
          'Answer that counts when none is given: the state of fasting, or the default of the question.',
      }),
    ),
  },
  { title: 'OrderQuestion' },
)

const Account = Type.Object({
  id: Uuid,
  account_name: Nullable(Type.String()),
  is_delegated: Type.Boolean({ description: 'Whether the physicians of the team order.' }),
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
        description: 'Billing types that the account allows in the state of the patient.',
      }),
    ),
    needs_physician: Nullable(
      Type.Boolean({
        description: 'Whether an order without a physician in the request is refused.',
      }),
    ),
    needs_fasting: Type.Boolean(),
    consents: Type.Array(TextEnum(CONSENT_TYPES), {
      description: 'Consents that the order requires.',
    }),
    questions: Type.Array(OrderQuestion),
    notes_are_forwarded: Type.Boolean({
      description:
        'Whether `clinical_notes` are sent to the laboratory; otherwise they are only stored with the order.',
    }),
  },
  { title: 'OrderDemands' },
)
export type OrderDemands = Type.Static<typeof OrderDemands>

export const OrderValidation = Type.Object(
  {
    is_valid: Type.Boolean({ description: 'Whether the order would be placed.' }),
    problems: Type.Array(OrderProblem),
    demands: Nullable(OrderDemands),
  },
  { title: 'OrderValidation' },
)
export type OrderValidation = Type.Static<typeof OrderValidation>
