import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Allowed } from '../../../components/allowed.tsx'
import {
  APPOINTMENT_PROVIDERS,
  APPOINTMENT_STATUSES,
} from '../../../components/appointment-words.ts'
import { Failure } from '../../../components/failure.tsx'
import { findOrderStatus } from '../../../components/order-statuses.registry.ts'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { type Appointment, appointmentQuery, type Order } from '../order-queries.ts'
import { CancelAppointment } from './cancel-appointment.tsx'
import { ChooseSlot } from './choose-slot.tsx'

/** The appointment of an order: a visit at home or at a site. */
export function AppointmentSection({ order }: { order: Order }): ReactNode {
  const { type } = order.details
  if (type !== 'walk_in_test' && type !== 'at_home_phlebotomy') return null
  return <KnownAppointment order={order} />
}

function KnownAppointment({ order }: { order: Order }): ReactNode {
  const environment = useEnvironment()
  const { data, error, refetch } = useQuery(appointmentQuery(environment, order))
  const [isMoving, setMoving] = useState(false)
  const [isCancelling, setCancelling] = useState(false)
  const canBook = findOrderStatus(order.last_event.status)?.canBook === true
  const isActive = data !== null && data !== undefined && APPOINTMENT_STATUSES[data.status].isActive
  const title = order.details.type === 'walk_in_test' ? 'Appointment at a site' : 'Visit at home'
  return (
    <Section
      title={title}
      actions={
        isActive && (
          <>
            {data.can_reschedule && (
              <Allowed to="orders:write">
                <Button variant="outline" onClick={() => setMoving(!isMoving)}>
                  {isMoving ? 'Keep appointment' : 'Move appointment'}
                </Button>
              </Allowed>
            )}
            {data.status !== 'in_progress' && (
              <Allowed to="orders:write">
                <Button variant="outline" onClick={() => setCancelling(true)}>
                  Cancel appointment
                </Button>
              </Allowed>
            )}
          </>
        )
      }
    >
      {error && <Failure error={error} onRetry={refetch} />}
      {data === undefined && !error && <Waiting label="Loading the appointment" />}
      {data && <AppointmentFacts appointment={data} />}
      {data !== undefined && !isActive && canBook && <ChooseSlot order={order} onDone={() => {}} />}
      {isActive && isMoving && (
        <ChooseSlot order={order} moved={data} onDone={() => setMoving(false)} />
      )}
      {data === null && !canBook && <p className="quiet">This order had no appointment.</p>}
      {isActive && (
        <CancelAppointment
          order={order}
          isOpen={isCancelling}
          onClose={() => setCancelling(false)}
        />
      )}
    </Section>
  )
}

function AppointmentFacts({ appointment }: { appointment: Appointment }): ReactNode {
  const { address, start_at: start, end_at: end, iana_timezone: zone } = appointment
  const { label, tone } = APPOINTMENT_STATUSES[appointment.status]
  const number = appointment.external_id
  return (
    <div className="appointment">
      <div>
        <p className="appointment-time">{describeTime(start, end, zone)}</p>
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </div>
      <div>
        <p>
          {address.first_line}
          {address.second_line ? `, ${address.second_line}` : ''}
        </p>
        <p>
          {address.city}, {address.state} {address.zip_code}
        </p>
        <p className="quiet">
          {APPOINTMENT_PROVIDERS[appointment.provider]}
          {number && `, number ${number}`}
        </p>
      </div>
    </div>
  )
}

/** Formats the time in the zone of the place, which is named. */
function describeTime(start: string | null, end: string | null, zone: string | null): string {
  if (start === null) return 'The provider sets the time.'
  const timeZone = zone ?? undefined
  const day = new Intl.DateTimeFormat('en', {
    dateStyle: 'full',
    timeStyle: 'short',
    ...(timeZone && { timeZone }),
  }).format(new Date(start))
  const until = new Intl.DateTimeFormat('en', {
    timeStyle: end === null ? 'short' : 'short',
    ...(timeZone && { timeZone }),
  })
  const to = end === null ? '' : ` to ${until.format(new Date(end))}`
  return `${day}${to}${zone ? ` (${zone})` : ''}`
}
