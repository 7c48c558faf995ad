import type { ReactNode } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { EventExplanation } from '../../components/event-explanation.tsx'
import { Section } from '../../components/page.tsx'
import { PersonPicker } from '../../components/person-picker.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { EventTypeSelect } from './event-filters.tsx'

/** Explains why an event about a person was not written, or not delivered. */
export function MissingEvent(): ReactNode {
  const [{ user, type }, change] = useViewState({ user: '', type: '' })
  const isAsked = user !== '' && type !== '' && !type.endsWith('*')
  return (
    <Section
      title="Missing event"
      description="Choose the person and the event that you expected. Salus checks the endpoints, connections, data and orders, and explains what prevents the event."
    >
      <div className="webhooks-question">
        <PersonPicker label="Person" value={user} onChange={(next) => change({ user: next })} />
        <EventTypeSelect
          value={type}
          any="Choose an event type"
          onChange={(next) => change({ type: next })}
        />
      </div>
      {isAsked ? (
        <EventExplanation userId={user} eventType={type} />
      ) : (
        <EmptyState title="No event is chosen.">Choose a person and an event type.</EmptyState>
      )}
    </Section>
  )
}
