import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useContext } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import {
  APPOINTMENT_PROVIDERS,
  APPOINTMENT_STATUSES,
} from '../../../components/appointment-words.ts'
import { Failure } from '../../../components/failure.tsx'
import { Instant, ShownZone } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { appointmentsQuery } from './lab-queries.ts'

type Appointment = components['schemas']['Appointment']

/** Lists the appointments of a person. */
export function Appointments({ userId }: { userId: string }): ReactNode {
  const { data, error, refetch } = useQuery(appointmentsQuery(useEnvironment(), userId))
  return (
    <Section
      id="appointments"
      title="Appointments"
      description="Times are those of the place of the appointment."
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <Waiting label="Loading appointments" />}
      {data?.length === 0 && (
        <p className="quiet">
          No appointments yet. Book one on the page of an order that is collected by a phlebotomist
          or at a service center.
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="person-orders">
          {data.map((appointment) => (
            <AppointmentCard key={appointment.id} appointment={appointment} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function AppointmentCard({ appointment }: { appointment: Appointment }): ReactNode {
  const { teamId, env } = useEnvironment()
  const zone = useContext(ShownZone)
  const { label, tone } = APPOINTMENT_STATUSES[appointment.status]
  const { first_line, city, state } = appointment.address
  const isVisit = appointment.type === 'phlebotomy'
  const cancelled = appointment.events.findLast(({ status }) => status === 'cancelled')
  const reason = (cancelled?.data as { cancellation_reason?: string } | null)?.cancellation_reason
  return (
    <li className="person-order">
      <header className="person-order-head">
        <h3>{formatSpan(appointment, zone)}</h3>
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </header>
      <p>
        {isVisit ? 'At home' : 'Service center'}, {first_line}, {city}, {state}
      </p>
      <p className="quiet">
        {APPOINTMENT_PROVIDERS[appointment.provider]}
        {appointment.external_id ? ` · number ${appointment.external_id}` : ''}
        {cancelled && (
          <>
            {' '}
            · cancelled <Instant at={cancelled.created_at} isRelative />
            {reason ? `: ${reason}` : ''}
          </>
        )}
        {' · '}
        <Link
          to="/$team/$env/orders/$order"
          params={{ team: teamId, env, order: appointment.order_id }}
        >
          Order
        </Link>
      </p>
    </li>
  )
}

/**
 * Formats `Mon, Mar 9, 2026, 9:00 – 10:00 AM MST` in the zone of the place, else in that of the
 * person.
 */
function formatSpan(
  { start_at, end_at, iana_timezone }: Appointment,
  zone: string | undefined,
): string {
  if (start_at === null) return 'The time is not set yet.'
  const format = new Intl.DateTimeFormat('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: iana_timezone ?? zone,
  })
  const start = new Date(start_at)
  return end_at === null ? format.format(start) : format.formatRange(start, new Date(end_at))
}
