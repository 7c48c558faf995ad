import { Button, NativeSelect, Textarea } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { type Environment, useEnvironment } from '../../../api/environment.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { type Order, useOrderChanged } from '../order-queries.ts'

const reasonsQuery = ({ key, team }: Environment, isAtHome: boolean) =>
  queryOptions({
    queryKey: [...key, 'cancellation_reasons', isAtHome],
    queryFn: ({ signal }) =>
      isAtHome
        ? unwrapResponse(
            team.GET('/v3/order/phlebotomy/appointment/cancellation-reasons', { signal }),
          )
        : unwrapResponse(team.GET('/v3/order/psc/appointment/cancellation-reasons', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

interface CancelAppointmentProps {
  order: Order
  isOpen: boolean
  onClose: () => void
}

/** Cancels the appointment of an order for one of the reasons of the provider; the order stays. */
export function CancelAppointment({ order, isOpen, onClose }: CancelAppointmentProps): ReactNode {
  const environment = useEnvironment()
  const changed = useOrderChanged()
  const isAtHome = order.details.type === 'at_home_phlebotomy'
  const { data: reasons = [] } = useQuery({
    ...reasonsQuery(environment, isAtHome),
    enabled: isOpen,
  })
  const [reason, setReason] = useState('')
  const [notes, setNotes] = useState('')
  const cancel = useMutation({
    mutationFn: () => {
      const params = { path: { order_id: order.id } }
      const body = {
        cancellation_reason_id: reason || (reasons[0]?.id ?? ''),
        notes: notes.trim() || null,
      }
      const { team } = environment
      return isAtHome
        ? unwrapResponse(
            team.PATCH('/v3/order/{order_id}/phlebotomy/appointment/cancel', { params, body }),
          )
        : unwrapResponse(
            team.PATCH('/v3/order/{order_id}/psc/appointment/cancel', { params, body }),
          )
    },
    onSuccess: async () => {
      await changed(order.id)
      onClose()
    },
  })
  return (
    <Dialog
      title="Cancel the appointment?"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Keep appointment
          </Button>
          <Button
            loading={cancel.isPending}
            disabled={reasons.length === 0}
            onClick={() => cancel.mutate()}
          >
            Cancel appointment
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>The order stays, and you can book another time.</p>
        {isAtHome && <p>The cancellation is free of charge until 24 hours before the visit.</p>}
        <NativeSelect
          label="Reason"
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          data={reasons.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Textarea
          label="Notes"
          maxLength={1000}
          rows={2}
          value={notes}
          onChange={({ currentTarget }) => setNotes(currentTarget.value)}
        />
        {cancel.error && <Failure error={cancel.error} />}
      </div>
    </Dialog>
  )
}
