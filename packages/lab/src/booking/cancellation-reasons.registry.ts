import type { AppointmentType } from '@salus/contracts/lab-gateway'

export interface CancellationReason {
  id: string
  name: string
  is_refundable: boolean
}

const reason = (number: string, name: string): CancellationReason => ({
  id: `9b1f6a40-3c57-4e0a-8d21-00000000${number}`,
  name,
  is_refundable: true,
})

/**
 * Reasons for the cancellation of an appointment. Ids never change, because clients store them
 * (docs/contract/14-appointments-and-psc.md#get-v3orderphlebotomyappointmentcancellation-reasons).
 */
export const CANCELLATION_REASONS: Readonly<
  Record<AppointmentType, readonly CancellationReason[]>
> = {
  phlebotomy: [
    reason('0101', 'Patient did not fast'),
    reason('0102', 'Patient distrusts the company'),
    reason('0103', 'Provider cannot deliver to the wanted lab'),
    reason('0104', 'Patient is no longer interested'),
    reason('0105', 'Physician asked to cancel'),
    reason('0106', 'Wrong patient'),
    reason('0107', 'Time no longer suits'),
    reason('0108', 'No lab order available'),
    reason('0109', 'Patient prefers a visit in person'),
    reason('0110', 'Patient went to the lab instead'),
    reason('0111', 'Other'),
  ],
  patient_service_center: [reason('0201', 'Other')],
}
