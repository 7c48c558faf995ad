import { defineEvent } from '@salus/contracts/event-type'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { DISPATCH_PROBLEMS, type DispatchProblem } from './dispatch/dispatch-problems.ts'
import { Order } from './orders.schema.ts'

const ORDER_ID = 'a4b1c9d2-3e5f-4a7b-8c6d-9e0f1a2b3c4d'
const LAST_EVENT = {
  id: 2,
  created_at: '2026-03-01T09:20:00+00:00',
  status: 'received.walk_in_test.requisition_created',
  status_detail: null,
} as const
const FIRST_EVENT = {
  id: 1,
  created_at: '2026-03-01T09:00:00+00:00',
  status: 'received.walk_in_test.ordered',
  status_detail: null,
} as const

const EXAMPLE: Order = {
  user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  id: ORDER_ID,
  team_id: '6a1f2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b',
  patient_details: {
    first_name: 'Ada',
    last_name: 'Moreau',
    dob: '1990-04-12',
    gender: 'female',
    phone_number: '+15550100000',
    email: 'ada.moreau@example.com',
    medical_proxy: null,
    race: null,
    ethnicity: null,
    sexual_orientation: null,
    gender_identity: null,
  },
  patient_address: {
    receiver_name: 'Ada Moreau',
    first_line: '1 Main St',
    second_line: null,
    city: 'Phoenix',
    state: 'AZ',
    zip: '85004',
    country: 'US',
    access_notes: null,
    phone_number: '+15550100000',
  },
  lab_test: {
    id: '5b2c3d4e-5f60-4718-9a0b-1c2d3e4f5a6b',
    slug: '6a1f2b3c-lipid-panel',
    name: 'Lipid panel',
    sample_type: 'serum',
    method: 'walk_in_test',
    price: 24.5,
    is_active: true,
    status: 'active',
    fasting: true,
    lab: null,
    markers: null,
    is_delegated: false,
    auto_generated: false,
    has_collection_instructions: true,
    common_tat_days: 2,
    worst_case_tat_days: 4,
    description: 'Cholesterol and triglycerides',
  },
  details: {
    type: 'walk_in_test',
    data: {
      id: '8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f',
      appointment_id: null,
      created_at: FIRST_EVENT.created_at,
      updated_at: LAST_EVENT.created_at,
    },
  },
  sample_id: 'S4711000123',
  notes: null,
  clinical_notes: null,
  created_at: FIRST_EVENT.created_at,
  updated_at: LAST_EVENT.created_at,
  events: [FIRST_EVENT, LAST_EVENT],
  status: 'received',
  last_event: LAST_EVENT,
  physician: { first_name: 'Ines', last_name: 'Park', npi: '1234567893' },
  health_insurance_id: null,
  requisition_form_url: null,
  priority: false,
  shipping_details: null,
  activate_by: null,
  passthrough: null,
  billing_type: 'client_bill',
  icd_codes: null,
  has_abn: false,
  interpretation: null,
  has_missing_results: null,
  expected_result_by_date: null,
  worst_case_result_by_date: null,
  origin: 'initial',
  order_transaction: {
    id: '7d6e5f4a-3b2c-4d1e-8f0a-9b8c7d6e5f4a',
    status: 'active',
    orders: [
      {
        id: ORDER_ID,
        low_level_status: 'requisition_created',
        low_level_status_created_at: LAST_EVENT.created_at,
        origin: 'initial',
        parent_id: null,
        created_at: FIRST_EVENT.created_at,
        updated_at: LAST_EVENT.created_at,
      },
    ],
  },
}

export const orderCreated = defineEvent({
  name: 'labtest.order.created',
  data: Order,
  meaning: 'An order was stored: placed, imported, a redraw, or the replacement of another one.',
  isAboutUser: true,
  example: {
    ...EXAMPLE,
    events: [FIRST_EVENT],
    last_event: FIRST_EVENT,
    sample_id: null,
    updated_at: FIRST_EVENT.created_at,
  },
})

export const orderUpdated = defineEvent({
  name: 'labtest.order.updated',
  data: Order,
  meaning:
    'The status of an order changed. Each event of the order is emitted once; partial results only for teams that enabled them.',
  isAboutUser: true,
  example: EXAMPLE,
})

const PROBLEMS = Object.keys(DISPATCH_PROBLEMS) as [DispatchProblem, ...DispatchProblem[]]

export const orderDispatchFailed = defineEvent({
  name: 'labtest.order.dispatch_failed',
  data: Type.Object(
    {
      order_id: Uuid,
      lab: Type.String(),
      reason: TextEnum(PROBLEMS),
      detail: Nullable(
        Type.String({ description: 'Codes of the refusal; null for other reasons.' }),
      ),
      failed_at: DateTime,
    },
    { title: 'OrderDispatchFailure' },
  ),
  meaning:
    'An order could not be sent to its laboratory within 24 hours, or the laboratory refused it. ' +
    'It keeps its status, and waits for the operator in the list of stuck orders.',
  isAboutUser: true,
  example: {
    order_id: ORDER_ID,
    lab: 'quest',
    reason: 'not_reached',
    detail: null,
    failed_at: '2026-03-02T09:00:00+00:00',
  },
})

/** The events that this domain raises. */
export const ORDER_EVENTS = [orderCreated, orderUpdated, orderDispatchFailed]
