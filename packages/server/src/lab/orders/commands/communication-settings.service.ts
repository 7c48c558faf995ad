import type { OrdersContext } from '../orders.context.ts'
import { type OrderRow, updateOrder } from '../orders.repository.ts'
import { getOrderRow } from '../reading/show-orders.service.ts'
import { commandOrder } from './command-order.ts'

/** Whether the patient of an order gets text messages; the team's setting unless set here. */
export async function getCommunicationSettings(context: OrdersContext, orderId: string) {
  const { db, environment } = context
  return toSettings(context, await getOrderRow(db, environment.id, orderId))
}

export function setCommunicationSettings(
  context: OrdersContext,
  orderId: string,
  smsEnabled: boolean,
) {
  return commandOrder(context, orderId, async (tx, row) => {
    const changes = { sms_enabled: smsEnabled }
    return toSettings(tx, await updateOrder(tx.db, row.environment_id, row.id, changes))
  })
}

function toSettings({ environment }: OrdersContext, row: OrderRow) {
  const ofTeam = environment.settings.lab_tests_patient_sms_communication_enabled
  return { order_id: row.id, sms_enabled: row.sms_enabled ?? ofTeam }
}
