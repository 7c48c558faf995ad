import { NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { components } from '../../../api/openapi.generated.d.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import './slots.css'

export type Slots = components['schemas']['AppointmentAvailabilitySlots']
type Day = Slots['slots'][number]
export type Slot = Day['slots'][number]

interface SlotPickerProps {
  availability: Slots
  /** Booking key of the chosen slot. */
  chosen: string | undefined
  onChoose: (slot: Slot) => void
  /** Shows slots that cannot be chosen. */
  isPreview?: boolean
}

/** Lists free times: by site, where there are several, then by day. */
export function SlotPicker(props: SlotPickerProps): ReactNode {
  const { availability } = props
  const sites = Map.groupBy(availability.slots, ({ location }) => location?.code ?? '')
  const [named, setSite] = useState<string>()
  const site = named !== undefined && sites.has(named) ? named : [...sites.keys()][0]
  const days = sites.get(site ?? '') ?? []
  const place = days[0]?.location
  return (
    <div className="stack">
      {sites.size > 1 && (
        <NativeSelect
          size="sm"
          label="Site"
          value={site}
          onChange={({ currentTarget }) => setSite(currentTarget.value)}
          data={[...sites].map(([code, [day]]) => ({
            value: code,
            label: describeSite(day?.location),
          }))}
        />
      )}
      {sites.size === 1 && place && <p className="slot-place">{describeSite(place)}</p>}
      <Days
        key={site}
        {...props}
        days={days}
        zone={place?.iana_timezone ?? availability.timezone ?? undefined}
      />
    </div>
  )
}

function describeSite(location: Day['location'] | undefined): string {
  if (!location) return 'At the address of the patient'
  const { name, address, distance } = location
  const away = distance === null ? '' : `, ${distance} miles away`
  return `${name}, ${address.first_line}, ${address.city}${away}`
}

interface DaysProps extends SlotPickerProps {
  days: readonly Day[]
  /** Zone of the place of the appointment. */
  zone: string | undefined
}

const isFree = ({ booking_key: key }: Slot): boolean => key !== null

function Days({ days, zone, chosen, onChoose, isPreview = false }: DaysProps): ReactNode {
  const first = days.find(({ slots }) => slots.some(isFree))
  const [named, setDay] = useState<string>()
  const day = days.find(({ date }) => date === named) ?? first
  if (first === undefined) {
    return (
      <EmptyState title="There are no free times in these 14 days.">
        Choose a later date, or another site.
      </EmptyState>
    )
  }
  return (
    <>
      <fieldset className="slot-days" aria-label="Day">
        {days.map(({ date, slots }) => (
          <button
            key={date}
            type="button"
            aria-pressed={date === day?.date}
            disabled={!slots.some(isFree)}
            onClick={() => setDay(date)}
          >
            {formatDay(date)}
          </button>
        ))}
      </fieldset>
      <ul className="slots" aria-label={`Free times${zone ? `, in ${zone}` : ''}`}>
        {day?.slots.filter(isFree).map((slot) => (
          <li key={slot.booking_key ?? slot.start}>
            <button
              type="button"
              disabled={isPreview}
              aria-pressed={isPreview ? undefined : slot.booking_key === chosen}
              onClick={() => onChoose(slot)}
            >
              {formatTime(slot.start, zone)} to {formatTime(slot.end, zone)}
              {slot.price > 0 && `, $${(slot.price / 100).toFixed(0)}`}
            </button>
          </li>
        ))}
      </ul>
      {zone && <p className="quiet">Times are those of the place, {zone}.</p>}
    </>
  )
}

const formatDay = (date: string): string =>
  new Intl.DateTimeFormat('en', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${date}T00:00:00Z`))

const formatTime = (at: string, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en', { timeStyle: 'short', ...(timeZone && { timeZone }) }).format(
    new Date(at),
  )
