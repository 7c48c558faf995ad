import { useContext } from 'react'
import { IconAlertTriangle, IconCheck, IconX } from './icons.tsx'
import { formatDayOf, Instant, ShownZone } from './instant.tsx'
import './order-track.css'
import { listStages, type Stage, type StageState, type TrackedOrder } from './order-stages.ts'
import { describeOrderStatus, describeStatusDetail } from './order-words.ts'

interface OrderTrackProps {
  order: TrackedOrder
  /**
   * For lists that show the status in another column: leaves out the status and the list of events.
   */
  isShort?: boolean
}

/** Shows the stages of an order with their states, and below them every event. */
export function OrderTrack({ order, isShort = false }: OrderTrackProps) {
  return (
    <div className="order-track">
      <ol className="order-track-stages" aria-label="Progress of the order">
        {listStages(order).map((stage) => (
          <TrackStage key={stage.name} stage={stage} />
        ))}
      </ol>
      <Standing order={order} isShort={isShort} />
      {!isShort && <AllSteps order={order} />}
    </div>
  )
}

const STATE_WORDS: Readonly<Record<StageState, string>> = {
  done: 'done',
  current: 'now',
  problem: 'needs attention',
  ended: 'ended',
  skipped: 'skipped',
  ahead: 'upcoming',
}

function TrackStage({ stage: { name, state, event } }: { stage: Stage }) {
  const zone = useContext(ShownZone)
  const tone = event && describeOrderStatus(event.status).tone
  return (
    <li
      className="order-track-stage"
      data-state={state}
      data-tone={tone}
      aria-current={state === 'current' || state === 'problem' ? 'step' : undefined}
    >
      <span className="order-track-dot" aria-hidden="true">
        {state === 'done' && <IconCheck size={12} stroke={3} />}
        {state === 'problem' && <IconAlertTriangle size={11} stroke={2.5} />}
        {state === 'ended' && <IconX size={12} stroke={3} />}
      </span>
      <span className="order-track-name">
        {name}
        <span className="visually-hidden">: {STATE_WORDS[state]}</span>
      </span>
      {event && (
        <time className="order-track-when" dateTime={event.created_at}>
          {formatDayOf(new Date(event.created_at), zone)}
        </time>
      )}
    </li>
  )
}

/** Describes the status of the order in a sentence, with the reason that the laboratory gave. */
function Standing({ order, isShort }: { order: TrackedOrder; isShort: boolean }) {
  const last = order.events.at(-1)
  if (last === undefined) return null
  const { label, tone } = describeOrderStatus(last.status)
  const isScheduled = order.events.length === 1 && order.activate_by
  const sentences = [
    isShort ? undefined : `${label}.`,
    isScheduled ? `The laboratory receives the order on ${order.activate_by}.` : undefined,
    last.status_detail ? describeStatusDetail(last.status_detail) : undefined,
  ].filter((sentence) => sentence !== undefined)
  if (sentences.length === 0) return null
  return (
    <p className="order-track-standing" data-tone={tone}>
      {sentences.join(' ')}
    </p>
  )
}

function AllSteps({ order }: { order: TrackedOrder }) {
  return (
    <details className="order-track-steps">
      <summary>All events ({order.events.length})</summary>
      <ol>
        {order.events.toReversed().map((event) => (
          <li key={event.id}>
            <Instant at={event.created_at} />
            <span>
              {describeOrderStatus(event.status).label}
              {event.status_detail ? `. ${describeStatusDetail(event.status_detail)}` : ''}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Times are in the reader's zone, which MOMENT names. */
