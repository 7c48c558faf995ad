import { groupOf, orderStatus } from '@salus/contracts/order-lifecycle'
import { DAY_MS } from '@salus/contracts/time-units'
import { formatInstant } from '@salus/kernel/time/instants'
import type { LabTest } from '../catalog/index.ts'
import type { OrderEventRow } from './order-events.repository.ts'
import type { OrderRow, OrderTransactionRow, TransactionMember } from './orders.repository.ts'
import type { Order, OrderEvent, OrderTransaction } from './orders.schema.ts'
import type { PatientDetails } from './people.schema.ts'
import type { ShipmentRow } from './shipments.repository.ts'

/** The data of a wire object of an order. */
export interface OrderParts {
  teamId: string
  row: OrderRow
  events: readonly OrderEventRow[]
  shipment: ShipmentRow | null
  /** Id of the active appointment. */
  appointmentId: string | null
  labTest: LabTest
  transaction: Pick<OrderTransactionRow, 'id' | 'status'>
  /** Orders of the transaction, oldest first. */
  members: readonly TransactionMember[]
}

/** Returns the wire object of an order (docs/contract/11-orders.md#order). */
export function toOrder(parts: OrderParts): Order {
  const { row, labTest } = parts
  const lastEvent = parts.events.at(-1)
  if (lastEvent === undefined) throw new Error('An order without events.')
  return {
    user_id: row.user_id,
    id: row.id,
    team_id: parts.teamId,
    patient_details: row.patient_details && toPatientDetails(row.patient_details),
    patient_address: row.patient_address,
    lab_test: labTest,
    details: { type: row.method, data: toDetails(parts) },
    sample_id: row.sample_id,
    notes: row.notes,
    clinical_notes: row.clinical_notes,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    events: parts.events.map((event) => toOrderEvent(row, event)),
    // Uses the event's status, because the row may have been read before the event.
    status: groupOf(row.method, lastEvent.status),
    last_event: toOrderEvent(row, lastEvent),
    physician: row.physician && {
      first_name: row.physician.first_name,
      last_name: row.physician.last_name,
      npi: row.physician.npi,
    },
    health_insurance_id: row.health_insurance_id,
    requisition_form_url: null,
    priority: row.priority,
    shipping_details: row.shipping_details,
    activate_by: row.activate_by,
    passthrough: row.passthrough,
    billing_type: row.billing_type,
    icd_codes: row.icd_codes,
    has_abn: row.has_abn,
    interpretation: row.interpretation,
    has_missing_results: row.has_missing_results,
    expected_result_by_date: addDays(row.collected_on, labTest.common_tat_days),
    worst_case_result_by_date: addDays(row.collected_on, labTest.worst_case_tat_days),
    origin: row.origin,
    order_transaction: toOrderTransaction(parts.transaction, parts.members),
  }
}

function toOrderEvent({ method }: OrderRow, event: OrderEventRow): OrderEvent {
  return {
    id: event.id,
    created_at: formatInstant(event.created_at),
    status: orderStatus(method, event.status),
    status_detail: event.status_detail,
  }
}

/** Omits the household figures, which are for billing only. */
function toPatientDetails(patient: PatientDetails): Order['patient_details'] {
  const { household_income: _, household_size: __, ...shown } = patient
  return shown
}

function toDetails({ row, shipment, appointmentId }: OrderParts): Order['details']['data'] {
  const data = {
    id: row.details_id,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
  switch (row.method) {
    case 'testkit':
      return { ...data, shipment: shipment && toShipment(shipment) }
    case 'on_site_collection':
      return data
    default:
      return { ...data, appointment_id: appointmentId }
  }
}

function toShipment(row: ShipmentRow): NonNullable<Order['details']['data']['shipment']> {
  return {
    id: row.id,
    outbound_tracking_number: row.outbound_tracking_number,
    outbound_tracking_url: row.outbound_tracking_url,
    inbound_tracking_number: row.inbound_tracking_number,
    inbound_tracking_url: row.inbound_tracking_url,
    outbound_courier: row.outbound_courier,
    inbound_courier: row.inbound_courier,
    notes: row.notes,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
}

/** Returns the wire object of an order transaction with its orders in the given order. */
export function toOrderTransaction(
  { id, status }: Pick<OrderTransactionRow, 'id' | 'status'>,
  members: readonly TransactionMember[],
): OrderTransaction {
  const orders = members.map((member) => ({
    id: member.id,
    low_level_status: member.last_status,
    low_level_status_created_at: formatInstant(member.last_status_at),
    origin: member.origin,
    parent_id: member.parent_id,
    created_at: formatInstant(member.created_at),
    updated_at: formatInstant(member.updated_at),
  }))
  return { id, status, orders }
}

/** Returns the date `days` after another one; null where either is unknown. */
function addDays(date: string | null, days: number | null): string | null {
  if (date === null || days === null) return null
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}
