import type { RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'
import { orderBody, PATIENT_ADDRESS, PATIENT_DETAILS, SHIPPING_DETAILS } from './order-bodies.ts'

/** Requests about orders: placing, reading and changing them, and what operators do with them. */

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const

const ofScheduled = { params: ({ scheduledOrderId }: Subject) => ({ order_id: scheduledOrderId }) }
const ofSite = { params: ({ siteOrderId }: Subject) => ({ order_id: siteOrderId }) }
const ofStuck = { params: ({ stuckOrderId }: Subject) => ({ order_id: stuckOrderId }) }
const ofUncancelled = {
  params: ({ uncancelledOrderId }: Subject) => ({ order_id: uncancelledOrderId }),
}
const ofView = { params: ({ savedViewId }: Subject) => ({ view_id: savedViewId }) }

const asOrder = ({ userId, labTestId }: Subject): object => orderBody(userId, labTestId)

export const ORDER_CASES: readonly RouteCase[] = [
  { method: 'POST', path: '/v3/order', body: asOrder, ...theirs },
  { method: 'POST', path: '/v3/order/create', body: asOrder, ...theirs },
  // A person of others is a problem of the order, as an unknown one is.
  { method: 'POST', path: '/v3/order/validate', body: asOrder, ...own },
  {
    method: 'POST',
    path: '/v3/order/import',
    body: (subject) => ({
      ...asOrder(subject),
      billing_type: 'client_bill',
      collection_method: 'walk_in_test',
      sample_id: `IMPORTED-${subject.orderId}`,
    }),
    ...theirs,
  },
  {
    method: 'POST',
    path: '/v3/order/testkit',
    body: ({ userId, kitTestId }) => ({
      user_id: userId,
      lab_test_id: kitTestId,
      shipping_details: SHIPPING_DETAILS,
    }),
    ...theirs,
  },
  {
    method: 'POST',
    path: '/v3/order/testkit/register',
    body: ({ kitNumber }) => ({
      sample_id: kitNumber,
      patient_details: PATIENT_DETAILS,
      patient_address: PATIENT_ADDRESS,
      consents: ['hipaa-authorization', 'terms-of-use', 'telehealth-informed-consent'].map(
        (consentType) => ({ consentType }),
      ),
    }),
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: '/v3/orders', ...own },
  { method: 'GET', path: '/v3/orders/export', ...own },
  { method: 'GET', path: '/v3/order/{order_id}', ...theirs },
  { method: 'GET', path: '/v3/order/{order_id}/transition', ...theirs },
  {
    method: 'PATCH',
    path: '/v3/order/{order_id}',
    body: () => ({ activate_by: '2026-06-01' }),
    ...ofScheduled,
    ...theirs,
  },
  { method: 'POST', path: '/v3/order/{order_id}/cancel', ...ofScheduled, ...theirs, ...fresh },
  { method: 'PATCH', path: '/v3/order/{order_id}/draw_completed', ...ofSite, ...theirs, ...fresh },
  {
    method: 'POST',
    path: '/v3/order/resend_events',
    body: ({ orderId }) => ({ order_ids: [orderId] }),
    ...own,
  },
  { method: 'GET', path: '/v3/order/{order_id}/communication_settings', ...theirs },
  {
    method: 'PATCH',
    path: '/v3/order/{order_id}/communication_settings',
    body: () => ({ sms_enabled: false }),
    ...theirs,
  },
  { method: 'GET', path: '/v3/order_transaction/{transaction_id}', ...theirs },
  { method: 'GET', path: '/v2/team/{team_id}/physicians', ...theirs, isOfWholeTeam: true },
  {
    method: 'GET',
    path: '/v3/physician/{npi}',
    params: { npi: '1234567893' },
    ...own,
    isOffInProduction: true,
  },
  { method: 'GET', path: '/v3/order/{order_id}/requisition/pdf', ...theirs },
  {
    method: 'GET',
    path: '/v3/order/{order_id}/labels/pdf',
    query: () => ({ collection_date: '2026-03-01T09:00:00-07:00' }),
    ...theirs,
  },
  { method: 'GET', path: '/v3/order/{order_id}/abn_pdf', ...theirs },
  { method: 'GET', path: '/v3/order/{order_id}/collection_instruction_pdf', ...theirs },
]

const MANAGED = '/v1/org/{org_id}/team/{team_id}/{env}'

/** What operators do with a management key. */
export const ORDER_OPERATOR_CASES: readonly RouteCase[] = [
  { method: 'GET', path: `${MANAGED}/stuck_order`, ...theirs },
  {
    method: 'POST',
    path: `${MANAGED}/stuck_order/{order_id}/retry`,
    ...ofStuck,
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: `${MANAGED}/stuck_order/{order_id}/resolve`,
    ...ofUncancelled,
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: `${MANAGED}/saved_view`, ...theirs },
  {
    method: 'POST',
    path: `${MANAGED}/saved_view`,
    body: () => ({ name: 'Critical', filters: { interpretation: 'critical' } }),
    ...theirs,
    ...fresh,
  },
  {
    method: 'PATCH',
    path: `${MANAGED}/saved_view/{view_id}`,
    body: () => ({ filters: { order_type: ['testkit'] } }),
    ...ofView,
    ...theirs,
  },
  { method: 'DELETE', path: `${MANAGED}/saved_view/{view_id}`, ...ofView, ...theirs, ...fresh },
]
