import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { SiteList } from '../../centers/site-list.tsx'
import { type Appointment, type Order, useOrderChanged } from '../order-queries.ts'
import {
  findBookedLab,
  RADII,
  type Radius,
  siteSlotsQuery,
  sitesQuery,
  visitSlotsQuery,
} from './appointment-queries.ts'
import { RequestVisit } from './request-visit.tsx'
import { type Slot, SlotPicker, type Slots } from './slot-picker.tsx'

interface ChooseSlotProps {
  order: Order
  /** The appointment to be moved; without it one is booked. */
  moved?: Appointment
  onDone: () => void
}

/** Lists free times for an order, to book one of them or to move its appointment to it. */
export function ChooseSlot(props: ChooseSlotProps): ReactNode {
  const isAtHome = props.order.details.type === 'at_home_phlebotomy'
  return isAtHome ? <VisitSlots {...props} /> : <SiteSlots {...props} />
}

function VisitSlots(props: ChooseSlotProps): ReactNode {
  const environment = useEnvironment()
  const [from, setFrom] = useState('')
  const { patient_address: address } = props.order
  const query = useQuery({
    ...visitSlotsQuery(environment, address ?? NOWHERE, from),
    enabled: address !== null,
  })
  return (
    <div className="stack">
      <FromDay value={from} onChange={setFrom} />
      <BookSlot {...props} availability={query.data} error={query.error} retry={query.refetch} />
      {props.moved === undefined && <RequestVisit order={props.order} />}
    </div>
  )
}

const NOWHERE = { first_line: '', city: '', state: '', zip: '' }

function FromDay({
  value,
  onChange,
}: {
  value: string
  onChange: (day: string) => void
}): ReactNode {
  return (
    <TextInput
      className="narrow"
      size="sm"
      type="date"
      label="From (14 days are shown)"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function SiteSlots(props: ChooseSlotProps): ReactNode {
  const environment = useEnvironment()
  const [radius, setRadius] = useState<Radius>('25')
  const [sites, setSites] = useState<string[]>([])
  const [from, setFrom] = useState('')
  const found = useQuery(sitesQuery(environment, props.order, radius))
  const lab = findBookedLab(found.data?.slug ?? '')
  const zip = props.order.patient_address?.zip ?? ''
  const slots = useQuery({
    ...siteSlotsQuery(environment, { lab: lab ?? 'quest', siteCodes: sites, zip, from }),
    enabled: lab !== undefined,
  })
  if (found.error) return <Failure error={found.error} onRetry={found.refetch} />
  if (found.data === undefined) return <Waiting label="Loading sites" />
  const { patient_service_centers: centers } = found.data
  return (
    <div className="stack">
      <NativeSelect
        className="narrow"
        size="sm"
        label="Sites around the patient"
        value={radius}
        onChange={({ currentTarget }) => setRadius(currentTarget.value as Radius)}
        data={RADII.map((value) => ({ value, label: `Within ${value} miles` }))}
      />
      {centers.length === 0 ? (
        <EmptyState title="There is no site nearby.">
          Choose a larger distance, or order another collection method.
        </EmptyState>
      ) : (
        <SiteList
          sites={centers}
          chosen={sites}
          {...(lab !== undefined && { onChoose: setSites })}
        />
      )}
      {lab === undefined ? (
        <p className="quiet">
          The laboratory takes no appointments through Salus. The patient can walk in.
        </p>
      ) : (
        <>
          <FromDay value={from} onChange={setFrom} />
          <BookSlot
            {...props}
            availability={slots.data}
            error={slots.error}
            retry={slots.refetch}
          />
        </>
      )}
    </div>
  )
}

interface BookSlotProps extends ChooseSlotProps {
  availability: Slots | undefined
  error: unknown
  retry: () => void
}

function BookSlot({ order, moved, onDone, availability, error, retry }: BookSlotProps): ReactNode {
  const changed = useOrderChanged()
  const [slot, setSlot] = useState<Slot>()
  const [notes, setNotes] = useState(moved?.appointment_notes ?? '')
  const book = useBooking(order, moved !== undefined)
  if (error) return <Failure error={error} onRetry={retry} />
  if (availability === undefined) return <Waiting label="Loading free times" />
  const key = slot?.booking_key
  return (
    <form
      className="stack"
      onSubmit={async (event) => {
        event.preventDefault()
        if (!key) return
        const isBooked = await book.mutateAsync({ key, notes }).then(
          () => true,
          // It is shown below the times.
          () => false,
        )
        await changed(order.id)
        if (isBooked) onDone()
      }}
    >
      <SlotPicker
        availability={availability}
        chosen={key ?? undefined}
        onChoose={(next) => setSlot(next)}
      />
      {key && (
        <Textarea
          label="Notes for the appointment"
          maxLength={1000}
          autosize={false}
          rows={2}
          value={notes}
          onChange={({ currentTarget }) => setNotes(currentTarget.value)}
        />
      )}
      {book.error && <Failure error={book.error} onRetry={retry} />}
      <div>
        <Button type="submit" disabled={!key} loading={book.isPending}>
          {moved === undefined ? 'Book appointment' : 'Move appointment'}
        </Button>
      </div>
    </form>
  )
}

function useBooking(order: Order, isMove: boolean) {
  const { team } = useEnvironment()
  const path = { order_id: order.id }
  const isAtHome = order.details.type === 'at_home_phlebotomy'
  return useMutation({
    mutationFn: ({ key, notes }: { key: string; notes: string }) => {
      const body = { booking_key: key, appointment_notes: notes.trim() || null }
      const params = { path }
      if (isMove) {
        const move = isAtHome
          ? team.PATCH('/v3/order/{order_id}/phlebotomy/appointment/reschedule', { params, body })
          : team.PATCH('/v3/order/{order_id}/psc/appointment/reschedule', { params, body })
        return unwrapResponse(move)
      }
      const booking = { ...body, async_confirmation: false }
      if (isAtHome) {
        const address = '/v3/order/{order_id}/phlebotomy/appointment/book'
        return unwrapResponse(team.POST(address, { params, body: booking }))
      }
      // A second press with the same choice books once.
      const header = { 'x-idempotency-key': key.slice(-200) }
      const keyed = { path, header }
      const address = '/v3/order/{order_id}/psc/appointment/book'
      return unwrapResponse(team.POST(address, { params: keyed, body: booking }))
    },
  })
}
