import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { type Order, transitionsQuery, useOrderChanged } from './order-queries.ts'
import { RegisterKit } from './register-kit.tsx'

type Command = 'cancel' | 'reschedule' | 'complete_draw'

/** The commands that the order accepts now. */
export function OrderCommands({ order }: { order: Order }): ReactNode {
  const { data } = useQuery(transitionsQuery(useEnvironment(), order))
  const { teamId, env } = useEnvironment()
  const [command, setCommand] = useState<Command>()
  const can = data?.can
  const close = () => setCommand(undefined)
  return (
    <>
      <RegisterKit order={order} />
      {can?.complete_draw && (
        <Button onClick={() => setCommand('complete_draw')}>Report collection</Button>
      )}
      {can?.reschedule && (
        <Button variant="outline" onClick={() => setCommand('reschedule')}>
          Change date
        </Button>
      )}
      {can?.replace && (
        <Button
          variant="outline"
          renderRoot={(props) => (
            <Link
              to="/$team/$env/orders/new"
              params={{ team: teamId, env }}
              search={{ replaces: order.id } as never}
              {...props}
            />
          )}
        >
          Replace order
        </Button>
      )}
      {can?.cancel && (
        <Button variant="outline" onClick={() => setCommand('cancel')}>
          Cancel order
        </Button>
      )}
      <CancelDialog order={order} isOpen={command === 'cancel'} onClose={close} />
      <DrawDialog order={order} isOpen={command === 'complete_draw'} onClose={close} />
      <RescheduleDialog
        key={order.activate_by}
        order={order}
        isOpen={command === 'reschedule'}
        onClose={close}
      />
    </>
  )
}

interface CommandDialogProps {
  order: Order
  isOpen: boolean
  onClose: () => void
}

function useCommand(orderId: string, onDone: () => void, act: () => Promise<unknown>) {
  const changed = useOrderChanged()
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await changed(orderId)
      onDone()
    },
  })
}

function CancelDialog({ order, isOpen, onClose }: CommandDialogProps): ReactNode {
  const { team } = useEnvironment()
  const params = { path: { order_id: order.id } }
  const cancel = useCommand(order.id, onClose, () =>
    unwrapResponse(team.POST('/v3/order/{order_id}/cancel', { params })),
  )
  const isAtHome = order.details.type === 'at_home_phlebotomy'
  return (
    <Dialog
      title="Cancel the order?"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Keep order
          </Button>
          <Button loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel order
          </Button>
        </>
      }
    >
      <p>A cancelled order cannot be reopened, only replaced by a new one.</p>
      {isAtHome && <p>The appointment at home is cancelled with it.</p>}
      {order.details.type === 'walk_in_test' && (
        <p>The appointment at a site stays. Cancel it as well if the patient will not come.</p>
      )}
      {cancel.error && <Failure error={cancel.error} />}
    </Dialog>
  )
}

function DrawDialog({ order, isOpen, onClose }: CommandDialogProps): ReactNode {
  const { team } = useEnvironment()
  const params = { path: { order_id: order.id } }
  const complete = useCommand(order.id, onClose, () =>
    unwrapResponse(team.PATCH('/v3/order/{order_id}/draw_completed', { params })),
  )
  return (
    <Dialog
      title="Was the sample collected?"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Not yet
          </Button>
          <Button loading={complete.isPending} onClick={() => complete.mutate()}>
            Report collection
          </Button>
        </>
      }
    >
      <p>The order continues at the laboratory, with today as the day of collection.</p>
      {complete.error && <Failure error={complete.error} />}
    </Dialog>
  )
}

function RescheduleDialog({ order, isOpen, onClose }: CommandDialogProps): ReactNode {
  const { team } = useEnvironment()
  const [day, setDay] = useState(order.activate_by ?? '')
  const params = { path: { order_id: order.id } }
  const move = useCommand(order.id, onClose, () =>
    unwrapResponse(
      team.PATCH('/v3/order/{order_id}', { params, body: { activate_by: day || null } }),
    ),
  )
  return (
    <Dialog title="When should the laboratory receive the order?" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          move.mutate()
        }}
      >
        <TextInput
          type="date"
          label="Day"
          description="Without a day the laboratory receives it at once."
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
        />
        {move.error && <Failure error={move.error} />}
        <div className="form-actions">
          <Button type="submit" loading={move.isPending}>
            {day === '' ? 'Send now' : 'Change date'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
